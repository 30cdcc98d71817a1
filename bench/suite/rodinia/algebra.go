package rodinia

import "math"

// LUD is the decomposition of a matrix of n by n into a lower and an upper triangle, both in one matrix.
//
//surge:kernel
func LUD(matrix []float32, n int) []float32 {
	a := make([]float32, n*n)
	copy(a, matrix)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			a[i*n+k] /= a[k*n+k]
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= a[i*n+k] * a[k*n+j]
			}
		}
	}
	return a
}

// Gaussian solves a system of linear equations by elimination without pivots, on rows.
//
//surge:kernel
func Gaussian(matrix [][]float32, right []float32) []float32 {
	n := len(right)
	a := make([][]float32, n)
	for i := range a {
		a[i] = make([]float32, n)
		copy(a[i], matrix[i])
	}
	b := make([]float32, n)
	copy(b, right)
	for k := 0; k < n-1; k++ {
		for i := k + 1; i < n; i++ {
			factor := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= factor * a[k][j]
			}
			b[i] -= factor * b[k]
		}
	}
	x := make([]float32, n)
	for i := n - 1; i >= 0; i-- {
		sum := b[i]
		for j := i + 1; j < n; j++ {
			sum -= a[i][j] * x[j]
		}
		x[i] = sum / a[i][i]
	}
	return x
}

func squash(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// forward is what a layer's units say to their inputs. The first input of each is the threshold.
func forward(in []float32, weights [][]float32) []float32 {
	out := make([]float32, len(weights[0]))
	for j := range out {
		sum := weights[0][j]
		for k, v := range in {
			sum += weights[k+1][j] * v
		}
		out[j] = squash(sum)
	}
	return out
}

// adjust moves the weights of a layer along its errors, with momentum.
func adjust(delta, in []float32, weights, before [][]float32) (moved, steps [][]float32) {
	const rate, momentum = 0.3, 0.3
	moved = make([][]float32, len(weights))
	steps = make([][]float32, len(weights))
	for k := range weights {
		moved[k] = make([]float32, len(delta))
		steps[k] = make([]float32, len(delta))
		v := float32(1)
		if k > 0 {
			v = in[k-1]
		}
		for j, d := range delta {
			step := rate*d*v + momentum*before[k][j]
			moved[k][j] = weights[k][j] + step
			steps[k][j] = step
		}
	}
	return moved, steps
}

// Backprop is one turn of training of Rodinia's network with one hidden layer: forward, the errors of both layers, and
// new weights.
//
//surge:kernel
func Backprop(input []float32, hidden, output, beforeHidden, beforeOutput [][]float32, target []float32) (newHidden, newOutput [][]float32, outputError, hiddenError float32) {
	h := forward(input, hidden)
	o := forward(h, output)
	outputDelta := make([]float32, len(o))
	for j := range o {
		outputDelta[j] = o[j] * (1 - o[j]) * (target[j] - o[j])
		outputError += float32(math.Abs(float64(outputDelta[j])))
	}
	hiddenDelta := make([]float32, len(h))
	for j := range h {
		var sum float32
		for k, d := range outputDelta {
			sum += d * output[j+1][k]
		}
		hiddenDelta[j] = h[j] * (1 - h[j]) * sum
		hiddenError += float32(math.Abs(float64(hiddenDelta[j])))
	}
	newOutput, _ = adjust(outputDelta, h, output, beforeOutput)
	newHidden, _ = adjust(hiddenDelta, input, hidden, beforeHidden)
	return newHidden, newOutput, outputError, hiddenError
}
