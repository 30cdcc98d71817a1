package updates

// Heads has rows that are divided among heads, of which there may be none: no more than a row are so many of them.
//
// Loops: 3
//
//surge:kernel
func Heads(x, scale, shift, gain, limit []int, w, heads int) []int {
	if w <= 0 || heads <= 0 {
		return nil
	}
	n, d := len(x)/w, w/heads
	out := make([]int, n*w)
	for i := 0; i < n; i++ {
		for h := 0; h < heads; h++ {
			for j := 0; j <= i; j++ {
				for c := h * d; c < (h+1)*d; c++ {
					out[i*w+c] += x[j*w+c] * (i - j)
				}
			}
		}
		for c := 0; c < w; c++ {
			out[i*w+c] = min(limit[c], out[i*w+c]*scale[c]+shift[c]) + x[i*w+c]*gain[c]
		}
	}
	return out
}
