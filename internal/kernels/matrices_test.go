package kernels_test

import "github.com/surge-ndp/surge/training/input"

func init() {
	of := func(rows ...[]int) (all []input.Value) {
		for _, ns := range rows {
			all = append(all, lengths[float32](ns...))
		}
		return all
	}
	inputs["Weighed"] = [][]input.Value{
		of(alike(37, 19), alike(37, 19), alike(37, 10)), of(alike(9, 5), alike(12, 8), alike(9, 5)), of(alike(20, 1), alike(20, 1), alike(20, 1)),
		of([]int{3, 2, 0, 4}, alike(5, 6), []int{2, 2, 2, 2}), of(nil, nil, nil), of(alike(1, 2), alike(1, 2), alike(1, 9)), of(alike(4, 0), alike(4, 0), alike(4, 0))}
	bytes := func(ns ...int) input.Value { return volume(ints[int8](sum(ns), -9, 9), ns) }
	layer := func(x, weights []int) []input.Value {
		return []input.Value{bytes(x...), bytes(weights...), ints[int32](len(weights), -99, 99), scalar(uint(3))}
	}
	inputs["Quantised"] = [][]input.Value{
		layer(alike(11, 37), alike(21, 37)), layer(alike(5, 7), alike(40, 9)), layer(alike(4, 1), alike(18, 1)), layer([]int{3, 0, 9}, alike(17, 9)),
		layer(nil, alike(2, 2)), layer(alike(3, 2), nil), layer(alike(2, 0), alike(20, 0))}
	systems := func(below, diagonal, above, right []int) []input.Value {
		main := floats(sum(diagonal), 3, 4)
		return []input.Value{lengths[float64](below...), volume(main, diagonal), lengths[float64](above...), lengths[float64](right...)}
	}
	inputs["Eliminated"] = [][]input.Value{
		systems(alike(19, 33), alike(19, 33), alike(19, 33), alike(19, 33)), systems(alike(9, 1), alike(9, 1), alike(9, 1), alike(9, 1)),
		systems(alike(9, 6), alike(9, 7), alike(9, 8), alike(9, 5)), systems([]int{3, 0, 5, 2}, []int{3, 0, 5, 2}, []int{3, 0, 5, 2}, []int{3, 0, 5, 2}),
		systems(alike(5, 0), alike(5, 0), alike(5, 0), alike(5, 0)),
		systems(nil, nil, nil, nil)}
	inputs["Handed"] = [][]input.Value{{lengths[float64](alike(9, 7)...)}, {lengths[float64](3, 0, 5)}, {lengths[float64]()}}
}
