package applications

import (
	"math/rand/v2"
)

// Inputs are small, for comparing all codes with plain Go; sets are made by chance.

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

func logistic(n, features, batch, turns int, r *rand.Rand) []any {
	return []any{
		made(n, func(int) []float64 { return made(features, func(int) float64 { return r.NormFloat64() }) }),
		made(n, func(int) float64 { return float64(r.IntN(2)) }), batch, turns, 0.1,
	}
}

// InputsLogisticSGD are some examples of six features.
func InputsLogisticSGD(n int, r *rand.Rand) []any { return logistic(4+n/6, 6, 4, 5, r) }

// SetsLogisticSGD are large batches and small ones.
func SetsLogisticSGD() []set {
	return []set{
		{Name: "100000 of 100, batches of 10000", Make: func() []any { return logistic(100000, 100, 10000, 10, seeded()) }},
		{Name: "100000 of 100, batches of 16", Make: func() []any { return logistic(100000, 100, 16, 5000, seeded()) }},
	}
}

func conformations(n, atoms int, r *rand.Rand) [][]Atom {
	return made(n, func(int) []Atom {
		return made(atoms, func(int) Atom { return Atom{r.Float32(), r.Float32(), r.Float32()} })
	})
}

// InputsKCenters are conformations of a small molecule.
func InputsKCenters(n int, r *rand.Rand) []any { return []any{conformations(1+n/12, 4, r), 3} }

// SetsKCenters are many small molecules and few large ones.
func SetsKCenters() []set {
	return []set{
		{Name: "50000 of 20 atoms", Make: func() []any { return []any{conformations(50000, 20, seeded()), 20} }},
		{Name: "200 of 5000 atoms", Make: func() []any { return []any{conformations(200, 5000, seeded()), 20} }},
	}
}

// InputsAssign are conformations and three centers.
func InputsAssign(n int, r *rand.Rand) []any {
	return []any{conformations(n/12, 4, r), conformations(3, 4, r)}
}

// SetsAssign are many small molecules and few large ones.
func SetsAssign() []set {
	return []set{
		{Name: "50000 of 20 atoms, 20 centers", Make: func() []any { return []any{conformations(50000, 20, seeded()), conformations(20, 20, seeded())} }},
		{Name: "10 of 50000 atoms, 20 centers", Make: func() []any { return []any{conformations(10, 50000, seeded()), conformations(20, 50000, seeded())} }},
	}
}

func documents(n, length, words int, r *rand.Rand) []any {
	return []any{
		made(n, func(int) []int32 { return made(r.IntN(2*length+1), func(int) int32 { return int32(r.IntN(words)) }) }),
		made(n, func(int) bool { return r.IntN(3) == 0 }), words,
	}
}

// InputsNaiveBayes are some short documents.
func InputsNaiveBayes(n int, r *rand.Rand) []any { return documents(n/10, 10, 17, r) }

// SetsNaiveBayes are many short documents and few long ones.
func SetsNaiveBayes() []set {
	return []set{
		{Name: "20000 of 100 words", Make: func() []any { return documents(20000, 100, 5000, seeded()) }},
		{Name: "20 of 100000 words", Make: func() []any { return documents(20, 100000, 5000, seeded()) }},
	}
}

func dense(n, words int, r *rand.Rand) []any {
	return []any{
		made(n, func(int) []float32 { return made(words, func(int) float32 { return float32(r.IntN(4)) }) }),
		made(n, func(int) bool { return r.IntN(3) == 0 }),
	}
}

// InputsNaiveBayesDense are some documents of five words.
func InputsNaiveBayesDense(n int, r *rand.Rand) []any { return dense(1+n/5, 5, r) }

// SetsNaiveBayesDense are many documents of few words, and few of many.
func SetsNaiveBayesDense() []set {
	return []set{
		{Name: "20000 of 100 words", Make: func() []any { return dense(20000, 100, seeded()) }},
		{Name: "100 of 20000 words", Make: func() []any { return dense(100, 20000, seeded()) }},
	}
}
