// Package ordered has loops that accumulate in the order of the source, with much work in each turn. The comment of each
// kernel says how many loops compute exponentials behind the pass, those in the elements of operators among them.
package ordered

import "math"

// Loops: 0
//
//surge:kernel
func Energy(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += math.Exp(-v*v) * math.Sqrt(math.Abs(v))
	}
	return s
}

// Cheap is little work for a loop of its own.
//
// Loops: 1
//
//surge:kernel
func Cheap(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		if v == 3 {
			s = math.Exp(s)
		}
		s += 2 * v
	}
	return s
}

// Paths has as many turns as a number says, and a loop in each.
//
// Loops: 1
//
//surge:kernel
func Paths(n, steps int, up float64) float64 {
	s := 0.0
	for p := 0; p < n; p++ {
		v := float64(p)
		for i := 0; i < steps; i++ {
			v = math.Exp(-v) * up
		}
		s += v
	}
	return s
}

// From begins somewhere.
//
// Loops: 0
//
//surge:kernel
func From(x []float64, from, to int) float64 {
	s := 1.0
	for i := from; i < to; i++ {
		s = s/2 + math.Exp(x[i])*math.Log(float64(i)+x[i])
	}
	return s
}

// Some accumulates under conditions, and different things on their two sides.
//
// Loops: 0
//
//surge:kernel
func Some(x []float64, t float64) (float64, float64, int) {
	s, p, n := 0.0, 1.0, 0
	for i, v := range x {
		if v > t {
			e := math.Exp(v) * math.Cos(v)
			if e < 100 {
				s += e
			}
			n++
		} else if v < -t {
			p *= 1 + math.Log(1+math.Abs(v))*math.Exp(v)
		} else {
			s -= float64(i)
		}
	}
	return s, p, n
}

// Late has a condition on what the loop carries: that stays in order, what it guards does not.
//
// Loops: 0
//
//surge:kernel
func Late(x []float64, most float64) float64 {
	s := 0.0
	for _, v := range x {
		e := math.Exp(v) + math.Exp(-v)
		if s < most {
			s += e
		}
	}
	return s
}

// Guarded reads elements under a condition on what the loop carries: whether they are there is known in order alone,
// and the check for it waits.
//
// Loops: 0
//
//surge:kernel
func Guarded(x []float64, at []int, most float64) float64 {
	s := 0.0
	for i := range x {
		e := math.Exp(x[i]) + math.Exp(-x[i])
		if s < most {
			s += e * x[at[i]]
		}
	}
	return s
}

// Chain needs what the turn before computed for most of its work.
//
// Loops: 1
//
//surge:kernel
func Chain(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s = math.Exp(-s*v) * math.Cos(s)
	}
	return s
}

// Two accumulates two things, one of them from the other.
//
// Loops: 0
//
//surge:kernel
func Two(x, y []float64) (float64, float64) {
	s, run := 0.0, 0.0
	for i, v := range x {
		e := math.Exp(v) * math.Log(2+math.Abs(y[i]))
		run = run*0.5 + e
		s += run * y[i]
	}
	return s, run
}

// Epochs has the loop in turns that have operators.
//
// Loops: 0
//
//surge:kernel
func Epochs(x []float64, epochs int) ([]float64, float64) {
	w, loss := 0.5, 0.0
	r := make([]float64, len(x))
	for e := 0; e < epochs; e++ {
		g := 0.0
		for i, v := range x {
			p := 1 / (1 + math.Exp(-w*v))
			g += (p - r[i]) * v * math.Sqrt(p)
		}
		w -= 0.1 * g
		loss = g
	}
	for i := range x {
		r[i] = w * x[i]
	}
	return r, loss
}

// Narrow carries narrow numbers and conditions.
//
// Loops: 0
//
//surge:kernel
func Narrow(x []float32) (float32, uint8, bool) {
	s, n, odd := float32(0), uint8(0), false
	for _, v := range x {
		e := float32(math.Exp(float64(v)) * math.Sin(float64(v)))
		s = s*0.75 + e
		if e > 1 {
			n += 3
			odd = !odd
		}
	}
	return s, n, odd
}
