// Package odd has kernels and files of names, and with constants, that generated code must not stumble over.
package odd

import "github.com/surge-ndp/surge/ops"

// Total uses nothing of its frame where it runs in parallel.
//
//surge:kernel
func Total() int {
	return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(i int) int {
		s := 0
		for j := 0; j < 10; j++ {
			s += i * j
		}
		return s
	}, ops.Range(0, 100, 1)), 0)
}

// Nothing has neither parameters nor anything to compute.
//
//surge:kernel
func Nothing() int { return 1 }
