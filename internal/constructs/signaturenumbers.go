// Numbers

package constructs

import (
	"github.com/surge-ndp/surge/ops"
)

// Spun multiplies complex numbers.
//
// Construct: complex numbers as parameters and results
//
//surge:kernel
func Spun(z []complex128, by complex128, w []complex64) ([]complex128, complex128, []complex64) {
	spun := ops.Map(func(x complex128) complex128 { return x * by }, z)
	return spun, by * by, ops.Map(func(x complex64) complex64 { return x + 1i }, w)
}
