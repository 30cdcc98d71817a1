package torture

import "testing"

// nasty are kernels that somebody would try against the passes that make operators of loops: each is compared with
// plain Go for all its variants.
func nasty() []*Kernel {
	kernels := append(nastyLoops(), nastyValues()...)
	for _, k := range kernels {
		k.Exact, k.NaN, k.Text, k.Carries = true, true, true, true
	}
	return kernels
}

// nastyLoops are those whose bounds, indices and updates are unusual.
func nastyLoops() []*Kernel {
	return []*Kernel{
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
		// Loops that end where a sum with their index does: sums that overflow, that begin beyond the bound, and below.
		written("FarSums", []string{"x []int special n", "p []int data m", "k int scalar", "lag uint8 scalar"}, `
			turns := 0
			for i := 0; i+len(p) <= len(x); i++ {
				if x[i] == p[0] || turns > 1000 {
					break
				}
				turns += x[i+len(p)-1]
			}
			limit := len(x) % 50
			for i := 3; limit > i-k%9+2; i++ {
				turns = turns*3 + i
			}
			for i := len(p); i-math.MaxInt+k%5 < math.MinInt+9; i++ {
				turns = turns*3 + i
			}
			count := 0
			for i := 0; i+(math.MaxInt-2)+k*0 <= math.MaxInt-len(p)*0; i++ {
				count++
				if count > 100 {
					break
				}
			}
			for i := 7; i+math.MinInt+k%4 < math.MaxInt-k%3 && count < 5; i++ {
				count++
			}
			for i := 1; i+k < math.MaxInt+k*0; i++ {
				if i > 50 {
					count += i
					break
				}
			}
			sums := make([]int, int(lag))
			for d := range sums {
				for i := 0; i+d < len(x); i++ {
					sums[d] += x[i] ^ x[i+d]
				}
				for i := 2; i+d+k%7 < len(x)-1; i++ {
					sums[d] += i
				}
				for i := d; i+1 < len(x); i++ {
					sums[d] ^= x[i+1] + i
				}
			}`, "turns: int; count: int; sums: []int"),
	}
}

// TestNasty runs them.
func TestNasty(t *testing.T) { runWritten(t, nasty()) }
