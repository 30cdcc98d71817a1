package copies

// Chosen reads x at the places of indices where weights are negative.
//
//surge:kernel
func Chosen(weights, x []float64, indices []int) []float64 {
	y := make([]float64, len(weights))
	for i, w := range weights {
		if w < 0 {
			y[i] = x[indices[i]]
		}
	}
	return y
}
