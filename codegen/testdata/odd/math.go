package odd

import "github.com/surge-ndp/surge/ops"

// TotalOfMath uses nothing of its frame where it runs in parallel.
//
//surge:kernel
func TotalOfMath() int {
	return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(i int) int {
		s := 0
		for j := 0; j < 10; j++ {
			s += i * j
		}
		return s
	}, ops.Range(0, 100, 1)), 0)
}

// Same returns what it is given.
//
//surge:kernel
func Same() int { return 1 }
