// Section: Control flow
// Construct: a return from inside of a loop that ranges over a function
// Code: range
// Instead: Around

package refused

func digits(yield func(int) bool) {
	for i := 0; i < 10 && yield(i); i++ {
	}
}

//surge:kernel
func Iterator(n int) int {
	for d := range digits {
		if d > n {
			return d
		}
	}
	return n
}
