// Section: Control flow
// Construct: fallthrough
// Code: jump
// Instead: Grades

package refused

//surge:kernel
func Fallthrough(x int) int {
	n := 0
	switch x {
	case 1:
		n++
		fallthrough
	case 2:
		n++
	}
	return n
}
