// Slices

package constructs

import "slices"

// Readings are what readings stand for, from outside the range, flat, and on the way.
//
// Construct: append of one element in each turn, whatever the conditions are under which it is chosen
//
//surge:kernel
func Readings(x []float64, n int) (grades []int, steps []float64) {
	for i, v := range x {
		if v < 0 {
			grades = append(grades, -1)
			continue
		}
		switch {
		case v > 100:
			grades = append(grades, 1000)
		case i > 0 && v == x[i-1]:
			grades = append(grades, 0)
		default:
			grades = append(grades, int(v*10))
		}
	}
	for i := 1; i < min(n, len(x)); i++ {
		if steps = append(steps, 1); x[i] > x[i-1] {
			steps = append(steps, x[i]-x[i-1])
		} else {
			steps = append(steps, 0)
		}
	}
	return grades, steps
}

// Framing is how a signal is cut.
type Framing struct {
	Size, Hop int
	Least     float64
}

// Lag is where a frame is most like itself.
type Lag struct {
	At       int
	Distance float64
	Found    bool
}

// distances sets out to how much a frame differs from itself, as many places later, beside what is usual.
func distances(frame []float64, out []float64) {
	window := len(frame) - len(out)
	out[0] = 1
	total := 0.0
	for lag := 1; lag < len(out); lag++ {
		sum := 0.0
		for i := range window {
			d := frame[i] - frame[i+lag]
			sum += d * d
		}
		total += sum
		if total > 0 {
			out[lag] = sum * float64(lag) / total
		} else {
			out[lag] = 1
		}
	}
}

// Lags are the frames' own.
//
// Construct: a step that is a field, frames that are passed over, and a buffer that a function sets one by one
//
//surge:kernel
func Lags(samples []float64, f Framing) []Lag {
	if f.Hop <= 0 || f.Size < 4 || len(samples) < f.Size {
		return nil
	}
	lags := make([]Lag, 0, (len(samples)-f.Size)/f.Hop+1)
	diff := make([]float64, f.Size/2)
	for start := 0; start+f.Size <= len(samples); start += f.Hop {
		frame := samples[start : start+f.Size]
		if frame[0] == 0 {
			lags = append(lags, Lag{})
			continue
		}
		distances(frame, diff)
		lag := 1
		for lag < len(diff) && diff[lag] >= f.Least {
			lag++
		}
		if lag == len(diff) {
			lags = append(lags, Lag{Distance: slices.Min(diff[1:])})
			continue
		}
		lags = append(lags, Lag{At: lag, Distance: diff[lag], Found: true})
	}
	return lags
}

// Warped are the distances of each row from the first one, each element with one of the other near it.
//
// Construct: tables of dynamic programming whose first element, and then the others up to the last, are set
//
//surge:kernel
func Warped(rows [][]float64, far float64) []float64 {
	if len(rows) == 0 {
		return nil
	}
	first, out := rows[0], make([]float64, len(rows))
	n := len(first)
	table := make([]float64, n+1)
	for r, row := range rows {
		table[0] = 0
		for j := 1; j <= n; j++ {
			table[j] = far
		}
		for _, v := range row {
			above := table[0]
			table[0] = far
			for j := 1; j <= n; j++ {
				d := v - first[j-1]
				above, table[j] = table[j], d*d+min(above, table[j], table[j-1])
			}
		}
		out[r] = table[n]
	}
	return out
}
