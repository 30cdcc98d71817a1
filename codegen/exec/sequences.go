package exec

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/surge-ndp/surge/selector"
)

// Numbers are the n elements of an array of arrays, one behind the other: first is where the first one lies.
func Numbers[T any](first *T, n int) []T { return unsafe.Slice(first, n) }

// Feature returns an input feature.
func Feature(name, unit string, value float64) selector.Feature {
	return selector.Feature{Name: name, Unit: unit, Value: value}
}

// AverageRow returns the average length of the rows that offsets delimit, 0 if there are none.
func AverageRow[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) float64 {
	n := len(offsets) - 1
	if n < 1 {
		return 0
	}
	return (float64(offsets[n]) - float64(offsets[0])) / float64(n)
}

// mostRuns bounds the runs of rows that [Imbalance] looks at, so that what it costs does not depend on the machine.
const mostRuns = 16

// Imbalance returns the feature load_imbalance ([selector.LoadImbalance]) of the rows that offsets delimit: of as
// many equal runs of rows as the process may use cores, at least 2 and at most 16, the greatest average row length
// over that of all. It is 1 where there are no elements.
func Imbalance[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) float64 {
	rows := len(offsets) - 1
	if rows < 2 || !(offsets[rows] > offsets[0]) {
		return 1
	}
	runs := min(max(runtime.GOMAXPROCS(0), 2), mostRuns, rows)
	most, lo := 0.0, 0
	for k := range runs {
		hi := lo + (rows-lo)/(runs-k)
		most = max(most, (float64(offsets[hi])-float64(offsets[lo]))/float64(hi-lo))
		lo = hi
	}
	return most * float64(rows) / (float64(offsets[rows]) - float64(offsets[0]))
}

// ElementRow returns the feature element_row_length ([selector.ElementRowLength]) of the rows that offsets delimit:
// the average length of the rows in which elements at equal distances lie, each a part of a part of all. It is the
// average row length where there are too few elements for such a sample.
func ElementRow[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) float64 {
	rows := len(offsets) - 1
	if rows < 1 || !(offsets[rows] > offsets[0]) {
		return AverageRow(offsets)
	}
	first, elements := float64(offsets[0]), float64(offsets[rows])-float64(offsets[0])
	n := int(min(elements/selector.ElementsPerRowSample, selector.SampledElements))
	if n < selector.SampledElements/2 {
		return elements / float64(rows)
	}
	sum, row := 0.0, 0
	for k := range n {
		at := first + math.Floor((float64(k)+0.5)*elements/float64(n))
		row = rowOf(offsets, row, at)
		sum += float64(offsets[row+1]) - float64(offsets[row])
	}
	return max(sum/float64(n), 0) // offsets may descend
}

// EqualRows returns the feature equal_rows ([selector.EqualRows]) of the rows that offsets delimit: the part of the
// rows that are as long as the next one, of a few at equal distances; 1 where there are not two rows.
func EqualRows[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T) float64 {
	pairs := len(offsets) - 2
	if pairs < 1 {
		return 1
	}
	n, equal := min(pairs, selector.SampledElements), 0
	for k := range n {
		if at := k * pairs / n; offsets[at+1]-offsets[at] == offsets[at+2]-offsets[at+1] {
			equal++
		}
	}
	return float64(equal) / float64(n)
}

// rowOf returns the row from lo on in which an element lies. It guesses, and halves: offsets of rows that are about as
// long are found at once, and no others take longer than twice as long as by halving alone.
func rowOf[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](offsets []T, lo int, at float64) int {
	hi := len(offsets) - 1
	for guess := true; hi-lo > 1; guess = !guess {
		mid := lo + (hi-lo)/2
		if begin, end := float64(offsets[lo]), float64(offsets[hi]); guess && begin <= at && at < end {
			mid = min(max(lo+int(float64(hi-lo)*((at-begin)/(end-begin))), lo+1), hi-1)
		}
		if float64(offsets[mid]) <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Average returns the average length of rows that have so many elements together, 0 if there are none.
func Average(elements, rows int) float64 {
	if rows <= 0 || elements < 0 {
		return 0
	}
	return float64(elements) / float64(rows)
}

// Ratio returns a/b, and a if b is not positive.
func Ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// TileRatio returns the number of tiles over their average length, for tiles of so many elements together.
func TileRatio(tiles, elements int) float64 {
	return float64(tiles) / max(Average(elements, tiles), 1)
}

// Pack returns the elements of rows one behind the other and the offsets at which rows begin (one more than there are
// rows). Rows that lie in one backing array, in order and without gaps, are not copied.
func Pack[S ~[]T, T any](rows []S) (data []T, offsets []int) {
	data, offsets, copied := packed(rows, make([]int, len(rows)+1))
	if copied {
		data = joined(rows, make([]T, 0, offsets[len(rows)]))
	}
	return data, offsets
}

// PackNumbers is [Pack] to memory of the call.
func PackNumbers[S ~[]T, T Number](c *Call, rows []S) (data []T, offsets []int) {
	p := c.opts.packing
	data, offsets, copied := packed(rows, memoryFor[int](p, len(rows)+1)[:len(rows)+1])
	if copied {
		data = joinedBy(c.Threads(), rows, memoryFor[T](p, offsets[len(rows)]), offsets[len(rows)])
	}
	return data, offsets
}

// leastJoined is how many bytes rows have at least that several threads copy: it takes longer than to wake one up.
const leastJoined = 1 << 20

// joinedBy is joined for rows of n elements, by so many threads.
func joinedBy[S ~[]T, T any](threads int, rows []S, data []T, n int) []T {
	if threads < 2 || n*int(unsafe.Sizeof(*new(T))) < leastJoined {
		return joined(rows, data)
	}
	var all sync.WaitGroup
	first, row, from, at := 0, 0, 0, 0
	for t := range threads {
		for ; row < len(rows) && (at < n/threads*(t+1) || t == threads-1); row++ {
			at += len(rows[row])
		}
		part, to := rows[first:row], data[from:from:at]
		if t < threads-1 {
			all.Go(func() { joined(part, to) })
		} else {
			joined(part, to)
		}
		first, from = row, at
	}
	all.Wait()
	return data[:n]
}

// joined appends rows to data.
func joined[S ~[]T, T any](rows []S, data []T) []T {
	for _, r := range rows {
		data = append(data, r...)
	}
	return data
}

// packed fills offsets, and returns the elements of rows where they lie one behind the other; else copied is true.
func packed[S ~[]T, T any](rows []S, offsets []int) (data []T, _ []int, copied bool) {
	offsets[0] = 0
	var first *T
	together := true
	var size = unsafe.Sizeof(*new(T))
	for i, r := range rows {
		if len(r) > 0 {
			if first == nil {
				first = &r[0]
			}
			at := uintptr(unsafe.Pointer(first)) + uintptr(offsets[i])*size
			together = together && uintptr(unsafe.Pointer(&r[0])) == at
		}
		offsets[i+1] = offsets[i] + len(r)
	}
	n := offsets[len(rows)]
	if first == nil {
		return nil, offsets, false
	}
	if together && oneAllocation(rows, n) {
		return unsafe.Slice(first, n), offsets, false
	}
	return nil, offsets, true
}

// Lined returns the elements of rows one behind the other: see [Pack].
func Lined[S ~[]T, T any](rows []S) []T {
	data, _ := Pack(rows)
	return data
}

// oneAllocation reports whether the first row's capacity reaches over all n elements: then the rows, which lie behind
// it without gaps, are parts of its array. Rows cut off by a full slice expression are copied.
func oneAllocation[S ~[]T, T any](rows []S, n int) bool {
	for _, r := range rows {
		if len(r) > 0 {
			return cap(r) >= n
		}
	}
	return true
}

// StringViews returns the strings that offsets delimit in data, which nothing may change.
func StringViews[S ~string](data []byte, offsets []int) []S {
	texts := make([]S, max(len(offsets)-1, 0))
	for i := range texts {
		if n := offsets[i+1] - offsets[i]; n > 0 {
			texts[i] = S(unsafe.String(&data[offsets[i]], n))
		}
	}
	return texts
}

// Rows returns the rows of data that offsets delimit, as views.
func Rows[T any](data []T, offsets []int) [][]T {
	if len(offsets) == 0 {
		return [][]T{}
	}
	rows := make([][]T, len(offsets)-1)
	for i := range rows {
		rows[i] = data[offsets[i]:offsets[i+1]:offsets[i+1]]
	}
	return rows
}

// RegularRows returns n rows of the same length of data, as views; the last one ends where data does.
func RegularRows[T any](data []T, n, length int) [][]T {
	rows := make([][]T, n)
	for i := range rows {
		end := min((i+1)*length, len(data))
		rows[i] = data[i*length : end : end]
	}
	return rows
}

// Flattened are the numbers of the arrays x, one behind the other: n of type T in each.
func Flattened[T, A any](x []A, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*n)
}

// Tables is [Flattened] with where the numbers of each array begin, and behind the last one the end.
func Tables[T, A any](x []A, n int) (numbers []T, offsets []int) {
	offsets = make([]int, len(x)+1)
	for i := range offsets {
		offsets[i] = i * n
	}
	return Flattened[T](x, n), offsets
}
