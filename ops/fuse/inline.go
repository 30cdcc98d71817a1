package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// inline fuses producers into consumers (Surge section 4): where an element of a Map is read, the Map's body is put in
// place of the read, if that repeats no work worth mentioning. It reports whether anything changed; what it exposes
// (views of inner rows) is for the next round of resolve.
//
// A Map is inlined where each of its elements is read by at most one iteration of one consumer that evaluates it once
// (not a scan, whose parallel forms look at their elements twice), where its body is so cheap (a few arithmetic
// operations and reads) that computing an element again costs no more than loading it, where it is a copy of what may
// be shorter and one place reads it for an element each of a Map, or where it yields sequences that are nested too
// deeply to be stored: unless their rows are arrays of one length, of which each element costs a row, and are read many
// times.
func inline(f *ir.Func, names *ir.Namer) bool {
	in := &inliner{names: names, producers: map[*ir.Var]*producer{}}
	in.collect(f.Body, nil)
	for _, a := range f.Body.Results {
		in.escape(a)
	}
	in.rewrite(f.Body)
	return in.changed
}

// producer is a Map and what is known of the places that read it.
type producer struct {
	op       *ir.Map
	stmt     *ir.Stmt
	block    *frame // where it is defined
	reads    map[readKey]bool
	near     bool // every read so far is by the index of an operator in the producer's own block
	keep     bool // used as a whole
	deep     bool // rows that an operator would have to store in each element
	whole    bool // such rows are arrays that are made as a whole, and have one length, so that they can be stored
	few      bool // every read so far is made a few times for each element at most
	mapped   bool // every read so far is made once at most for each element of a Map
	topLevel bool // at the top level, with a body that cannot be host code
	calls    bool // a function as it stands, which must run once for each element
}

type readKey struct {
	frame *frame
	index ir.Atom
}

// frame is one block on the way in: the operator that owns it and that operator's index.
type frame struct {
	parent *frame
	index  *ir.Var // of a Map, Reduce or Scan body; nil for other blocks
	owner  ir.Op
}

type inliner struct {
	names     *ir.Namer
	producers map[*ir.Var]*producer
	changed   bool
}

func (in *inliner) escape(a ir.Atom) {
	if v, ok := a.(*ir.Var); ok {
		if p := in.producers[v]; p != nil {
			p.keep = true
		}
	}
}

func (in *inliner) collect(b *ir.Block, fr *frame) {
	here := &frame{parent: fr}
	if fr != nil {
		here = fr
	}
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Index:
			if p := in.producers[op.X.(*ir.Var)]; p != nil {
				p.reads[readKey{here, op.I}] = true
				at := here
				for at.parent != nil && at.index == nil && isIf(at.owner) && !p.calls { // at most once for each element
					at = at.parent
				}
				p.near = p.near && (here == p.block && !p.topLevel || at.parent == p.block && at.index != nil && at.index == op.I && !twice(at.owner))
				p.mapped = p.mapped && here.inMaps(p.block)
				p.few = p.few && (here == p.block || at.parent == p.block && goesThrough(at.owner, op.I))
			}
		case *ir.Len: // resolved
		default:
			for _, a := range ir.Operands(s.Op) {
				if (*a).Type().Rank > 0 {
					in.escape(*a)
				}
			}
		}
		for i, c := range ir.Blocks(s.Op) {
			inner := &frame{parent: here, owner: s.Op}
			if i == 0 {
				inner.index = indexOf(s.Op)
			}
			in.collect(c, inner)
			for _, a := range c.Results {
				if a.Type().Rank > 0 {
					in.escape(a)
				}
			}
		}
		if m, ok := s.Op.(*ir.Map); ok {
			p := &producer{op: m, stmt: s, block: here, reads: map[readKey]bool{}, near: true, few: true, mapped: true, whole: true,
				topLevel: fr == nil && slices.ContainsFunc(m.Body.Stmts, sequential), calls: ir.HasCalls(m),
				keep: HasExits(s)} // which are to be made once for each element, whatever is read
			for i, d := range s.Dst {
				in.producers[d] = p
				p.deep = p.deep || d.T.Rank > 1 && here.inOperator()
				p.whole = p.whole && (d.T.Rank <= 1 || EvenRows(m, i) != nil && ir.Allocs(m.Body)[m.Body.Results[i].(*ir.Var)] != nil)
			}
		}
	}
}

func isIf(op ir.Op) bool {
	_, ok := op.(*ir.If)
	return ok
}

// inMaps reports whether Maps are all that is between a block and one around it, and conditions.
func (fr *frame) inMaps(around *frame) bool {
	for ; fr != around; fr = fr.parent {
		if fr == nil {
			return false
		}
		if _, isMap := fr.owner.(*ir.Map); !isMap && !isIf(fr.owner) {
			return false
		}
	}
	return true
}

// inOperator reports whether an operator is around a block: there, flat sequences are stored, and at the top level any.
func (fr *frame) inOperator() bool {
	for ; fr != nil; fr = fr.parent {
		if fr.index != nil {
			return true
		}
	}
	return false
}

// goesThrough reports whether an operator or a loop has i as its index.
func goesThrough(op ir.Op, i ir.Atom) bool {
	index := indexOf(op)
	if loop, ok := op.(*ir.Loop); ok {
		index = loop.I
	}
	return index != nil && ir.Atom(index) == i
}

// twice reports whether an operator may evaluate its body two times for an element: a parallel scan reduces its chunks
// before it scans them.
func twice(op ir.Op) bool {
	_, scan := op.(*ir.Scan)
	return scan
}

// indexOf returns the index variable of a parallel operator, else nil.
func indexOf(op ir.Op) *ir.Var {
	return ir.OperatorIndex(op)
}

// inlinedKey is an element of a Map that was put into a block: the components of a struct are read one by one, and the
// body yields all of them.
type inlinedKey struct {
	p     *producer
	index ir.Atom
}

func (in *inliner) rewrite(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	sub := ir.Subst{}
	here := map[inlinedKey][]ir.Atom{}
	for _, s := range stmts {
		if idx, ok := s.Op.(*ir.Index); ok {
			if p := in.producers[idx.X.(*ir.Var)]; p != nil && p.decide() {
				in.changed = true
				key := inlinedKey{p, sub.Atom(idx.I)}
				results, done := here[key]
				if !done {
					body := p.op.Body.Clone(ir.Subst{p.op.I: key.index}, in.names)
					b.Stmts = append(b.Stmts, body.Stmts...)
					results = body.Results
					here[key] = results
				}
				for i, d := range p.stmt.Dst {
					if d == idx.X {
						sub[s.Dst[0]] = results[i]
					}
				}
				continue
			}
		}
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			substitute(c, sub)
			in.rewrite(c)
		}
		b.Stmts = append(b.Stmts, s)
	}
	for i := range b.Results {
		b.Results[i] = sub.Atom(b.Results[i])
	}
}

// substitute replaces atoms in b and the blocks inside it.
func substitute(b *ir.Block, sub ir.Subst) {
	if len(sub) == 0 {
		return
	}
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			substitute(c, sub)
		}
	}
	for i := range b.Results {
		b.Results[i] = sub.Atom(b.Results[i])
	}
}

func (p *producer) decide() bool {
	if p.keep {
		return false
	}
	return p.deep && (p.few || !p.whole) || cheap(p.op.Body) || len(p.reads) == 1 && (p.near || p.mapped && copies(p.op))
}

// copies reports whether a Map has the elements of another sequence at the same places, some of them where conditions
// say so: a copy of what may be shorter, and what is behind that.
func copies(m *ir.Map) bool {
	reads := 0
	var block func(b *ir.Block) bool
	block = func(b *ir.Block) bool {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Index:
				if reads++; op.I != ir.Atom(m.I) {
					return false
				}
			case *ir.If:
				if !block(op.Then) || !block(op.Else) {
					return false
				}
			case *ir.Binary:
				if !op.Fn.IsComparison() {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return len(m.Body.Results) == 1 && block(m.Body) && reads == 1
}

// cheapLimit is how many scalar operations a body may have to be computed again rather than stored.
const cheapLimit = 8

// cheap reports whether computing the block again costs about as much as loading what it yields.
func cheap(b *ir.Block) bool {
	cost := 0
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Binary:
			switch op.Fn {
			case ir.Div, ir.Rem:
				cost += 4
			case ir.Pow, ir.Atan2, ir.Hypot, ir.Mod, ir.CopyS:
				return false
			default:
				cost++
			}
		case *ir.Unary:
			switch op.Fn {
			case ir.Neg, ir.Not, ir.BitNo, ir.Abs, ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros, ir.ReverseBytes, ir.FloatBits, ir.FromBits:
				cost++
			default:
				return false
			}
		case *ir.Index:
			cost += 2
		case *ir.FMA, *ir.Convert, *ir.Select:
			cost++
		case *ir.Len, *ir.View, *ir.Check:
		default:
			return false
		}
	}
	return cost <= cheapLimit
}
