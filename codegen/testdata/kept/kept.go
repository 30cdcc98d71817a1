// Package kept has a kernel whose IR a test replaces by one for which no code can be generated.
package kept

// Votes counts what is set.
//
//surge:kernel
func Votes(set []bool, n int) []int32 {
	votes := make([]int32, max(n, 0))
	for i := range votes {
		if set[i%len(set)] {
			votes[i]++
		}
	}
	return votes
}
