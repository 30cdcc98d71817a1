// Section: Rows that a kernel makes
// Construct: slices in fields of a copy that change places, which the original does not see
// Code: input-write
// Instead: Cooled

package refused

// Rod is the state of a rod, and where the next one comes.
type Rod struct{ now, next []float64 }

// turned has the two places of a copy changed: the rod itself keeps its own.
func (r Rod) turned() float64 {
	r.now, r.next = r.next, r.now
	s := 0.0
	for i := range r.now {
		r.now[i] /= 2
		s = s/2 + r.now[i]
	}
	return s
}

//surge:kernel
func TurnedCopy(x []float64, by float64) ([]float64, []float64, float64) {
	r := Rod{now: make([]float64, len(x)), next: make([]float64, len(x))}
	copy(r.now, x)
	for i := range r.next {
		r.next[i] = by * float64(i)
	}
	s := r.turned()
	for i := range r.now {
		r.now[i]++
	}
	return r.now, r.next, s
}
