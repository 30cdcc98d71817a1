// Section: Slices
// Construct: assignment to an element of a parameter
// Code: input-write
// Instead: Running

package refused

//surge:kernel
func InputWrite(x []float64) []float64 {
	x[0] = 1
	return x
}
