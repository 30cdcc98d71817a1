package gen

import "fmt"

// A tile describes the routine that sums the products of register tiles of one vector type.
type tile struct {
	vector
	S      string // suffix of instructions: D or S
	R      string // letter of the registers
	Shapes []shape
}

// A shape is how many rows and vectors a tile has.
type shape struct{ Rows, Vectors int }

// tiles lists the routines: those for all vectors of 256 and 512 bits. Accumulators come first among the registers, then
// the vectors, then a factor.
func tiles() []tile {
	shapes := []shape{{8, 1}, {4, 2}, {4, 1}, {2, 2}, {2, 1}, {1, 2}, {1, 1}}
	var ts []tile
	for _, v := range vectors {
		if v.Float() && v.Width() >= 256 {
			ts = append(ts, tile{v, map[int]string{64: "D", 32: "S"}[v.Bits], map[bool]string{true: "Z", false: "Y"}[v.Wide()], shapes})
		}
	}
	return ts
}

// rowRegisters hold the addresses of rows.
var rowRegisters = []string{"R8", "R9", "R10", "R11", "R12", "R13", "R15", "BX"}

// Row is the register with the address of a row.
func (t tile) Row(r int) string { return rowRegisters[r] }

// Vector is the register with the address of a vector's elements.
func (t tile) Vector(v int) string { return []string{"SI", "DX"}[v] }

// Acc is the accumulator of a row and a vector.
func (t tile) Acc(s shape, r, v int) string { return fmt.Sprintf("%s%d", t.R, r*s.Vectors+v) }

// Value is the register of a vector.
func (t tile) Value(v int) string { return fmt.Sprintf("%s%d", t.R, 8+v) }

// Factor is the register of the factor of a row.
func (t tile) Factor() string { return t.R + "10" }

// Folded tells whether a factor is read and multiplied by one instruction.
func (t tile) Folded(s shape) bool { return t.Wide() && s.Vectors == 1 }

// Xor is the instruction that clears a register.
func (t tile) Xor() string {
	if t.Wide() {
		return "VPXORQ"
	}
	return "VPXOR"
}

// Bytes is the distance of two accumulators in memory.
func (t tile) Bytes() int { return t.Width() / 8 }
