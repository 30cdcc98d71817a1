package goroutine

// What is known of the Go compiler on amd64. Passes and constraints that rest on it take it from here.
const (
	// vectorRegisters is how many vectors it keeps in registers: of the sixteen that it allocates it uses one itself.
	vectorRegisters = 15
	// operandRegisters is how many of these are free while it loads an operand.
	operandRegisters = vectorRegisters - 1
	// intParameters and vectorParameters are how many values a function is given in registers.
	intParameters, vectorParameters = 9, 15
	// narrowSpilled is how many vectors of 128 bits there may be among more vectors than registers until some of them
	// are surely spilled: one or two more it keeps in registers, and spills others.
	narrowSpilled = 4
)
