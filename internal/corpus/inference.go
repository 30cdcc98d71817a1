// Machine learning inference

package corpus

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Layer is a dense layer of a network: Weights has In numbers for each of the Out neurons.
type Layer struct {
	Weights, Bias []float32
	In, Out       int
}

// row are the weights of a neuron.
func (l Layer) row(i int) []float32 { return l.Weights[i*l.In : (i+1)*l.In] }

func relu[T ~float32 | ~float64](x T) T {
	if x < 0 {
		return 0
	}
	return x
}

func dot[T ~float32 | ~float64](a, b []T) T {
	products := ops.Map2(func(x, y T) T { return x * y }, a, b)
	return ops.Reduce(func(x, y T) T { return x + y }, products, 0)
}

// Dense applies a layer to a vector.
//
//surge:kernel
func Dense(l Layer, x []float32) []float32 {
	return ops.Map(func(i int) float32 { return relu(dot(l.row(i), x) + l.Bias[i]) }, ops.Range(0, l.Out, 1))
}

// Softmax turns the scores of each example into probabilities.
//
//surge:kernel
func Softmax(scores [][]float32) [][]float32 {
	return ops.Map(func(row []float32) []float32 {
		largest := float32(math.Inf(-1))
		for _, v := range row {
			largest = max(largest, v)
		}
		exps := ops.Map(func(v float32) float32 { return float32(math.Exp(float64(v - largest))) }, row)
		sum := ops.Reduce(func(a, b float32) float32 { return a + b }, exps, 0)
		return ops.Map(func(e float32) float32 { return e / sum }, exps)
	}, scores)
}

// Quantize turns numbers into 8 bits, and says by what they were divided.
//
//surge:kernel
func Quantize(x []float32) (q []int8, scale float32) {
	largest := ops.Reduce(func(a, b float32) float32 { return max(a, b) }, ops.Map(func(v float32) float32 { return max(v, -v) }, x), 0)
	if largest == 0 {
		return make([]int8, len(x)), 1
	}
	scale = largest / 127
	q = ops.Map(func(v float32) int8 { return int8(math.Round(float64(v / scale))) }, x)
	return q, scale
}

const neighbours = 5

// Classify gives each query the label that most of its five nearest examples have.
//
//surge:kernel
func Classify(examples [][]float32, labels []uint8, queries [][]float32) []uint8 {
	return ops.Map(func(query []float32) uint8 {
		type near struct {
			distance float32
			label    uint8
		}
		var best [neighbours]near
		for i := range best {
			best[i].distance = math.MaxFloat32
		}
		for i, e := range examples {
			var d float32
			for j := range e {
				diff := e[j] - query[j]
				d += diff * diff
			}
			if d >= best[neighbours-1].distance {
				continue
			}
			k := neighbours - 1
			for k > 0 && best[k-1].distance > d {
				best[k] = best[k-1]
				k--
			}
			best[k] = near{d, labels[i]}
		}
		var votes [256]uint8
		winner := best[0].label
		for _, n := range best {
			votes[n.label]++
			if votes[n.label] > votes[winner] {
				winner = n.label
			}
		}
		return winner
	}, queries)
}

// Node is a node of a decision tree: a leaf where Feature is negative.
type Node struct {
	Feature     int32
	Threshold   float32
	Left, Right int32
	Value       float32
}

// Forest is a forest of trees, whose nodes lie one behind another.
type Forest struct {
	Nodes []Node
	Roots []int32
}

func (f Forest) score(tree int32, x []float32) float32 {
	n := f.Nodes[tree]
	for n.Feature >= 0 {
		if x[n.Feature] < n.Threshold {
			n = f.Nodes[n.Left]
		} else {
			n = f.Nodes[n.Right]
		}
	}
	return n.Value
}

// Predict sums up what the trees of a forest say of each example.
//
//surge:kernel
func Predict(f Forest, examples [][]float32) []float32 {
	return ops.Map(func(x []float32) float32 {
		var sum float32
		for _, root := range f.Roots {
			sum += f.score(root, x)
		}
		return 1 / (1 + float32(math.Exp(float64(-sum))))
	}, examples)
}
