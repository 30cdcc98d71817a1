// Layers of networks

package corpus

import (
	"errors"
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Attend is attention of one head: each place looks at itself and those before it.
//
//surge:kernel
func Attend(q, k, v [][]float32) [][]float32 {
	out := make([][]float32, len(q))
	for i := range q {
		scale := 1 / float32(math.Sqrt(float64(len(q[i]))))
		scores := make([]float32, i+1)
		largest := float32(math.Inf(-1))
		for j := range scores {
			var dot float32
			for d := range q[i] {
				dot += q[i][d] * k[j][d]
			}
			scores[j] = dot * scale
			largest = max(largest, scores[j])
		}
		var total float32
		for j, s := range scores {
			scores[j] = float32(math.Exp(float64(s - largest)))
			total += scores[j]
		}
		row := make([]float32, len(v[i]))
		for j, s := range scores {
			for d, x := range v[j] {
				row[d] += s / total * x
			}
		}
		out[i] = row
	}
	return out
}

// Norm scales rows to a mean square of one, and adds what a gated unit makes of them.
type Norm struct {
	Weight []float32
	Eps    float32
}

func gelu(x float32) float32 {
	const c = 0.7978845608
	return 0.5 * x * (1 + float32(math.Tanh(float64(c*(x+0.044715*x*x*x)))))
}

// NormGelu is a root-mean-square norm with a gate and a residual.
//
//surge:kernel
func NormGelu(n *Norm, x, gate [][]float32) ([][]float32, error) {
	if len(x) != len(gate) {
		return nil, errors.New("as many rows as gates are needed")
	}
	y := make([][]float32, len(x))
	for i, row := range x {
		var ss float32
		for _, v := range row {
			ss += v * v
		}
		inv := 1 / float32(math.Sqrt(float64(ss/float32(len(row))+n.Eps)))
		out := make([]float32, len(row))
		for j, v := range row {
			out[j] = v + v*inv*n.Weight[j]*gelu(gate[i][j])
		}
		y[i] = out
	}
	return y, nil
}

// Tensor is a batch of planes.
type Tensor struct {
	Data []float32
	N, C int
	H, W int
}

// MaxPool takes the largest of windows of 3 by 3, two apart, with a border of one.
//
//surge:kernel
func MaxPool(t Tensor) Tensor {
	h, w := (t.H+1)/2, (t.W+1)/2
	out := Tensor{make([]float32, t.N*t.C*h*w), t.N, t.C, h, w}
	for p := 0; p < t.N*t.C; p++ {
		plane := t.Data[p*t.H*t.W : (p+1)*t.H*t.W]
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				best := float32(math.Inf(-1))
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						yy, xx := 2*y+dy, 2*x+dx
						if yy < 0 || yy >= t.H || xx < 0 || xx >= t.W {
							continue
						}
						best = max(best, plane[yy*t.W+xx])
					}
				}
				out.Data[(p*h+y)*w+x] = best
			}
		}
	}
	return out
}

// Bags sums up rows of a table, weighted, for each bag of ids.
//
//surge:kernel
func Bags(table [][]float32, ids []int32, weights []float32, offsets []int32) [][]float32 {
	dim := len(table[0])
	out := make([][]float32, len(offsets)-1)
	for b := range out {
		sum := make([]float32, dim)
		for k := offsets[b]; k < offsets[b+1]; k++ {
			w := weights[k]
			for d, v := range table[ids[k]] {
				sum[d] += w * v
			}
		}
		out[b] = sum
	}
	return out
}

func sigmoid(x float32) float32 { return 1 / (1 + float32(math.Exp(float64(-x)))) }
func tanh(x float32) float32    { return float32(math.Tanh(float64(x))) }

// LSTM holds the weights of a cell, four gates behind one another.
type LSTM struct {
	Wx, Wh [][]float32 // 4·hidden rows
	Bias   []float32
}

// LSTMStep is one step of a batch.
//
//surge:kernel
func LSTMStep(l LSTM, x, h, c [][]float32) (nextH, nextC [][]float32) {
	hidden := len(l.Bias) / 4
	nextH, nextC = make([][]float32, len(x)), make([][]float32, len(x))
	for b := range x {
		gates := make([]float32, 4*hidden)
		for g := range gates {
			sum := l.Bias[g]
			for j, w := range l.Wx[g] {
				sum += w * x[b][j]
			}
			for j, w := range l.Wh[g] {
				sum += w * h[b][j]
			}
			gates[g] = sum
		}
		hh, cc := make([]float32, hidden), make([]float32, hidden)
		for j := range hh {
			in, forget := sigmoid(gates[j]), sigmoid(gates[hidden+j])
			cand, out := tanh(gates[2*hidden+j]), sigmoid(gates[3*hidden+j])
			cc[j] = forget*c[b][j] + in*cand
			hh[j] = out * tanh(cc[j])
		}
		nextH[b], nextC[b] = hh, cc
	}
	return nextH, nextC
}

// Vote classifies queries by the majority among their five nearest samples.
//
//surge:kernel
func Vote(samples [][]float32, labels []int, queries [][]float32) []int {
	const k, classes = 5, 10
	votes := make([]int, len(queries))
	for q, query := range queries {
		var dist [k]float32
		var label [k]int
		for i := range dist {
			dist[i] = math.MaxFloat32
		}
		for s, sample := range samples {
			var d float32
			for j := range query {
				diff := query[j] - sample[j]
				d += diff * diff
			}
			if d >= dist[k-1] {
				continue
			}
			at := k - 1
			for at > 0 && dist[at-1] > d {
				dist[at], label[at] = dist[at-1], label[at-1]
				at--
			}
			dist[at], label[at] = d, labels[s]
		}
		var count [classes]int
		best := 0
		for _, l := range label {
			count[l]++
			if count[l] > count[best] {
				best = l
			}
		}
		votes[q] = best
	}
	return votes
}

// Dilated is a causal convolution of each channel with a kernel of its own.
//
//surge:kernel
func Dilated(x [][]float32, taps [][]float32, dilation int) [][]float32 {
	y := make([][]float32, len(x))
	for c := range x {
		row := make([]float32, len(x[c]))
		for t := range row {
			var sum float32
			for k, w := range taps[c] {
				if at := t - k*dilation; at >= 0 {
					sum += w * x[c][at]
				}
			}
			row[t] = sum
		}
		y[c] = row
	}
	return y
}

// EdgeSoftmax turns the scores of edges into weights that sum up to one at each node: attention on a graph.
//
//surge:kernel
func EdgeSoftmax(scores []float32, sources, offsets []int32, features []float32) []float32 {
	maximum := func(a, b float32) float32 { return max(a, b) }
	plus := func(a, b float32) float32 { return a + b }
	return ops.Map2(func(s []float32, from []int32) float32 {
		top := ops.Reduce(maximum, s, float32(math.Inf(-1)))
		e := ops.Map(func(v float32) float32 { return float32(math.Exp(float64(v - top))) }, s)
		sum := ops.Reduce(plus, e, 0)
		weighted := ops.Map2(func(w, x float32) float32 { return w * x }, e, ops.Gather(features, from))
		if sum == 0 {
			return 0
		}
		return ops.Reduce(plus, weighted, 0) / sum
	}, ops.Nest(scores, offsets), ops.Nest(sources, offsets))
}
