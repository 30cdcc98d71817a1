// Loops that fill slices

package constructs

import "slices"

// Axpy fills a slice in a loop.
//
// Construct: a loop at the top level whose turns assign one element each, which runs in parallel
//
//surge:kernel
func Axpy(a float64, x, y []float64) []float64 {
	z := make([]float64, len(x))
	for i := range x {
		z[i] = a*x[i] + y[i]
	}
	return z
}

// Smooth fills a part of a slice, and its ends behind the loop.
//
// Construct: a loop that fills a part of a slice, and assignments to single elements
//
//surge:kernel
func Smooth(u []float64) []float64 {
	n := len(u)
	v := make([]float64, n)
	for i := 1; i < n-1; i++ {
		v[i] = 0.25*u[i-1] + 0.5*u[i] + 0.25*u[i+1]
	}
	if n > 1 {
		v[0] = u[0]
		v[n-1] = u[n-1]
	}
	return v
}

// Jumps fills a slice from an offset on, and another one from its end.
//
// Construct: elements at an offset from the index of the loop, and backwards
//
//surge:kernel
func Jumps(x []float64, lag int) (later, mirrored []float64) {
	later = make([]float64, len(x))
	mirrored = make([]float64, len(x))
	for i := 0; i < len(x)-lag; i++ {
		later[i+lag] = x[i+lag] - x[i]
		mirrored[len(x)-1-i] = x[i]
	}
	return later, mirrored
}

// Kept fills what a condition asks for, and corrects it in a second loop.
//
// Construct: elements that are assigned under a condition, and again in another loop
//
//surge:kernel
func Kept(x []float64, least float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		if v > least {
			y[i] = v
		} else if v < -least {
			y[i] = -v
		}
	}
	for i := range y {
		y[i] *= 2
		if i%3 == 0 {
			y[i]++
		}
	}
	return y
}

// Multiplied is a product of matrices in three loops.
//
// Construct: loops in loops that fill the rows of a matrix, with the sum in a variable
//
//surge:kernel
func Multiplied(a, b []float64, rows, inner, columns int) []float64 {
	c := make([]float64, rows*columns)
	for i := 0; i < rows; i++ {
		for j := 0; j < columns; j++ {
			sum := 0.0
			for k := 0; k < inner; k++ {
				sum += a[i*inner+k] * b[k*columns+j]
			}
			c[i*columns+j] = sum
		}
	}
	return c
}

// Accumulated is the product with the loops in the order that reads rows.
//
// Construct: loops in loops that add to the elements of a matrix row by row
//
//surge:kernel
func Accumulated(a, b []float64, n int) []float64 {
	c := make([]float64, n*n)
	for i := range n {
		for k := range n {
			x := a[i*n+k]
			for j := range n {
				c[i*n+j] += x * b[k*n+j]
			}
		}
	}
	return c
}

// Gradient computes the inner part of an image, and leaves its border.
//
// Construct: the inner part of a matrix that is as long as another one
//
//surge:kernel
func Gradient(in []float32, w, h int) []float32 {
	out := make([]float32, len(in))
	copy(out, in)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			gx := in[y*w+x+1] - in[y*w+x-1]
			gy := in[(y+1)*w+x] - in[(y-1)*w+x]
			out[y*w+x] = gx*gx + gy*gy
		}
	}
	return out
}

// Valid is a convolution without a border: its result has other rows than its input.
//
// Construct: rows of the result that begin elsewhere than those of the input
//
//surge:kernel
func Valid(in []float32, w, h int) []float32 {
	if w < 3 || h < 3 {
		return nil
	}
	ow := w - 2
	out := make([]float32, (h-2)*ow)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			var sum float32
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					sum += in[(y+dy)*w+x+dx]
				}
			}
			out[(y-1)*ow+x-1] = sum / 9
		}
	}
	return out
}

// Normalized divides rows by what it computes of each.
//
// Construct: code of a row before the loop along it, which may fail
//
//surge:kernel
func Normalized(x, weight []float64, columns int) []float64 {
	out := make([]float64, len(weight)*columns)
	for i := 0; i < len(weight); i++ {
		total := weight[i]
		for j := 0; j < columns; j++ {
			total += x[i*columns+j]
		}
		for j := 0; j < columns; j++ {
			out[i*columns+j] = x[i*columns+j] / total
		}
	}
	return out
}

// Body is what moves.
type Body struct{ Position, Speed float64 }

// Stepped fills a slice of structs field by field.
//
// Construct: a loop that fills the fields of the elements of a slice
//
//surge:kernel
func Stepped(bodies []Body, dt float64) []Body {
	out := make([]Body, len(bodies))
	for i, b := range bodies {
		out[i].Position = b.Position + dt*b.Speed
		out[i].Speed = b.Speed * 0.99
	}
	return out
}

// Chained fills one slice from another one, and reads single elements of it between.
//
// Construct: a filled slice that is read while others are filled
//
//surge:kernel
func Chained(x []float64) (float64, []float64) {
	if len(x) == 0 {
		return 0, nil
	}
	square := make([]float64, len(x))
	for i, v := range x {
		square[i] = v * v
	}
	first := square[0]
	slope := make([]float64, len(square))
	for i := 1; i < len(square); i++ {
		slope[i] = square[i] - square[i-1] + first
	}
	total := 0.0
	for _, s := range slope {
		total += s
	}
	return total, slope
}

// Recent is a recurrence: each turn needs the one before, so that it runs in order.
//
// Construct: a loop whose turns read what others have assigned
//
//surge:kernel
func Recent(x []float64, decay float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i]
		if i > 0 {
			y[i] += decay * y[i-1]
		}
	}
	return y
}

// Diffused is a simulation whose slices change places after each step.
//
// Construct: slices that change places in a loop, as in cur, next = next, cur
//
//surge:kernel
func Diffused(u []float64, steps int) []float64 {
	cur := slices.Clone(u)
	next := make([]float64, len(u))
	copy(next, u)
	for range min(steps, 20) {
		for i := 1; i < len(u)-1; i++ {
			next[i] = cur[i] + 0.1*(cur[i-1]-2*cur[i]+cur[i+1])
		}
		cur, next = next, cur
	}
	return cur
}

// Oscillated keeps two steps back, so that three slices change places.
//
// Construct: three slices that change places in a loop
//
//surge:kernel
func Oscillated(u []float64, steps int) []float64 {
	n := len(u)
	before, now, then := make([]float64, n), make([]float64, n), make([]float64, n)
	copy(before, u)
	copy(now, u)
	for t := 0; t < min(steps, 15); t++ {
		for i := range then {
			left, right := max(i-1, 0), min(i+1, n-1)
			then[i] = 2*now[i] - before[i] + 0.25*(now[left]-2*now[i]+now[right])
		}
		if t%4 == 3 {
			then[0] = 1
		}
		before, now, then = now, then, before
	}
	return now
}

// Generations is the game of life on a torus.
//
// Construct: matrices that change places in a loop
//
//surge:kernel
func Generations(cells []uint8, width, steps int) []uint8 {
	if width < 1 || len(cells)%width != 0 {
		return nil
	}
	height := len(cells) / width
	cur, next := slices.Clone(cells), make([]uint8, len(cells))
	for range min(steps, 5) {
		for y := 0; y < height; y++ {
			for x := 0; x < width; x++ {
				n := 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if dx != 0 || dy != 0 {
							n += int(cur[(y+dy+height)%height*width+(x+dx+width)%width] & 1)
						}
					}
				}
				alive := uint8(0)
				if n == 3 || n == 2 && cur[y*width+x]&1 == 1 {
					alive = 1
				}
				next[y*width+x] = alive
			}
		}
		cur, next = next, cur
	}
	return cur
}

// Iterated is Jacobi's iteration, which copies its result back.
//
// Construct: a slice that a loop computes and copies to another one in each turn
//
//surge:kernel
func Iterated(a, b []float64, iterations int) []float64 {
	n := len(b)
	x, next := make([]float64, n), make([]float64, n)
	for range min(iterations, 10) {
		for i := range n {
			sum := b[i]
			for j := range n {
				if i != j && i*n+j < len(a) {
					sum -= a[i*n+j] * x[j]
				}
			}
			next[i] = sum / 100
		}
		copy(x, next)
	}
	return x
}
