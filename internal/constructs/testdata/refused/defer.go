// Section: Control flow
// Construct: defer
// Code: defer
// Instead: Mean

package refused

//surge:kernel
func Defer(x []float64) (y float64) {
	defer func() { y = 0 }()
	return x[0]
}
