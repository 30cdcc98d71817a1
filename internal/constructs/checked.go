// Control flow

package constructs

// Raised adds to the rows of a picture.
//
// Construct: a check of the arguments that returns nil, before loops that fill what is returned
//
//surge:kernel
func Raised(pixels []uint8, w int, by uint8) []uint8 {
	if w <= 0 {
		return nil
	}
	h := len(pixels) / w
	out := make([]uint8, w*h)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			out[y*w+x] = pixels[y*w+x] + by
		}
	}
	return out
}

// Sampled takes every so many elements, and squares.
//
// Construct: several such checks, of which one returns an empty slice, and results that are structs
//
//surge:kernel
func Sampled(x []float64, every int) []Sample {
	if every < 1 || every > 1<<20 {
		return nil
	}
	if len(x)%every != 0 {
		return []Sample{}
	}
	out := make([]Sample, len(x)/every)
	for i := range out {
		v := x[i*every]
		out[i] = Sample{i * every, v, v * v}
	}
	return out
}

// Sample is an element and its place.
type Sample struct {
	At           int
	Value, Power float64
}

// Envelope is a signal that never falls by more than a half, and whether it was computed.
//
// Construct: such a check before a loop that runs in order, and results of which one is computed in any case
//
//surge:kernel
func Envelope(x []float64, scale float64) (envelope, scaled []float64, ok bool) {
	scaled = make([]float64, len(x))
	for i, v := range x {
		scaled[i] = v * scale
	}
	if scale < 0 {
		return nil, scaled, false
	}
	envelope = make([]float64, len(x))
	for i, v := range x {
		envelope[i] = v
		if i > 0 && envelope[i-1]/2 > v {
			envelope[i] = envelope[i-1] / 2
		}
	}
	return envelope, scaled, true
}
