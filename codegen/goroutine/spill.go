package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// spillScalars keeps the scalar floats that are needed behind a stretch of vector code, or that fill vectors in it, in
// memory while it runs. Left to itself the compiler keeps them in registers, or moves them to and fro inside the vector
// loop, by instructions that stall there.
var spillScalars = pass.Pass[*kir.Func]{
	Name: "spill", Doc: "scalar floats that are needed behind vector code, or fill vectors, wait in memory, as constants do beside it",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		sp := &spiller{names: kir.NamesOf(f.Body), refs: map[*kir.Var][]int{}, sets: map[*kir.Var][]int{}, constant: map[*kir.Var]bool{}, depth: map[*kir.Var]int{}}
		sp.number(f.Body)
		if sp.vectors > 0 {
			sp.end, sp.next = sp.next, 0
			f.Body = heldNumbers(sp.block(f.Body, nil, 0), sp.names)
		}
		return nil
	},
}

type spiller struct {
	names    *kir.Names
	next     int                // number of the next statement, in the order of the text
	refs     map[*kir.Var][]int // the statements that read a scalar float
	sets     map[*kir.Var][]int // the statements that assign to a variable
	constant map[*kir.Var]bool  // declared as a constant
	hosts    []*kir.Var         // those of them that exist everywhere
	depth    map[*kir.Var]int   // how many loops are around a declaration
	vectors  int                // stretches of vector code
	begin    int                // the current function, a parallel loop's body is one of its own, is of the statements after this one
	end      int                // up to this one
	outer    []*kir.Var         // the scalar floats of the functions around it
	held     []kir.Stmt         // put those of them into memory that fill vectors, before there is vector code
}

func isFloat(v *kir.Var) bool { return v.T.Lanes == 1 && v.T.Kind.IsFloat() }

// number notes where scalar floats are read.
func (sp *spiller) number(body []kir.Stmt) {
	for _, s := range body {
		sp.next++
		kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, func(x kir.Expr) {
			r, ok := x.(*kir.Ref)
			if !ok || !isFloat(r.V) {
				return
			}
			if r.V.Host && sp.refs[r.V] == nil {
				sp.hosts = append(sp.hosts, r.V)
			}
			sp.refs[r.V] = append(sp.refs[r.V], sp.next)
		})
		switch s := s.(type) {
		case *kir.Vectors:
			sp.vectors++
		case *kir.Set:
			sp.sets[s.V] = append(sp.sets[s.V], sp.next)
		case *kir.Let:
			_, sp.constant[s.V] = s.X.(*kir.Const)
		}
		for _, b := range kir.Blocks(s) {
			sp.number(b)
		}
	}
}

// block returns body with the stretches inside it prepared; scope are the scalar floats declared before it.
func (sp *spiller) block(body []kir.Stmt, scope []*kir.Var, depth int) []kir.Stmt {
	scope = slices.Clip(scope)
	var out []kir.Stmt
	for _, s := range body {
		sp.next++
		if v, ok := s.(*kir.Vectors); ok {
			first := sp.next
			sp.next += count(v.Body)
			before, after := sp.stretch(v, scope, first, sp.next, depth)
			out = append(append(append(out, before...), s), after...)
			continue
		}
		inner := depth
		switch s.(type) {
		case *kir.For, *kir.While:
			inner++
		}
		if p, ok := s.(*kir.Par); ok {
			begin, end, outer, held := sp.begin, sp.end, sp.outer, sp.held
			sp.begin, sp.end, sp.outer, sp.held = sp.next, sp.next+count(p.Body), append(slices.Clip(outer), scope...), nil
			p.Body = sp.block(p.Body, nil, 0)
			p.Body = append(sp.held, p.Body...)
			sp.begin, sp.end, sp.outer, sp.held = begin, end, outer, held
			if c := p.CombinePartial; c != nil {
				c.Body = sp.block(c.Body, nil, 0)
			}
			if long := p.Long; long != nil {
				long.Body = sp.block(long.Body, nil, 0)
			}
		} else {
			kir.Rewrite(s, func(b []kir.Stmt) []kir.Stmt { return sp.block(b, scope, inner) })
		}
		out = append(out, s)
		for _, v := range kir.Declares(s) {
			if isFloat(v) {
				scope = append(scope, v)
				sp.depth[v] = depth
			}
		}
	}
	return out
}

func count(body []kir.Stmt) int {
	n := 0
	kir.Walk(body, func(kir.Stmt) { n++ }, nil)
	return n
}

// stretch spills what a stretch, statements first to last, does not change, and what fills vectors in it or is needed
// after it: later in the text, or when a loop around both comes back.
func (sp *spiller) stretch(s *kir.Vectors, scope []*kir.Var, first, last, depth int) (before, after []kir.Stmt) {
	set := map[*kir.Var]bool{}
	kir.Walk(s.Body, func(s kir.Stmt) {
		if a, ok := s.(*kir.Set); ok {
			set[a.V] = true
		}
	}, nil)
	splatted := map[*kir.Var]bool{}
	kir.Walk(s.Body, nil, func(x kir.Expr) {
		if v := scalarIn(x); v != nil {
			splatted[v] = true
		}
	})
	zero := &kir.Const{C: ir.IntConst(ir.Int, 0)}
	spilled := map[*kir.Var]*kir.Load{}
	for _, v := range append(slices.Clip(sp.hosts), scope...) {
		needed := slices.ContainsFunc(sp.refs[v], func(at int) bool {
			return last < at && at <= sp.end || sp.begin < at && at < first && depth > sp.depth[v]
		})
		if set[v] || !needed && !splatted[v] || sp.isConstant(v, first, depth) {
			continue
		}
		a := &kir.Array{Name: sp.names.Fresh(v.Name + "Held"), Kind: v.T.Kind, Space: kir.Strip, Size: 1}
		load := &kir.Load{A: a, I: zero, T: v.T}
		spilled[v] = load
		before = append(before, &kir.Store{A: a, I: zero, X: &kir.Ref{V: v}})
		if needed {
			after = append(after, &kir.Set{V: v, X: load})
		}
	}
	for _, v := range sp.outer { // nothing behind the stretch reads them from memory: they are of another function
		if splatted[v] && spilled[v] == nil && !sp.constant[v] {
			a := &kir.Array{Name: sp.names.Fresh(v.Name + "Held"), Kind: v.T.Kind, Space: kir.Strip, Size: 1}
			spilled[v] = &kir.Load{A: a, I: zero, T: v.T}
			sp.held = append(sp.held, &kir.Store{A: a, I: zero, X: &kir.Ref{V: v}})
		}
	}
	kir.Walk(s.Body, nil, func(x kir.Expr) {
		if v := scalarIn(x); spilled[v] != nil {
			x.(*kir.Splat).X = spilled[v]
		}
	})
	return before, after
}

// scalarIn is the scalar float whose splat x is, or nil.
func scalarIn(x kir.Expr) *kir.Var {
	splat, ok := x.(*kir.Splat)
	if !ok {
		return nil
	}
	if r, ok := splat.X.(*kir.Ref); ok && isFloat(r.V) {
		return r.V
	}
	return nil
}

// isConstant reports whether v is a constant before statement first: the compiler makes it anew.
func (sp *spiller) isConstant(v *kir.Var, first, depth int) bool {
	return sp.constant[v] && depth == sp.depth[v] && !slices.ContainsFunc(sp.sets[v], func(at int) bool { return at < first })
}
