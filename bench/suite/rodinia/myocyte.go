package rodinia

import "math"

// Fehlberg's pair of methods of orders 7 and 8: when a stage is evaluated, and how much of the rates of those before it
// its state takes.
const stages = 13

var fehlbergTimes = [stages]float32{
	0, 2.0 / 27, 1.0 / 9, 1.0 / 6, 5.0 / 12, 1.0 / 2, 5.0 / 6, 1.0 / 6, 2.0 / 3, 1.0 / 3, 1, 0, 1,
}

var fehlbergShares = [stages][stages]float32{
	{},
	{2.0 / 27},
	{1.0 / 36, 3.0 / 36},
	{1.0 / 24, 0, 3.0 / 24},
	{20.0 / 48, 0, -75.0 / 48, 75.0 / 48},
	{1.0 / 20, 0, 0, 5.0 / 20, 4.0 / 20},
	{-25.0 / 108, 0, 0, 125.0 / 108, -260.0 / 108, 250.0 / 108},
	{31.0 / 300, 0, 0, 0, 61.0 / 225, -2.0 / 9, 13.0 / 900},
	{2, 0, 0, -53.0 / 6, 704.0 / 45, -107.0 / 9, 67.0 / 90, 3},
	{-91.0 / 108, 0, 0, 23.0 / 108, -976.0 / 135, 311.0 / 54, -19.0 / 60, 17.0 / 6, -1.0 / 12},
	{2383.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -301.0 / 82, 2133.0 / 4100, 45.0 / 82, 45.0 / 164, 18.0 / 41},
	{3.0 / 205, 0, 0, 0, 0, -6.0 / 41, -3.0 / 205, -3.0 / 41, 3.0 / 41, 6.0 / 41},
	{-1777.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -289.0 / 82, 2193.0 / 4100, 51.0 / 82, 33.0 / 164, 12.0 / 41, 0, 1},
}

var fehlbergResult = [stages]float32{
	41.0 / 840, 0, 0, 0, 0, 34.0 / 105, 9.0 / 35, 9.0 / 35, 9.0 / 280, 9.0 / 280, 41.0 / 840,
}

// fehlberg makes a step of length h, and says how wrong each value may be, for a unit of time.
func fehlberg(t, h float32, y, parameters []float32) (next, wrong []float32) {
	k := make([]float32, stages*states)
	for s := range stages {
		at := make([]float32, states)
		for i := range at {
			var sum float32
			for q := range s {
				sum += fehlbergShares[s][q] * k[q*states+i]
			}
			at[i] = y[i] + h*sum
		}
		for i, v := range rates(t+fehlbergTimes[s]*h, at, parameters) {
			k[s*states+i] = v
		}
	}
	next = make([]float32, states)
	wrong = make([]float32, states)
	for i := range next {
		var sum float32
		for s := range stages {
			sum += fehlbergResult[s] * k[s*states+i]
		}
		next[i] = y[i] + h*sum
		wrong[i] = float32(math.Abs(float64(41.0 / 840 * (k[i] + k[10*states+i] - k[11*states+i] - k[12*states+i]))))
	}
	return next, wrong
}

// beat follows a cell through so many milliseconds. A step that is too wrong is made again, shorter, up to twelve
// times; the cell does not catch up on what a shorter step leaves of its millisecond.
func beat(y, parameters []float32, steps int) []float32 {
	const attempts, least, most = 12, 0.125, 4
	tolerance := 10 / float32(steps)
	for step := range steps {
		h := float32(1)
		var next []float32
		for try, good := 0, false; try < attempts && !good; try++ {
			var wrong []float32
			next, wrong = fehlberg(float32(step), h, y, parameters)
			good = true
			scale := float32(most)
			for i, e := range wrong {
				if e > 0 {
					allowed := tolerance
					if y[i] != 0 {
						allowed *= float32(math.Abs(float64(y[i])))
					}
					scale = min(scale, 0.8*float32(math.Pow(float64(allowed/e), 1.0/7)))
					good = good && e <= allowed
				}
			}
			h = min(h*max(scale, least), 0.9)
			if end := float32(steps - step); h > end {
				h = end
			} else if 1.5*h > end {
				h *= 0.5
			}
		}
		y = next
	}
	return y
}

// Myocyte is Rodinia's model of heart muscle cells, each for so many milliseconds. Cells differ in their first state,
// by as many multiples of shift as there are kinds.
//
//surge:kernel
func Myocyte(state, parameters []float32, cells, kinds, steps int, shift float32) [][]float32 {
	out := make([][]float32, cells)
	for c := range out {
		y := make([]float32, states)
		for i := range y {
			y[i] = state[i] + float32(c%kinds)*shift
		}
		out[c] = beat(y, parameters, steps)
	}
	return out
}
