// Package lacks has a kernel that there is no OpenCL code for.
package lacks

import "github.com/surge-ndp/surge/ops"

// HailLasts is the last number of Collatz's sequence from each number, as far as it goes in a hundred steps.
//
//surge:kernel
func HailLasts(x []int) []int {
	return ops.Map(func(v int) int {
		seen := []int{v}
		for last := v; last > 1 && len(seen) < 100; last = seen[len(seen)-1] {
			if last%2 == 0 {
				seen = append(seen, last/2)
			} else {
				seen = append(seen, 3*last+1)
			}
		}
		return seen[len(seen)-1]
	}, x)
}
