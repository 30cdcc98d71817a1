// Standard library

package constructs

import "container/heap"

// place is a place that is as far away as it says.
type place struct{ at, far int }

// places is a heap whose first element is nearest.
type places []place

func (s places) Len() int           { return len(s) }
func (s places) Less(i, j int) bool { return s[i].far < s[j].far }
func (s places) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *places) Push(x any)        { *s = append(*s, x.(place)) }
func (s *places) Pop() any {
	old := *s
	n := len(old)
	x := old[n-1]
	*s = old[0 : n-1]
	return x
}

// Reach is how far each place of a line is away from the first one, where a step to the next one, and one to twice the
// number, cost what lies there.
//
// Construct: container/heap: Init, Push, Pop, Remove and Fix of a type of the package whose elements hold numbers
// Without: opencl
//
//surge:kernel
func Reach(costs []uint8) []int {
	far := make([]int, len(costs))
	for i := range far {
		far[i] = -1
	}
	open := &places{}
	heap.Init(open)
	if len(costs) > 0 {
		heap.Push(open, place{0, 0})
	}
	for open.Len() > 0 {
		s := heap.Pop(open).(place)
		if far[s.at] >= 0 {
			continue
		}
		far[s.at] = s.far
		for _, next := range [2]int{s.at + 1, 2 * s.at} {
			if next < len(costs) && far[next] < 0 {
				heap.Push(open, place{next, s.far + int(costs[next])})
			}
		}
		if open.Len() > 3 {
			(*open)[1].far++
			heap.Fix(open, 1)
			heap.Remove(open, open.Len()-1)
		}
	}
	return far
}

// depths is a heap in a struct.
type depths struct{ list []int32 }

func (d depths) Len() int           { return len(d.list) }
func (d depths) Less(i, j int) bool { return d.list[i] < d.list[j] }
func (d *depths) Swap(i, j int)     { d.list[i], d.list[j] = d.list[j], d.list[i] }
func (d *depths) Push(x any)        { d.list = append(d.list, x.(int32)) }
func (d *depths) Pop() any {
	n := len(d.list) - 1
	x := d.list[n]
	d.list = d.list[:n]
	return x
}

// Greatest are the sums of the three greatest numbers of each row.
//
// Construct: container/heap of a struct with a slice, in each element of a loop
//
//surge:kernel
func Greatest(rows [][]int32) []int32 {
	out := make([]int32, len(rows))
	for i, row := range rows {
		var d depths
		for _, v := range row {
			heap.Push(&d, v)
			if d.Len() > 3 {
				heap.Pop(&d)
			}
		}
		for _, v := range d.list {
			out[i] += v
		}
	}
	return out
}
