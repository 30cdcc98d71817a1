package updates

// Trees goes backwards through a tree of prices for each of the first ones, in one slice.
//
// Loops: 1
//
//surge:kernel
func Trees(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i, first := range x {
		v := make([]float64, 12)
		v[0] = first
		for j := 1; j < 12; j++ {
			v[j] = v[j-1] * 1.1
		}
		for step := 11; step > n; step-- {
			for j := range max(step, 0) {
				v[j] = 0.5*v[j+1] + 0.4*v[j]
			}
		}
		out[i] = v[0]
	}
	return out
}

// Sacks fills sacks of each size with things, each once.
//
// Loops: 1
//
//surge:kernel
func Sacks(x []int, n int) []int {
	out := make([]int, len(x))
	for i, first := range x {
		best := make([]int, 16)
		best[0] = first
		for k, w := range x {
			for c := 15; c >= w; c-- {
				if v := best[c-w] + k + n; v > best[c] {
					best[c] = v
				}
			}
		}
		for c, v := range best {
			out[i] += v * c
		}
	}
	return out
}

// Behind needs the elements that turns before have updated.
//
// Loops: 0
//
//surge:kernel
func Behind(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i, first := range x {
		v := make([]float64, 16)
		v[0] = first
		for range n {
			for j := 1; j < 16; j++ {
				v[j] = 0.5*v[j-1] + 0.25*v[j] + 1
			}
		}
		out[i] = v[15]
	}
	return out
}

// Later reads ahead behind an update, when the lanes before have made theirs.
//
// Loops: 0
//
//surge:kernel
func Later(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i, first := range x {
		v := make([]float64, 17)
		v[3] = first
		for k := range n {
			for j := range 16 {
				v[j] += float64(k)
				v[j] = 0.5*v[j+1] + v[j]
			}
		}
		out[i] = v[0]
	}
	return out
}

// Between reads ahead and behind.
//
// Loops: 0
//
//surge:kernel
func Between(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i, first := range x {
		v := make([]float64, 17)
		v[3] = first
		for range n {
			for j := 1; j < 16; j++ {
				v[j] = 0.5*v[j+1] + v[j-1]
			}
		}
		out[i] = v[1]
	}
	return out
}

// Arms reads ahead in the other arm than the one that updates, which lanes come to behind it.
//
// Loops: 0
//
//surge:kernel
func Arms(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i, first := range x {
		v, w := make([]float64, 17), make([]float64, 17)
		v[3], v[5] = first, -first
		for range n {
			for j := range 16 {
				if v[j] > 0 {
					v[j] = 1 - v[j]
				} else {
					w[j] += v[j+1] + 0.5
				}
			}
		}
		out[i] = v[0] + w[2]
	}
	return out
}
