package kernels_test

import "github.com/surge-ndp/surge/training/input"

// Offsets of segments that are all of a sequence, one behind the other; and such as are not: they leave out the
// beginning, the end or the middle, or go back. Of the latter a plain loop has no turns, or makes elements again.
var segmentOffsets = map[string][]int{
	"whole": {0, 3, 3, 20, 21, 60, 60}, "one": {0, 60}, "none": {0}, "nothing": {}, "begins": {2, 30, 60}, "ends": {0, 30, 55},
	"back": {0, 30, 20, 60}, "again": {0, 40, 10, 50, 5, 60},
}

func init() {
	for _, name := range []string{"whole", "one", "none", "nothing", "begins", "ends", "back", "again"} {
		offsets := segmentOffsets[name]
		var narrow []int32
		for _, at := range offsets {
			narrow = append(narrow, int32(at))
		}
		x, columns := floats(60, -1, 1), ints[int](60, 0, 9)
		inputs["Softened"] = append(inputs["Softened"], []input.Value{input.Vector(narrow), float32s(60, -1, 1)})
		inputs["Restarted"] = append(inputs["Restarted"], []input.Value{input.Vector(offsets), x})
		inputs["Scored"] = append(inputs["Scored"], []input.Value{input.Vector(offsets), columns, float32s(60, -1, 1),
			float32s(40, -1, 1), float32s(40, -1, 1), scalar(4)})
		if name != "back" && name != "again" {
			inputs["Placed"] = append(inputs["Placed"], []input.Value{input.Vector(offsets), x})
		}
	}
}
