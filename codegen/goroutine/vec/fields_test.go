package vec

import "testing"

// TestFields checks that numbers of all sizes are taken from structs and put there, and that nothing beside them is
// touched.
func TestFields(t *testing.T) {
	type S struct {
		A uint8
		B float64
		C int16
		D float32
		E int32
	}
	const longest = 11
	for n := range longest + 1 {
		var s [longest + 1]S
		for i := range s {
			s[i] = S{uint8(i), float64(i) + 0.5, int16(-i), float32(i) + 0.25, int32(i * i)}
		}
		want := s
		var a [longest]uint8
		var b [longest]float64
		var c [longest]int16
		var d [longest]float32
		var e [longest]int32
		size := Size(&s[0])
		TakeFields(&a[0], &s[0].A, size, n)
		TakeFields(&b[0], &s[0].B, size, n)
		TakeFields(&c[0], &s[0].C, size, n)
		TakeFields(&d[0], &s[0].D, size, n)
		TakeFields(&e[0], &s[0].E, size, n)
		for i := range longest {
			got, taken := S{a[i], b[i], c[i], d[i], e[i]}, s[i]
			if i >= n {
				taken = S{}
			}
			if got != taken {
				t.Fatalf("%d of %d: %v, want %v", i, n, got, taken)
			}
			a[i], b[i], c[i], d[i], e[i] = a[i]+100, b[i]+100, c[i]+100, d[i]+100, e[i]+100
			if i < n {
				want[i+1] = S{a[i], b[i], c[i], d[i], e[i]}
			}
		}
		PutFields(&a[0], &s[1].A, size, n)
		PutFields(&b[0], &s[1].B, size, n)
		PutFields(&c[0], &s[1].C, size, n)
		PutFields(&d[0], &s[1].D, size, n)
		PutFields(&e[0], &s[1].E, size, n)
		if s != want {
			t.Fatalf("%d: %v, want %v", n, s, want)
		}
	}
}
