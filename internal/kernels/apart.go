package kernels

// Pooled has the largest of each 2×2 window of c planes of h rows.
//
//surge:kernel
func Pooled(in []float32, c, h, w int) []float32 {
	out := make([]float32, c*(h/2)*(w/2))
	for p := 0; p < c; p++ {
		for y := 0; y < h/2; y++ {
			for x := 0; x < w/2; x++ {
				at := (p*h+2*y)*w + 2*x
				out[(p*(h/2)+y)*(w/2)+x] = max(in[at], in[at+1], in[at+w], in[at+w+1])
			}
		}
	}
	return out
}

// Brightness is the brightness of pixels of three bytes.
//
//surge:kernel
func Brightness(img []uint8) []uint8 {
	out := make([]uint8, len(img)/3)
	for i := range out {
		out[i] = uint8((int32(img[3*i])*77 + int32(img[3*i+1])*150 + int32(img[3*i+2])*29) >> 8)
	}
	return out
}

// Quads are the sums of four numbers each, and the second of them.
//
//surge:kernel
func Quads(x []int32) (sums, second []int32) {
	sums, second = make([]int32, len(x)/4), make([]int32, len(x)/4)
	for i := range sums {
		sums[i] = x[4*i] + x[4*i+1] + x[4*i+2] + x[i<<2+3]
		second[i] = x[4*i+1]
	}
	return sums, second
}

// Rotated are products of complex numbers.
//
//surge:kernel
func Rotated(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := 0; i < len(a)/2; i++ {
		ar, ai, br, bi := a[2*i], a[2*i+1], b[2*i], b[2*i+1]
		out[2*i] = ar*br - ai*bi
		out[2*i+1] = ar*bi + ai*br
	}
	return out
}

// Tinted makes pixels of three bytes more blue and leaves their green as it is.
//
//surge:kernel
func Tinted(img []uint8, by uint8) []uint8 {
	out := make([]uint8, len(img))
	copy(out, img)
	for i := 0; i < len(img)/3; i++ {
		out[3*i] = img[3*i] / 2
		out[3*i+2] = min(255-by, img[3*i+2]) + by
	}
	return out
}

// Halfway has the sums of neighbours between the numbers.
//
//surge:kernel
func Halfway(x []float32) []float32 {
	out := make([]float32, 2*len(x))
	for i := 0; i < len(x)-1; i++ {
		out[2*i] = x[i]
		out[2*i+1] = x[i] + x[i+1]
	}
	return out
}

// Backwards are numbers from the last one to the first, bytes that are written so, and what is at as far from the end
// as a number is from the beginning, where that is positive.
//
//surge:kernel
func Backwards(x []float64, b []uint8, z []int32) ([]float64, []uint8, []int32) {
	numbers, bytes, opposite := make([]float64, len(x)), make([]uint8, len(b)), make([]int32, len(z))
	for i := range numbers {
		numbers[i] = x[len(x)-1-i] + float64(len(x)-i)
	}
	for i := range bytes {
		bytes[len(b)-1-i] = b[i] ^ 3
	}
	for i := range opposite {
		if z[i] > 0 {
			opposite[i] = z[i] - z[len(z)-1-i]
		}
	}
	return numbers, bytes, opposite
}

// Lags are the products of each row with itself some elements later.
//
//surge:kernel
func Lags(x []float32, width, lags int) []float32 {
	rows := len(x) / width
	out := make([]float32, rows*lags)
	for r := range rows {
		for lag := range lags {
			sum := float32(0)
			for i := lag; i < width; i++ {
				sum += x[r*width+i] * x[r*width+i-lag]
			}
			out[r*lags+lag] = sum
		}
	}
	return out
}
