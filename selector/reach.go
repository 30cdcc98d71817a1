package selector

import (
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/selector/param"
)

// The inputs that [Reach] asks [Untrained] about.
var (
	// reachedCores are the numbers of cores; to allow as many threads on more cores makes no other choice.
	reachedCores = []float64{1, 2, 4, 8, 64}
	// reachedLengths go from an empty input to the largest that is usual, reachedRows are the lengths of rows and of
	// inner rows, and what an element does in loops. Both have those just below where a rule begins: of a chained scan,
	// and of several vectors at a time.
	reachedLengths = append([]float64{0, chainedLength - 1}, doublings(1, 1e8)...)
	reachedRows    = append([]float64{0, vectorsPerRow*4 - 1, vectorsPerRow*8 - 1, vectorsPerRow*16 - 1, vectorsPerRow*32 - 1, vectorsPerRow*64 - 1}, doublings(1, 1e7)...)
	// reachedSkew is how many times as long as an average row the row is in which an average element lies.
	reachedSkew = []float64{1, 1, 1, 8, 1000}
	// reachedBins are fewer than there are elements, and more.
	reachedBins = []float64{0, 1e9}
)

const (
	// reachedElements is the most elements that an input of the grid has: more do not fit into a machine's memory.
	reachedElements = 1e10
	// reachedInputs is how many inputs are asked about at most: of a grid with more of them as many are taken, always the
	// same.
	reachedInputs = 5000
)

// doublings returns the powers of two from low to high, and what lies halfway between those that are not long: most
// rules are about short rows.
func doublings(low, high float64) []float64 {
	var xs []float64
	for x := low; x <= high; x *= 2 {
		xs = append(xs, x)
		if x > 1 && x < chainedLength {
			xs = append(xs, x*1.5)
		}
	}
	return xs
}

// Reach counts for each code how many inputs there are for which [Untrained] chooses it first, among those of a grid
// over all that it looks at: lengths from 0 to 1e8, shapes, and cores from 1 to 64. in has the codes of a computation
// on a platform that a machine can run, its costs and traits, and its features by name: their values do not matter.
// A code that Untrained names last, which uses the fewest resources, is counted once at least, unless one that takes
// another number of elements at a time is counted already.
func Reach(in Input) []int {
	counts := make([]int, len(in.Codes))
	if len(in.Codes) == 0 {
		return counts
	}
	index := map[*Code]int{}
	for i := range in.Codes {
		index[&in.Codes[i]] = i
	}
	names := in.Features
	plainest := make([]bool, len(in.Codes))
	ask := func(features []Feature, cores float64) {
		in.Features, in.Cores = features, int(cores)
		r := rank(&in)
		counts[index[r.first()]]++
		plainest[index[r.plainest]] = true
	}
	for _, in.Accelerator = range []string{"", in.Codes[0].Platform} {
		for _, cores := range reachedCores {
			ask(nil, cores) // as where a person asks without an input
		}
		grid(names, ask)
		if !launches(in.inForm(in.Codes[0].Form, in.Codes[0].Platform).Codes, &param.BlockSizeX.Key, 0) {
			break // it is this machine's processors
		}
	}
	for i := range counts {
		instead := false
		for j := range counts {
			instead = instead || counts[j] > 0 && in.Codes[i].Unrolls(&in.Codes[j])
		}
		if plainest[i] && !instead {
			counts[i] = 1
		}
	}
	return counts
}

// grid calls f with features of those names and a number of cores, for inputs of all sizes and shapes.
func grid(names []Feature, f func(features []Feature, cores float64)) {
	axes := make([][]float64, len(names)+1)
	axes[len(names)] = reachedCores
	for i, n := range names {
		switch n.Name {
		case Length:
			axes[i] = reachedLengths
		case AspectRatio, AverageRowLength, InnerRowLength, LoopOperations:
			axes[i] = reachedRows
		case ElementRowLength:
			axes[i] = reachedSkew
		case Bins:
			axes[i] = reachedBins
		case EqualRows:
			axes[i] = []float64{0, 1}
		case ReadStep:
			axes[i] = []float64{1, 2}
		default:
			axes[i] = []float64{1} // no rule looks at it
		}
	}
	total, first := 1, 1 // first is how many there are of the first features, usually a length and a row, that all come
	for _, axis := range axes {
		if total *= len(axis); total <= reachedInputs {
			first = total
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, len(axes))
	for n := range min(total, reachedInputs) {
		at := n%first + first*random.IntN(total/first)
		for i, axis := range axes {
			values[i], at = axis[at%len(axis)], at/len(axis)
		}
		features := make([]Feature, len(names))
		for i, n := range names {
			features[i] = Feature{Name: n.Name, Unit: n.Unit, Value: values[i]}
		}
		if usual(features) {
			f(features, values[len(names)])
		}
	}
}

// usual turns lengths of rows into ratios where that is what a feature is, and reports whether there may be an input
// like that.
func usual(features []Feature) bool {
	elements := 1.0
	for i := range features {
		switch f := &features[i]; f.Name {
		case Length, AverageRowLength, InnerRowLength:
			elements *= max(f.Value, 1)
		case ElementRowLength:
			if at := slices.IndexFunc(features, func(f Feature) bool { return f.Name == AverageRowLength }); at >= 0 {
				f.Value *= features[at].Value
			}
		case AspectRatio:
			row := f.Value
			elements *= max(row, 1)
			f.Value = 0
			if row > 0 {
				f.Value = features[0].Value / row
			}
		}
	}
	return elements <= reachedElements
}
