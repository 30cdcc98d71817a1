// Section: Input, output and concurrency
// Construct: assignment to a package-level variable
// Code: global-write
// Instead: Summed

package refused

var calls int

//surge:kernel
func GlobalWrite(x []float64) float64 {
	calls++
	return x[0]
}
