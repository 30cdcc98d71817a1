// Package collapse has loops around loops over the rows of an array. The comment of each kernel says how many loops
// that carry arrays still have such loops inside that have such loops inside.
package collapse

// Channels has rows in two loops, and all rows are filled.
//
// Loops: 0
//
//surge:kernel
func Channels(a []float64, m, h, w int) []float64 {
	z := make([]float64, m*h*w)
	for c := 0; c < m; c++ {
		scale := float64(c) + 0.5
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				z[(c*h+y)*w+x] = scale*a[(c+y*x)%len(a)] - float64(y)
			}
		}
	}
	return z
}

// Inner has rows that are shorter than where they come from, and reads what it filled before.
//
// Loops: 0
//
//surge:kernel
func Inner(a []int, m, h, w int) []int {
	z := make([]int, m*(h-1)*(w-1))
	for c := 0; c < m; c++ {
		for y := 0; y < h-1; y++ {
			for x := 0; x < w-1; x++ {
				at := c*(h-1)*(w-1) + y*(w-1) + x
				z[at] = c - y
				if a[c*h*w+y*w+x] > 1 {
					z[at] += a[c*h*w+(y+1)*w+x+1]
				}
			}
		}
	}
	return z
}

// Batch has rows in three loops, of two arrays.
//
// Loops: 0
//
//surge:kernel
func Batch(a []float32, b, m, h, w int) (z []float32, n []int32) {
	z, n = make([]float32, b*m*h*w), make([]int32, b*m*h*w)
	for i := 0; i < b; i++ {
		for c := 0; c < m; c++ {
			for y := 0; y < h; y++ {
				for x := 0; x < w; x++ {
					z[((i*m+c)*h+y)*w+x] = a[(i+c)%len(a)] * float32(y+1)
					n[((i*m+c)*h+y)*w+x] = int32(x - c)
				}
			}
		}
	}
	return z, n
}

// Few fills some rows of more, and fails where there are fewer.
//
// Loops: 0
//
//surge:kernel
func Few(m, h, n int) []int {
	z := make([]int, n*4)
	for c := 0; c < m; c++ {
		for y := 0; y < h; y++ {
			for x := 0; x < 4; x++ {
				z[(c*h+y)*4+x] = c + 10*y + 100*x
			}
		}
	}
	return z
}

// Steps takes steps in a volume.
//
// Loops: 1
//
//surge:kernel
func Steps(u []float64, d, h, w, steps int) []float64 {
	now, next := make([]float64, d*h*w), make([]float64, d*h*w)
	for i := range now {
		now[i] = u[i%len(u)]
	}
	for t := 0; t < steps; t++ {
		for z := 0; z < d; z++ {
			for y := 0; y < h; y++ {
				for x := 0; x < w; x++ {
					i := (z*h+y)*w + x
					next[i] = now[i] + 0.5*now[(z*h+(y+1)%h)*w+x]
				}
			}
		}
		now, next = next, now
	}
	return now
}

// Apart has rows that do not lie one behind the other: those of c and of y overlap.
//
// Loops: 1
//
//surge:kernel
func Apart(m, h, w int) []int {
	z := make([]int, m*h*w)
	for c := 0; c < m; c++ {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				z[(c+y)*w+x] += c + y*x
			}
		}
	}
	return z
}

// Swapped has its rows in another order.
//
// Loops: 0
//
//surge:kernel
func Swapped(m, h, w int) []int {
	z := make([]int, m*h*w)
	for c := 0; c < m; c++ {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				z[(y*m+c)*w+x] = c - y*x
			}
		}
	}
	return z
}

// Checked has a check in the outer loop, which fails also where there are no rows.
//
// Loops: 1
//
//surge:kernel
func Checked(a []int, m, h, w int) []int {
	z := make([]int, m*h*w)
	for c := 0; c < m; c++ {
		first := a[c]
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				z[(c*h+y)*w+x] = first + x
			}
		}
	}
	return z
}

// Blocks has rows that come from an array of each turn's own.
//
// Loops: 0
//
//surge:kernel
func Blocks(a []int, h, w, n int) []int {
	h, w, n = max(h, 0), max(w, 0), min(max(n, 0), 40)
	z := make([]int, h*w*n)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			var block [40]int
			for i := 0; i < len(a); i++ {
				block[(a[i]&1)+i%2] += y - x
			}
			for i := 0; i < n; i++ {
				z[(y*w+x)*n+i] = block[i] + a[i]
			}
		}
	}
	return z
}

// Parts has blocks whose number is not that of all elements.
//
// Loops: 0
//
//surge:kernel
func Parts(a []int, h, w int) []int {
	z := make([]int, h*w)
	for y := 0; y < h/2; y++ {
		for x := 0; x < w/2; x++ {
			var block [40]int
			for i := 0; i < len(a); i++ {
				block[(a[i]&1)+i%2] += y - x
			}
			for i := 0; i < 4; i++ {
				z[(y*(w/2)+x)*4+i] = block[i] + a[y]
			}
		}
	}
	return z
}

// Heads has rows in another order, each of sums of others in their order.
//
// Loops: 1
//
//surge:kernel
func Heads(a []int, m, h, w int) []int {
	width := m * w
	z := make([]int, h*width)
	for c := 0; c < m; c++ {
		for y := 0; y < h; y++ {
			sums := make([]int, y+1)
			for i := range sums {
				sums[i] = a[(i*width+c*w)%len(a)] - y
			}
			row := z[y*width+c*w : y*width+c*w+w]
			for i, s := range sums {
				for x := range row {
					row[x] += s * a[(i+x)%len(a)]
				}
			}
		}
	}
	return z
}

// Panics has rows in another order, and a panic that may come in a turn of them, which is the first one then.
//
// Loops: 1
//
//surge:kernel
func Panics(a []int, m, h, w int) []int {
	z := make([]int, m*h*w)
	for c := 0; c < m; c++ {
		for y := 0; y < h; y++ {
			if a[(c+y)%len(a)] == 3 {
				panic("three")
			}
			for x := 0; x < w; x++ {
				z[(y*m+c)*w+x] = c - y*x
			}
		}
	}
	return z
}
