// Section: Control flow
// Construct: goto
// Code: jump
// Instead: LastDigit

package refused

//surge:kernel
func Goto(n int) int {
again:
	if n >= 10 {
		n -= 10
		goto again
	}
	return n
}
