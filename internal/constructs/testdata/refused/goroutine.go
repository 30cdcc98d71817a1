// Section: Input, output and concurrency
// Construct: go, channels and select
// Code: goroutine
// Instead: Scaled

package refused

//surge:kernel
func Goroutine(x []float64) float64 {
	go func() {}()
	return x[0]
}
