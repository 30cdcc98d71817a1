// Package clamp has kernels that keep indices between ends, by conditions.
package clamp

func between(v, most int) int {
	if v < 0 {
		return 0
	}
	if v > most {
		return most
	}
	return v
}

// Near reads neighbours. Conditions: 0
//
//surge:kernel
func Near(x []int, r int) []int {
	out := make([]int, len(x))
	for i := range x {
		out[i] = x[between(i+r, len(x)-1)]
	}
	return out
}

// Downwards asks for the other end first. Conditions: 0
//
//surge:kernel
func Downwards(x []int, r int) []int {
	out := make([]int, len(x))
	for i := range x {
		at, last := i-r, len(x)-1
		if at >= last {
			at = last
		} else if at <= 0 {
			at = 0
		}
		out[i] = x[at]
	}
	return out
}

// Either has ends that may be the wrong way round. Conditions: 1
//
//surge:kernel
func Either(x []int, most int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		out[i] = between(v, most)
	}
	return out
}

// Shorter has an end that is negative where there is one element. Conditions: 1
//
//surge:kernel
func Shorter(x []int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		out[i] = between(v, len(x)-2)
	}
	return out
}

// Least is the lesser one of two. Conditions: 0
//
//surge:kernel
func Least(x []int, n int) []int {
	out := make([]int, len(x))
	for i, v := range x {
		if v >= n {
			v = n
		}
		out[i] = v
	}
	return out
}
