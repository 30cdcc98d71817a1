// Loops that fill slices

package constructs

// FlatSpread returns a grid after some steps, whose cells are taken apart into column and row in each of them.
//
// Construct: for i := range n { x, y := i%w, i/w; next[i] = … }, in the steps of a simulation
//
//surge:kernel
func FlatSpread(a []float64, w, h, steps int) []float64 {
	n := w * h
	if n > 1<<16 || steps > 64 {
		return nil
	}
	cur, next := make([]float64, n), make([]float64, n)
	copy(cur, a)
	for s := range steps {
		for i := range n {
			x, y := i%w, i/w
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				next[i] = float64(s)
				continue
			}
			next[i] = 0.25 * (cur[i-1] + cur[i+1] + cur[i-w] + cur[i+w])
		}
		cur, next = next, cur
	}
	return cur
}

// FlatCooling returns a grid of rows of one length after some steps; where the last row is shorter, too.
//
// Construct: h := len(a) / w; for i := range a { x, y := i%w, i/w; … }, in the steps of a simulation
//
//surge:kernel
func FlatCooling(a []float64, w, steps int) []float64 {
	cur := append([]float64(nil), a...)
	next := make([]float64, len(a))
	h := len(a) / w
	for range min(steps, 64) {
		for i := range cur {
			x, y := i%w, i/w
			if x > 0 && y < h-1 {
				next[i] = 0.5 * (cur[i-1] + cur[i])
			} else {
				next[i] = cur[i]
			}
		}
		cur, next = next, cur
	}
	return cur
}
