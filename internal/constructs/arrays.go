// Arrays

package constructs

import "github.com/surge-ndp/surge/ops"

// Median sorts three numbers in an array.
//
// Construct: a local array, and assignment to its elements
//
//surge:kernel
func Median(x []int32) []int32 {
	return ops.Map(func(i int) int32 {
		var a [3]int32
		for k := range a {
			a[k] = x[min(i+k, len(x)-1)]
		}
		for k := 1; k < len(a); k++ {
			for j := k; j > 0 && a[j] < a[j-1]; j-- {
				a[j], a[j-1] = a[j-1], a[j]
			}
		}
		return a[1]
	}, ops.Range(0, len(x), 1))
}

// Weigh has an array literal.
//
// Construct: array literals
//
//surge:kernel
func Weigh(x []uint8) []float64 {
	return ops.Map(func(v uint8) float64 {
		table := [4]float64{0.5, 1, 2, 4}
		return table[v%4]
	}, x)
}
