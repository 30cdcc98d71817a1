// Package zeros has a kernel one of whose results nothing but zeros are written to.
package zeros

//surge:kernel
func Zeros(x []int) (twice, none []int) {
	twice = make([]int, len(x))
	for i, v := range x {
		twice[i] = 2 * v
	}
	none = make([]int, 4)
	return twice, none
}
