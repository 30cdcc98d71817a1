// Slices

package constructs

import "github.com/surge-ndp/surge/ops"

// Flooded paints the cells of the value that one of them has, as far as they are neighbours.
//
// Construct: a stack or a queue that is read while it grows
// Without: opencl
//
//surge:kernel
func Flooded(cells []int32, width uint8, at int) []int32 {
	out := make([]int32, len(cells))
	copy(out, cells)
	if at < 0 || at >= len(out) || width == 0 {
		return out
	}
	old, w := out[at], int(width)
	stack := []int{at}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if out[p] != old {
			continue
		}
		out[p] = old + 1
		if p%w > 0 {
			stack = append(stack, p-1)
		}
		if p%w < w-1 && p+1 < len(out) {
			stack = append(stack, p+1)
		}
		if p >= w {
			stack = append(stack, p-w)
		}
		if p+w < len(out) {
			stack = append(stack, p+w)
		}
	}
	return out
}

// RingSteps is how many steps each number of a ring is away, by steps of two lengths.
//
// Construct: a queue whose head is an index, read while it grows
// Without: opencl
//
//surge:kernel
func RingSteps(n, step uint8) []int {
	dist := make([]int, int(n)+1)
	for i := range dist {
		dist[i] = -1
	}
	dist[0] = 0
	queue := []int{0}
	for head := 0; head < len(queue); head++ {
		v := queue[head]
		for _, u := range [2]int{(v + 1) % len(dist), (v + int(step)) % len(dist)} {
			if dist[u] < 0 {
				dist[u] = dist[v] + 1
				queue = append(queue, u)
			}
		}
	}
	return dist
}

type minHeap struct{ a []int32 }

func (h *minHeap) push(x int32) {
	h.a = append(h.a, x)
	for i := len(h.a) - 1; i > 0 && h.a[(i-1)/2] > h.a[i]; i = (i - 1) / 2 {
		h.a[i], h.a[(i-1)/2] = h.a[(i-1)/2], h.a[i]
	}
}

func (h *minHeap) pop() int32 {
	least, n := h.a[0], len(h.a)-1
	h.a[0] = h.a[n]
	h.a = h.a[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			return least
		}
		if c+1 < n && h.a[c+1] < h.a[c] {
			c++
		}
		if h.a[i] <= h.a[c] {
			return least
		}
		h.a[i], h.a[c] = h.a[c], h.a[i]
		i = c
	}
}

// HeapSorted sorts by a heap.
//
// Construct: append to a field by a method with a pointer receiver
//
//surge:kernel
func HeapSorted(x []int32) []int32 {
	var h minHeap
	for _, v := range x {
		h.push(v)
	}
	var sorted []int32
	for len(h.a) > 0 {
		sorted = append(sorted, h.pop())
	}
	return sorted
}

// Intervals puts intervals together that touch each other.
//
// Construct: the last element read, and changed, of what a loop appends to
//
//surge:kernel
func Intervals(start []int8, length []uint8) ([]int, []int) {
	var from, to []int
	n := min(len(start), len(length))
	for i := range n {
		lo := int(start[i])
		hi := lo + int(length[i])
		if k := len(to); k > 0 && lo <= to[k-1] {
			to[k-1] = max(to[k-1], hi)
			continue
		}
		from, to = append(from, lo), append(to, hi)
	}
	return from, to
}

// HailLasts is what is said of Collatz's sequence from each number, as far as it goes in a hundred steps: its last
// number and its length.
//
// Construct: append without a bound inside of an operator
// Without: opencl
//
//surge:kernel
func HailLasts(x []uint16) []int {
	return ops.Map(func(v uint16) int {
		seen := []int{int(v)}
		for last := int(v); last > 1 && len(seen) < 100; last = seen[len(seen)-1] {
			if last%2 == 0 {
				seen = append(seen, last/2)
			} else {
				seen = append(seen, 3*last+1)
			}
		}
		return 1000*seen[len(seen)-1] + len(seen)
	}, x)
}

type stop struct {
	node int
	dist uint64
}

type stops []stop

func (q *stops) push(s stop) {
	*q = append(*q, s)
	for i := len(*q) - 1; i > 0 && (*q)[(i-1)/2].dist > (*q)[i].dist; i = (i - 1) / 2 {
		(*q)[i], (*q)[(i-1)/2] = (*q)[(i-1)/2], (*q)[i]
	}
}

func (q *stops) pop() stop {
	first, n := (*q)[0], len(*q)-1
	(*q)[0] = (*q)[n]
	*q = (*q)[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < n && (*q)[c+1].dist < (*q)[c].dist {
			c++
		}
		if c >= n || (*q)[i].dist <= (*q)[c].dist {
			return first
		}
		(*q)[i], (*q)[c] = (*q)[c], (*q)[i]
		i = c
	}
}

// Shortest is how far each number of a ring is from the first one, by steps of two lengths that cost something.
//
// Construct: *q = append(*q, …), *q = (*q)[:n] and len(*q) in methods of a type of slices
// Without: opencl
//
//surge:kernel
func Shortest(cost []uint32, step uint8) []uint64 {
	dist := make([]uint64, len(cost))
	for i := range dist {
		dist[i] = 1 << 62
	}
	if len(dist) == 0 {
		return dist
	}
	dist[0] = 0
	var queue stops
	queue.push(stop{0, 0})
	for len(queue) > 0 {
		s := queue.pop()
		if s.dist > dist[s.node] {
			continue
		}
		for _, by := range [2]int{1, int(step)} {
			to := (s.node + by) % len(dist)
			if d := s.dist + uint64(cost[to]); d < dist[to] {
				dist[to] = d
				queue.push(stop{to, d})
			}
		}
	}
	return dist
}

// Admitted lists the places that take something in, in the order in which they do: in each round all places whose need
// is not met yet, until none is left, or enough have been let in.
//
// Construct: a slice that a loop appends to, and returns from inside
//
//surge:kernel
func Admitted(needs []uint8, most uint16) ([]int32, int) {
	met := make([]uint8, len(needs))
	var order []int32
	for rounds := 1; ; rounds++ {
		some := false
		for i, need := range needs {
			if met[i] >= need%8 {
				continue
			}
			met[i]++
			order = append(order, int32(i))
			some = true
		}
		if !some || len(order) > int(most) {
			return order, rounds
		}
	}
}
