// Loops that fill slices

package constructs

// Present says which bytes a text has, and which of them follow a capital letter.
//
// Construct: a constant that is stored at computed places: `seen[c] = true`, also under conditions, which runs in
// parallel
//
//surge:kernel
func Present(text []byte) ([]bool, []uint8, int) {
	seen, after := make([]bool, 256), make([]uint8, 256)
	for i, c := range text {
		seen[c] = true
		if i > 0 && text[i-1] >= 'A' && text[i-1] <= 'Z' {
			after[c] = 3
		}
	}
	n := 0
	for _, s := range seen {
		if s {
			n++
		}
	}
	return seen, after, n
}

// Spans finds the first and the last place of each key, and its greatest weight.
//
// Construct: extremes of integers by conditions, at computed places: `if v > most[k] { most[k] = v }`, which runs in
// parallel
//
//surge:kernel
func Spans(keys []uint8, weights []int32) (first, last []int, most []int32) {
	first, last, most = make([]int, 64), make([]int, 64), make([]int32, 64)
	for k := range first {
		first[k], last[k], most[k] = len(keys), -1, -5
	}
	for i, key := range keys {
		k := key % 64
		if i < first[k] {
			first[k] = i
		}
		if last[k] <= i {
			last[k] = i
		}
		if i < len(weights) {
			if w := weights[i]; w > most[k] {
				most[k] = w
			}
		}
	}
	return first, last, most
}

// Visited marks what is seen for the first time: a loop whose turns need each other.
//
// Construct: marks that are read again: `if !seen[k] { seen[k] = true; n++ }`
//
//surge:kernel
func Visited(keys []uint16) (int, []bool) {
	seen := make([]bool, 1<<12)
	n := 0
	for _, k := range keys {
		if !seen[k%4096] {
			seen[k%4096] = true
			n++
		}
	}
	return n, seen
}
