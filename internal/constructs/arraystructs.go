// Structs

package constructs

type delay struct {
	line     []float64
	at       int
	feedback float64
}

func newDelay(n int, feedback float64) delay {
	return delay{line: make([]float64, n), feedback: feedback}
}

func (d *delay) next(x float64) float64 {
	y := d.line[d.at]
	d.line[d.at] = x + d.feedback*y
	if d.at++; d.at == len(d.line) {
		d.at = 0
	}
	return y
}

type room struct {
	combs [3]delay
	wet   float64
}

func newRoom(size int) *room {
	r := &room{wet: 0.5}
	for i := range r.combs {
		r.combs[i] = newDelay(size+2*i, 0.25)
	}
	return r
}

func (r *room) next(x float64) float64 {
	sum := 0.0
	for i := range r.combs {
		sum += r.combs[i].next(x)
	}
	return x*(1-r.wet) + sum*r.wet
}

// Echoed adds echoes.
//
// Construct: an array of structs with slices in a struct, made in a loop: for i := range r.combs { r.combs[i] = newDelay(n) }
//
//surge:kernel
func Echoed(x []float64, size uint8) []float64 {
	r := newRoom(int(size%9) + 1)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = r.next(v)
	}
	return out
}

// Delayed sends numbers through one delay after the other.
//
// Construct: an array of structs with slices that a literal makes; one is replaced: line[1].line = make(…)
//
//surge:kernel
func Delayed(rows [][]float64, size uint8) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		line := [2]delay{newDelay(int(size%5)+1, 0.5), newDelay(3, -0.5)}
		line[1].line = make([]float64, int(size%7)+1)
		for _, x := range row {
			for k := range line {
				x = line[k].next(x)
			}
			out[i] += x
		}
	}
	return out
}
