package kernels_test

import "github.com/surge-ndp/surge/training/input"

func init() {
	cells := func(ns ...int) input.Value { return volume(ints[uint8](sum(ns), 0, 2), ns) }
	narrow := func(ns ...int) input.Value { return lengths[float32](ns...) }
	inputs["Averaged"] = [][]input.Value{{lengths[float64](alike(13, 37)...), scalar(5)}, {lengths[float64](alike(4, 4)...), scalar(2)},
		{lengths[float64](5, 5, 3, 8, 9), scalar(0)}, {lengths[float64](9, 5, 5, 9), scalar(3)}, {lengths[float64](), scalar(2)},
		{lengths[float64](alike(5, 0)...), scalar(2)}, {lengths[float64](7), scalar(3)}, {lengths[float64](alike(9, 6)...), scalar(-1)}}
	inputs["Stepped"] = [][]input.Value{{lengths[float64](alike(13, 37)...), scalar(37), scalar(4)}, {lengths[float64](5, 0, 9), scalar(7), scalar(3)},
		{lengths[float64](), scalar(4), scalar(2)}, {lengths[float64](alike(5, 3)...), scalar(0), scalar(2)}, {lengths[float64](1), scalar(1), scalar(3)}}
	inputs["Torus"] = [][]input.Value{{cells(alike(13, 37)...), scalar(3)}, {cells(alike(2, 2)...), scalar(2)}, {cells(alike(1, 9)...), scalar(2)},
		{cells(5, 3, 0, 8), scalar(2)}, {cells(), scalar(2)}, {cells(alike(3, 0)...), scalar(1)}, {cells(alike(9, 1)...), scalar(4)}}
	inputs["Lived"] = inputs["Torus"]
	inputs["Fields"] = [][]input.Value{{scalar(33), scalar(4), input.Scalar(0.5)}, {scalar(1), scalar(3), input.Scalar(1.0)}, {scalar(0), scalar(2), input.Scalar(1.0)},
		{scalar(8), scalar(0), input.Scalar(1.0)}}
	wave := func(h, w int) []input.Value {
		return []input.Value{lengths[float64](alike(h, w)...), lengths[float64](alike(h, w)...), scalar(5), input.Scalar(0.1)}
	}
	inputs["Ripples"] = [][]input.Value{wave(13, 37), wave(0, 0), wave(1, 1), wave(5, 0), wave(3, 3),
		{lengths[float64](4, 2, 5), lengths[float64](3, 9, 0), scalar(2), input.Scalar(0.25)}}
	square := func(n int) []input.Value { return []input.Value{lengths[float64](alike(n, n)...), scalar(3)} }
	inputs["Powered"] = [][]input.Value{square(21), square(1), square(0), square(4), {lengths[float64](3, 4, 3), scalar(2)}}
	inputs["Faded"] = [][]input.Value{{narrow(alike(13, 37)...), scalar(3), input.Scalar(float32(0.5))}, {narrow(5, 0, 9, 1), scalar(2), input.Scalar(float32(0.25))},
		{narrow(), scalar(2), input.Scalar(float32(0.5))}, {narrow(alike(3, 0)...), scalar(1), input.Scalar(float32(0.5))}, {narrow(alike(4, 3)...), scalar(0), input.Scalar(float32(0.5))}}
}
