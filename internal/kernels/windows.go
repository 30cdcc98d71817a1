package kernels

// Windows around elements of a grid, of which conditions leave out what is beyond its borders.

// Planes is a batch of images of several channels.
type Planes struct {
	Data              []float32
	Count, Deep, H, W int
}

func (p Planes) at(n, c, y, x int) float32 {
	if y < 0 || y >= p.H || x < 0 || x >= p.W {
		return 0
	}
	return p.Data[((n*p.Deep+c)*p.H+y)*p.W+x]
}

// Convolved are images that are convolved with filters: a batch has one or two, and the step between places of the
// window is one more often than not.
//
//surge:kernel
func Convolved(in, filters Planes, bias []float32, step, pad int) Planes {
	out := Planes{Count: in.Count, Deep: filters.Count, H: (in.H+2*pad-filters.H)/step + 1, W: (in.W+2*pad-filters.W)/step + 1}
	out.Data = make([]float32, out.Count*out.Deep*out.H*out.W)
	i := 0
	for n := range out.Count {
		for o := range out.Deep {
			for y := range out.H {
				for x := range out.W {
					sum := bias[o]
					for c := range in.Deep {
						for ky := range filters.H {
							for kx := range filters.W {
								sum += in.at(n, c, y*step+ky-pad, x*step+kx-pad) * filters.at(o, c, ky, kx)
							}
						}
					}
					out.Data[i] = max(sum, 0)
					i++
				}
			}
		}
	}
	return out
}

// Windowed weighs the neighbours of each element that there are. How many places there are left and right of one may
// be any int.
//
//surge:kernel
func Windowed(in []float32, w, h int, weights []float32, from, to int) []float32 {
	out := make([]float32, w*h)
	for y := range h {
		for x := range w {
			var sum float32
			for ky := -1; ky <= 1; ky++ {
				yy := y + ky
				if yy < 0 || yy >= h {
					continue
				}
				for k := range weights {
					if xx := x + k + from; xx >= 0 && xx < w && xx != to {
						sum += in[yy*w+xx] * weights[k]
					} else if !(xx > to) {
						sum -= 1
					}
				}
			}
			out[y*w+x] = sum
		}
	}
	return out
}

// Sampled reads every so many elements, beside which there are others or none.
//
//surge:kernel
func Sampled(x []float64, step, shift int) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		at := i*step + shift
		if at >= 0 && at < len(x) {
			out[i] = x[at]
			if at+1 < len(x) && at > 2 {
				out[i] += x[at+1] / 2
			}
		}
	}
	return out
}
