// Section: Slices
// Construct: a name of a slice that is used when the field has got another one
// Code: pointer
// Instead: Painted

package refused

type twoRows struct{ above, below []int32 }

func (t *twoRows) turn(first, x []int32) {
	t.above, t.below = t.below, t.above
	for i, v := range x {
		first[i] = v
	}
}

//surge:kernel
func StaleName(x []int32) []int32 {
	t := &twoRows{make([]int32, len(x)), make([]int32, len(x))}
	t.turn(t.above, x)
	return t.below
}
