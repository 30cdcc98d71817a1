package torture

import "testing"

// nasty are kernels that somebody would try against the passes that make operators of loops: each is compared with plain
// Go for all its variants.
func nasty() []*Kernel {
	kernels := []*Kernel{
		// One slice under two names, and a part of it beside it.
		written("SameArguments", []string{"x []int special n", "y []int same n x", "z []int part n x"}, `
			u := make([]int, len(y))
			copy(u, x)
			for i := range z {
				u[i] += y[len(y)-1-i] - z[i]
			}
			for i := 1; i < len(u); i++ {
				u[i] ^= x[i-1] + y[i]
			}`, "u: []int"),
		// Rows without elements, rows that nobody made, and sums of columns of none.
		written("NoColumns", []string{"x []int32 data n", "w int scalar"}, `
			wide := max(w, 0) % 3
			z := make([][]int32, len(x))
			for i, v := range x {
				if v%2 == 0 {
					z[i] = make([]int32, wide)
					for j := range wide {
						z[i][j] = v + int32(j)
					}
				}
			}
			col := make([]int32, wide)
			count := 0
			for i := range z {
				count += 1 + len(z[i])
				for j := range z[i] {
					col[j] += z[i][j]
				}
			}
			none := make([][]int32, len(x))
			for _, row := range none {
				count += 3 * len(row)
			}`, "col: []int32; z: [][]int32; count: int"),
		// Counters that wrap around, of narrow types, and downwards.
		written("WrappingCounters", []string{"x []int data n", "k uint8 scalar"}, `
			n := uint(len(x))
			y := make([]int, len(x))
			for i := n - 1; i < n; i-- {
				y[i] = x[n-1-i] + int(i)
			}
			turns := 0
			for i := int8(k); i >= 0; i++ {
				turns++
			}
			for i := k; i != 4; i += 3 {
				turns += int(i)
				if turns > 100000 {
					break
				}
			}
			z := make([]int, len(x))
			for i := len(x) - 1; i >= 0; i -= 3 {
				z[i] = x[i]*2 + 1
			}
			for i := -5; i < len(x)-7; i += 2 {
				z[i+5] -= i
			}
			for i := len(x); i > 0; i /= 2 {
				z[i-1] ^= i
			}`, "y: []int; z: []int; turns: int"),
		// What lies before the first element, behind a guard of several kinds.
		written("Guards", []string{"x []int special n", "idx []int special n"}, `
			n := len(x)
			y := make([]int, n)
			for i := range x {
				if i > 0 && x[i-1] > x[i] {
					y[i] = x[i-1]
				} else if i+1 < n && (x[i+1] == 0 || x[i] > 3) {
					y[i] = x[i+1] - i
				}
				if j := idx[i]; j >= 0 && j < n {
					y[i] += x[j]
					y[j] ^= 1
				}
				if j := i - 3; j < 0 || x[j] < 5 {
					y[i]++
				}
			}
			z := make([]int, n)
			for i := range z {
				j := idx[i] + 1
				if j < 0 {
					continue
				}
				if j > n-1 {
					z[i] = -1
					continue
				}
				z[i] = x[j]
			}`, "y: []int; z: []int"),
		// Bounds and indices that a loop changes.
		written("MovingBounds", []string{"x []int data n"}, `
			n, turns := len(x), 0
			y := make([]int, len(x))
			for i := range n {
				n -= 2
				y[i] = n
			}
			m := len(x)
			for i := 0; i < m; i++ {
				m--
				y[i] += x[m]
				turns++
			}
			for i := 0; i < len(x); i++ {
				if x[i] > 10 {
					i++
				}
				turns += i
			}
			u := append([]int(nil), x...)
			u = append(u, 1)
			for i, v := range u {
				if len(u) > 3 {
					u = u[:len(u)-1]
				}
				turns += v * i
			}
			turns += len(u)`, "y: []int; turns: int"),
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
		// Copies within one slice, both ways, in loops and by copy.
		written("Overlaps", []string{"x []int data n", "k uint8 scalar"}, `
			n := len(x)
			d := min(int(k)%5, n)
			u := append([]int(nil), x...)
			copy(u[d:], u)
			v := append([]int(nil), x...)
			for i := d; i < n; i++ {
				v[i] = v[i-d] + 1
			}
			w := append([]int(nil), x...)
			for i := n - 1; i >= d; i-- {
				w[i] = w[i-d] - 1
			}
			for i := 0; i+d < n; i++ {
				w[i] += w[i+d]
			}
			count := copy(w, w[d:]) + copy(v[n-d:], u)`, "u: []int; v: []int; w: []int; count: int"),
		// Loops that end in the middle of a sum of a sum.
		written("NestedBreaks", []string{"x []int data n", "rows [][]int rows q"}, `
			y := make([]int, len(rows))
			total := 0
		all:
			for i, row := range rows {
				s := 1
				for j, v := range row {
					if v < -30 {
						break
					}
					if v > 50 {
						continue all
					}
					for _, w := range x {
						if w == v {
							break all
						}
						if w > v {
							s += j
							break
						}
						s = s*3 + w
					}
					total += v
				}
				y[i] = s
			}`, "y: []int; total: int"),
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
		// Early ends: of a function literal, of a loop of loops, and of the kernel.
		written("EarlyEnds", []string{"x []int data n", "m uint8 scalar"}, `
			if len(x) == 1 {
				return []int{x[0]}, -1
			}
			find := func(v int) (int, bool) {
				for i, w := range x {
					if w > v {
						return i, true
					}
					if w == v-3 {
						return -i, false
					}
				}
				return len(x), false
			}
			y := make([]int, len(x))
			hits := 0
			for i, v := range x {
				at, ok := find(v)
				if ok {
					hits++
				}
				y[i] = at
				if hits > int(m) {
					return y[:i], hits
				}
			}`, "y: []int; hits: int"),
		// Updates whose place and whose value say the same elements.
		written("Permuted", []string{"x []int data n", "idx []int index n n"}, `
			n := len(x)
			u := append([]int(nil), x...)
			for i := range u {
				u[idx[i]] = u[i] + 1
			}
			v := append([]int(nil), x...)
			for i := range n / 2 {
				v[2*i] = v[i]
				v[2*i+1] = v[n-1-i] + v[2*i]
			}
			w := append([]int(nil), x...)
			for i := range w {
				w[w[i]&7%n] += i
			}
			for i := range w {
				u[idx[idx[i]]], u[i] = u[i], u[idx[idx[i]]]
			}`, "u: []int; v: []int; w: []int"),
		// Rows of a triangle, and updates of those above by those below.
		written("Triangles", []string{"x []float64 data n", "w uint8 scalar"}, `
			n := int(w)%13 + 1
			a := make([]float64, n*n)
			for i := range a {
				a[i] = float64(i%7) - 3
				if i < len(x) {
					a[i] += x[i]
				}
			}
			for i := 0; i < n; i++ {
				for j := 0; j <= i; j++ {
					s := a[i*n+j]
					for k := 0; k < j; k++ {
						s -= a[i*n+k] * a[j*n+k]
					}
					if i == j {
						a[i*n+i] = s
					} else if d := a[j*n+j]; d != 0 {
						a[i*n+j] = s / d
					}
				}
			}
			z := append([]float64(nil), a...)
			for k := range n {
				for i := range n {
					for j := i; j < n; j++ {
						z[i*n+j] = z[j*n+i] - z[k*n+j]*0.5
					}
				}
			}`, "a: []float64; z: []float64"),
		// Indices of a grid in narrow types.
		written("NarrowIndices", []string{"x []int data n", "p []uint8 data n", "q []int16 data n"}, `
			y := make([]int, len(x))
			for i := range x {
				if j := int8(p[i] * 3); j >= 0 && int(j) < len(x) {
					y[i] = x[j]
				}
				if j := p[i] - 1; int(j) < len(x) {
					y[i] += x[j] * 3
				}
				if j := uint16(q[i]) >> 10; int(j) < len(x) {
					y[i] -= x[j]
				}
				if i < 256 {
					y[i] ^= x[uint8(i)]
				}
				if j := uint8(i + 1); int(j) < len(x) && i < 300 {
					y[i] += x[j]
				}
			}
			w := make([]int, len(x))
			for i := int16(0); int(i) < len(x); i++ {
				w[i] = x[i] + int(i*300)
			}
			for i := uint8(0); int(i) < min(len(x), 200); i++ {
				w[i] -= int(i * 2)
			}`, "y: []int; w: []int"),
		// Sums over the columns of rows whose lengths differ, whose turns end early.
		written("RaggedColumns", []string{"rows [][]int32 rows q"}, `
			most := 0
			for _, row := range rows {
				most = max(most, len(row))
			}
			col, last := make([]int32, most), make([]int, most)
			for i, row := range rows {
				for j, v := range row {
					if v > 55 {
						break
					}
					col[j] += v
					last[j] = i
				}
			}
			spread := make([]int32, most)
			for j := range most {
				for _, row := range rows {
					if j >= len(row) {
						continue
					}
					spread[j] = spread[j]*3 - row[len(row)-1-j]
				}
			}`, "col: []int32; last: []int; spread: []int32"),
		// Counters near the end of their type.
		written("FarCounters", []string{"x []int data n", "k int scalar"}, `
			turns := 0
			for i := math.MaxInt - 3; i > 0; i++ {
				turns++
			}
			for i := 0; i >= 0 && turns < 1000; i += math.MaxInt/4 + 1 {
				turns += 3
			}
			for i := int32(math.MaxInt32 - 2); i >= math.MaxInt32-2; i++ {
				turns += 7
			}
			for i := uint8(0); i < 255; i += 5 {
				turns += int(i)
			}
			for i := int16(k); i > -32768 && turns < 2000; i -= 1000 {
				turns++
			}
			y := make([]int, len(x))
			for i := range y {
				for j := i; j < len(y) && j >= 0; j += i*i*i + 1 {
					y[i] += j
				}
			}`, "turns: int; y: []int"),
	}
	for _, k := range kernels {
		k.Exact, k.NaN, k.Text, k.Carries = true, true, true, true
	}
	return kernels
}

// TestNasty runs them.
func TestNasty(t *testing.T) { runWritten(t, nasty()) }
