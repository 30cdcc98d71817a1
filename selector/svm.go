package selector

import (
	"bytes"
	"fmt"
	"math"
)

// SVM is a support vector machine with the kernel exp(-Gamma·|z-s|²) for every pair of variants, where z are the scaled
// features of an input and s the support vectors (Surge 3.4). The variant that wins the most pairs comes first. That of
// a classifier with one variant is empty.
type SVM struct {
	// Gamma is 0 where there is only one variant. C is the penalty that cross-validation chose.
	Gamma, C float64
	// Support holds the scaled features of some training inputs. Weights[i] has the weight of Support[i] in the
	// decision of each pair of variants (0,1), (0,2), … (1,2), …; Bias the constant of each pair.
	Support [][]float64
	Weights [][]float64
	Bias    []float64

	// Support coordinate by coordinate, and the weights pair by pair, with pairs of no weight up to a multiple of four.
	// Made by check.
	points, weights []float64
	variants        int
}

// MaxSupport is how many support vectors a machine can have.
const MaxSupport = 128

const svmKind = "svm"

// Kind implements [Machine].
func (*SVM) Kind() string { return svmKind }

// Describe implements [Machine].
func (m *SVM) Describe() string {
	if len(m.Bias) == 0 {
		return "always the same variant"
	}
	return fmt.Sprintf("RBF kernel with gamma %g, C %g, %s; %s of variants", m.Gamma, m.C, plural(len(m.Support), "support vector"), plural(len(m.Bias), "pair"))
}

func (*SVM) bounded() bool { return true }

func (m *SVM) order(z, _ [maxFeatures]float64) (verdict Verdict) {
	var kernels [MaxSupport]float64
	near := kernels[:len(m.Support)]
	for f, at := range z {
		if (f+1)*len(near) > len(m.points) {
			break
		}
		column := m.points[f*len(near):][:len(near)]
		for i, s := range column {
			near[i] += (at - s) * (at - s)
		}
	}
	decay(near, m.Gamma)
	n := m.variants
	var pair [(MaxClasses*(MaxClasses-1)/2 + 3) &^ 3]float64
	copy(pair[:], m.Bias)
	for p := 0; p < len(m.Bias); p += 4 {
		addDots((*[4]float64)(pair[p:]), near, m.weights[p*len(near):])
	}
	var wins, sums [MaxClasses]float64
	at := 0
	for a := range n {
		for b := a + 1; b < n; b++ {
			if pair[at] >= 0 {
				wins[a]++
			} else {
				wins[b]++
			}
			sums[a] += pair[at]
			sums[b] -= pair[at]
			at++
		}
	}
	for a := range n {
		verdict.add(a, wins[a]+sums[a]/(3*(math.Abs(sums[a])+1)))
	}
	return verdict
}

// decay replaces each x, which is 0 or more, by exp(-rate·x) with a relative error below 1e-8, or by less than 1e-299
// where it is that small. It takes a fifth of the time of math.Exp, which matters for what is done once for every
// support vector.
func decay(xs []float64, rate float64) {
	const whole = 3 << 51 // floats of this size are whole numbers, whose bits count from those of this one, of which the lower 51 are 0
	rate = max(rate*(-128*math.Log2E), -math.MaxFloat64)
	for i, x := range xs {
		y := x * rate
		if y < -995*128 {
			y = -995 * 128
		}
		sum := y + whole
		f := (y - (sum - whole)) * (math.Ln2 / 128) // exp(-rate·x) = 2^(n/128)·exp(f), |f| <= 0.0028
		n := math.Float64bits(sum)
		e := powers[n&127] * (1 + f*(1+f*(1.0/2)))
		xs[i] = math.Float64frombits(math.Float64bits(e) + n>>7<<52)
	}
}

// powers are those of two from 0 to 127/128.
var powers = func() (all [128]float64) {
	for i := range all {
		all[i] = math.Exp2(float64(i) / float64(len(all)))
	}
	return all
}()

// addDots adds the products of x and of each of the four rows that y begins with: together they do not wait for each
// other.
func addDots(sums *[4]float64, x, y []float64) {
	n := len(x)
	r, s, t, u := y[:n], y[n:][:n], y[2*n:][:n], y[3*n:][:n]
	a, b, c, d := sums[0], sums[1], sums[2], sums[3]
	for i, v := range x {
		a += v * r[i]
		b += v * s[i]
		c += v * t[i]
		d += v * u[i]
	}
	*sums = [4]float64{a, b, c, d}
}

func (m *SVM) check(c *Classifier) error {
	n, pairs := len(c.Variants), len(c.Variants)*(len(c.Variants)-1)/2
	switch {
	case len(m.Bias) != pairs:
		return fmt.Errorf("%s has %d constants, and %d variants need %d", c.Computation, len(m.Bias), n, pairs)
	case len(m.Support) > MaxSupport:
		return fmt.Errorf("%s has %d support vectors, and a model at most %d", c.Computation, len(m.Support), MaxSupport)
	case len(m.Weights) != len(m.Support):
		return fmt.Errorf("%s has %d rows of weights for %d support vectors", c.Computation, len(m.Weights), len(m.Support))
	case !finite(m.Gamma) || m.Gamma < 0 || !finite(m.Bias...):
		return fmt.Errorf("%s has gamma %g and constants %g: not all are numbers that make sense", c.Computation, m.Gamma, m.Bias)
	}
	points, weights := make([]float64, len(c.Features)*len(m.Support)), make([]float64, (pairs+3)&^3*len(m.Support))
	for i, s := range m.Support {
		if len(s) != len(c.Features) || len(m.Weights[i]) != pairs || !finite(s...) || !finite(m.Weights[i]...) {
			return fmt.Errorf("support vector %d of %s is not %d coordinates and %d weights", i+1, c.Computation, len(c.Features), pairs)
		}
		for f, x := range s {
			points[f*len(m.Support)+i] = x
		}
		for p, w := range m.Weights[i] {
			weights[p*len(m.Support)+i] = w
		}
	}
	m.points, m.weights, m.variants = points, weights, n
	return nil
}

func (m *SVM) write(b *bytes.Buffer, _ *Classifier) {
	fmt.Fprintf(b, "gamma %s C %s\nbias%s\n", exact(m.Gamma), exact(m.C), list(m.Bias))
	for i, z := range m.Support {
		fmt.Fprintf(b, "vector%s :%s\n", list(z), list(m.Weights[i]))
	}
}

func readSVM(p *modelParser, c *Classifier) (Machine, error) {
	m := &SVM{}
	if err := p.pairs("gamma", &m.Gamma, "C", &m.C); err != nil {
		return nil, err
	}
	words, err := p.expect("bias", -1)
	if err != nil {
		return nil, err
	}
	if m.Bias, err = parseFloats(words); err != nil {
		return nil, err
	}
	for p.begins("vector") {
		words, err := p.expect("vector", -1)
		if err != nil {
			return nil, err
		}
		if len(words) < len(c.Features)+1 || words[len(c.Features)] != ":" {
			return nil, fmt.Errorf("found %q, want vector with %s : and weights", shorten(words), plural(len(c.Features), "coordinate"))
		}
		z, err := parseFloats(words[:len(c.Features)])
		if err != nil {
			return nil, err
		}
		w, err := parseFloats(words[len(c.Features)+1:])
		if err != nil {
			return nil, err
		}
		m.Support, m.Weights = append(m.Support, z), append(m.Weights, w)
	}
	return m, nil
}
