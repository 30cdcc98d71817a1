package interp_test

import (
	"maps"
	"math/rand/v2"

	"github.com/surge-ndp/surge/internal/kernels"
)

func init() { maps.Copy(makers, kernelInputs) }

// random are n numbers below most.
func random(n int, r *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(65)-32) / 4
	}
	return x
}

func random32(n int, r *rand.Rand) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.IntN(65)-32) / 4
	}
	return x
}

// below are n integers from 0 up to most, and not most itself.
func below(n, most int, r *rand.Rand) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(r.IntN(most))
	}
	return x
}

// places are positions in a sequence.
func places(n, most int, r *rand.Rand) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = r.IntN(most)
	}
	return x
}

// ragged are offsets of rows of up to most elements, some of them empty.
func ragged(rows, most int, r *rand.Rand) []int32 {
	x := []int32{0}
	for range rows {
		x = append(x, x[len(x)-1]+int32(max(0, r.IntN(most+2)-1)))
	}
	return x
}

func last(x []int32) int { return int(x[len(x)-1]) }

// points are n points.
func points(n int, r *rand.Rand) []kernels.Point {
	x := make([]kernels.Point, n)
	for i := range x {
		x[i] = kernels.Point{X: float64(r.IntN(9)), Y: float64(i)}
	}
	return x
}

// nodes are n nodes, of which each is followed by one of them.
func nodes(n int, r *rand.Rand) []kernels.Node {
	x := make([]kernels.Node, n)
	for i := range x {
		x[i] = kernels.Node{At: [3]float64(random(3, r)), Heat: float32(i), Next: kernels.Kind(r.IntN(n)), Mark: uint16(7 * i), Layer: int8(-i)}
	}
	return x
}

// links are the pages that link to each of n pages, row by row, and how many links leave each page.
func links(n int, r *rand.Rand) (sources, offsets, out []int32) {
	offsets, out = ragged(n, 4, r), make([]int32, n)
	if n > 0 {
		sources = below(last(offsets), n, r)
	}
	for i := range out {
		out[i] = 1
	}
	for _, s := range sources {
		out[s]++
	}
	return sources, offsets, out
}

func clusters(n int, r *rand.Rand) []any {
	return []any{random(3*n, r), 3, below(n, 4, r), random(12, r)}
}

// neighbours are cells of a box of atoms: where the atoms of each begin, its 27 neighbours, and how far these are
// shifted.
func neighbours(cells int, r *rand.Rand) (start, near []int32, sx, sy, sz []float64) {
	start = ragged(cells, 2, r)
	if cells > 0 {
		near = below(27*cells, cells, r)
	}
	return start, near, random(27*cells, r), random(27*cells, r), random(27*cells, r)
}

func cellOf(start []int32) []int32 {
	var cell []int32
	for c := range len(start) - 1 {
		for range start[c+1] - start[c] {
			cell = append(cell, int32(c))
		}
	}
	return cell
}

func lennardJones(n int, r *rand.Rand) []any {
	start, near, sx, sy, sz := neighbours(n/6, r)
	atoms := last(start)
	return []any{random(atoms, r), random(atoms, r), random(atoms, r), cellOf(start), start, near, sx, sy, sz, 1.0, 0.5, 6.0}
}

func embedded(n int, r *rand.Rand) []any {
	start, near, sx, sy, sz := neighbours(n/6, r)
	atoms := last(start)
	return []any{random(atoms, r), random(atoms, r), random(atoms, r), start, near, sx, sy, sz, random(90, r), random(90, r), 0.1, random(1000, r), 1.0, 6.0}
}

// kernelInputs make inputs of kernels whose parameters have to fit to each other.
// square is a matrix of n rows, and n.
func square(n int, r *rand.Rand) []any { return []any{random(n*n, r), n} }

var kernelInputs = map[string]func(int, *rand.Rand) []any{
	"kernels.LU":            square,
	"kernels.PathsRows":     func(n int, r *rand.Rand) []any { return []any{random32(n*n, r), n} },
	"kernels.LURows":        square,
	"kernels.Paths":         func(n int, r *rand.Rand) []any { return []any{random32(n*n, r), n} },
	"kernels.Cholesky":      square,
	"kernels.Solve":         func(n int, r *rand.Rand) []any { return []any{random(n*n, r), random(n, r), n} },
	"kernels.GaussSeidel":   func(n int, r *rand.Rand) []any { return []any{random(n*(n+2), r), n, n + 2, 2} },
	"kernels.Walsh":         func(n int, r *rand.Rand) []any { return []any{random32(n, r), 3} },
	"kernels.Sweep":         func(n int, r *rand.Rand) []any { return []any{below(n*5, 9, r), n, 5} },
	"kernels.Overlapping":   func(n int, r *rand.Rand) []any { return []any{places(n*8, 9, r), n, n, min(n, 3)} },
	"kernels.MatMul":        func(n int, r *rand.Rand) []any { return []any{random(3*n, r), random(3*5, r), 3, 5} },
	"kernels.MatMulRows":    func(n int, r *rand.Rand) []any { return []any{random(3*n, r), random(3*5, r), 3, 5} },
	"kernels.SumCols":       func(n int, r *rand.Rand) []any { return []any{random(3*n, r), 3} },
	"kernels.SumColsByRows": func(n int, r *rand.Rand) []any { return []any{random(3*n, r), 3} },
	"kernels.SumWeighted":   func(n int, r *rand.Rand) []any { return []any{random(4*n, r), random(4, r), random(n, r)} },
	"kernels.Backprop":      func(n int, r *rand.Rand) []any { return []any{random(n, r), random(5*n, r), random(5, r), 0.3} },
	"kernels.PageRank": func(n int, r *rand.Rand) []any {
		sources, offsets, out := links(n, r)
		return []any{sources, offsets, out, random(n, r), 0.85}
	},
	"kernels.PageRanks": func(n int, r *rand.Rand) []any {
		sources, offsets, out := links(n, r)
		return []any{sources, offsets, out, 0.85, 3}
	},
	"kernels.BFS": func(n int, r *rand.Rand) []any {
		sources, offsets, _ := links(n, r)
		levels := below(n, 4, r)
		for i := range levels {
			levels[i]--
		}
		return []any{sources, offsets, levels, int32(1)}
	},
	"kernels.SegmentedHistogram": func(n int, r *rand.Rand) []any {
		offsets := ragged(n, 5, r)
		return []any{below(last(offsets), 6, r), offsets, 6}
	},
	"kernels.Shrink":         func(n int, r *rand.Rand) []any { return []any{random(n, r), 0} },
	"kernels.Recenter":       clusters,
	"kernels.RecenterSorted": clusters,
	"kernels.Labels":         func(n int, r *rand.Rand) []any { return []any{random(3*n, r), 3, random(12, r)} },
	"kernels.NaiveBayes":     func(n int, r *rand.Rand) []any { return []any{below(n, 3, r), below(n, 4, r), 3, 4} },
	"kernels.NaiveBayesBins": func(n int, r *rand.Rand) []any { return []any{below(n, 3, r), below(n, 4, r), 3, 4} },
	"kernels.Hotspot":        func(n int, r *rand.Rand) []any { return []any{random(4*n, r), random(4*n, r), 4, 0.1} },
	"kernels.SRAD":           func(n int, r *rand.Rand) []any { return []any{random(4*n, r), 4, 0.5} },
	"kernels.ShortRange": func(n int, r *rand.Rand) []any {
		start := ragged(n/2, 4, r)
		return []any{random(last(start), r), random(last(start), r), start, 0.3, 4.0}
	},
	"kernels.Rippled":  func(n int, r *rand.Rand) []any { return []any{places(n, 9, r), 2} },
	"kernels.Nearest":  func(n int, r *rand.Rand) []any { return []any{random32(3*n, r), 3, random32(12, r)} },
	"kernels.ByParity": func(n int, r *rand.Rand) []any { return []any{below(4*n, 9, r), 4} },
	"kernels.Spaced": func(n int, r *rand.Rand) []any {
		start := ragged(n/2, 4, r)
		x := places(last(start), 9, r)
		return []any{x, places(n, len(x), r), start, n - 2}
	},
	"kernels.SumsAndOnes": func(n int, r *rand.Rand) []any {
		start := ragged(n/2, 4, r)
		return []any{random(last(start), r), start, n}
	},
	"kernels.Oriented": func(n int, r *rand.Rand) []any { return []any{random(4*n, r), 4, n%2 == 0, true} },
	"constructs.Take":  func(n int, r *rand.Rand) []any { return []any{random(9, r), places(n, 9, r)} },
	"kernels.Tridag": func(n int, r *rand.Rand) []any {
		b := random(n, r)
		for i := range b {
			b[i] = 20 + b[i]
		}
		return []any{random(n, r), b, random(n, r), random(n, r)}
	},
	"kernels.Bends":  func(n int, r *rand.Rand) []any { return []any{random32(5*n, r), 5} },
	"kernels.Mirror": func(n int, r *rand.Rand) []any { return []any{random(4*n, r), 4, 3} },
	"kernels.Settle": func(n int, r *rand.Rand) []any { return []any{random(4*n, r), 4, 3} },
	"kernels.Path":   func(n int, r *rand.Rand) []any { return []any{below(4*n, 9, r), 4} },
	"kernels.Spread": func(n int, r *rand.Rand) []any {
		offsets := ragged(n, 4, r)
		edges := make([]kernels.Edge, last(offsets))
		for i := range edges {
			edges[i] = kernels.Edge{To: int32(r.IntN(9)), Weight: float64(i)}
		}
		return []any{edges, offsets, random(9, r)}
	},
	"kernels.Visits": func(n int, r *rand.Rand) []any {
		return []any{points(9, r), below(n, 9, r)}
	},
	"kernels.Bonds": func(n int, r *rand.Rand) []any {
		offsets := ragged(n, 4, r)
		return []any{nodes(n, r), offsets, below(last(offsets), max(n, 1), r), 5.0}
	},
	"kernels.Faces": func(n int, r *rand.Rand) []any {
		corners := make([][3]int32, n)
		for i := range corners {
			corners[i] = [3]int32(below(3, 9, r))
		}
		return []any{points(9, r), corners}
	},
	"kernels.Follow": func(n int, r *rand.Rand) []any { return []any{nodes(9, r), places(n, 9, r)} },
	"kernels.Items":  func(n int, r *rand.Rand) []any { return []any{make([]kernels.Item, 9), below(n, 9, r)} },
	"kernels.Staged": func(n int, r *rand.Rand) []any {
		return []any{[]kernels.Stage{{Value: 1, Step: 2}, {Value: 3, Step: 4}}, places(n, 5, r)}
	},
	"kernels.Reordered": func(n int, r *rand.Rand) []any { return []any{points(9, r), below(n, 9, r)} },
	"kernels.Chosen": func(n int, r *rand.Rand) []any {
		rows := make([][]kernels.Point, n)
		for i := range rows {
			rows[i] = points(r.IntN(4), r)
		}
		return []any{rows, below(n, 5, r)}
	},
	"spmv.SpMV": func(n int, r *rand.Rand) []any {
		offsets := ragged(n, 7, r)
		return []any{random(last(offsets), r), below(last(offsets), 9, r), offsets, random(9, r)}
	},
	"kmeans.Step":                    func(n int, r *rand.Rand) []any { return []any{random(3*n, r), 3, random(12, r)} },
	"kmeans.Recenter":                clusters,
	"comd.LennardJones":              lennardJones,
	"comd.LennardJonesRedistributed": lennardJones,
	"comd.EAM":                       embedded,
	"comd.EAMRedistributed":          embedded,
}
