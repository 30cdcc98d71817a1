package accelerate

import (
	"math/rand/v2"
)

// Inputs are small, for comparing all codes with plain Go; sets have the shapes of Accelerate's, as far as two cores
// go.

// set is a set with its name, and how it is made: one value a parameter.
type set = struct {
	Name string
	Make func() []any
}

func made[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

func mandelbrot(width, height, limit int) []any {
	return []any{width, height, limit, float32(-2), float32(-1.2), float32(0.8), float32(1.2)}
}

// InputsMandelbrot are small pictures.
func InputsMandelbrot(n int, r *rand.Rand) []any { return mandelbrot(n/6, 6, 20) }

// SetsMandelbrot are pictures of many pixels and few turns, and the other way round.
func SetsMandelbrot() []set {
	return []set{
		{Name: "2000², 255 turns", Make: func() []any { return mandelbrot(2000, 2000, 255) }},
		{Name: "200², 10000 turns", Make: func() []any { return mandelbrot(200, 200, 10000) }},
	}
}

func nBody(n, steps int, r *rand.Rand) []any {
	return []any{made(n, func(int) Body {
		return Body{Vector{r.Float32(), r.Float32(), r.Float32()}, Vector{}, r.Float32()}
	}), steps, float32(0.001), float32(0.05)}
}

// InputsNBody are few bodies and two steps.
func InputsNBody(n int, r *rand.Rand) []any { return nBody(n/20, 2, r) }

// SetsNBody are one step of many bodies and many of few.
func SetsNBody() []set {
	return []set{
		{Name: "10000 bodies", Make: func() []any { return nBody(10000, 1, seeded()) }},
		{Name: "100 bodies, 1000 steps", Make: func() []any { return nBody(100, 1000, seeded()) }},
	}
}

func crystal(size, degree int) []any { return []any{size, degree, float32(30), float32(0.5)} }

// InputsCrystal are small pictures.
func InputsCrystal(n int, r *rand.Rand) []any { return crystal(n/60, 5) }

// SetsCrystal are pictures of 200 and 500 pixels a side.
func SetsCrystal() []set {
	return []set{
		{Name: "200², 50 waves", Make: func() []any { return crystal(200, 50) }},
		{Name: "500², 10 waves", Make: func() []any { return crystal(500, 10) }},
	}
}

// InputsTunnel are small pictures.
func InputsTunnel(n int, r *rand.Rand) []any { return []any{n / 5, 5, float32(0.3)} }

// SetsTunnel are pictures of 1000 and 100 pixels a side.
func SetsTunnel() []set {
	return []set{
		{Name: "1000²", Make: func() []any { return []any{1000, 1000, float32(0.3)} }},
		{Name: "100²", Make: func() []any { return []any{100, 100, float32(0.3)} }},
	}
}

func fluid(side, steps, turns int, r *rand.Rand) []any {
	n := (side + 2) * (side + 2)
	f := func(int) float32 { return r.Float32() }
	return []any{Grid{made(n, f), side}, made(n, f), made(n, f), steps, turns, float32(0.1), float32(0.01)}
}

// InputsFluid are small squares.
func InputsFluid(n int, r *rand.Rand) []any { return fluid(n/40, 2, 3, r) }

// SetsFluid are squares of 1000 and of 100 cells a side.
func SetsFluid() []set {
	return []set{
		{Name: "1000², 2 steps of 20", Make: func() []any { return fluid(1000, 2, 20, seeded()) }},
		{Name: "100², 20 steps of 20", Make: func() []any { return fluid(100, 20, 20, seeded()) }},
	}
}
