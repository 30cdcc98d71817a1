package kernels_test

import "github.com/surge-ndp/surge/training/input"

func init() {
	tracked := func(series, length int) []input.Value {
		return []input.Value{floats(max(series*length, 0), -1, 1), scalar(series), scalar(length), input.Scalar(0.01), input.Scalar(0.1)}
	}
	inputs["Tracked"] = [][]input.Value{tracked(37, 21), tracked(16, 1), tracked(3, 5), tracked(9, 0), tracked(0, 4), tracked(17, 700), tracked(5, 3000)}
	inputs["Running"] = [][]input.Value{{lengths[float32](alike(37, 21)...)}, {lengths[float32](alike(8, 3)...)}, {lengths[float32](stretches()...)},
		{lengths[float32](alike(9, 0)...)}, {lengths[float32]()}, {lengths[float32](alike(17, 1500)...)}}
	seeds := func(n int) input.Value {
		x := make([]uint64, n)
		for i := range x {
			x[i] = rng.Uint64()
		}
		return input.Vector(x)
	}
	inputs["Generated"] = [][]input.Value{{seeds(37), scalar(21)}, {seeds(4), scalar(4)}, {seeds(3), scalar(7)}, {seeds(8), scalar(0)}, {seeds(0), scalar(3)}, {seeds(9), scalar(2000)}}
	inputs["Trended"] = [][]input.Value{{floats(37, -1, 1), scalar(21)}, {floats(8, -1, 1), scalar(1)}, {floats(9, -1, 1), scalar(2)}, {floats(5, -1, 1), scalar(0)},
		{floats(0, -1, 1), scalar(4)}, {floats(21, -1, 1), scalar(1100)}}
}
