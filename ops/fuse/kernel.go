package fuse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Kernel is a function after fusion: computations, and the host program that runs them, with scalar code between them.
// See [Host].
type Kernel struct {
	Func         *ir.Func
	Computations []*Computation
	// InPlace are the sequences that lie in structs: see [Kernel.PutInPlace].
	InPlace map[*ir.Var]*Place
	// InOrder are the loops at the top level that no pass has made operators of.
	InOrder []InOrder
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
}

// Feature is an input feature of a computation that is inferred from its structure and costs constant time (Surge
// section 3.4).
type Feature struct {
	Name string // one of selector.Inferred
	Unit string
	// Length is the number of outermost elements, for bins that of the results. Row is, for aspect_ratio, the length
	// of a row, an int known before the computation starts; Offsets is, for average_row_length, load_imbalance and
	// element_row_length, the sequence of row offsets, or a stored nested sequence whose rows are meant.
	Length  ir.Atom
	Row     ir.Atom
	Offsets *ir.Var
	// Total is, for an aspect_ratio of tiles, how many elements all of them have together: the last one is shorter than
	// Row, and the only one may be far shorter.
	Total ir.Atom
	// Inner is, for inner_row_length, the length of an innermost row that is known before the computation starts.
	// Probed is the level, counted from 1, whose average row length the computation's [Probe] tells, or for
	// loop_operations the one after the last; 0 for other features.
	Inner  ir.Atom
	Probed int
}

// Stage is the kernel's IR after one pass.
type Stage struct {
	Name, Doc string
	Func      *ir.Func
}

// Unsupported is the error for a kernel that is valid Go and data-parallel but that this version cannot compile.
type Unsupported struct {
	Pos            ir.Pos
	Code           string
	What, Why, Fix string
}

// Error returns the message in the style of the front end's diagnostics.
func (u *Unsupported) Error() string {
	return fmt.Sprintf("%s: %s [%s]\n\twhy: %s\n\tfix: %s", u.Pos, u.What, u.Code, u.Why, u.Fix)
}

type pass struct {
	name, doc string
	run       func(f *ir.Func, names *ir.Namer)
}

// The pipeline. resolve and inline feed each other: a view of an inlined Map's row becomes visible only after the
// inlining, so they repeat until nothing changes.
var passes = []pass{
	{"inductions", "what loops at the top level only count with is computed from the number of the turn", inductions},
	{"distribute", "loops that assign elements and accumulate in the same turns become two", distribute},
	{"interchange", "loops over whole arrays whose turns have an element each go out of the loop around them", interchange},
	{"collapse", "loops around a loop over the rows of an array, and it, become one loop over rows", collapse},
	{"fills", "loops at the top level that fill arrays, each turn its own elements, become Maps", fills},
	{"rowfills", "loops in elements of Maps that fill a row which the element has made become Maps", rowFills},
	{"reductions", "loops at the top level that accumulate what no order changes become Reduces", reductions},
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
	{"alternate", "loops in sequential code whose turns end with an exchange of two arrays make two turns at a time, without it", alternate},
	{"updates", "loops whose turns update elements that no other turn reads or updates become parallel", func(f *ir.Func, n *ir.Namer) {
		if updates(f, n) {
			hoist(f, n)
			simplify(f)
		}
	}},
	{"forward", "what a turn of a loop updates is handed on to the next one, which reads it", func(f *ir.Func, n *ir.Namer) { forward(f, n); simplify(f) }},
	{"merge", "sibling Maps, and sibling Reduces, over one length share a loop", func(f *ir.Func, _ *ir.Namer) { merge(f); simplify(f) }},
	{"prove", "checks of indices go that the conditions and loops around them prove, and remainders", func(f *ir.Func, n *ir.Namer) { dropProved(f, n); simplify(f) }},
	{"rows", "rows that are read at the top level are read where their elements are", outerRows},
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
	resolve(f, names)
	simplify(f)
	for round := 0; round < 100 && inline(f, names); round++ {
		resolve(f, names)
		simplify(f)
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
	k := &Kernel{Func: f}
	for _, s := range steps(f) {
		if indexOf(s.Op) == nil {
			continue
		}
		c := &Computation{Name: fmt.Sprintf("%s.%d", f.Name, len(k.Computations)+1), Stmt: s}
		c.Sequence = sequence(s)
		c.Features = features(s)
		c.probed()
		if w := bins(s); w != nil {
			c.Features = append(c.Features, Feature{Name: "bins", Unit: "elements", Length: w})
		}
		k.Computations = append(k.Computations, c)
	}
	return k
}

// supported refuses what later stages cannot compile yet.
func supported(f *ir.Func) error {
	if err := turnsSupported(f); err != nil {
		return err
	}
	if err := unresolved(f); err != nil {
		return err
	}
	var err error
	even := evenRows(f.Body)
	stored := map[*ir.Var]bool{} // where a Map around it stores it
	var visit func(b *ir.Block, depth int)
	visit = func(b *ir.Block, depth int) {
		for _, s := range b.Stmts {
			for _, d := range s.Dst {
				_, view := s.Op.(*ir.View)
				_, row := s.Op.(*ir.Index)
				if depth > 0 && d.T.Rank > 1 && !stored[d] && !even[d] && !view && !row && err == nil {
					err = &Unsupported{s.Pos, "rank", fmt.Sprintf("a sequence of type %s that is computed as a whole inside an operator is not stored yet", d.T),
						"what is stored in each element of an operator are flat sequences, and rows of one length", "compute rows, or a flat sequence that ops.Split or ops.Nest cuts where it is read"}
				}
			}
			inner := depth
			if indexOf(s.Op) != nil {
				inner++
			}
			if m, ok := s.Op.(*ir.Map); ok {
				for i, r := range m.Body.Results {
					if v, ok := r.(*ir.Var); ok && (depth == 0 || stored[s.Dst[i]] || even[s.Dst[i]]) {
						stored[v] = true
					}
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c, inner)
			}
		}
	}
	visit(f.Body, 0)
	return err
}

// unresolved refuses what still reads a view: one whose elements resolve cannot name.
func unresolved(f *ir.Func) error {
	defs := map[ir.Atom]ir.Op{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
	})
	var bad *Unsupported
	look := func(a ir.Atom, pos ir.Pos) {
		v, ok := defs[a].(*ir.View)
		if !ok || bad != nil {
			return
		}
		what := "the result of ops." + strings.ToUpper(string(v.Fn[:1])) + string(v.Fn[1:])
		switch {
		case v.Fn == ir.Concat || v.Fn == ir.ConcatRow:
			bad = &Unsupported{pos, "concat-rows", "a Concat of sequences that are nested deeper than rows is not compiled yet",
				"which sequence an element comes from is known only while the kernel runs", "concatenate the flat sequences, or return two results"}
		case v.Fn == ir.Flatten:
			_, stored := defs[v.Args[0]].(*ir.Map)
			if !stored && !slices.ContainsFunc(f.Params, func(p *ir.Var) bool { return ir.Atom(p) == v.Args[0] }) {
				bad = &Unsupported{pos, "flatten", what + " is not compiled yet where its rows are not stored one after the other",
					"the place of an element depends on the lengths of all rows before it", "flatten at the top level of the kernel"}
			}
		default:
			bad = &Unsupported{pos, "view", what + " is not compiled yet where it is not read element by element",
				"a view is not stored: what reads it reads the sequence behind it", "compute the sequence with ops.Map"}
		}
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if _, view := s.Op.(*ir.View); view {
			return
		}
		for _, a := range ir.Operands(s.Op) {
			look(*a, s.Pos)
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, r := range b.Results {
				look(r, s.Pos)
			}
		}
	})
	if bad == nil {
		return nil
	}
	return bad
}

// sequence builds the expression sequence of a computation: the operators at each nesting depth.
func sequence(top *ir.Stmt) Sequence {
	var seq Sequence
	defs := map[ir.Atom]ir.Op{}
	var indices []*ir.Var      // of the operators around the position
	made := map[ir.Atom]bool{} // sequences that are computed inside
	var visit func(s *ir.Stmt, depth int)
	visit = func(s *ir.Stmt, depth int) {
		inner := depth
		for _, d := range s.Dst {
			made[d] = d.T.Rank > 0
		}
		if len(s.Dst) == 1 && s.Dst[0].T.IsScalar() {
			defs[s.Dst[0]] = s.Op
		}
		if name := ir.OperatorName(s.Op); name != "" {
			for len(seq) <= depth {
				seq = append(seq, Level{})
			}
			if !seq[depth].Has(name) {
				seq[depth].Ops = append(seq[depth].Ops, name)
			}
			if depth == 0 && ir.IsInt(lengthOf(s.Op), 1) {
				seq[depth].Traits = append(seq[depth].Traits, TraitOnce)
			}
			if m, ok := s.Op.(*ir.Map); ok && m.By != nil {
				seq[depth].Traits = append(seq[depth].Traits, TraitByElements)
			}
			if r, ok := s.Op.(*ir.Reduce); ok {
				if _, ok := MatchDotGather(r); ok && !seq[depth].HasTrait(TraitDotGather) {
					seq[depth].Traits = append(seq[depth].Traits, TraitDotGather)
				}
				if depth > 0 && !seq[depth].HasTrait(TraitShared) && shared(r.Body, r.I, indices[:depth], defs, made) {
					seq[depth].Traits = append(seq[depth].Traits, TraitShared)
				}
				if _, _, ok := MatchProducts(r); ok && !seq[depth].HasTrait(TraitProducts) {
					seq[depth].Traits = append(seq[depth].Traits, TraitProducts)
				}
			}
			i := ir.OperatorIndex(s.Op)
			if depth > 0 && i != nil && indices[depth-1] != nil && !seq[depth].HasTrait(TraitStrided) && strided(ir.Blocks(s.Op)[0], i, indices[depth-1], defs) {
				seq[depth].Traits = append(seq[depth].Traits, TraitStrided)
				if _, ok := s.Op.(*ir.Reduce); ok && depth == 1 && seq[0].String() == "map" {
					seq[depth-1].Traits = append(seq[depth-1].Traits, TraitColumns)
				}
			}
			if m, ok := s.Op.(*ir.Map); ok && depth > 0 && indices[depth-1] != nil && sameTurns(m.Body, i, indices[depth-1], defs, made) {
				seq[depth].Traits = append(seq[depth].Traits, TraitTurns)
			}
			indices = append(indices[:depth], i)
			inner++
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, t := range b.Stmts {
				visit(t, inner)
				for _, k := range stmtKinds(t) {
					if inner > 0 && inner <= len(seq) {
						seq[inner-1].addKind(k)
					}
				}
			}
			if inner > 0 && inner <= len(seq) {
				for _, r := range b.Results {
					if r.Type().IsScalar() {
						seq[inner-1].addKind(r.Type().Kind)
					}
				}
			}
		}
	}
	visit(top, 0)
	return seq
}

func (l *Level) addKind(k ir.Kind) {
	for _, have := range l.Kinds {
		if have == k.String() {
			return
		}
	}
	l.Kinds = append(l.Kinds, k.String())
}

// stmtKinds are the kinds of values that a vectorised statement would hold in lanes. Arithmetic on int is left out: it
// is index arithmetic nearly always, and stays scalar.
func stmtKinds(s *ir.Stmt) []ir.Kind {
	var ks []ir.Kind
	for _, d := range s.Dst {
		_, load := s.Op.(*ir.Index)
		if d.T.IsScalar() && (d.T.Kind != ir.Int || load) && d.T.Kind != ir.Bool {
			ks = append(ks, d.T.Kind)
		}
	}
	return ks
}

// features infers length, and aspect ratio or average row length from the first one of the operators nested in the
// computation that has the most levels itself.
func features(top *ir.Stmt) []Feature {
	n := lengthOf(top.Op)
	fs := []Feature{{Name: "length", Unit: "elements", Length: n}}
	body := ir.Blocks(top.Op)[0]
	index := indexOf(top.Op)
	defs := map[ir.Atom]ir.Op{}
	var inner ir.Atom
	var first ir.Op
	deepest := 0
	bound := map[ir.Atom]bool{}
	ir.Walk(body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
		for _, v := range ir.Bound(s.Op) {
			bound[v] = true
		}
		if levels := levelsOf(s); indexOf(s.Op) != nil && levels > deepest { // more than those inside it
			inner, deepest, first = lengthOf(s.Op), levels, s.Op
		}
	})
	if inner == nil {
		return fs
	}
	if _, loop := first.(*ir.Loop); loop {
		known := func(a ir.Atom) bool { _, local := defs[a]; return !local && !bound[a] }
		if inner = most(defs, inner, known); inner == nil {
			return fs
		}
	}
	def, local := defs[inner]
	if !local {
		if off := deeperOffsets(body, defs, index); off != nil {
			return append(fs, rowLengths(n, off)...)
		}
		return append(fs, Feature{Name: "aspect_ratio", Unit: "rows/row length", Length: n, Row: inner})
	}
	if n, ok := def.(*ir.Len); ok { // the rows of a nested sequence that is stored
		if row, ok := defs[n.X].(*ir.Index); ok && row.I == ir.Atom(index) {
			if rows := row.X.(*ir.Var); defs[rows] == nil {
				return append(fs, rowLengths(fs[0].Length, rows)...)
			}
		}
		return fs
	}
	sub, ok := def.(*ir.Binary)
	if !ok || sub.Fn != ir.Sub {
		return fs
	}
	if off := offsetsOf(defs, sub.Y, index); off != nil && offsetsOf(defs, sub.X, nil) == off {
		return append(fs, rowLengths(n, off)...)
	}
	if size := tileSize(defs, sub, index); size != nil {
		return append(fs, Feature{Name: "aspect_ratio", Unit: "rows/row length", Length: n, Row: size, Total: bounded(defs, sub.X)})
	}
	return fs
}

// RowOffsets returns what tells, before a computation starts, how long the rows are that its elements compute: offsets,
// or a nested sequence whose rows are meant; nil where they are all as long or nothing tells.
func RowOffsets(top *ir.Stmt) *ir.Var {
	for _, f := range features(top) {
		if f.Offsets != nil {
			return f.Offsets
		}
	}
	return nil
}

// levelsOf is how many levels of operators there are in s, itself included.
func levelsOf(s *ir.Stmt) int {
	most := 0
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			most = max(most, levelsOf(t))
		}
	}
	if indexOf(s.Op) != nil {
		most++
	}
	return most
}

// tileSize returns the size of a tile, which is not in defs, if n is the length of tile number index: hi -
// index*size; else nil.
func tileSize(defs map[ir.Atom]ir.Op, n *ir.Binary, index *ir.Var) ir.Atom {
	lo, ok := defs[n.Y].(*ir.Binary)
	if !ok || lo.Fn != ir.Mul {
		return nil
	}
	for _, f := range [][2]ir.Atom{{lo.X, lo.Y}, {lo.Y, lo.X}} {
		if _, local := defs[f[1]]; !local && f[0] == ir.Atom(index) {
			return f[1]
		}
	}
	return nil
}

// rowLengths returns the features of n irregular rows.
func rowLengths(n ir.Atom, offsets *ir.Var) []Feature {
	return []Feature{
		{Name: "average_row_length", Unit: "elements", Length: n, Offsets: offsets},
		{Name: "load_imbalance", Unit: "of the average", Length: n, Offsets: offsets},
		{Name: "element_row_length", Unit: "elements", Length: n, Offsets: offsets},
	}
}

// bins returns how many elements the first reduction by index in a computation reduces to, nil if there is none or
// that is not known before the computation starts.
func bins(top *ir.Stmt) ir.Atom {
	if h, ok := top.Op.(*ir.Hist); ok {
		return h.W
	}
	var first *ir.Hist
	inside := map[ir.Atom]bool{}
	for _, b := range ir.Blocks(top.Op) {
		ir.Walk(b, func(s *ir.Stmt) {
			for _, v := range append(ir.Bound(s.Op), s.Dst...) {
				inside[v] = true
			}
			if h, ok := s.Op.(*ir.Hist); ok && first == nil {
				first = h
			}
		})
	}
	if first == nil || inside[first.W] || first.W == ir.Atom(indexOf(top.Op)) {
		return nil
	}
	return first.W
}

// bounded returns what a is at most, if it is the lesser of two numbers of which one is known before the computation
// starts; else nil.
func bounded(defs map[ir.Atom]ir.Op, a ir.Atom) ir.Atom {
	least, ok := defs[a].(*ir.Binary)
	if !ok || least.Fn != ir.Min {
		return nil
	}
	for _, x := range []ir.Atom{least.X, least.Y} {
		if _, local := defs[x]; !local {
			return x
		}
	}
	return nil
}

// probed adds the features that a probe tells: row lengths, and what loops do.
func (c *Computation) probed() {
	levels := len(c.Sequence)
	p := probe(c.Stmt, levels)
	if levels > 1 {
		c.innerRows(p)
	}
	if p != nil && p.Turns {
		c.Features = append(c.Features, Feature{Name: "loop_operations", Unit: "operations", Length: c.Features[0].Length, Probed: levels + 1})
		c.Probe = p
	}
}

// innerRows adds the features that tell the row lengths of inner levels which [features] does not: that of the second
// level by the probe, and that of the innermost one of deeper nests.
func (c *Computation) innerRows(p *Probe) {
	levels := len(c.Sequence)
	n := c.Features[0].Length
	if len(c.Features) == 1 && p != nil && p.Known[0] {
		c.Features = append(c.Features, Feature{Name: "average_row_length", Unit: "elements", Length: n, Probed: 2})
		c.Probe = p
	}
	if levels == 2 {
		return
	}
	if inner := innermost(c.Stmt, levels); inner != nil {
		c.Features = append(c.Features, Feature{Name: "inner_row_length", Unit: "elements", Length: n, Inner: inner})
	} else if p != nil && p.Known[levels-2] {
		c.Features = append(c.Features, Feature{Name: "inner_row_length", Unit: "elements", Length: n, Probed: levels})
		c.Probe = p
	}
}

// innermost returns the length of the operators at the innermost level if it is known before the computation starts
// and the same for all of them, or for all but the last of tiles; else nil.
func innermost(top *ir.Stmt, levels int) ir.Atom {
	var length ir.Atom
	same := true
	local := map[ir.Atom]bool{}
	defs := map[ir.Atom]ir.Op{}
	var visit func(s *ir.Stmt, depth int, around *ir.Var)
	visit = func(s *ir.Stmt, depth int, around *ir.Var) {
		for _, v := range append(ir.Bound(s.Op), s.Dst...) {
			local[v] = true
			defs[v] = s.Op
		}
		if i := indexOf(s.Op); i != nil {
			depth++
			n := lengthOf(s.Op)
			if _, loop := s.Op.(*ir.Loop); loop && depth == levels {
				if known := most(defs, n, func(a ir.Atom) bool { return !local[a] }); known != nil {
					n = known
				}
			}
			if depth == levels {
				if sub, ok := defs[n].(*ir.Binary); ok && sub.Fn == ir.Sub {
					if size := tileSize(defs, sub, around); size != nil {
						n = size
					}
				}
				same = same && (length == nil || length == n) && !local[n]
				length = n
			}
			around = i
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, t := range b.Stmts {
				visit(t, depth, around)
			}
		}
	}
	visit(top, 0, nil)
	if !same {
		return nil
	}
	return length
}

// deeperOffsets returns the row offsets, indexed by the outermost operator, between which an operator deeper in its
// body runs, or nil: rows of vectors, which are reduced position by position.
func deeperOffsets(body *ir.Block, defs map[ir.Atom]ir.Op, index *ir.Var) *ir.Var {
	var found *ir.Var
	ir.Walk(body, func(s *ir.Stmt) {
		if found != nil || indexOf(s.Op) == nil {
			return
		}
		if sub, ok := defs[lengthOf(s.Op)].(*ir.Binary); ok && sub.Fn == ir.Sub {
			if off := offsetsOf(defs, sub.Y, index); off != nil && offsetsOf(defs, sub.X, nil) == off {
				found = off
			}
		}
	})
	return found
}

// offsetsOf returns the outer sequence that a is an element of (at index, if index is not nil), or nil.
func offsetsOf(defs map[ir.Atom]ir.Op, a ir.Atom, index *ir.Var) *ir.Var {
	if c, ok := defs[a].(*ir.Convert); ok {
		a = c.X
	}
	read, ok := defs[a].(*ir.Index)
	if !ok || index != nil && read.I != ir.Atom(index) {
		return nil
	}
	off := read.X.(*ir.Var)
	if _, local := defs[off]; local || off.T.Rank != 1 {
		return nil
	}
	return off
}

func lengthOf(op ir.Op) ir.Atom { return ir.OperatorLength(op) }
