// Section: Control flow
// Construct: recursion
// Code: recursion
// Instead: Fibonacci

package refused

//surge:kernel
func Recursion(a, b int) int {
	if b == 0 {
		return a
	}
	return Recursion(b, a%b)
}
