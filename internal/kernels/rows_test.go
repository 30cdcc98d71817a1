package kernels_test

import "github.com/surge-ndp/surge/training/input"

// lengths returns rows of these lengths, one behind the other.
func lengths[T float32 | float64](ns ...int) input.Value {
	all := 0
	for _, n := range ns {
		all += n
	}
	data := make([]T, all)
	for i := range data {
		data[i] = T(rng.IntN(9)-4) / 4
	}
	return volume(input.Vector(data), ns)
}

// alike returns n lengths that are all the same.
func alike(n, length int) []int {
	ns := make([]int, n)
	for i := range ns {
		ns[i] = length
	}
	return ns
}

// stretches are lengths of which some are alike, for more than a vector and for less, from the first one on and not.
func stretches() (ns []int) {
	for _, s := range [][2]int{{17, 3}, {1, 9}, {5, 4}, {40, 2}, {1, 0}, {16, 1}, {20, 0}, {3, 7}} {
		ns = append(ns, alike(s[0], s[1])...)
	}
	return ns
}

func init() {
	centers := lengths[float32](alike(5, 9)...)
	inputs["Assigned"] = [][]input.Value{{lengths[float32](alike(53, 9)...), centers}, {lengths[float32](stretches()...), centers},
		{lengths[float32](alike(8, 3)...), lengths[float32](2, 5, 0)}, {lengths[float32](alike(0, 0)...), centers}, {lengths[float32](alike(19, 2)...), lengths[float32](alike(0, 0)...)}}
	inputs["Deviations"] = [][]input.Value{{lengths[float64](stretches()...), lengths[float64](stretches()...)},
		{lengths[float64](alike(35, 6)...), lengths[float64](alike(35, 4)...)}, {lengths[float64](alike(35, 6)...), lengths[float64](append(alike(20, 4), alike(15, 3)...)...)},
		{lengths[float64](alike(0, 0)...), lengths[float64](alike(0, 0)...)}, {lengths[float64](7), lengths[float64](1)}}
	inputs["Moved"] = [][]input.Value{{lengths[float32](alike(53, 9)...), centers, scalar(3)}, {lengths[float32](stretches()...), centers, scalar(2)},
		{lengths[float32](alike(0, 0)...), centers, scalar(2)}, {lengths[float32](alike(70, 1)...), centers, scalar(0)}}
	inputs["Parts"] = [][]input.Value{{lengths[float32](stretches()...)}, {lengths[float32](alike(9, 7)...)}, {lengths[float32](0, 40, 1)}}
	flat := func(n, d, k, turns int) []input.Value {
		return []input.Value{float32s(max(n*d, 0), -1, 1), float32s(max(k*d, 0), -1, 1), scalar(n), scalar(d), scalar(k), scalar(turns)}
	}
	inputs["AssignedFlat"] = [][]input.Value{flat(53, 9, 5, 3), flat(16, 1, 3, 1), flat(19, 0, 4, 2), flat(19, -3, 4, 2), flat(0, 3, 2, 2), flat(7, 4, 0, 2)}
}
