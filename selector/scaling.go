package selector

import "math"

// Scaling is a feature that a model uses, and how its values become numbers from 0 to 1.
type Scaling struct {
	Name, Unit string
	// Log says that it is the logarithm that is scaled.
	Log bool
	// Low and High are the least and the largest value of the training inputs. Values a little beyond count as these;
	// far beyond, where nothing was measured, a model does not decide: see Scaling.Covers.
	Low, High float64
	// Version identifies the source of a declared feature (surge:feature), "" for others: values of another version
	// mean something else.
	Version string
}

// tiny stands for zero where the logarithm is taken.
const tiny = 1e-9

// small is the part of the largest value from which on down a feature with zeros counts as zero.
const small = 1e-3

// Scale returns v as a number from 0 to 1, and 0 for a feature that has one value only.
func (s *Scaling) Scale(v float64) float64 {
	sc := s.prepare()
	return sc.apply(v)
}

// reach is the factor beyond the range of a feature up to which a model still decides.
const reach = 8

// Covers reports whether v is near enough to the training inputs: within a factor of 8 of the range of a logarithmic
// feature and of one that had a single value; within the range's width of a linear one, and not below an eighth of what
// is least there. Where all were zero nothing is known about how far something else is.
func (s *Scaling) Covers(v float64) bool {
	switch {
	case s.Low == s.High && s.Low <= 0:
		return !math.IsNaN(v)
	case s.Log, s.Low == s.High:
		return v >= s.Low/reach && v <= s.High*reach
	case s.Low > 0 && v < s.Low/reach:
		return false
	}
	width := s.High - s.Low
	return v >= s.Low-width && v <= s.High+width
}

func (s *Scaling) prepare() scale {
	low, high := s.Low, s.High
	if s.Log && low < high*tiny {
		low = high * small // zero has no logarithm, and is not infinitely far from what is small
	}
	if s.Log {
		low, high = math.Log(max(low, tiny)), math.Log(max(high, tiny))
	}
	sc := scale{log: s.Log, low: low}
	if high > low {
		sc.factor = 1 / (high - low)
	}
	return sc
}

func (s *scale) apply(v float64) float64 {
	if s.factor == 0 {
		return 0
	}
	if s.log {
		v = math.Log(max(v, tiny))
	}
	return min(max((v-s.low)*s.factor, 0), 1)
}

// scale is a [Scaling] with its logarithms taken: the scaled value is factor·(v-low), or of log v, within 0 and 1.
type scale struct {
	log         bool
	low, factor float64
}
