// Section: Input, output and concurrency
// Construct: input and output
// Code: io
// Instead: Scaled

package refused

import (
	"fmt"
)

//surge:kernel
func Print(x []float64) float64 {
	fmt.Println(x[0])
	return x[0]
}
