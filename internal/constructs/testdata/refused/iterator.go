// Section: Control flow
// Construct: range over a function
// Code: range
// Instead: Powers

package refused

func digits(yield func(int) bool) {
	for i := 0; i < 10 && yield(i); i++ {
	}
}

//surge:kernel
func Iterator(n int) int {
	for d := range digits {
		n += d
	}
	return n
}
