// Pictures

package corpus

import "math"

// Plane is a picture.
type Plane struct {
	Pix  []float32
	W, H int
}

// At is a pixel, those outside are those at the border.
func (g Plane) At(x, y int) float32 {
	x = min(max(x, 0), g.W-1)
	y = min(max(y, 0), g.H-1)
	return g.Pix[y*g.W+x]
}

func cubic(t float32) (w [4]float32) {
	const a = -0.5
	d := [4]float32{1 + t, t, 1 - t, 2 - t}
	for i, x := range d {
		if x <= 1 {
			w[i] = ((a+2)*x-(a+3))*x*x + 1
		} else {
			w[i] = ((a*x-5*a)*x+8*a)*x - 4*a
		}
	}
	return w
}

// Affine maps places of the result to those of the source.
type Affine [2][3]float32

// Warp is a picture seen through an affine map, interpolated by cubic splines.
//
//surge:kernel
func Warp(src Plane, m Affine, w, h int) Plane {
	out := Plane{make([]float32, w*h), w, h}
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			fx := m[0][0]*float32(x) + m[0][1]*float32(y) + m[0][2]
			fy := m[1][0]*float32(x) + m[1][1]*float32(y) + m[1][2]
			x0, y0 := int(math.Floor(float64(fx))), int(math.Floor(float64(fy)))
			wx, wy := cubic(fx-float32(x0)), cubic(fy-float32(y0))
			var v float32
			for j := range wy {
				var row float32
				for i := range wx {
					row += wx[i] * src.At(x0-1+i, y0-1+j)
				}
				v += wy[j] * row
			}
			out.Pix[y*w+x] = v
		}
	}
	return out
}

const bins = 9

// HOG sums up the gradients of cells of 8 by 8 pixels by their direction, nine bins a cell.
//
//surge:kernel
func HOG(pix [][]float32) [][]float32 {
	const cell = 8
	if len(pix) < cell || len(pix[0]) < cell {
		return nil
	}
	rows, cols := len(pix)/cell, len(pix[0])/cell
	hist := make([][]float32, rows*cols)
	for c := range hist {
		h := make([]float32, bins)
		y0, x0 := c/cols*cell, c%cols*cell
		for y := y0; y < y0+cell; y++ {
			for x := x0; x < x0+cell; x++ {
				if x == 0 || y == 0 || x == len(pix[0])-1 || y == len(pix)-1 {
					continue
				}
				gx := pix[y][x+1] - pix[y][x-1]
				gy := pix[y+1][x] - pix[y-1][x]
				mag := float32(math.Sqrt(float64(gx*gx + gy*gy)))
				angle := math.Atan2(float64(gy), float64(gx)) / math.Pi * bins
				if angle < 0 {
					angle += bins
				}
				b := int(angle)
				f := float32(angle - float64(b))
				h[b%bins] += mag * (1 - f)
				h[(b+1)%bins] += mag * f
			}
		}
		hist[c] = h
	}
	return hist
}

// LBP gives each inner pixel the code of its eight neighbours: which of them are as bright.
//
//surge:kernel
func LBP(pix []uint8, w, h int) []uint8 {
	codes := make([]uint8, w*h)
	offsets := [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			c := pix[y*w+x]
			var code uint8
			for k, o := range offsets {
				if pix[(y+o[1])*w+x+o[0]] >= c {
					code |= 1 << k
				}
			}
			codes[y*w+x] = code
		}
	}
	return codes
}

// Lift is one level of the reversible 5/3 wavelet along the rows: low frequencies in front, high ones behind.
//
//surge:kernel
func Lift(rows [][]int32) [][]int32 {
	out := make([][]int32, len(rows))
	for r, x := range rows {
		n := len(x)
		half := (n + 1) / 2
		y := make([]int32, n)
		high := y[half:]
		for i := range high {
			left := x[2*i]
			right := left
			if 2*i+2 < n {
				right = x[2*i+2]
			}
			high[i] = x[2*i+1] - (left+right)>>1
		}
		for i := 0; i < half; i++ {
			if len(high) == 0 {
				y[i] = x[2*i]
				continue
			}
			before, after := high[max(i-1, 0)], high[min(i, len(high)-1)]
			y[i] = x[2*i] + (before+after+2)>>2
		}
		out[r] = y
	}
	return out
}
