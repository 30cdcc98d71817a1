// Section: Functions
// Construct: parameters of the kernel without a name
// Code: signature
// Instead: Mean

package refused

//surge:kernel
func Unnamed(x []float64, _ bool) float64 { return x[0] }
