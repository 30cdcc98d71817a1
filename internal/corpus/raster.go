// Raster graphics

package corpus

// Pixel is a colour with alpha that is not premultiplied.
type Pixel struct{ R, G, B, A uint8 }

// RasterLayer is a picture at a place.
type RasterLayer struct {
	Pix           []Pixel
	Width, Height int
	X, Y          int
	Opacity       float32
}

func (l *RasterLayer) at(x, y int) (Pixel, bool) {
	x, y = x-l.X, y-l.Y
	if x < 0 || y < 0 || x >= l.Width || y >= l.Height {
		return Pixel{}, false
	}
	return l.Pix[y*l.Width+x], true
}

func over(src, dst Pixel, opacity float32) Pixel {
	a := float32(src.A) / 255 * opacity
	b := float32(dst.A) / 255 * (1 - a)
	total := a + b
	if total == 0 {
		return Pixel{}
	}
	mix := func(s, d uint8) uint8 { return uint8((float32(s)*a+float32(d)*b)/total + 0.5) }
	return Pixel{mix(src.R, dst.R), mix(src.G, dst.G), mix(src.B, dst.B), uint8(total*255 + 0.5)}
}

// Composite lays one layer over another.
//
//surge:kernel
func Composite(top, bottom RasterLayer) []Pixel {
	out := make([]Pixel, len(bottom.Pix))
	for y := 0; y < bottom.Height; y++ {
		for x := 0; x < bottom.Width; x++ {
			under := bottom.Pix[y*bottom.Width+x]
			p, ok := top.at(x+bottom.X, y+bottom.Y)
			if !ok {
				out[y*bottom.Width+x] = under
				continue
			}
			out[y*bottom.Width+x] = over(p, under, top.Opacity)
		}
	}
	return out
}

// DitherRows turns grey into black and white, row by row, by diffusing the error to the right.
//
//surge:kernel
func DitherRows(grey [][]uint8) [][]bool {
	out := make([][]bool, len(grey))
	for y, row := range grey {
		out[y] = make([]bool, len(row))
		carry := 0
		for x, v := range row {
			want := int(v) + carry
			if want >= 128 {
				out[y][x] = true
				carry = want - 255
			} else {
				carry = want
			}
			carry = carry * 7 / 8
		}
	}
	return out
}
