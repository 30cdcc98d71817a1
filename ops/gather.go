package ops

// Index is what a sequence can be indexed with.
type Index interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Gather reads s at the positions in idx.
//
//	y[i] = s[idx[i]]        0 ≤ i < len(idx)
//
// Positions may repeat. Shape: n, m → m. Work O(m), span O(1). Strongest schedule: independent.
// The result is fresh. Error: "index" unless 0 ≤ idx[i] < len(s) for every i. Paper: Table I,
// gather.
func Gather[T any, I Index](s []T, idx []I) []T {
	checkIndex("Gather", idx, "s", len(s))
	y := make([]T, len(idx))
	for i, j := range idx {
		y[i] = s[j]
	}
	return y
}

// Scatter gives d with the elements of s written to the positions in idx.
//
//	y[idx[i]] = s[i]        0 ≤ i < len(s)
//	y[j] = d[j]             where j is not in idx
//
// If a position repeats, the last one in sequence order wins ([ScatterUnique] refuses that). Shape: m, m, n → n. Work
// O(n + m), span O(1) if no position repeats. Strongest schedule: independent. The result is fresh: where the paper
// updates d, this gives an updated copy. Errors: "length" if s and idx differ in length; "index" unless 0 ≤ idx[i] <
// len(d) for every i. Paper: Table I, scatter.
func Scatter[T any, I Index](s []T, idx []I, d []T) []T {
	sameLength("Scatter", "s", len(s), "idx", len(idx))
	checkIndex("Scatter", idx, "d", len(d))
	y := make([]T, len(d))
	copy(y, d)
	for i, j := range idx {
		y[j] = s[i]
	}
	return y
}

// ScatterUnique is [Scatter] for positions that must not repeat: the error "duplicate" says which two are equal.
func ScatterUnique[T any, I Index](s []T, idx []I, d []T) []T {
	sameLength("ScatterUnique", "s", len(s), "idx", len(idx))
	checkIndex("ScatterUnique", idx, "d", len(d))
	y := make([]T, len(d))
	copy(y, d)
	from := make([]int, len(d)) // one more than the position of what was written; 0 is nothing
	for i, j := range idx {
		if from[j] > 0 {
			misuse("ScatterUnique", CodeDuplicate, "idx[%d] and idx[%d] are both %d; positions must not repeat", from[j]-1, i, j)
		}
		y[j], from[j] = s[i], i+1
	}
	return y
}
