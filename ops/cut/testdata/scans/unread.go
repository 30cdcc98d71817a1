package scans

import "github.com/surge-ndp/surge/ops"

// Counted asks only how many there are of what is left, and what divides is not read.
//
//surge:kernel
func Counted(x []int64, by int64) (int, int64) {
	large := ops.Filter(func(v int64) bool { return v > 2 }, ops.InclusiveScan(func(a, b int64) int64 { return a + b }, x, 0))
	quotients := ops.Map(func(v int64) int64 { return v / by }, x)
	return len(large), by + int64(len(quotients))
}
