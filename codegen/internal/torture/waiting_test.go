package torture

import (
	"strings"
	"testing"
)

// waiting are kernels whose elements under a condition wait for each other, and loops that write elements one behind
// the other.
func waiting() []*Kernel {
	kernels := []*Kernel{
		// Results of several kinds, conditions that are not numbers, and more elements than a page has room for.
		written("Near", []string{"x []float64 special n", "y []float32 special n", "u []int data n", "a float64 special", "b float32 special"}, `
			s := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map(func(v float64) float64 {
				if d := v - a; d*d <= 3e300 && d*d > 0 {
					return 0 / (1 + d*d) + 1
				}
				return 0
			}, x), 0)
			m := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map2(func(v float64, k int) float64 {
				if !(v < a) {
					return math.Sqrt(float64(k * k))
				}
				return 0
			}, x, u), 5)
			f := ops.Reduce(func(p, q float32) float32 { return max(p, q) }, ops.Map2(func(v float32, w float64) float32 {
				if v > b && w < 100 {
					return float32(math.Sqrt(float64(v)))
				}
				return float32(math.Inf(-1))
			}, y, x), 2)
			c := ops.Reduce(func(p, q int) int { return p + q }, ops.Map3(func(v float64, w float32, k int) int {
				if v < a && w == w {
					return int(math.Sqrt(float64(k*k))) + 1
				}
				return 0
			}, x, y, u), 0)
			both := ops.Reduce(func(p, q ops.Pair[float64, int]) ops.Pair[float64, int] {
				return ops.Pair[float64, int]{First: p.First + q.First, Second: p.Second + q.Second}
			}, ops.Map2(func(v float64, k int) ops.Pair[float64, int] {
				if k > 0 {
					return ops.Pair[float64, int]{First: math.Sqrt(float64(k * k)), Second: k*k}
				}
				return ops.Pair[float64, int]{First: 0, Second: 0}
			}, x, u), ops.Pair[float64, int]{First: 0, Second: 0})
			mixed := ops.Reduce(func(p, q ops.Pair[float64, int32]) ops.Pair[float64, int32] {
				return ops.Pair[float64, int32]{First: max(p.First, q.First), Second: p.Second + q.Second}
			}, ops.Map2(func(v float64, k int) ops.Pair[float64, int32] {
				if k > 0 {
					return ops.Pair[float64, int32]{First: math.Sqrt(float64(k * k)), Second: 1}
				}
				return ops.Pair[float64, int32]{First: math.Inf(-1)}
			}, x, u), ops.Pair[float64, int32]{First: math.Inf(-1)})`,
			"s: float64; m: float64; f: float32; c: int; both.First: float64; both.Second: int; mixed.First: float64; mixed.Second: int32"),
		// Reductions in rows, of every length, one in another, each with elements that wait.
		written("NearInRows", []string{"x []float64 data n", "width int tile", "a float64 scalar"}, `
			rows := ops.Map(func(r []float64) float64 {
				return ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map(func(v float64) float64 {
					if v > a {
						return math.Sqrt(v*v) + 1
					}
					return 0
				}, r), 0)
			}, ops.Split(x, width))
			every := ops.Map(func(u float64) float64 {
				near := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map2(func(v, w float64) float64 {
					d := v - u
					r := d * d
					if r < 1 && r > 0 {
						return d / (r + w*w + 1)
					}
					return 0
				}, x, ops.Reverse(x)), 0)
				far := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map(func(v float64) float64 {
					if v > near {
						return 1 / (1 + v*v)
					}
					return 0
				}, x), 0)
				return near + far
			}, x)
			nested := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map(func(u float64) float64 {
				t := ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map(func(v float64) float64 {
					if v > u {
						return math.Sqrt(v*v) + 1
					}
					return 0
				}, x), 0)
				if t > 3 {
					return t / (1 + u*u)
				}
				return 0
			}, x), 0)`, "rows: []float64; every: []float64; nested: float64"),
	}
	for _, k := range kernels {
		k.NaN = true
	}
	return append(kernels,
		// Copies at every distance: to the place behind the one that is read, with another one in between, backwards, none.
		written("Copies", []string{"x []int32 data n", "w []int data n", "from []int special k", "o int32 scalar"}, `
			y := ops.Map(func(k int) int32 {
				n := len(x)
				a, b := make([]int32, n+1), make([]int32, n)
				at := 1
				for i := 0; i < n; i++ { // elements that this loop does not write
					a[at] = x[i] * 3
					b[i] = x[i] - x[n-1-i]
					at++
				}
				for i := 1; i < n; i++ { // one that the turn before has written
					a[i] = a[i-1] + b[i]
				}
				c := make([]int32, n)
				to := 0
				for i := 1; i < n; i++ {
					c[to] = a[i] + a[i-1]
					to++
				}
				lo, hi := max(k, 0), min(k+9, n)
				for i := lo; i < hi; i++ { // bounds in either order
					b[i] = c[i]
				}
				for i := 0; i < n; i++ {
					if x[i] > 0 {
						continue
					}
					if i > 70 {
						break
					}
					c[i] = b[i] * 7
				}
				last := int32(0)
				for j := int32(0); j < int32(n); j++ {
					b[j] = c[j] + o
					last = j
				}
				return ops.Reduce(func(p, q int32) int32 { return p ^ q }, b, last) + ops.Reduce(func(p, q int32) int32 { return p + q }, ops.Map2(func(p, q int32) int32 { return p - q*2 }, a[:n], c), int32(to+at))
			}, from)
			z := ops.Map(func(k int) int {
				n := len(w)
				a, b := make([]int, 2*n), make([]float64, 2*n)
				at, other := 0, n
				for turn := 0; turn < 2; turn++ {
					for i := 0; i < n; i++ {
						a[at], b[other] = w[i] - k, float64(w[i])
						at++
						other++
					}
					other = 0
				}
				return ops.Reduce(func(p, q int) int { return p + q }, ops.Map2(func(u int, v float64) int { return u + int(v) }, a, b), at - other)
			}, from)`, "y: []int32; z: []int"))
}

// TestWaiting runs them.
func TestWaiting(t *testing.T) {
	runWith(t, waiting(), Options{PerPackage: 100, Portable: true, Codes: codes(), Under: strings.Fields(*flagUnder), Args: []string{"-sizes=0,1,8,64,71,515,1100"}})
}
