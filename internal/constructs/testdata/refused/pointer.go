// Section: Types
// Construct: pointers
// Code: pointer
// Instead: Moved

package refused

//surge:kernel
func Pointer(x []float64) float64 {
	s := 0.0
	p := &s
	for _, v := range x {
		*p += v
	}
	return s
}
