package whole

// Capped reads what others have added.
//
//surge:kernel
func Capped(rows [][]int) []int {
	counts := make([]int, 64)
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			if counts[x&63] < 9 {
				counts[x&63] += len(seen)
			}
		}
	}
	return counts
}

// Numbered takes what it has added.
//
//surge:kernel
func Numbered(rows [][]int) []int {
	counts := make([]int, 64)
	out := make([]int, len(rows))
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			counts[x&63]++
		}
		out[i] = counts[len(seen)]
	}
	return out
}

// Weights adds fractions, in the order of the turns.
//
//surge:kernel
func Weights(rows [][]int) []float64 {
	sums := make([]float64, 64)
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			sums[x&63] += 1 / float64(i+len(seen))
		}
	}
	return sums
}

// Twice has two names for what it adds to.
//
//surge:kernel
func Twice(rows [][]int) []int {
	counts := make([]int, 64)
	also := counts
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
			counts[x&63]++
			also[len(seen)] += also[0]
		}
	}
	return counts
}
