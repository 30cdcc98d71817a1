package ops

// Split cuts a sequence into tiles of one size; the last tile may be short.
//
//	y[i][j] = s[i·size + j]        0 ≤ j < size, i·size + j < n
//
// Shape: n → ⌈n/size⌉ tiles of size elements, the last of n - size·(⌈n/size⌉-1). Work
// O(⌈n/size⌉), span O(1). Strongest schedule: independent>independent. The tiles are views of s.
// Error: "size" if size is not positive. Paper: Table I, split.
func Split[T any](s []T, size int) [][]T {
	if size <= 0 {
		misuse("Split", CodeSize, "size is %d; it must be positive", size)
	}
	y := make([][]T, ceilDiv(len(s), size))
	for i := range y {
		lo := i * size
		hi := lo + min(size, len(s)-lo)
		y[i] = s[lo:hi:hi]
	}
	return y
}

// Cyclic deals a sequence out to size rows in turn: the transpose of [Split](s, size).
//
//	y[j][i] = s[i·size + j]        0 ≤ j < size, i·size + j < n
//
// Shape: n → size rows of ⌈n/size⌉ elements, or of one less where the last tile of Split has no
// element j; with n < size the last size-n rows are empty. Work O(n + size), span O(1). Strongest
// schedule: independent>independent. The result is fresh; its rows lie one after the other in one
// array. Error: "size" if size is not positive or that many rows cannot be held in memory. Paper:
// Table I, cyclic.
func Cyclic[T any](s []T, size int) [][]T {
	if size <= 0 {
		misuse("Cyclic", CodeSize, "size is %d; it must be positive", size)
	}
	y := makeResult[[]T]("Cyclic", uint64(size))
	flat := make([]T, 0, len(s))
	for j := range y {
		lo := len(flat)
		for i := range ceilDiv(max(len(s)-j, 0), size) {
			flat = append(flat, s[i*size+j])
		}
		y[j] = flat[lo:len(flat):len(flat)]
	}
	return y
}

// Nest cuts a sequence into rows at the given offsets, as in the compressed sparse row format.
//
//	y[i][j] = s[offsets[i] + j]        0 ≤ i < len(offsets)-1, 0 ≤ j < offsets[i+1] - offsets[i]
//
// The first offset need not be 0, nor the last one len(s); rows may be empty. Shape: n, r+1 → r
// rows of any lengths. Work O(r), span O(1). Strongest schedule: independent>independent. The rows
// are views of s. Error: "offsets" if there is no offset, or unless
// 0 ≤ offsets[0] ≤ offsets[1] ≤ … ≤ len(s). Paper: Table I, nest.
func Nest[T any, I Index](s []T, offsets []I) [][]T {
	if len(offsets) == 0 {
		misuse("Nest", CodeOffsets, "offsets is empty; r rows need r+1 offsets, so at least one")
	}
	lo := 0
	for i, x := range offsets {
		hi := int(x)
		if hi < 0 || hi > len(s) || I(hi) != x { // I(hi) != x: a wide offset on 32 bits
			misuse("Nest", CodeOffsets, "offsets[%d] = %d is outside s, which has %s", i, x, count(len(s)))
		}
		if hi < lo {
			misuse("Nest", CodeOffsets, "offsets[%d] = %d is less than offsets[%d] = %d; offsets must not decrease", i, x, i-1, lo)
		}
		lo = hi
	}
	if s == nil {
		s = []T{} // so that its empty rows are not nil
	}
	y := make([][]T, len(offsets)-1)
	for i := range y {
		lo, hi := int(offsets[i]), int(offsets[i+1])
		y[i] = s[lo:hi:hi]
	}
	return y
}

// Flatten lines up the rows of a nested sequence in one.
//
//	y = s[0][0], s[0][1], …, s[1][0], s[1][1], …
//
// Shape: rows of n₀, n₁, … → n₀ + n₁ + …. Work O(rows + len(y)), span O(log rows) for the positions
// at which the rows start. Strongest schedule: independent>independent. The result is fresh, and
// Flatten(Split(s, size)) equals s. Beside Table I of the paper, where a result is a flat sequence
// by its destination.
func Flatten[T any](s [][]T) []T {
	n := 0
	for _, row := range s {
		n += len(row)
	}
	y := make([]T, 0, n)
	for _, row := range s {
		y = append(y, row...)
	}
	return y
}

// ceilDiv is ⌈n/d⌉ for n ≥ 0 and d > 0, without overflow.
func ceilDiv(n, d int) int {
	q := n / d
	if n%d != 0 {
		q++
	}
	return q
}
