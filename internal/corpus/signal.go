// Signal processing

package corpus

import (
	"errors"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/surge-ndp/surge/ops"
)

// ErrWindow says that a window does not fit the signal.
var ErrWindow = errors.New("the window must be between 1 and the length of the signal")

// MovingAverage smooths a signal by the mean of the last window samples.
//
//surge:kernel
func MovingAverage(x []float64, window int) ([]float64, error) {
	if window < 1 || window > len(x) {
		return nil, ErrWindow
	}
	sums := ops.InclusiveScan(func(a, b float64) float64 { return a + b }, x, 0)
	return ops.Map(func(i int) float64 {
		s := sums[i+window-1]
		if i > 0 {
			s -= sums[i-1]
		}
		return s / float64(window)
	}, ops.Range(0, len(x)-window+1, 1)), nil
}

// FIR filters a signal by a finite impulse response. Samples before the first are zero.
//
//surge:kernel
func FIR(x, taps []float32) []float32 {
	return ops.Map(func(i int) float32 {
		var acc float32
		for j, t := range taps {
			if i-j < 0 {
				break
			}
			acc += t * x[i-j]
		}
		return acc
	}, ops.Range(0, len(x), 1))
}

// Hertz is a frequency.
type Hertz float64

// Goertzel measures how strong some tones are in a signal.
//
//surge:kernel
func Goertzel(samples []float64, rate Hertz, tones []Hertz) []float64 {
	return ops.Map(func(f Hertz) float64 {
		coeff := 2 * math.Cos(2*math.Pi*float64(f/rate))
		var s1, s2 float64
		for _, x := range samples {
			s1, s2 = x+coeff*s1-s2, s1
		}
		return s1*s1 + s2*s2 - coeff*s1*s2
	}, tones)
}

// Spectrum is the discrete Fourier transform of short frames of a signal under a Hann window.
//
//surge:kernel
func Spectrum(x []float64, frame int) [][]complex128 {
	return ops.Map(func(part []float64) []complex128 {
		n := len(part)
		return ops.Map(func(k int) complex128 {
			var sum complex128
			for i, v := range part {
				hann := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
				sum += complex(v*hann, 0) * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i%n)/float64(n)))
			}
			return sum
		}, ops.Range(0, n/2+1, 1))
	}, ops.Split(x, frame))
}

// Biquad is a second-order filter with its state.
type Biquad struct {
	B0, B1, B2, A1, A2 float64
	z1, z2             float64
}

// Step filters one sample.
func (q *Biquad) Step(x float64) float64 {
	y := q.B0*x + q.z1
	q.z1 = q.B1*x - q.A1*y + q.z2
	q.z2 = q.B2*x - q.A2*y
	return y
}

// LowPass filters each channel by a Butterworth filter of its own.
//
//surge:kernel
func LowPass(channels [][]float64, cutoff, rate float64) [][]float64 {
	k := math.Tan(math.Pi * cutoff / rate)
	norm := 1 / (1 + math.Sqrt2*k + k*k)
	return ops.Map(func(in []float64) []float64 {
		q := Biquad{B0: k * k * norm, B1: 2 * k * k * norm, B2: k * k * norm, A1: 2 * (k*k - 1) * norm, A2: (1 - math.Sqrt2*k + k*k) * norm}
		out := make([]float64, len(in))
		for i, x := range in {
			out[i] = q.Step(x)
		}
		return out
	}, channels)
}

// PCM is a sample of 16 bits.
type PCM int16

const (
	muBias = 0x84
	muClip = 32635
)

// MuLaw compresses the sample to eight bits, as telephones do.
func (s PCM) MuLaw() byte {
	v, sign := int(s), byte(0)
	if v < 0 {
		v, sign = -v, 0x80
	}
	v = min(v, muClip) + muBias
	exponent := bits.Len16(uint16(v)) - 8
	mantissa := byte(v>>(exponent+3)) & 0x0f
	return ^(sign | byte(exponent)<<4 | mantissa)
}

// MuLaw compresses samples.
//
//surge:kernel
func MuLaw(samples []PCM) []byte { return ops.Map(PCM.MuLaw, samples) }
