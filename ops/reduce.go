package ops

// Reduce combines all elements with op, starting from the prefix p.
//
//	y = p ⊕ s[0] ⊕ s[1] ⊕ … ⊕ s[n-1]
//
// op must be associative and commutative; p enters exactly once and need not be neutral. Of an empty sequence the
// result is p. Elements may be rows; a compiled kernel then wants op to combine them position by position, func(a, b
// []T) []T { return Map2(f, a, b) }. Shape: n → scalar. Work O(n), span O(log n). Strongest schedule: cooperative.
// Paper: Table I, reduce.
func Reduce[T any](op func(T, T) T, s []T, p T) T {
	y := p
	for _, x := range s {
		y = op(y, x)
	}
	return y
}

// ReduceByKey is the segmented reduction: it reduces each run of equal, consecutive keys by
// itself. With run r covering the positions lo ≤ i < hi,
//
//	keys[r] = k[lo] = … = k[hi-1] ≠ k[hi]
//	sums[r] = p ⊕ s[lo] ⊕ … ⊕ s[hi-1]
//
// Each run starts from p, so p should be neutral if it is not meant to enter once a run. A key
// that comes back after another one starts a new run: sort by key first to get one run a key. Keys
// are compared with ==, so each NaN is a run of its own. op must be associative and commutative.
// Elements may be rows (the paper's reduce_by_key>map), under the rule of [Reduce].
//
// Shape: n, n → runs, runs. Work O(n), span O(log n). Strongest schedule: cooperative. Both results
// are fresh. Error: "length" if the lengths differ. Paper: Table I, reduce_by_key.
func ReduceByKey[K comparable, T any](op func(T, T) T, s []T, k []K, p T) (keys []K, sums []T) {
	sameLength("ReduceByKey", "s", len(s), "k", len(k))
	keys, sums = []K{}, []T{}
	for i := range s {
		if i == 0 || k[i] != k[i-1] {
			keys, sums = append(keys, k[i]), append(sums, p)
		}
		last := len(sums) - 1
		sums[last] = op(sums[last], s[i])
	}
	return keys, sums
}
