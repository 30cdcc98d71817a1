package ops

import (
	"cmp"
	"slices"
)

// Histogram reduces elements by the index that each comes with: element i goes into bin keys[i].
//
//	y[b] = p ⊕ s[i₀] ⊕ s[i₁] ⊕ …        0 ≤ b < n, keys[i₀] = keys[i₁] = … = b
//
// A bin without elements is p, and p enters once a bin. To count, pass Replicate(1, len(keys)). op must be
// associative and commutative. Shape: m, m → n. Work O(n + m), span O(log m). Strongest schedule: cooperative; in
// parallel, every thread fills bins of its own, so that n should be small beside m. The result is fresh. Errors:
// "size" if n is negative or that many elements cannot be held in memory; "length" if s and keys differ in length;
// "index" unless 0 ≤ keys[i] < n for every i. Elements may be rows of one length that op combines position by
// position, by one Map2; compiled, p then is a Replicate. Beside Table I of the paper, where it takes a sort,
// reduce_by_key and scatter.
func Histogram[T any, I Index](op func(T, T) T, n int, keys []I, s []T, p T) []T {
	if n < 0 {
		misuse("Histogram", CodeSize, "n is %d; it must not be negative", n)
	}
	sameLength("Histogram", "keys", len(keys), "s", len(s))
	for i, k := range keys {
		if j := int(k); j < 0 || j >= n || I(j) != k {
			misuse("Histogram", CodeIndex, "keys[%d] = %d is outside the bins, of which there are %d", i, k, n)
		}
	}
	y := makeResult[T]("Histogram", uint64(n))
	for b := range y {
		y[b] = p
	}
	for i, k := range keys {
		y[k] = op(y[k], s[i])
	}
	return y
}

// SortByKey sorts two sequences by the first one, stably.
//
//	keys[i] = k[π(i)], values[i] = v[π(i)]        0 ≤ i < n
//
// where π is the permutation with keys[0] ≤ keys[1] ≤ … and π(i) < π(i+1) where two keys are equal. A NaN comes
// before all other keys, and -0 equals 0. For the permutation itself pass Range(0, n, 1) as v. Shape: n, n → n, n.
// Work O(n log n), O(n) a radix digit where compiled; span O(log² n). Strongest schedule: cooperative. Both results
// are fresh; values that are views stay views. Error: "length" if the lengths differ. Beside Table I of the paper,
// whose k-means sorts points by cluster (section 5.3).
func SortByKey[K cmp.Ordered, T any](k []K, v []T) (keys []K, values []T) {
	sameLength("SortByKey", "k", len(k), "v", len(v))
	order := make([]int, len(k))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(k[i], k[j]) })
	keys, values = make([]K, len(k)), make([]T, len(k))
	for i, j := range order {
		keys[i], values[i] = k[j], v[j]
	}
	return keys, values
}
