package goroutine

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// operandBits is the size of vectors of which the compiler reads an operand where it lies: others need a register for
// it.
const operandBits = 512

// operandsInMemory takes registers off the loops of each stretch of vector code: where a loop needs more than there
// are, vectors that it only reads stay in memory, from which instructions take them as operands. Left to itself the
// compiler keeps all of them in registers and spills what the loop computes. It spills to a stack where vectors lie
// across two cache lines each.
var operandsInMemory = pass.Pass[*kir.Func]{
	Name: "operands", Doc: "vectors that a loop only reads stay in memory where it needs too many registers",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		lines := &lines{names: kir.NamesOf(f.Body), of: map[ir.Kind]*kir.Array{}}
		kir.Walk(f.Body, func(s kir.Stmt) {
			if v, ok := s.(*kir.Vectors); ok {
				p := &pressure{of: map[*kir.Var]*lifetime{}}
				p.block(v.Body)
				p.keepInMemory(lines)
				p.overwrite()
			}
		}, nil)
		return nil
	},
}

// lines is memory for vectors, an array for each kind of elements, which the stretches of a function share.
type lines struct {
	names *kir.Names
	of    map[ir.Kind]*kir.Array
}

func (l *lines) array(k ir.Kind) *kir.Array {
	if l.of[k] == nil {
		l.of[k] = &kir.Array{Name: l.names.Fresh("lines"), Kind: k, Space: kir.Lines}
	}
	return l.of[k]
}

// keepInMemory leaves vectors in memory: those that are needed after a call in a loop, as a function keeps no
// registers of its caller; and then those that a loop only reads, where this costs the least, until no point of the
// stretch has more of them in registers than there are.
func (p *pressure) keepInMemory(lines *lines) {
	var candidates []*lifetime
	for _, t := range p.order {
		if !t.changes && (t.deepest > t.depth || p.called(t)) && bitsOf(t.v.T) == operandBits && (t.constant || !narrow(t.v.T.Kind)) {
			candidates = append(candidates, t)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *lifetime) int { return a.cost - b.cost })
	next := map[ir.Kind]int{}
	leave := func(t *lifetime) {
		k := t.v.T.Kind
		memory := lines.array(k)
		t.v.Memory, t.v.At, t.v.Saved = memory, next[k], t.deepest == t.depth
		if !t.constant {
			next[k] += t.v.T.Lanes
			memory.Size = max(memory.Size, next[k])
		}
		p.order = slices.DeleteFunc(p.order, func(o *lifetime) bool { return o == t })
	}
	for _, t := range candidates {
		if p.called(t) {
			leave(t)
		}
	}
	for {
		at := p.crowded()
		i := slices.IndexFunc(candidates, func(t *lifetime) bool {
			return t.v.Memory == nil && t.deepest > t.depth && t.first <= at && at <= t.last
		})
		if at < 0 || i < 0 {
			return
		}
		leave(candidates[i])
	}
}

// lifetime is where a vector is needed: from statement first to last, counted in the order of the text.
type lifetime struct {
	v           *kir.Var
	first, last int
	depth       int  // how many loops of the stretch are around its declaration
	deepest     int  // the same for the read with the most of them
	cost        int  // of having it in memory: loads, if loops run as often as turns says
	changes     bool // it is assigned to again
	constant    bool
}

const turns = 8

// pressure counts the vectors that are needed at a time.
type pressure struct {
	at    int // number of the current statement
	of    map[*kir.Var]*lifetime
	order []*lifetime
	loops []int // numbers of the loops around the current statement
	calls []int // statements in loops that call a function
	sums  []sum
}

// sum is a fused multiply-add of a statement.
type sum struct {
	x  *kir.FMA
	at int
}

func (p *pressure) block(body []kir.Stmt) {
	for _, s := range body {
		p.at++
		kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, p.operands)
		if len(p.loops) > 0 && kir.Calls(s) {
			p.calls = append(p.calls, p.at)
		}
		switch s := s.(type) {
		case *kir.Let:
			if isVector(s.V.T) {
				l := &lifetime{v: s.V, first: p.at, last: p.at, depth: len(p.loops)}
				if l.constant = isConstantVector(s.X); !l.constant {
					l.cost = 1 // it is stored
				}
				p.of[s.V] = l
				p.order = append(p.order, l)
			}
		case *kir.Set:
			if t := p.lifetime(s.V); t != nil {
				t.changes = true
				p.use(t, 0)
			}
		}
		_, counted := s.(*kir.For)
		_, conditional := s.(*kir.While)
		if counted || conditional {
			p.loops = append(p.loops, p.at)
		}
		for _, b := range kir.Blocks(s) {
			p.block(b)
		}
		if counted || conditional {
			first := p.loops[len(p.loops)-1]
			p.loops = p.loops[:len(p.loops)-1]
			for _, l := range p.order { // what a loop uses of what is around it, its next turn needs too
				if l.first < first && l.last >= first {
					l.last = p.at
				}
			}
		}
	}
}

// operands notes what an expression reads: an instruction takes one operand from memory, and the others cost it a load.
func (p *pressure) operands(x kir.Expr) {
	if f, ok := x.(*kir.FMA); ok {
		p.sums = append(p.sums, sum{f, p.at})
	}
	xs := kir.Operands(x)
	for i, o := range xs {
		r, ok := o.(*kir.Ref)
		if !ok || p.lifetime(r.V) == nil {
			continue
		}
		cost := 2
		switch x := x.(type) {
		case *kir.Bin:
			if i == 1 || x.Fn == ir.Add || x.Fn == ir.Mul {
				cost = 1
			}
		case *kir.FMA:
			if i == 2 {
				cost = 1
			}
		}
		p.use(p.of[r.V], cost)
	}
	if r, ok := x.(*kir.Ref); ok && p.lifetime(r.V) != nil {
		p.use(p.of[r.V], 0)
	}
}

// called reports whether a vector is needed after a call.
func (p *pressure) called(t *lifetime) bool {
	return slices.ContainsFunc(p.calls, func(at int) bool { return t.first < at && at < t.last })
}

// overwrite puts first the factor of each fused multiply-add that is not needed after it: the result takes its
// register, and the compiler copies a factor that has to survive this.
func (p *pressure) overwrite() {
	for _, s := range p.sums {
		if p.survives(s.x.X, s.at) && !p.survives(s.x.Y, s.at) {
			s.x.X, s.x.Y = s.x.Y, s.x.X
		}
	}
}

// survives reports whether x is a vector in a register that is needed after a statement.
func (p *pressure) survives(x kir.Expr, at int) bool {
	r, ok := x.(*kir.Ref)
	return ok && p.of[r.V] != nil && r.V.Memory == nil && p.of[r.V].last > at
}

func isVector(t kir.Type) bool { return t.Lanes > 1 && t.Bits == 0 }

// lifetime returns that of a vector, nil for other variables. What the stretch does not declare itself, such as sums
// that are read after it, is needed all the time.
func (p *pressure) lifetime(v *kir.Var) *lifetime {
	if p.of[v] == nil && isVector(v.T) {
		p.of[v] = &lifetime{v: v, last: math.MaxInt, changes: true}
		p.order = append(p.order, p.of[v])
	}
	return p.of[v]
}

func (p *pressure) use(l *lifetime, cost int) {
	for range len(p.loops) - l.depth {
		cost *= turns
	}
	l.last, l.cost, l.deepest = max(p.at, l.last), l.cost+cost, max(l.deepest, len(p.loops))
}

// crowded returns the statement at which the most vectors are needed if these are too many for the registers, or -1.
func (p *pressure) crowded() int {
	worst, most := -1, operandRegisters
	for at := 1; at <= p.at; at++ {
		n := 0
		for _, l := range p.order {
			if l.first <= at && at < l.last { // what is read for the last time makes room for the result
				n++
			}
		}
		if n > most {
			worst, most = at, n
		}
	}
	return worst
}

// isConstantVector reports whether x is the same constant in all lanes, which lies in memory anyway.
func isConstantVector(x kir.Expr) bool {
	s, ok := x.(*kir.Splat)
	if !ok {
		return false
	}
	_, ok = s.X.(*kir.Const)
	return ok
}
