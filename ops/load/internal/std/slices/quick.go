package slices

import "math/bits"

// SortFunc sorts x in the order of cmp. How equal elements are ordered is not defined in Go, but seen in what a
// program computes: the steps here are those of package slices, pattern-defeating quicksort, so that they end in the
// same order.
func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	quicksort(x, func(i, j int) bool { return cmp(x[i], x[j]) < 0 })
}

// maxParts is how many parts of a slice may wait to be sorted: each is at most half as long as the one before.
const maxParts = 48

// The order in which a part seems to be.
const (
	unknown = iota
	ascending
	descending
)

// quicksort sorts x by less, which compares the elements at two places. What the function of package slices leaves to
// a call of itself waits here on a stack, the longer part of two.
func quicksort[E any](x []E, less func(i, j int) bool) {
	var begins, ends, states [maxParts]int
	waiting := 0
	a, b := 0, len(x)
	limit := bits.Len(uint(b)) // of bad pivots
	balanced, partitioned := true, true
	for going := true; going; {
		n := b - a
		sorted := true
		switch {
		case n <= run:
			insertion(x, a, b, less)
		case limit == 0:
			heap(x, a, b, less)
		default:
			if !balanced {
				scatter(x, a, b)
				limit--
			}
			pivot, hint := choosePivot(a, b, less)
			if hint == descending {
				turnAround(x, a, b)
				pivot = b - 1 - (pivot - a)
				hint = ascending
			}
			if balanced && partitioned && hint == ascending && nearlySorted(x, a, b, less) {
				break
			}
			sorted = false
			if a > 0 && !less(a-1, pivot) { // as small as what lies before: so are many others, perhaps
				a = equalFirst(x, a, b, pivot, less)
				break
			}
			mid, already := partition(x, a, b, pivot, less)
			partitioned = already
			left, right := mid-a, b-mid
			balanced = min(left, right) >= n/8
			state := 4 * limit
			if balanced {
				state++
			}
			if partitioned {
				state += 2
			}
			states[waiting] = state
			if left < right {
				begins[waiting], ends[waiting] = mid+1, b
				b = mid
			} else {
				begins[waiting], ends[waiting] = a, mid
				a = mid + 1
			}
			waiting++
			balanced, partitioned = true, true
		}
		if sorted {
			if going = waiting > 0; going {
				waiting--
				a, b = begins[waiting], ends[waiting]
				state := states[waiting]
				limit, balanced, partitioned = state>>2, state&1 != 0, state&2 != 0
			}
		}
	}
}

// insertion sorts [a, b).
func insertion[E any](x []E, a, b int, less func(i, j int) bool) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && less(j, j-1); j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

// heap sorts [a, b). It makes a heap first, from the last inner node to the root, and then takes the largest elements
// from it.
func heap[E any](x []E, a, b int, less func(i, j int) bool) {
	n := b - a
	for k := n + (n-1)/2; k >= 0; k-- {
		root, size := k-n, n
		if k < n {
			x[a], x[a+k] = x[a+k], x[a]
			root, size = 0, k
		}
		for child := 2*root + 1; child < size; child = 2*root + 1 {
			if child+1 < size && less(a+child, a+child+1) {
				child++
			}
			if !less(a+root, a+child) {
				break
			}
			x[a+root], x[a+child] = x[a+child], x[a+root]
			root = child
		}
	}
}

// scatter exchanges some elements of [a, b), so that patterns which lead to bad pivots are broken.
func scatter[E any](x []E, a, b int) {
	n := b - a
	random := uint64(n)
	mask := uint(1)<<bits.Len(uint(n)) - 1
	middle := a + n/4*2
	for k := middle - 1; k <= middle+1; k++ {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		other := int(uint(random) & mask)
		if other >= n {
			other -= n
		}
		x[k], x[a+other] = x[a+other], x[k]
	}
}

// choosePivot returns the median of three elements of [a, b), of a longer part that of three such medians of
// neighbours, and in which order they seem to be.
func choosePivot(a, b int, less func(i, j int) bool) (pivot, hint int) {
	const (
		long     = 50
		allSwaps = 12
	)
	quarter := (b - a) / 4
	at := [3]int{a + quarter, a + 2*quarter, a + 3*quarter}
	first := 0
	if b-a < long {
		first = 3
	}
	swaps := 0
	for round := first; round <= 3; round++ {
		p, q, r := at[0], at[1], at[2]
		if round < 3 {
			q = at[round]
			p, r = q-1, q+1
		}
		if less(q, p) {
			p, q = q, p
			swaps++
		}
		if less(r, q) {
			q, r = r, q
			swaps++
		}
		if less(q, p) {
			q = p
			swaps++
		}
		if round < 3 {
			at[round] = q
		}
		pivot = q
	}
	switch swaps {
	case 0:
		hint = ascending
	case allSwaps:
		hint = descending
	default:
		hint = unknown
	}
	return pivot, hint
}

// turnAround reverses [a, b).
func turnAround[E any](x []E, a, b int) {
	for i, j := a, b-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}

// nearlySorted moves a few elements of [a, b) to where they belong, and reports whether all are in order then.
func nearlySorted[E any](x []E, a, b int, less func(i, j int) bool) bool {
	const (
		steps = 5
		long  = 50
	)
	i := a + 1
	sorted := false
	for step := 0; step < steps; step++ {
		for i < b && !less(i, i-1) {
			i++
		}
		if sorted = i == b; sorted || b-a < long {
			break
		}
		x[i], x[i-1] = x[i-1], x[i]
		if i-a >= 2 {
			for j := i - 1; j >= 1 && less(j, j-1); j-- {
				x[j], x[j-1] = x[j-1], x[j]
			}
		}
		if b-i >= 2 {
			for j := i + 1; j < b && less(j, j-1); j++ {
				x[j], x[j-1] = x[j-1], x[j]
			}
		}
	}
	return sorted
}

// partition puts the elements of [a, b) that are less than the one at pivot before it, and the others behind. It
// returns where that one is then, and whether nothing else had to be moved.
func partition[E any](x []E, a, b, pivot int, less func(i, j int) bool) (at int, already bool) {
	x[a], x[pivot] = x[pivot], x[a]
	i, j := a+1, b-1
	already = true
	for {
		for i <= j && less(i, a) {
			i++
		}
		for i <= j && !less(j, a) {
			j--
		}
		if i > j {
			break
		}
		already = false
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
	x[j], x[a] = x[a], x[j]
	return j, already
}

// equalFirst puts the elements of [a, b) that are equal to the one at pivot, than which none is less, before the
// others, and returns where the others begin.
func equalFirst[E any](x []E, a, b, pivot int, less func(i, j int) bool) int {
	x[a], x[pivot] = x[pivot], x[a]
	i, j := a+1, b-1
	for {
		for i <= j && !less(a, i) {
			i++
		}
		for i <= j && less(a, j) {
			j--
		}
		if i > j {
			break
		}
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
	return i
}

// sortedByIndex reports whether no element of x is less than the one before it.
//
//lint:ignore U1000 package load calls it where a kernel calls sort.SliceIsSorted
func sortedByIndex[E any](x []E, less func(i, j int) bool) bool {
	for i := len(x) - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}
