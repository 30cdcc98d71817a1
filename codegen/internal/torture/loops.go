package torture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// loopgen writes a kernel of plain loops, as a Go programmer writes them: what operators they become is the compiler's
// affair. Statements are text; expressions are trees, so that a failing kernel can be shrunk.
type loopgen struct {
	*rand.Rand
	k      *Kernel
	number int
	fails  bool // some indices may lie outside
}

// lane is the variable of a loop: at least lo, and below bound - hi. Bound is a text.
type lane struct {
	name, bound string
	lo, hi      int
}

// array is a slice, or an array, of arrays, whose lengths are texts: "n", "4". A ragged one has rows of any length.
// Flat is how many rows and columns lie in it one behind the other.
type array struct {
	name   string
	k      Kind
	dims   []string
	flat   []string
	ragged bool
	mine   bool // may be assigned to
	moves  bool // its length changes
}

// number is a variable with a number, which may be assigned to if it is mine.
type number struct {
	name string
	k    Kind
	mine bool
}

// world is what a statement may use.
type world struct {
	arrays   []*array
	numbers  []*number
	lanes    []*lane
	positive map[string]bool // lengths that are not 0
	depth    int             // loops around
}

func (w *world) inner() *world {
	c := *w
	c.arrays, c.numbers, c.lanes = slices.Clone(w.arrays), slices.Clone(w.numbers), slices.Clone(w.lanes)
	c.positive = map[string]bool{}
	for p := range w.positive {
		c.positive[p] = true
	}
	return &c
}

// turn is the world inside a loop.
func (w *world) turn(l ...*lane) *world {
	c := w.inner()
	c.depth++
	for _, l := range l {
		c.lanes = append(c.lanes, l)
		c.positive[l.bound] = true
	}
	return c
}

// GenerateLoops returns the kernel of loops with that seed.
func GenerateLoops(name string, seed uint64) *Kernel {
	for sub := uint64(0); ; sub++ {
		g := &loopgen{Rand: rand.New(rand.NewPCG(seed, 1<<32+sub)), k: &Kernel{Name: name, Seed: seed, Text: true, NaN: true, Exact: true, Carries: true}}
		if g.kernel() {
			return g.k
		}
	}
}

func (g *loopgen) chance(p float64) bool { return g.Float64() < p }

func (g *loopgen) name(base string) string {
	g.number++
	return fmt.Sprintf("%s%d", base, g.number)
}

func pickOf[T any](g *loopgen, xs ...T) T { return xs[g.IntN(len(xs))] }

// kind is an element type, narrow ones among them.
func (g *loopgen) kind() Kind {
	return pickOf(g, F64, F64, F64, F32, Int, Int, I32, I32, I64, U8, U8, I8, I16, U16, U32, U64)
}

func (g *loopgen) intKind() Kind {
	return pickOf(g, Int, Int, I32, I64, U8, I8, I16, U16, U32, U64)
}

// likely is the type of something that there is.
func (g *loopgen) likely(w *world) Kind {
	if len(w.arrays) > 0 && g.chance(0.75) {
		return w.arrays[g.IntN(len(w.arrays))].k
	}
	return g.kind()
}

// do is a statement of text with blocks. A variable over which a loop ranges counts as used in it.
func do(text string, blocks ...[]*Stmt) *Stmt {
	head := text[strings.LastIndexByte(text, '\n')+1:] // behind a label
	if name, _, ok := strings.Cut(strings.TrimPrefix(head, "for "), " := range "); ok && len(blocks) == 1 && strings.HasPrefix(head, "for ") && !strings.Contains(name, ",") {
		blocks[0] = append([]*Stmt{{Op: "_ = " + name}}, blocks[0]...)
	}
	return &Stmt{Op: text, Blocks: blocks}
}

// with is a statement with expressions.
func with(text string, xs ...*Expr) *Stmt { return &Stmt{Op: text, X: xs} }

func (g *loopgen) param(w *world, t Type, role, size string) string {
	p := &Param{Var: Var{Name: g.name("x"), T: t}, Role: role, Size: size}
	g.k.Params = append(g.k.Params, p)
	return p.Name
}

func (g *loopgen) kernel() bool {
	g.fails = g.chance(0.12)
	g.k.Fails = g.fails
	w := &world{positive: map[string]bool{}}
	role := func() string {
		if g.chance(0.35) {
			return "special"
		}
		return "data"
	}
	for range 1 + g.IntN(3) {
		k := g.kind()
		w.arrays = append(w.arrays, &array{name: g.param(w, seqOf(k), role(), "n"), k: k, dims: []string{"n"}})
	}
	out := []*Stmt{do("n := len(" + w.arrays[0].name + ")")}
	// A column more than zero, and as many rows as there are.
	wide := g.param(w, scalarOf(Int), "tile", "")
	out = append(out, do(fmt.Sprintf("wide := max(1, min(%s, %d))\nhigh := n / wide\n_, _ = wide, high", wide, pickOf(g, 3, 5, 9, 17))))
	w.positive["wide"] = true
	for _, a := range w.arrays {
		if g.chance(0.6) {
			a.flat = []string{"high", "wide"}
		}
	}
	if g.chance(0.3) {
		k := g.kind()
		w.arrays = append(w.arrays, &array{name: g.param(w, seqOf(k), role(), "m"), k: k, dims: []string{"m"}})
		out = append(out, do("m := len("+w.arrays[len(w.arrays)-1].name+")\n_ = m"))
	}
	if g.chance(0.3) {
		k := g.kind()
		name := g.param(w, Type{A: k, Rank: 2}, "rows", "q")
		w.arrays = append(w.arrays, &array{name: name, k: k, dims: []string{"len(" + name + ")", ""}, ragged: true})
	}
	for range g.IntN(3) {
		k := g.kind()
		w.numbers = append(w.numbers, &number{name: g.param(w, scalarOf(k), "scalar", ""), k: k})
	}
	fixed := len(w.numbers)
	for range 1 + g.IntN(3) {
		out = append(out, g.top(w)...)
	}
	g.k.Body = out
	// Results: what is newest.
	for _, a := range slices.Backward(w.arrays) {
		if len(g.k.Results) < 3 && a.mine && len(a.dims) <= 3 {
			g.k.Results = append(g.k.Results, &Expr{T: Type{A: a.k, Rank: len(a.dims)}, Op: a.name})
		}
	}
	for _, v := range slices.Backward(w.numbers[fixed:]) {
		if len(g.k.Results) < 4 {
			g.k.Results = append(g.k.Results, &Expr{T: scalarOf(v.k), Op: v.name})
		}
	}
	if len(g.k.Results) == 0 {
		return false
	}
	if g.chance(0.1) { // an early return
		var zero []string
		for _, r := range g.k.Results {
			switch {
			case r.T.Rank > 0:
				zero = append(zero, "nil")
			default:
				zero = append(zero, "3")
			}
		}
		early := do("if n " + pickOf(g, "== 0", "< 2", "> 200", "% 7 == 3") + " {}")
		early.Blocks = [][]*Stmt{{do("return " + strings.Join(zero, ", "))}}
		g.k.Body = slices.Insert(g.k.Body, 1, early)
	}
	return g.k.size() < 260
}

// top is one thing that a kernel does.
func (g *loopgen) top(w *world) []*Stmt {
	forms := []func(*world) []*Stmt{
		g.fill, g.fill, g.fillsAndSums, g.fillsAndSums, g.grid, g.grid, g.columns, g.volume, g.flatFill, g.flatFill, g.flatVolume,
		g.colours, g.sweep, g.eliminate, g.wavefront, g.triangle, g.exchange, g.steps, g.steps, g.converges, g.carriesGrid, g.carriesFlat,
		g.edits, g.stack, g.appendsOnce, g.states, g.overlaps, g.smallArrays, g.lookahead, g.structs, g.structRows, g.labelled, g.search,
		g.scatter, g.guardedPlace, g.sums, g.countDown, g.nestedSums, g.hasReturn, g.swapsRows,
	}
	return forms[g.IntN(len(forms))](w)
}
