package selector

import (
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// LevelCost is what a level of a computation costs, as its code says. Costs are counted in additions.
type LevelCost struct {
	// Operations of one element, without the levels inside it.
	Operations float64
	// Runs is how many operators of the level one element of the level around it runs.
	Runs float64
	// Scalarised has an entry for each level, from the outermost one: how many of the operations lanes on that level would
	// have to do one by one, such as reads of elements that are not consecutive for neighbours.
	Scalarised []float64
	// Stepped has an entry for each level, or none: how many of these are left out where [ReadStep] is 1.
	Stepped []float64
	// Masked has an entry for each level, or none: how many operations lanes on that level carry out besides, once a
	// vector, as they take both sides of conditions.
	Masked []float64
	// Guessed is how many of the operations stand in loops whose turns nobody knows before the computation.
	Guessed float64
}

// What an estimate counts besides the operations of elements.
const (
	// unknownCost is the operations of an element whose code nobody has counted.
	unknownCost = 2
	// scalarisedCost is what an operation costs that the lanes of a level do one by one, a lane.
	scalarisedCost = 8
	// halvesCost is what an operation costs of vectors of which some are computed as two. (Measured: 1.2 times as much
	// where few of them are of the widest numbers, 1.8 times where nearly all are.)
	halvesCost = 1.6
	// combineCost is what combining the lanes of a row costs at its end.
	combineCost = 48
	// rowCost is what beginning a row costs.
	rowCost = 6
	// tileShare is how many times as fast rows are that register tiles compute together. (Measured with matrix
	// products: 3 to 5 times.)
	tileShare = 3
	// guessedRow is the length of a row that no feature tells.
	guessedRow = 16
	// widest is more elements than a vector has.
	widest = 64
	// regionCost is what a parallel region costs, each time that it begins: waking threads and waiting for the last one.
	regionCost = workPerThread / 4
	// endless stands for a length that nobody tells: whoever asks without an input is shown what a large one gets.
	endless = 1e15
)

// maxLevels is how many levels an estimate distinguishes.
const maxLevels = 8

// nest is a computation on an input, as far as estimates go.
type nest struct {
	depth   int
	outer   int                // the level of which a row is estimated
	sure    bool               // what is guessed does not count
	strided int                // as [Input] has it
	side    bool               // what neighbours read lies side by side: [ReadStep] is 1
	rows    [maxLevels]float64 // the length of a row of each level
	costs   []LevelCost        // as [Input] has them
	pool    int                // the level whose elements the threads share, 0 for none
	threads int                // of that level
	uneven  mixture            // the rows of the second level
	equal   float64            // EqualRows, 1 where all rows are as long
	counted float64            // LoopOperations in place of what is guessed, 0 for none
	loops   int                // the level of which that is counted: the first one that has such loops
	lanes   [maxLevels]lanes   // what codes there are
	// independent says of a level that a code divides it into elements that do not wait for each other.
	independent [maxLevels]bool
}

// Estimate returns what the computation costs on one thread, in operations, by the best of the codes that there are,
// and how much of that is guessed.
func (in *Input) Estimate() (operations, guessed float64) {
	form, _ := in.leastForm()
	of := in.inForm(form, "")
	return of.estimate()
}

// estimate is Estimate for codes of one form.
func (in *Input) estimate() (operations, guessed float64) {
	depth := min(max(len(in.Costs), 1), maxLevels)
	rows := in.rows(depth)
	n := survey(in, depth, rows[:]...)
	lane, width, least := n.best()
	n.sure = true
	if sure := n.row(1, lane, width); sure < least {
		guessed = least - sure
	}
	if hasTiles(in, n.depth-2) {
		return least / tileShare, guessed / tileShare
	}
	return least, guessed
}

// rows returns how long the rows of each level of a nest of that depth are, as far as features tell.
func (in *Input) rows(depth int) [maxLevels]float64 {
	rows := [maxLevels]float64{endless, assumedRow, guessedRow, guessedRow, guessedRow, guessedRow, guessedRow, guessedRow}
	if length, ok := in.Feature(Length); ok {
		rows[0] = length
	}
	if ratio, ok := in.Feature(AspectRatio); ok && ratio > 0 {
		rows[1] = rows[0] / ratio
	}
	if average, ok := in.Feature(AverageRowLength); ok && average > 0 {
		rows[1] = average
	}
	if inner, ok := in.Feature(InnerRowLength); ok && inner > 0 {
		rows[max(depth, 3)-1] = inner
	}
	return rows
}

// lanes are the vectors that codes have at a level.
type lanes struct {
	widths   int  // the sum of all widths, which are powers of two
	halves   int  // of those of vectors of which some are computed as two, see [Code]
	combined bool // the lanes of a row are combined at its end
}

// survey finds out what codes there are for a computation whose rows have the given lengths.
func survey(in *Input, depth int, rows ...float64) nest {
	n := nest{depth: min(depth, maxLevels), outer: 1, strided: in.Strided, costs: in.Costs, equal: 1}
	for i, r := range rows {
		n.rows[i] = min(r, endless)
	}
	if depth > 1 {
		n.uneven = in.uneven(n.rows[1])
	}
	if counted, ok := in.Feature(LoopOperations); ok && counted > 0 && len(in.Costs) > 0 {
		n.counted = counted
		n.loops = 1 + max(slices.IndexFunc(in.Costs, func(c LevelCost) bool { return c.Guessed > 0 }), 0)
	}
	if equal, ok := in.Feature(EqualRows); ok {
		n.equal = equal
	}
	if step, ok := in.Feature(ReadStep); ok {
		n.side = step == 1
	}
	for i := range in.Codes {
		code := &in.Codes[i]
		schedule := code.Schedule
		for l := 0; l < n.depth && schedule != ""; l++ {
			var level string
			level, schedule, _ = strings.Cut(schedule, ">")
			n.independent[l] = n.independent[l] || level == "independent"
		}
		for j := range code.Policy {
			width, l := param.Lanes(code.Policy[j])
			if param.Simdlen.Is(code.Policy[j]) && l < n.depth {
				continue // a compiler makes few of them around other loops
			}
			if width > 0 && l <= n.depth {
				of := &n.lanes[l-1]
				of.widths |= width
				if code.Halves {
					of.halves |= width
				}
				of.combined = leastVectors(code.Schedule, l) > 1
			}
		}
	}
	return n
}

// best returns the level whose lanes make the computation fastest, by estimate, their width (of equals the least),
// and the estimate; 0 and 1 if none does.
func (n *nest) best() (lane, width int, least float64) {
	width, least = 1, n.row(n.outer, 0, 1)
	for l := n.outer; l <= n.depth; l++ {
		for w := 2; w <= widest; w *= 2 {
			if n.lanes[l-1].widths&w == 0 {
				continue
			}
			if t := n.row(n.outer, l, w); t < least {
				lane, width, least = l, w, t
			}
		}
	}
	return lane, width, least
}

// leastFilled is how many elements a row has at least that vectors of a width compute: the last ones fill a part of a
// vector where that has enough lanes.
func leastFilled(width int) float64 {
	if width >= 8 {
		return 4
	}
	return float64(width)
}

// operations returns what an element of a level costs without the levels inside it.
func (n *nest) operations(level int) float64 {
	if level > len(n.costs) {
		return unknownCost
	}
	of := &n.costs[level-1]
	switch {
	case level == n.loops:
		return of.Operations - of.Guessed + n.counted
	case n.sure:
		return of.Operations - of.Guessed
	}
	return of.Operations
}

// scalarised returns how many of these operations the lanes of a level do one by one.
func (n *nest) scalarised(level, lane int) float64 {
	if level <= len(n.costs) {
		scalarised := n.costs[level-1].Scalarised[lane-1]
		if n.side && n.costs[level-1].Stepped != nil {
			scalarised -= n.costs[level-1].Stepped[lane-1]
		}
		if level == n.loops { // most of it is in these loops
			scalarised *= n.operations(level) / n.costs[level-1].Operations
		}
		return scalarised
	}
	// Nobody has counted: rows lie one behind the other, or as the traits say.
	if beside := level == n.depth && n.strided == level; level > 1 && (lane == level) == beside {
		return 1
	}
	return 0
}

// masked returns how many operations lanes of a level carry out besides, once a vector.
func (n *nest) masked(level, lane int) float64 {
	if level > len(n.costs) || n.costs[level-1].Masked == nil {
		return 0
	}
	return n.costs[level-1].Masked[lane-1]
}

// element estimates an element of a level, or a vector of them if this level, or one around it, has lanes of that
// width: the level lane, 0 for none.
func (n *nest) element(level, lane, width int) float64 {
	total := n.operations(level)
	if 0 < lane && lane <= level {
		if n.lanes[lane-1].halves&width != 0 {
			total *= halvesCost
		}
		total += n.scalarised(level, lane)*scalarisedCost*float64(width) + n.masked(level, lane)
	}
	if level < n.depth {
		runs := 1.0
		if level < len(n.costs) {
			runs = n.costs[level].Runs
		}
		total += runs * n.row(level+1, lane, width)
	}
	return total
}

// row estimates a row of a level, an average one where they differ.
func (n *nest) row(level, lane, width int) float64 {
	if u := n.uneven; level == 2 && u.part > 0 {
		return (1-u.part)*n.rowOf(u.short, level, lane, width) + u.part*n.rowOf(u.long, level, lane, width)
	}
	return n.rowOf(n.rows[level-1], level, lane, width)
}

// rowOf estimates a row of so many elements of a level. Where lanes of the outermost level take rows of one length, a
// vector of them has to find as many one after the other.
func (n *nest) rowOf(elements float64, level, lane, width int) float64 {
	extra := float64(rowCost)
	if level == lane && n.lanes[level-1].combined && elements < leastFilled(width) {
		lane = 0 // so short rows go round the vectors
	}
	if level == 1 && lane == 1 && n.equal < 1 {
		filled, all := math.Pow(n.equal, float64(width-1)), *n
		all.equal = 1
		return filled*all.rowOf(elements, 1, 1, width) + (1-filled)*all.rowOf(elements, 1, 0, 1)
	}
	if level == lane {
		elements = math.Ceil(elements / float64(width))
		if n.lanes[level-1].combined {
			extra += combineCost
		}
	}
	if level == n.pool && n.threads > 1 {
		elements = math.Ceil(elements / float64(n.threads))
		extra += regionCost
	}
	return extra + elements*n.element(level, lane, width)
}

// onThreads estimates the computation where so many threads share the elements of level pool, 0 for one thread,
// without lanes.
func (n nest) onThreads(pool, threads int) float64 {
	n.pool, n.threads = pool, threads
	return n.row(1, 0, 1)
}
