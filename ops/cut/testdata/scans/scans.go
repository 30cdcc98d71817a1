// Package scans has kernels whose scans are cut more than once, and such whose elements one worker moves.
package scans

import "github.com/surge-ndp/surge/ops"

// Peaks scans what a scan gives.
//
//surge:kernel
func Peaks(x []int64) []int64 {
	sums := ops.InclusiveScan(func(a, b int64) int64 { return a + b }, x, 0)
	return ops.InclusiveScan(func(a, b int64) int64 { return max(a, b) }, sums, 0)
}
