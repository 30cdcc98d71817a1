// Section: Control flow
// Construct: recursion
// Code: recursion
// Instead: Fibonacci

package refused

//surge:kernel
func Recursion(n int) int {
	if n < 2 {
		return n
	}
	return Recursion(n-1) + Recursion(n-2)
}
