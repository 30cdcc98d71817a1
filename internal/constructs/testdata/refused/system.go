// Section: Input, output and concurrency
// Construct: functions of the system
// Code: io
// Instead: Convert

package refused

import (
	"os"
)

//surge:kernel
func Foreign(x []float64) float64 {
	return x[0] + float64(os.Getpid())
}
