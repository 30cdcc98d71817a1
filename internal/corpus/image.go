// Image processing

package corpus

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops"
)

// RGBA is a pixel.
type RGBA struct{ R, G, B, A uint8 }

// Sepia tones a picture.
//
//surge:kernel
func Sepia(pixels []RGBA) []RGBA {
	return ops.Map(func(p RGBA) RGBA {
		r, g, b := float32(p.R), float32(p.G), float32(p.B)
		return RGBA{
			R: uint8(min(0.393*r+0.769*g+0.189*b, 255)),
			G: uint8(min(0.349*r+0.686*g+0.168*b, 255)),
			B: uint8(min(0.272*r+0.534*g+0.131*b, 255)),
			A: p.A,
		}
	}, pixels)
}

// Gray is a picture in shades of grey.
type Gray struct {
	Pix           []uint8
	Width, Height int
}

// At is the pixel at a position; beyond the edges it is that of the edge.
func (g Gray) At(x, y int) int {
	x = max(0, min(x, g.Width-1))
	y = max(0, min(y, g.Height-1))
	return int(g.Pix[y*g.Width+x])
}

var sobelX = [3][3]int{{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}

// Sobel finds edges.
//
//surge:kernel
func Sobel(img Gray) []uint8 {
	return ops.Map(func(i int) uint8 {
		x, y := i%img.Width, i/img.Width
		gx, gy := 0, 0
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				v := img.At(x+dx, y+dy)
				gx += sobelX[dy+1][dx+1] * v
				gy += sobelX[dx+1][dy+1] * v
			}
		}
		return uint8(min(math.Hypot(float64(gx), float64(gy)), 255))
	}, ops.Range(0, img.Width*img.Height, 1))
}

// Equalize spreads the shades of a picture evenly.
//
//surge:kernel
func Equalize(pix []uint8) []uint8 {
	count := ops.Histogram(func(a, b int) int { return a + b }, 256, pix, ops.Replicate(1, len(pix)), 0)
	upTo := ops.InclusiveScan(func(a, b int) int { return a + b }, count, 0)
	return ops.Map(func(p uint8) uint8 { return uint8(255 * upTo[p] / len(pix)) }, pix)
}

// lerp is between a and b, for t from 0 to 1.
func lerp[T ~float32 | ~float64](a, b, t T) T { return a + (b-a)*t }

// Resize scales a picture, with linear interpolation.
//
//surge:kernel
func Resize(img Gray, width, height int) []uint8 {
	sx := float32(img.Width) / float32(width)
	sy := float32(img.Height) / float32(height)
	return ops.Map(func(i int) uint8 {
		fx := (float32(i%width)+0.5)*sx - 0.5
		fy := (float32(i/width)+0.5)*sy - 0.5
		x, y := int(math.Floor(float64(fx))), int(math.Floor(float64(fy)))
		tx, ty := fx-float32(x), fy-float32(y)
		top := lerp(float32(img.At(x, y)), float32(img.At(x+1, y)), tx)
		bottom := lerp(float32(img.At(x, y+1)), float32(img.At(x+1, y+1)), tx)
		return uint8(lerp(top, bottom, ty) + 0.5)
	}, ops.Range(0, width*height, 1))
}

// MedianFilter takes the noise off a picture.
//
//surge:kernel
func MedianFilter(img Gray) []uint8 {
	return ops.Map(func(i int) uint8 {
		x, y := i%img.Width, i/img.Width
		var window [9]int
		n := 0
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				window[n] = img.At(x+dx, y+dy)
				n++
			}
		}
		slices.Sort(window[:])
		return uint8(window[4])
	}, ops.Range(0, img.Width*img.Height, 1))
}

// Mandelbrot draws the set of Mandelbrot: after how many steps each point escapes.
//
//surge:kernel
func Mandelbrot(width, height int, centre complex128, scale float64, limit int) []uint16 {
	return ops.Map(func(i int) uint16 {
		c := centre + complex(float64(i%width-width/2)*scale, float64(i/width-height/2)*scale)
		var z complex128
		for n := range limit {
			if real(z)*real(z)+imag(z)*imag(z) > 4 {
				return uint16(n)
			}
			z = z*z + c
		}
		return uint16(limit)
	}, ops.Range(0, width*height, 1))
}
