// Section: Types
// Construct: interface values, type assertions and type switches
// Code: interface
// Instead: Kind

package refused

//surge:kernel
func Interface(x []float64) float64 {
	var v any = x[0]
	if f, ok := v.(float64); ok {
		return f
	}
	return 0
}
