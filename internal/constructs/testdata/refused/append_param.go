// Section: Slices
// Construct: append to a parameter
// Code: append
// Instead: Joined

package refused

//surge:kernel
func AppendParam(x []float64, v float64) []float64 { return append(x, v) }
