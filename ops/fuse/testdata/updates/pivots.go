package updates

// Pivots eliminates with a row that the elements say, and leaves it out: no turn has to be made between the others.
//
// Loops: 2
//
//surge:kernel
func Pivots(a []int, m, n, steps int) []int {
	w := n + m + 1
	t := make([]int, m*w)
	for i := range min(len(a), len(t)) {
		t[i] = a[i]
	}
	for k := range min(steps, m) {
		r := (t[k]%m + m) % m
		at := r * w
		for i := range m {
			if i == r {
				continue
			}
			f := t[i*w]
			for j := range w {
				t[i*w+j] -= f * t[at+j]
			}
		}
	}
	return t
}

// BehindPivots leaves out the row behind the one that it eliminates with, which is made between the others.
//
// Loops: 2
//
//surge:kernel
func BehindPivots(a []int, m, n, steps int) []int {
	w := n + m + 1
	t := make([]int, m*w)
	for i := range min(len(a), len(t)) {
		t[i] = a[i]
	}
	for k := range min(steps, m) {
		at := k * w
		for i := range m {
			if i == k+1 {
				continue
			}
			f := t[i*w]
			for j := range w {
				t[i*w+j] -= f * t[at+j]
			}
		}
	}
	return t
}
