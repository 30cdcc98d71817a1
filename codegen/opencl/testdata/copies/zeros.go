// Package copies has kernels whose arrays have to be copied to a device, and back.
package copies

// Zeros writes nothing but zeros to one of its results.
//
//surge:kernel
func Zeros(x []int) (twice, none []int) {
	twice = make([]int, len(x))
	for i, v := range x {
		twice[i] = 2 * v
	}
	none = make([]int, 4)
	return twice, none
}
