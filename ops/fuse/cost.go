package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Cost is what a level of a computation costs, counted in its code: what a choice without training, which does not
// measure, goes by.
type Cost struct {
	// Operations of one element, without the levels inside it: an addition counts one, others as much as the constants
	// here say, and those in a loop as often as it turns.
	Operations float64
	// Runs is how many operators of the level one element of the level around it runs.
	Runs float64
	// Scalarised has an entry for each level, from the outermost one: how many of the operations lanes on that level would
	// have to do one by one. These are reads and writes of elements that are not consecutive for neighbours, and all of a
	// loop that does not turn as often for neighbours.
	Scalarised []float64
	// Stepped is how much of that is left out where the step between what neighbours read, which is known before the
	// computation, is 1: see [StepOf]. It has an entry for each level, or none.
	Stepped []float64
	// Masked has an entry for each level: how many operations lanes on that level carry out besides, once a vector, as
	// they take both sides of conditions.
	Masked []float64
	// Guessed is how many of the operations stand in loops whose turns are not known before the computation.
	Guessed float64
}

// What operations count, in additions.
const (
	quotientCost = 8       // a quotient, a remainder, a root
	functionCost = 32      // an exponential, a logarithm, a sine
	powerCost    = 96      // a function that has no vectors
	callCost     = 400     // a function that is called as it stands: nothing is known of it
	binCost      = 4       // putting an element where the computation says
	maskedCost   = 2       // reading one by one under a condition, for each read
	apartCost    = 1. / 32 // a vector of which others are taken apart, of what it costs to read these one by one
	oneByOne     = 8       // what lanes do one by one, of what it takes without them, for each of them
	scanCost     = 4       // an element's share of what comes before it
	sortCost     = 64      // bringing an element of a Sort into its place
	guessedTurns = 16      // a loop whose turns are not known
	loopCost     = 16      // beginning and leaving such a loop, where its turns are counted: nothing predicts its end
	branchCost   = 16      // a condition that was predicted wrongly
	quotientSize = 32      // bytes of a vector of integers whose quotients take as long as one quotient more
)

// Costs returns the cost of each level.
func (c *Computation) Costs() []Cost {
	all := c.costs(nil)
	if c.step == nil {
		return all
	}
	for i, side := range c.costs(c.step) {
		all[i].Stepped = make([]float64, len(all[i].Scalarised))
		for j := range all[i].Stepped {
			all[i].Stepped[j] = all[i].Scalarised[j] - side.Scalarised[j]
		}
	}
	return all
}

// costs are those of the levels where a step is 1, nil for none.
func (c *Computation) costs(step ir.Atom) []Cost {
	m := newMeter(len(c.Sequence))
	m.places, m.beside, m.kernel, m.lengths, m.step = c.inPlace, loopsBeside(c.Stmt), c.defs, c.lengths, step
	m.once, m.updated = ir.IsInt(lengthOf(c.Stmt.Op), 1), updatedArrays(c.Stmt)
	m.operator(c.Stmt.Op, 0, 1)
	for _, d := range c.Stmt.Dst {
		if p := m.places[d]; p != nil && m.levels[0].Runs > 0 {
			m.levels[0].Scalarised[0] += fieldCost(p)
		}
	}
	around := 1.0 // elements of the level around
	for i := range m.levels {
		if l := &m.levels[i]; l.Runs > 0 {
			l.Operations /= l.Runs
			l.Guessed /= l.Runs
			for j := range l.Scalarised {
				l.Scalarised[j] /= l.Runs
				l.Masked[j] /= l.Runs
			}
			l.Runs, around = l.Runs/around, l.Runs
		}
	}
	return m.levels
}

// meter adds up costs. While it does, those of a level are the sum over all operators there that an element around
// runs.
type meter struct {
	levels  []Cost
	index   []*ir.Var         // of each level
	moves   map[ir.Atom][]int // how each value moves with the index of each level; nil stands for not at all
	defs    map[ir.Atom]ir.Op
	kernel  analysis.Defs    // all of the kernel's
	lengths map[ir.Atom]bool // see [Kernel.RowLengths]
	step    ir.Atom          // what is multiplied by it stays that; nil for none
	places  map[*ir.Var]*Place
	guess   int                  // loops around the position whose turns are not known
	once    bool                 // the outermost level has one element
	masked  []int                // how many conditions around the position differ between the lanes of each level
	beside  map[*ir.Stmt]bool    // see [loopsBeside]
	reads   map[*ir.Stmt]packing // reads of packed rows: see [PackedReads]
	packed  map[*ir.Var]packing  // rows that are packed: see [PackedRow]
	rows    map[row]*float64     // what reads of rows count that lanes of a level make once, nil where they make several
	updated map[ir.Atom]bool     // arrays that turns read and update, so that no rows of theirs are packed
}

// packing says where rows are packed: where that level has lanes. Once says that each element is read once, so that
// packing it counts.
type packing struct {
	level int
	once  bool
}

// row is a sequence of which elements of a level read rows.
type row struct {
	x     ir.Atom
	level int
}

func newMeter(levels int) *meter {
	m := &meter{levels: make([]Cost, levels), index: make([]*ir.Var, levels), moves: map[ir.Atom][]int{}, defs: map[ir.Atom]ir.Op{}, masked: make([]int, levels), reads: map[*ir.Stmt]packing{}, packed: map[*ir.Var]packing{}, rows: map[row]*float64{}}
	for i := range m.levels {
		m.levels[i].Scalarised, m.levels[i].Masked = make([]float64, levels), make([]float64, levels)
	}
	return m
}

// move returns how a value moves with the index of a level.
func (m *meter) move(a ir.Atom, level int) int {
	if of := m.moves[a]; of != nil {
		return of[level]
	}
	return still
}

// set notes how a value moves: for each level as f says.
func (m *meter) set(a ir.Atom, f func(level int) int) {
	of := make([]int, len(m.levels))
	for l := range of {
		of[l] = f(l)
	}
	m.moves[a] = of
}

// operator adds an operator that an element of the level around runs so many times.
func (m *meter) operator(op ir.Op, depth int, times float64) {
	if depth >= len(m.levels) {
		return
	}
	if i := indexOf(op); i != nil {
		m.index[depth] = i
		m.set(i, func(l int) int {
			if l == depth {
				return next
			}
			return still
		})
		for _, b := range ir.Blocks(op) {
			reads, times := rowReads(b, i, m.kernel, m.lengths)
			for s := range reads {
				m.reads[s] = packing{depth, times[s.Op.(*ir.Index).X] == 1}
			}
			for _, s := range b.Stmts {
				if times := packedRow(b, i, s); times > 0 {
					m.packed[s.Dst[0]] = packing{depth, times == 1}
				}
			}
		}
	}
	level := &m.levels[depth]
	level.Runs += times
	before := level.Operations
	for _, b := range ir.Blocks(op) {
		level.Operations += m.block(b, depth, times)
	}
	switch op := op.(type) {
	case *ir.Map:
		level.Operations += times * float64(len(op.Body.Results))
	case *ir.Scan:
		level.Operations += times * scanCost * float64(len(op.Init))
	case *ir.Hist:
		level.Operations += times * binCost * float64(len(op.Init))
		level.Scalarised[depth] += times * waitingCost(op) / oneByOne
	case *ir.Scatter:
		level.Operations += times * binCost * float64(len(op.Body.Results)-1)
	case *ir.Sort:
		level.Operations += times * sortCost
	}
	if m.guess > 0 {
		level.Guessed += level.Operations - before
	}
}

// block returns what a block at the given depth costs that runs so many times, and adds the operators in it.
func (m *meter) block(b *ir.Block, depth int, times float64) float64 {
	total := 0.0
	for _, s := range b.Stmts {
		if indexOf(s.Op) != nil && !m.beside[s] {
			m.operator(s.Op, depth+1, times)
			for _, d := range s.Dst {
				m.follow(d, ir.Operands(s.Op)...)
			}
			continue
		}
		for _, d := range s.Dst {
			m.defs[d] = s.Op
		}
		switch op := s.Op.(type) {
		case *ir.Unary:
			total += times * unaryCost(op.Fn)
			m.follow(s.Dst[0], &op.X)
		case *ir.Binary:
			total += times * binaryCost(op)
			fn := op.Fn
			if fn == ir.Min || fn == ir.Max { // vectors leave out the border, where a clamped index stays at its bound
				fn = ir.Add
			}
			a, b := smallConst(op.X), smallConst(op.Y)
			m.quotient(s.Dst[0].T.Kind, op, depth, times)
			if m.step != nil && fn == ir.Mul && (op.X == m.step || op.Y == m.step) {
				fn = ir.Add // moves as the other factor, as what does not move is added
			}
			m.set(s.Dst[0], func(l int) int { return stepOf(fn, m.move(op.X, l), m.move(op.Y, l), a, b) })
		case *ir.Convert:
			total += times
			m.moves[s.Dst[0]] = m.moves[op.X]
		case *ir.Update:
			total += times
			m.touch(op.X, op.I, depth, times, nil)
			m.follow(s.Dst[0], &op.X, &op.I, &op.Value)
		case *ir.Grow:
			total += times
			m.follow(s.Dst[0], &op.X)
		case *ir.Index:
			if op.X.Type().Rank == 1 {
				total += times
				m.read(s, op, depth, times)
			}
			m.follow(s.Dst[0], &op.X, &op.I)
		case *ir.If:
			total += m.condition(op, depth, times)
			for i, d := range s.Dst {
				m.either(d, op.Cond, op.Then.Results[i], op.Else.Results[i])
			}
		case *ir.Call:
			total += times * callCost
			for _, d := range s.Dst {
				m.follow(d, ir.Operands(op)...)
			}
		case *ir.Loop:
			total += m.loop(s, op, depth, times)
		case *ir.FMA:
			total += times
			m.follow(s.Dst[0], &op.X, &op.Y, &op.Z)
		case *ir.Select:
			total += times
			m.either(s.Dst[0], op.Cond, op.X, op.Y)
		case *ir.Len:
			m.follow(s.Dst[0], &op.X)
			if x, ok := op.X.(*ir.Var); ok {
				if p, ok := m.packed[x]; ok { // these are of one length, or it is row by row
					m.moves[s.Dst[0]][p.level] = still
				}
			}
		default: // views, checks
			for _, d := range s.Dst {
				m.follow(d, ir.Operands(op)...)
			}
		}
	}
	return total
}

// loop is [meter.block] for a loop.
func (m *meter) loop(s *ir.Stmt, op *ir.Loop, depth int, times float64) float64 {
	turns, known := m.turns(op)
	if !known {
		m.guess++
	}
	if op.I != nil {
		m.set(op.I, func(l int) int {
			if m.triangle(op, l) {
				return still
			}
			return m.move(op.Lo, l)
		})
	}
	for i, p := range op.Params {
		m.moves[p] = m.moves[op.Init[i]]
	}
	m.block(op.Body, depth, 0) // how values move that a turn hands to the next
	for i, p := range op.Params {
		m.join(p, op.Init[i], op.Body.Results[i])
	}
	total := m.block(op.Body, depth, times*turns)
	lo, hi := op.Lo, op.Hi
	if op.Cond != nil {
		total += m.block(op.Cond, depth, times*turns)
		lo, hi = op.Cond.Results[0], op.Cond.Results[0]
	}
	if !known {
		if m.guess--; m.guess == 0 {
			m.levels[depth].Guessed += total
		}
	}
	for l := range m.levels {
		if x, y := m.move(lo, l), m.move(hi, l); (x == unknown || x == back || x != y) && !m.triangle(op, l) {
			m.levels[depth].Scalarised[l] += total
		}
	}
	for i, d := range s.Dst {
		m.join(d, op.Init[i], op.Body.Results[i])
	}
	return total
}

// join notes that a value is one of two.
func (m *meter) join(d, x, y ir.Atom) {
	m.set(d, func(l int) int {
		if m.move(x, l) == m.move(y, l) {
			return m.move(x, l)
		}
		return unknown
	})
}

// either notes that a value is one of two, as cond says. Where that is the same for all elements of a level, it moves
// as both do; where it says which element is the first or the last one, vectors leave that out.
func (m *meter) either(d, cond, x, y ir.Atom) {
	m.set(d, func(l int) int {
		a, b := m.move(x, l), m.move(y, l)
		switch fn := m.end(cond, l); {
		case fn == ir.Eq:
			return b
		case fn == ir.Ne:
			return a
		case m.move(cond, l) == still && a == b:
			return a
		}
		return unknown
	})
}

// end returns Eq or Ne for a condition that compares the index of a level with what is the same for all of its
// elements.
func (m *meter) end(cond ir.Atom, level int) ir.BinaryFn {
	op, ok := m.defs[cond].(*ir.Binary)
	if !ok || op.Fn != ir.Eq && op.Fn != ir.Ne {
		return ""
	}
	x, y := m.move(op.X, level), m.move(op.Y, level)
	if x == next && y == still || x == still && y == next {
		return op.Fn
	}
	return ""
}

// follow notes that a value depends on others: where one of them changes with the index of a level, nothing is known
// of how the value does.
func (m *meter) follow(d ir.Atom, on ...*ir.Atom) {
	m.set(d, func(l int) int {
		for _, a := range on {
			if m.move(*a, l) != still {
				return unknown
			}
		}
		return still
	})
}

// inPlace returns where the elements of a sequence, or of the one that it is a row of, lie, if they are numbers of
// structs.
func (m *meter) inPlace(a ir.Atom) *Place {
	for {
		v, ok := a.(*ir.Var)
		if !ok {
			return nil
		}
		if p := m.places[v]; p != nil {
			return p
		}
		row, ok := m.defs[v].(*ir.Index)
		if !ok {
			return nil
		}
		a = row.X
	}
}

// mask enters a condition, or leaves it.
func (m *meter) mask(cond ir.Atom, by int) {
	for l := range m.masked {
		if m.move(cond, l) != still {
			m.masked[l] += by
		}
	}
}
