package vec

import "testing"

// TestQuotients checks quotients and remainders of numbers for which float64s are just precise enough: those beside
// multiples of what they are divided by, of up to 52 bits, and those that are too large or negative.
func TestQuotients(t *testing.T) {
	need(t, 8, 4)
	const most = 1<<52 - 1
	rounds(func() {
		var a, b [8]int64
		for k := range a {
			b[k] = 1 + random.Int63()>>(11+random.Intn(52))
			a[k] = min(most/b[k]*b[k], random.Int63n(most/b[k]+1)*b[k]) + int64(random.Intn(3)-1)
			switch random.Intn(40) {
			case 0:
				a[k] = most
			case 1:
				a[k], b[k] = most, most-int64(random.Intn(2))
			case 2:
				a[k] = most + 1 + int64(random.Intn(2))
			case 3:
				b[k] = -b[k]
			}
			if random.Intn(4) > 0 {
				a[k] = max(a[k], 0)
			}
		}
		for h := 0; h < 8; h += 4 {
			x, y := *AddrI64x4(&a[h], 0), *AddrI64x4(&b[h], 0)
			checkQuotients(t, a[h:h+4], b[h:h+4], func(v [4]I64x4) (lists [4][]int64) {
				for i, q := range v {
					s := ArrayI64x4(q)
					lists[i] = s[:]
				}
				return lists
			}([4]I64x4{DivI64x4(x, y), RemI64x4(x, y), DivU64x4(x, y), RemU64x4(x, y)}))
		}
		if !has(8, 8) {
			return
		}
		x, y := *AddrI64x8(&a[0], 0), *AddrI64x8(&b[0], 0)
		checkQuotients(t, a[:], b[:], func(v [4]I64x8) (lists [4][]int64) {
			for i, q := range v {
				s := ArrayI64x8(q)
				lists[i] = s[:]
			}
			return lists
		}([4]I64x8{DivI64x8(x, y), RemI64x8(x, y), DivU64x8(x, y), RemU64x8(x, y)}))
	})
}

// checkQuotients compares quotients and remainders, then those as unsigned numbers.
func checkQuotients(t *testing.T, a, b []int64, got [4][]int64) {
	t.Helper()
	for k := range a {
		u, v := uint64(a[k]), uint64(b[k])
		for i, want := range []int64{a[k] / b[k], a[k] % b[k], int64(u / v), int64(u % v)} {
			if got[i][k] != want {
				t.Fatalf("%d of %d and %d is %d, want %d", i, a[k], b[k], got[i][k], want)
			}
		}
	}
}
