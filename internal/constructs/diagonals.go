// Loops that accumulate

package constructs

// Cell is a cell of a table, and what it is worth.
type Cell struct{ Score, Row, Column int32 }

// LocalBest returns the best cell of a local alignment with gaps that are opened and extended, along diagonals.
//
// Construct: if h > best.Score { best = Cell{h, …} }, in the loop that assigns the elements h
//
//surge:kernel
func LocalBest(a, b []byte, open, extend int32) Cell {
	m, n := len(a), len(b)
	open, extend = open&7, extend&3
	now, last, before := make([]int32, m+1), make([]int32, m+1), make([]int32, m+1)
	gapA, gapB := make([]int32, m+1), make([]int32, m+1)
	lastA, lastB := make([]int32, m+1), make([]int32, m+1)
	var best Cell
	for d := 2; d <= m+n; d++ {
		lo, hi := max(1, d-n), min(m, d-1)
		for i := lo; i <= hi; i++ {
			x := max(last[i]-open, lastA[i]-extend)
			y := max(last[i-1]-open, lastB[i-1]-extend)
			same := int32(-2)
			if a[i-1]&3 == b[d-i-1]&3 {
				same = 3
			}
			h := max(0, before[i-1]+same, x, y)
			gapA[i], gapB[i], now[i] = x, y, h
			if h > best.Score {
				best = Cell{h, int32(i), int32(d - i)}
			}
		}
		if hi < m {
			now[hi+1], gapA[hi+1], gapB[hi+1] = 0, -99, -99
		}
		now, last, before = before, now, last
		gapA, lastA = lastA, gapA
		gapB, lastB = lastB, gapB
	}
	return best
}
