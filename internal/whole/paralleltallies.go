package whole

// Counts adds to elements of slices, whichever turn it is.
//
//surge:kernel
func Counts(rows [][]int, n int) ([]int32, []uint8, int) {
	counts, few := make([]int32, max(n, 0)+50), make([]uint8, 4)
	total := 0
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			if seen[x] {
				continue
			}
			seen[x] = true
			counts[max(x, 0)%len(counts)]++
			few[x&3] += uint8(i)
			total++
		}
		counts[len(seen)] -= int32(len(row))
	}
	return counts, few, total
}
