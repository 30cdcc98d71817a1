package rodinia

import (
	"math"
	"math/rand/v2"
)

// Inputs are small, for comparing all codes with plain Go; sets are those of the literature, as far as two cores go,
// made by chance in the same distribution where they are not to be had.

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

func uniform(n int, lo, hi float32, r *rand.Rand) []float32 {
	return made(n, func(int) float32 { return lo + (hi-lo)*r.Float32() })
}

func matrix(rows, cols int, f func() float32) [][]float32 {
	return made(rows, func(int) []float32 { return made(cols, func(int) float32 { return f() }) })
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

func hotSpot(rows, width, steps int, r *rand.Rand) []any {
	return []any{uniform(rows*width, 320, 340, r), uniform(rows*width, 0, 0.01, r), width, steps}
}

// InputsHotSpot are a chip of a few cells and three steps.
func InputsHotSpot(n int, r *rand.Rand) []any { return hotSpot(n/8, 8, 3, r) }

// SetsHotSpot are 360 steps of a chip of 512 by 512 cells, and two of one of 4096 by 4096.
func SetsHotSpot() []set {
	return []set{
		{Name: "512², 360 steps", Make: func() []any { return hotSpot(512, 512, 360, seeded()) }},
		{Name: "4096², 2 steps", Make: func() []any { return hotSpot(4096, 4096, 2, seeded()) }},
	}
}

func srad(rows, cols, turns int, r *rand.Rand) []any {
	return []any{uniform(rows*cols, 1, 254, r), rows, cols, turns, float32(0.5)}
}

// InputsSRAD are a small image and two turns.
func InputsSRAD(n int, r *rand.Rand) []any { return srad(2+n/7, 7, 2, r) }

// SetsSRAD are the image of 502 by 458 for 100 turns, and a small one for 1000.
func SetsSRAD() []set {
	return []set{
		{Name: "502×458, 100 turns", Make: func() []any { return srad(502, 458, 100, seeded()) }},
		{Name: "16×16, 1000 turns", Make: func() []any { return srad(16, 16, 1000, seeded()) }},
	}
}

func pathfinder(rows, width int, r *rand.Rand) []any {
	return []any{made(rows*width, func(int) int32 { return r.Int32N(10) }), width}
}

// InputsPathfinder are grids of five rows.
func InputsPathfinder(n int, r *rand.Rand) []any { return pathfinder(5, 1+n/5, r) }

// SetsPathfinder are 100 rows of 10⁵ places, and of 256.
func SetsPathfinder() []set {
	return []set{
		{Name: "100×100000", Make: func() []any { return pathfinder(100, 100000, seeded()) }},
		{Name: "100×256", Make: func() []any { return pathfinder(100, 256, seeded()) }},
	}
}

func nw(n int, r *rand.Rand) []any {
	return []any{made(n*n, func(int) int32 { return r.Int32N(15) - 4 }), n, int32(10)}
}

// InputsNW are two short sequences.
func InputsNW(n int, r *rand.Rand) []any { return nw(int(math.Sqrt(float64(n))), r) }

// SetsNW are sequences of 2048 and of 1024.
func SetsNW() []set {
	return []set{
		{Name: "2048", Make: func() []any { return nw(2048, seeded()) }},
		{Name: "1024", Make: func() []any { return nw(1024, seeded()) }},
	}
}

func graph(nodes, degree int, r *rand.Rand) []any {
	first := make([]int32, nodes+1)
	var edges []int32
	for u := range nodes {
		for range r.IntN(2*degree + 1) {
			edges = append(edges, int32(r.IntN(nodes)))
		}
		first[u+1] = int32(len(edges))
	}
	return []any{first, edges, 0}
}

// InputsBFS are graphs of some nodes with about three edges each.
func InputsBFS(n int, r *rand.Rand) []any { return graph(1+n/4, 3, r) }

// SetsBFS are graphs of about a million edges: of many nodes with few, and of few with many.
func SetsBFS() []set {
	return []set{
		{Name: "170000 nodes of 6", Make: func() []any { return graph(170000, 6, seeded()) }},
		{Name: "10000 nodes of 100", Make: func() []any { return graph(10000, 100, seeded()) }},
	}
}

// dominant is a matrix of n by n whose diagonal is large.
func dominant(n int, r *rand.Rand) []float32 {
	a := uniform(n*n, -1, 1, r)
	for i := range n {
		a[i*n+i] += float32(n)
	}
	return a
}

// InputsLUD are small matrices.
func InputsLUD(n int, r *rand.Rand) []any {
	n = int(math.Sqrt(float64(n)))
	return []any{dominant(n, r), n}
}

// SetsLUD are matrices of 512 and of 64 rows.
func SetsLUD() []set {
	lud := func(n int) func() []any { return func() []any { return []any{dominant(n, seeded()), n} } }
	return []set{{Name: "512²", Make: lud(512)}, {Name: "64²", Make: lud(64)}}
}

func gaussian(n int, r *rand.Rand) []any {
	a := dominant(n, r)
	return []any{made(n, func(i int) []float32 { return a[i*n : (i+1)*n] }), uniform(n, -1, 1, r)}
}

// InputsGaussian are small systems.
func InputsGaussian(n int, r *rand.Rand) []any { return gaussian(int(math.Sqrt(float64(n))), r) }

// SetsGaussian are systems of 512 and of 64 equations.
func SetsGaussian() []set {
	return []set{
		{Name: "512", Make: func() []any { return gaussian(512, seeded()) }},
		{Name: "64", Make: func() []any { return gaussian(64, seeded()) }},
	}
}

func backprop(in int, r *rand.Rand) []any {
	const hidden, out = 16, 1
	weight := func() float32 { return r.Float32() - 0.5 }
	zero := func() float32 { return 0 }
	return []any{uniform(in, 0, 1, r), matrix(in+1, hidden, weight), matrix(hidden+1, out, weight),
		matrix(in+1, hidden, zero), matrix(hidden+1, out, zero), []float32{0.1}}
}

// InputsBackprop are networks of few inputs.
func InputsBackprop(n int, r *rand.Rand) []any { return backprop(n/16, r) }

// SetsBackprop are networks of 2¹⁴ and 2²⁰ inputs.
func SetsBackprop() []set {
	return []set{
		{Name: "2¹⁴ inputs", Make: func() []any { return backprop(1<<14, seeded()) }},
		{Name: "2²⁰ inputs", Make: func() []any { return backprop(1<<20, seeded()) }},
	}
}

func nn(n, k int, r *rand.Rand) []any {
	return []any{made(n, func(int) Location { return Location{180*r.Float32() - 90, 360 * r.Float32()} }), float32(30), float32(90), k}
}

// InputsNN are some records, of which five are asked for.
func InputsNN(n int, r *rand.Rand) []any { return nn(n, 5, r) }

// SetsNN are 855,280 records, and 128.
func SetsNN() []set {
	return []set{
		{Name: "855280 records", Make: func() []any { return nn(855280, 100, seeded()) }},
		{Name: "128 records", Make: func() []any { return nn(128, 100, seeded()) }},
	}
}

func kMeans(n, features, k, most int, r *rand.Rand) []any {
	return []any{matrix(n, features, r.Float32), k, most}
}

// InputsKMeans are some points in three groups.
func InputsKMeans(n int, r *rand.Rand) []any { return kMeans(5+n/4, 4, 3, 6, r) }

// SetsKMeans are points of the number and the features of the two data sets that come with Rodinia.
func SetsKMeans() []set {
	return []set{
		{Name: "494020 of 34, 5 groups, 5 turns", Make: func() []any { return kMeans(494020, 34, 5, 5, seeded()) }},
		{Name: "204800 of 8, 5 groups, 10 turns", Make: func() []any { return kMeans(204800, 8, 5, 10, seeded()) }},
	}
}

func lavaMD(side, per int, r *rand.Rand) []any {
	return []any{made(side*side*side*per, func(int) Atom { return Atom{r.Float32(), r.Float32(), r.Float32(), r.Float32()} }), side, float32(0.5)}
}

// InputsLavaMD are a few boxes.
func InputsLavaMD(n int, r *rand.Rand) []any { return lavaMD(1+n/300, 1+n/200, r) }

// SetsLavaMD are 10³ and 3³ boxes of 50 atoms.
func SetsLavaMD() []set {
	return []set{
		{Name: "10³ boxes", Make: func() []any { return lavaMD(10, 50, seeded()) }},
		{Name: "3³ boxes", Make: func() []any { return lavaMD(3, 50, seeded()) }},
	}
}

func cfd(n, steps int, r *rand.Rand) []any {
	far := Flow{1.4, 1.68, 0, 0, 3.5}
	near := func(x float32) float32 { return x * (1 + 0.01*r.Float32()) }
	flows := made(n, func(int) Flow { return Flow{near(far.Density), near(far.X), 0, 0, near(far.Energy)} })
	faces := made(n, func(i int) [4]Face {
		var f [4]Face
		for k := range f {
			neighbour := int32(min(max(i+[]int{-1, 1, -30, 30}[k], 0), n-1))
			switch r.IntN(40) {
			case 0:
				neighbour = wall
			case 1:
				neighbour = farAway
			}
			f[k] = Face{neighbour, 0.01 * (r.Float32() - 0.5), 0.01 * (r.Float32() - 0.5), 0.01 * (r.Float32() - 0.5)}
		}
		return f
	})
	return []any{flows, faces, uniform(n, 0.5, 1, r), far, steps}
}

// InputsCFD are a few elements and two steps.
func InputsCFD(n int, r *rand.Rand) []any { return cfd(n/8, 2, r) }

// SetsCFD have as many elements as the two grids that come with Rodinia, in a made-up order.
func SetsCFD() []set {
	return []set{
		{Name: "193474 elements, 10 steps", Make: func() []any { return cfd(193474, 10, seeded()) }},
		{Name: "97046 elements, 10 steps", Make: func() []any { return cfd(97046, 10, seeded()) }},
	}
}
