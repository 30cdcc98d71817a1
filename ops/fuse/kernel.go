package fuse

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Kernel is a function after fusion: computations, and the host program that runs them, with scalar code between them.
// See [Host].
type Kernel struct {
	Func         *ir.Func
	Computations []*Computation
	// InPlace are the sequences that lie in structs: see [Kernel.PutInPlace].
	InPlace map[*ir.Var]*Place
	// Regular are the parameters that have rows of one length: see [CompileRegular].
	Regular map[*ir.Var]*Regular
	// InOrder are the loops at the top level that no pass has made operators of.
	InOrder []InOrder

	found found
}

// Computation is one top-level data-parallel nest of a kernel. It has its own search space and its own model: the
// space of a kernel is the sum of its computations' spaces, not their product.
type Computation struct {
	Name     string   // kernel name, a dot and the 1-based number: SpMV.1
	Stmt     *ir.Stmt // the parallel operator in the kernel's host program
	Sequence Sequence
	Features []Feature
	// Follows says that the computation may share chunks with the one before it: see [TraitFollows].
	Follows bool
	// Probe counts elements of inner levels for features that say so; nil if none does.
	Probe *Probe

	inPlace map[*ir.Var]*Place // those of the kernel
	defs    analysis.Defs      // likewise
	lengths map[ir.Atom]bool   // likewise: see [Kernel.RowLengths]
	step    ir.Atom            // see [StepOf], nil for none
}

// Stage is the kernel's IR after one pass.
type Stage struct {
	Name, Doc string
	Func      *ir.Func
}

type pass struct {
	name, doc string
	run       func(f *ir.Func, names *ir.Namer)
}

// The pipeline. resolve and inline feed each other: a view of an inlined Map's row becomes visible only after the
// inlining, so they repeat until nothing changes.
var passes = []pass{
	{"shared", "arrays that only copy another one, and are only read, are that one", sharedCopies},
	{"clamp", "the lesser and the greater one of two ints are that, in place of conditions that choose them", clamp},
	{"breaks", "loops that a condition on their counter leaves for good end there", breaks},
	{"sink", "what both branches of a condition do alike is done before it, or behind it", sink},
	{"inductions", "what loops only count with is computed from the number of the turn", inductions},
	{"flatloops", "loops inside of others whose turns take their number apart become loops over rows and their elements", flatLoops},
	{"segments", "segments of an array that turns of a loop fill, one behind the other, are rows, of which the array is made", segments},
	{"distribute", "loops that assign elements and accumulate in the same turns become two", distribute},
	{"interchange", "loops over whole arrays whose turns have an element each, or a row, go out of the loop around them", interchange},
	{"collapse", "loops around a loop over the rows of an array, and it, become one loop over rows", collapse},
	{"fills", "loops at the top level that fill arrays, each turn its own elements, become Maps", fills},
	{"kept", "an element that all turns of a loop update, and no other one of its array, is a number that the loop carries", kept},
	{"planefills", "two loops in elements of Maps that fill an array of rows which the element has made become Maps", planeFills},
	{"rowfills", "loops in elements of Maps that fill a row which the element has made become Maps", rowFills},
	{"reductions", "loops at the top level that accumulate what no order changes become Reduces", reductions},
	{"refills", "so do, beside Reduces, loops that make the elements of such rows others", rowFills},
	{"ordered", "loops at the top level that accumulate in order leave the work that does not depend on it to a Map", ordered},
	{"choose", "a condition that chooses between sequences goes into their elements", choose},
	{"outline", "sequential code at the top level that updates arrays, or holds operators, becomes a Map of one element", outline},
	{"realise", "results and flattened sequences that are only views become Maps", realise},
	{"fuse", "reads of views and of cheap or once-read Maps become the code behind them (producers into consumers)", fuseProducers},
	{"sieve", "a Reduce of what a Filter kept goes through all elements, and leaves out the others", sieve},
	{"simplify", "constants, common subexpressions, repeated checks and dead code go", func(f *ir.Func, _ *ir.Namer) { simplify(f) }},
	{"copies", "results that only copy what a computation stored are that itself", func(f *ir.Func, _ *ir.Namer) { dropCopies(f) }},
	{"unroll", "loops of few turns become these, where they are inside of something", func(f *ir.Func, n *ir.Namer) { unroll(f, n); simplify(f) }},
	{"hoist", "what does not change moves out of its loop", func(f *ir.Func, n *ir.Namer) { hoist(f, n); simplify(f) }},
	{"capped", "rows of at most so many elements, how many a loop finds, are stored with room for as many, and then copied", cappedRows},
	{"blank", "arrays whose elements a loop sets, all of them, before anything reads one, need not be zero at first", blank},
	{"alternate", "loops in sequential code whose turns end with an exchange of two arrays make two turns at a time, without it", alternate},
	{"updates", "loops whose turns update elements that no other turn reads or updates become parallel", func(f *ir.Func, n *ir.Namer) {
		if updates(f, n) {
			hoist(f, n)
			simplify(f)
		}
	}},
	{"forward", "what a turn of a loop updates is handed on to the next one, which reads it", func(f *ir.Func, n *ir.Namer) { forward(f, n); simplify(f) }},
	{"late", "what waits for the turn before comes last where the order makes no difference", late},
	{"rowsums", "what loops in order sum up over the rows of a Map is computed before the operators over these rows", rowSums},
	{"merge", "sibling Maps, and sibling Reduces, over one length share a loop", func(f *ir.Func, _ *ir.Namer) { merge(f); simplify(f) }},
	{"thread", "a condition that another one is a part of goes into its branch", func(f *ir.Func, _ *ir.Namer) { thread(f); simplify(f) }},
	{"prove", "checks of indices go that the conditions and loops around them prove, and remainders", func(f *ir.Func, n *ir.Namer) { dropProved(f, n); simplify(f) }},
	{"raise", "what only such checks kept in its loop moves out of it", func(f *ir.Func, n *ir.Namer) { hoist(f, n); simplify(f) }},
	{"soon", "checks that a loop in sequential code makes of its counter are made once, before it", func(f *ir.Func, n *ir.Namer) { soon(f, n); simplify(f) }},
	{"shorten", "arithmetic of ints becomes such of int32s where their ranges say that it is the same", func(f *ir.Func, n *ir.Namer) { shorten(f, n); simplify(f) }},
	{"lengths", "lengths of arrays that levels go over are asked for before their computation", func(f *ir.Func, _ *ir.Namer) { outsideLengths(f.Body); simplify(f) }},
	{"strips", "loops in elements that update computed places leave the other work to a Map, a strip of turns at a time", strips},
	{"rows", "rows that are read in the host program are read where their elements are", outerRows},
	{"follow", "what reads the elements of a Map before it, and an input that it reads, moves right behind it", func(f *ir.Func, _ *ir.Namer) { follow(f) }},
}

// turnPasses are those for a host program of loops and conditions.
var turnPasses = replaced(passes, pass{"outline", "sequential code at the top level that updates arrays becomes a Map of one element; loops and conditions stay that hold operators", outlineUpdates})

// replaced returns passes with another one in place of that of its name.
func replaced(passes []pass, by pass) []pass {
	all := slices.Clone(passes)
	all[slices.IndexFunc(all, func(p pass) bool { return p.name == by.name })] = by
	return all
}

func fuseProducers(f *ir.Func, names *ir.Namer) {
	ready := func() {
		resolve(f, names)
		sameLengths(f.Body)
		simplify(f)
		liftRows(f)
	}
	ready()
	for round := 0; round < 100 && inline(f, names); round++ {
		ready()
	}
}

// Compile fuses f and splits it into computations; f itself is not changed. trace, if not nil, receives the IR as it
// came and after every pass.
// A loop at the top level that holds operators becomes one computation as a whole: [CompileTurns] is the other way.
func Compile(f *ir.Func, trace func(Stage)) (*Kernel, error) { return compileBy(f, passes, trace) }

// CompileTurns is Compile with a host program of loops and conditions that hold computations, where the kernel has such
// that can be: see [Kernel.IsTree].
func CompileTurns(f *ir.Func, trace func(Stage)) (*Kernel, error) {
	return compileBy(f, turnPasses, trace)
}

func compileBy(f *ir.Func, passes []pass, trace func(Stage)) (*Kernel, error) {
	f = f.Clone()
	show := func(name, doc string) {
		if trace != nil {
			trace(Stage{name, doc, f.Clone()})
		}
	}
	show("load", "as the source says it")
	names := ir.NewNamer(f)
	var loops []InOrder
	for _, p := range passes {
		p.run(f, names)
		show(p.name, p.doc)
		if p.name == "reductions" {
			loops = loopsInOrder(f)
		}
	}
	if err := supported(f); err != nil {
		return nil, err
	}
	k := Split(f)
	k.InOrder = stillInOrder(f, loops)
	k.markFollowing()
	return k, nil
}

// Split finds the computations of a fused function.
func Split(f *ir.Func) *Kernel {
	k, defs := &Kernel{Func: f}, analysis.Of(f.Body)
	for _, s := range steps(f) {
		if indexOf(s.Op) == nil {
			continue
		}
		c := &Computation{Name: fmt.Sprintf("%s.%d", f.Name, len(k.Computations)+1), Stmt: s, defs: defs}
		c.Sequence = sequence(s)
		c.Features = features(s)
		c.probed()
		if rows := rowsOnLanes(s); rows != nil {
			c.Features = append(c.Features, Feature{Name: "equal_rows", Unit: "of the rows", Length: lengthOf(s.Op), Offsets: rows})
		}
		if w := bins(s); w != nil {
			c.Features = append(c.Features, Feature{Name: "bins", Unit: "elements", Length: w})
		}
		if c.step = innerStep(f, s); c.step != nil {
			c.Features = append(c.Features, Feature{Name: "read_step", Unit: "elements", Length: c.step})
		}
		k.Computations = append(k.Computations, c)
	}
	return k
}
