package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The functions of this file are shaped like those that Go 1.26's compiler gets wrong beside vectors of 512 bits:
// bitwise operations with a shared operand among them, and blends of an operation that has a constant operand. See
// Tern in internal/gen.

//go:noinline
func minMaxChain(p, q *float32, k *int64) {
	wide := *AddrI64x8(k, 0)
	*AddrI64x8(k, 0) = wide.Add(wide)
	x, y := *AddrF32x8(p, 0), *AddrF32x8(q, 0)
	low := MinF32x8(x, y)
	high := MaxF32x8(low, x.Mul(y))
	both := MinF32x8(MaxF32x8(low, high), AbsF32x8(NegF32x8(high)))
	*AddrF32x8(p, 0) = high.Add(low)
	*AddrF32x8(q, 0) = both
}

//go:noinline
func bitwiseChain(p, q, r *int32) {
	x, y, z := *AddrI32x16(p, 0), *AddrI32x16(q, 0), *AddrI32x16(r, 0)
	t := OrI32x16(AndI32x16(x, y), z)
	u := XorI32x16(t, x)
	v := XorI32x16(AndI32x16(t, NotI32x16(z)), u)
	w := OrI32x16(AndNotI32x16(t, y), AndI32x16(v, t))
	m := AndM32x16(t.Greater(u), v.Greater(w))
	n := AndM32x16(OrM32x16(m, t.Less(v)), OrM32x16(NotM32x16(m), u.Greater(z)))
	*AddrI32x16(p, 0) = t
	*AddrI32x16(q, 0) = SelectI32x16(n, u, w)
	*AddrI32x16(r, 0) = SelectI32x16(m, v, w)
}

//go:noinline
func blendChain(p *float64, q *int64) {
	x, i := *AddrF64x8(p, 0), *AddrI64x8(q, 0)
	m := x.Greater(SplatF64x8(0))
	y := SelectF64x8(m, FloorF64x8(x), CeilF64x8(x))
	y = SelectF64x8(m, y, TruncF64x8(x)).Add(SelectF64x8(m, RoundToEvenF64x8(x), y))
	j := SelectI64x8(m, ShlConstI64x8(i, 3), ShrConstI64x8(i, 2))
	*AddrF64x8(p, 0) = y
	*AddrI64x8(q, 0) = j
}

// Vectors of 256 bits beside those of 512 are merged into blends, too.
//
//go:noinline
func narrowBlendChain(p *float64, q *int32, r *uint8) {
	x, i, b := *AddrF64x8(p, 0), *AddrI32x8(q, 0), LoadU8x8(r, 0)
	m := i.Greater(b)
	*AddrF64x8(p, 0) = x.Add(x)
	*AddrI32x8(q, 0) = SelectI32x8(m, ShrConstI32x8(i, 3), SelectI32x8(i.Greater(SplatI32x8(0)), ShlConstI32x8(b, 2), i))
	StoreU8x8(SelectI32x8(m, ShrConstU32x8(b, 1), b), r, 0)
}

var sevens = [16]int32{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}

// The compiler makes an instruction without one of its operands of a ternary operation that reads the last one in
// memory, which does not even assemble.
//
//go:noinline
func maskedChain(p *int32, n int) {
	*AddrI32x16(p, 0) = XorI32x16(*AddrI32x16(p, 0), MaskedI32x16(FirstM32x16(n), *AddrI32x16(&sevens[0], 0)))
}

func TestCompilerPitfalls(t *testing.T) {
	if built && len(Lanes(8)) < 2 {
		t.Skip("this CPU lacks AVX-512")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var p, q, p0, q0 [8]float32
		var wide [8]int64
		for i := range p {
			p[i], q[i] = float32(rng.IntN(9)-4)/2, float32(rng.IntN(9)-4)/2
		}
		p0, q0 = p, q
		minMaxChain(&p[0], &q[0], &wide[0])
		for i := range p {
			low := min(p0[i], q0[i])
			high := max(low, p0[i]*q0[i])
			both := min(max(low, high), float32(math.Abs(float64(-high))))
			if p[i] != high+low || q[i] != both {
				t.Fatalf("minMaxChain of %v, %v: %v, %v, want %v, %v", p0[i], q0[i], p[i], q[i], high+low, both)
			}
		}
		var a, b, c, a0, b0, c0 [16]int32
		for i := range a {
			a[i], b[i], c[i] = rng.Int32()-rng.Int32(), rng.Int32()-rng.Int32(), rng.Int32()-rng.Int32()
		}
		a0, b0, c0 = a, b, c
		bitwiseChain(&a[0], &b[0], &c[0])
		for i := range a {
			x, y, z := a0[i], b0[i], c0[i]
			t1 := x&y | z
			u := t1 ^ x
			v := t1&^z ^ u
			w := t1&^y | v&t1
			m := t1 > u && v > w
			n := (m || t1 < v) && (!m || u > z)
			second, third := w, w
			if n {
				second = u
			}
			if m {
				third = v
			}
			if a[i] != t1 || b[i] != second || c[i] != third {
				t.Fatalf("bitwiseChain of %x, %x, %x: %x, %x, %x, want %x, %x, %x", x, y, z, a[i], b[i], c[i], t1, second, third)
			}
		}
		b0 = b
		maskedChain(&b[0], 5)
		for i := range b {
			want := b0[i]
			if i < 5 {
				want ^= 7
			}
			if b[i] != want {
				t.Fatalf("lane %d of maskedChain of %x: %x, want %x", i, b0[i], b[i], want)
			}
		}
		var f, f0 [8]float64
		var k, k0 [8]int64
		for i := range f {
			f[i], k[i] = float64(rng.IntN(41)-20)/4, int64(rng.IntN(100)-50)
		}
		f0, k0 = f, k
		blendChain(&f[0], &k[0])
		for i := range f {
			x := f0[i]
			y, j := math.Ceil(x), k0[i]>>2
			if x > 0 {
				y, j = math.Floor(x), k0[i]<<3
			}
			if x > 0 {
				y += math.RoundToEven(x)
			} else {
				y = math.Trunc(x) + y
			}
			if f[i] != y || k[i] != j {
				t.Fatalf("blendChain of %v, %v: %v, %v, want %v, %v", x, k0[i], f[i], k[i], y, j)
			}
		}
		var s, s0 [8]int32
		var bytes, bytes0 [8]uint8
		for i := range s {
			s[i], bytes[i] = int32(rng.IntN(600)-300), uint8(rng.IntN(256))
		}
		s0, bytes0 = s, bytes
		narrowBlendChain(&f[0], &s[0], &bytes[0])
		for i := range s {
			v, b := s0[i], bytes0[i]
			if s0[i] > 0 {
				v = int32(b) << 2
			}
			if s0[i] > int32(b) {
				v, b = s0[i]>>3, b>>1
			}
			if s[i] != v || bytes[i] != b {
				t.Fatalf("narrowBlendChain of %v, %v: %v, %v, want %v, %v", s0[i], bytes0[i], s[i], bytes[i], v, b)
			}
		}
	}
}
