package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The functions of this file are shaped like those that Go 1.26's compiler gets wrong beside vectors of 512 bits: bitwise
// operations with a shared operand among them, and blends of an operation that has a constant operand. See Tern in
// internal/gen.

//go:noinline
func minMaxChain(p, q *float32, k *int64) {
	wide := LoadI64x8(k, 0)
	wide.Add(wide).Store(k, 0)
	x, y := LoadF32x8(p, 0), LoadF32x8(q, 0)
	low := x.Min(y)
	high := low.Max(x.Mul(y))
	both := low.Max(high).Min(high.Neg().Abs())
	high.Add(low).Store(p, 0)
	both.Store(q, 0)
}

//go:noinline
func bitwiseChain(p, q, r *int32) {
	x, y, z := LoadI32x16(p, 0), LoadI32x16(q, 0), LoadI32x16(r, 0)
	t := x.And(y).Or(z)
	u := t.Xor(x)
	v := t.And(z.Not()).Xor(u)
	w := t.AndNot(y).Or(v.And(t))
	m := t.Gt(u).And(v.Gt(w))
	n := m.Or(t.Lt(v)).And(m.Not().Or(u.Gt(z)))
	t.Store(p, 0)
	SelectI32x16(n, u, w).Store(q, 0)
	SelectI32x16(m, v, w).Store(r, 0)
}

//go:noinline
func blendChain(p *float64, q *int64) {
	x, i := LoadF64x8(p, 0), LoadI64x8(q, 0)
	m := x.Gt(SplatF64x8(0))
	y := SelectF64x8(m, x.Floor(), x.Ceil())
	y = SelectF64x8(m, y, x.Trunc()).Add(SelectF64x8(m, x.RoundToEven(), y))
	j := SelectI64x8(m, i.ShlConst(3), i.ShrConst(2))
	y.Store(p, 0)
	j.Store(q, 0)
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
	}
}
