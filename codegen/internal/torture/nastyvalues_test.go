package torture

// nastyValues are those whose numbers, names, copies and orders of evaluation are unusual.
func nastyValues() []*Kernel {
	return []*Kernel{
		// Names that stand for something else inside, and function literals that see a loop's variables.
		written("Shadows", []string{"x []int data n"}, `
			y := make([]int, len(x))
			s := 0
			for i, v := range x {
				add := func(d int) int { s += d; return s + i }
				i := i + 1
				v := v - i
				if v := v * 2; v > 3 {
					s := s + v
					y[i-1] = s
				}
				y[i-1] += add(v) - v
			}
			for i := 0; i < len(x); i++ {
				f := func() { i++ }
				if x[i]%3 == 0 {
					f()
				}
				s ^= i
			}`, "y: []int; s: int"),
		// Floats whose sums need their order, and extremes of all kinds.
		written("OrderOfSums", []string{"x []float64 special n", "c []float32 special n"}, `
			sums := make([]float64, 4)
			s, least, most, last := 0.0, math.Inf(1), math.Inf(-1), 0.0
			for _, v := range x {
				s += v
				least = min(least, v)
				most = max(v, most)
				if v > last || v != v {
					last = v
				}
			}
			sums[0], sums[1], sums[2], sums[3] = s, least, most, last
			t, at := float32(1e8), -1
			low := make([]float32, len(c))
			for i, v := range c {
				t = t/2 + v
				low[i] = min(t, v, 0)
				if at < 0 || !(v <= c[at]) {
					at = i
				}
			}
			d := make([]float64, len(x))
			for i, v := range x {
				d[i] = max(v, 0)
				if v <= 0 {
					d[i] = -v
				}
				if !(v < 3) {
					d[i]--
				}
			}`, "sums: []float64; low: []float32; d: []float64; at: int"),
		// Divisors that may be zero, behind guards, and quotients that wrap.
		written("GuardedDivisors", []string{"x []int special n", "d []int special n", "e []int8 data n"}, `
			y := make([]int, len(x))
			s := 0
			for i, v := range x {
				if d[i] != 0 && v/d[i] > 3 {
					y[i] = v % d[i]
				}
				if d[i] == 0 {
					continue
				}
				s += v / d[i]
				y[i] -= x[i] % (d[i] | 1)
			}
			z := make([]int8, len(x))
			for i, v := range e {
				w := int8(x[i])
				if v == 0 || w == 0 {
					z[i] = -128
				} else {
					z[i] = w/v - v%w
				}
				z[i] /= -1
			}`, "y: []int; z: []int8; s: int"),
		// Shifts by the width and more, of every width.
		written("WideShifts", []string{"x []int special n", "k []uint8 data n", "b []int8 data n", "w []uint16 data n"}, `
			y := make([]int, len(x))
			p := make([]int8, len(x))
			q := make([]uint16, len(x))
			for i, v := range x {
				y[i] = v<<(k[i]*7) ^ v>>(k[i]*5)
				p[i] = b[i]<<k[i] | b[i]>>(k[i]/3) ^ int8(v)>>7
				q[i] = w[i]>>k[i] + w[i]<<(uint(v)&31) - w[i]>>16
				if v >= 0 {
					q[i] ^= 0xffff >> v
				}
			}`, "y: []int; p: []int8; q: []uint16"),
		// Two results that share memory, and one that is a part of a slice that changes afterwards.
		written("SharedResults", []string{"x []int data n"}, `
			y := make([]int, len(x))
			for i, v := range x {
				y[i] = v * 3
			}
			half := y[:len(y)/2]
			for i := range y {
				y[i]++
			}`, "y: []int; half: []int; y: []int"),
		// Rows under another name.
		written("RowNames", []string{"x []int data n"}, `
			n := len(x)%6 + 1
			z := make([][]int, n)
			for i := range z {
				z[i] = make([]int, n)
				for j := range z[i] {
					z[i][j] = i*n + j
				}
			}
			for i := range z {
				row := z[i]
				for j := range row {
					row[j] += z[j][i]
				}
				row[0]--
			}
			first := z[0]
			first[n-1] = 77
			sum := z[0][n-1]
			for _, row := range z {
				for j, v := range row {
					sum += v * j
				}
			}`, "z: [][]int; sum: int"),
		// A range over an array goes through a copy, one over a slice does not.
		written("RangeOverCopies", []string{"x []int data n"}, `
			y := make([]int, len(x))
			for i, v := range x {
				a := [4]int{v, i, 2, 3}
				b := a
				for k, w := range a {
					a[3-k] = w + 1
				}
				b[0]++
				s := make([]int, 4)
				copy(s, b[:])
				for k, w := range s {
					s[3-k] = w + 1
				}
				y[i] = a[0] ^ a[1]*3 ^ a[2]*5 ^ a[3]*7 ^ b[0]*11 ^ s[1]*13 ^ s[3]
			}
			u := make([]int, len(x))
			copy(u, x)
			for i, v := range u {
				u[len(u)-1-i] = v + 1
			}`, "y: []int; u: []int"),
		// The order in which Go evaluates assignments.
		written("Assignments", []string{"x []int data n"}, `
			n := len(x)
			u := make([]int, n+3)
			copy(u, x)
			i, j := 0, 1
			for range n {
				i, u[i] = j, u[j]+1
				j, u[j], u[i] = (j+1)%len(u), u[i], u[j]
				u[i], u[i] = 3, u[i]+j
			}
			k := 0
			for k < n {
				k, u[k] = k+1, k
				u[k], u[k+1] = u[k+1], u[k]
			}`, "u: []int; i: int; j: int"),
		// Elements that are structs are copies until they are assigned.
		written("StructCopies", []string{"x []float64 data n"}, `
			type body struct {
				p, v float64
				at   [2]int
			}
			s := make([]body, len(x))
			for i, v := range x {
				s[i] = body{p: v, v: 1, at: [2]int{i, i}}
			}
			for i, b := range s {
				b.p += 5
				s[i].v += b.p
				c := s[len(s)-1-i]
				c.at[0] = -1
				s[i].at[1] += c.at[0] + c.at[1]
			}
			for i := range s {
				b := &s[i]
				b.p -= b.v
				b.at[0] ^= 3
			}
			y := make([]float64, len(x))
			z := make([]int, len(x))
			for i, b := range s {
				y[i], z[i] = b.p+b.v, b.at[0]*3+b.at[1]
			}`, "y: []float64; z: []int"),
		// A function literal changes the slice that is ranged over: the range is over what it was.
		written("RangeOverChanged", []string{"x []int data n"}, `
			u := append([]int(nil), x...)
			u = append(u, 3)
			sum := 0
			drop := func() {
				if len(u) > 1 {
					u = u[:len(u)-1]
				}
			}
			for i, v := range u {
				drop()
				sum += v*3 + i
			}
			sum += len(u) * 1000
			w := append([]int(nil), x...)
			w = append(w, 1, 2)
			more := func(v int) {
				if len(w) < 50 {
					w = append(w, v)
				}
			}
			for i := range w {
				more(i)
				w[0] += w[i]
			}
			for _, v := range w {
				more(v)
				sum ^= v
			}
			z := make([]int, 3)
			swap := func(k int) { z[k%3], z[(k+1)%3] = z[(k+1)%3]+1, z[k%3] }
			for i, v := range z {
				swap(i)
				sum += v + z[0]
			}`, "sum: int; w: []int; z: []int"),
		// Floats that no integer is, as integers: as plain Go does it here.
		written("FarConversions", []string{"x []float64 special n", "c []float32 special n", "k []int special n"}, `
			a := make([]int, len(x))
			b := make([]int32, len(x))
			d := make([]float32, len(x))
			for i, v := range x {
				a[i] = int(v)
				if v > -2e9 && v < 2e9 {
					b[i] = int32(v)
				}
				d[i] = float32(k[i]) + float32(uint32(k[i]))
			}
			e := make([]float64, len(x))
			for i, v := range c {
				e[i] = float64(int64(v)) + float64(k[i])
			}`, "a: []int; b: []int32; d: []float32; e: []float64"),
		// Chains of comparisons with numbers that are none, and zeros of both signs.
		written("Signs", []string{"x []float64 special n", "y []float64 special n"}, `
			n := len(x)
			low, high := make([]float64, n), make([]float64, n)
			kind := make([]int8, n)
			for i := range n {
				a, b := x[i], y[i]
				low[i], high[i] = min(a, b), max(b, a, -a)
				switch {
				case a < b:
					kind[i] = 1
				case a > b:
					kind[i] = 2
				case a == b:
					kind[i] = 3
				case a != a && b != b:
					kind[i] = 4
				}
				if !(a <= b) == !(b >= a) {
					kind[i] += 8
				}
				if math.Signbit(low[i]) {
					kind[i] += 16
				}
				low[i] *= -1
			}
			at := 0
			for i := range x {
				if x[i] < x[at] {
					at = i
				}
			}
			last := -1
			for i, v := range y {
				if last < 0 || v >= y[last] {
					last = i
				}
			}`, "low: []float64; high: []float64; kind: []int8; at: int; last: int"),
	}
}
