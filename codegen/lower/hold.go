package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// hold keeps the scalar floats that are needed after a stretch of vector code in memory while it runs. Left to itself the
// compiler keeps them in registers, or moves them to and fro inside the vector loop, by instructions that stall there.
func (l *lowerer) hold(body []kir.Stmt) []kir.Stmt {
	h := &holder{l: l, refs: map[*kir.Var][]int{}, sets: map[*kir.Var][]int{}, constant: map[*kir.Var]bool{}, depth: map[*kir.Var]int{}}
	h.number(body)
	if h.vectors == 0 {
		return body
	}
	h.end, h.next = h.next, 0
	return h.block(body, nil, 0)
}

type holder struct {
	l        *lowerer
	next     int                // number of the next statement, in the order of the text
	refs     map[*kir.Var][]int // the statements that read a scalar float
	sets     map[*kir.Var][]int // the statements that assign to a variable
	constant map[*kir.Var]bool  // declared as a constant
	hosts    []*kir.Var         // those of them that exist everywhere
	depth    map[*kir.Var]int   // how many loops are around a declaration
	vectors  int                // stretches of vector code
	begin    int                // the current function, a parallel loop's body is one of its own, is of the statements after this one
	end      int                // up to this one
}

func isFloat(v *kir.Var) bool { return v.T.Lanes == 1 && v.T.Kind.IsFloat() }

// number notes where scalar floats are read.
func (h *holder) number(body []kir.Stmt) {
	for _, s := range body {
		h.next++
		kir.Walk([]kir.Stmt{kir.Shallow(s)}, nil, func(x kir.Expr) {
			r, ok := x.(*kir.Ref)
			if !ok || !isFloat(r.V) {
				return
			}
			if r.V.Host && h.refs[r.V] == nil {
				h.hosts = append(h.hosts, r.V)
			}
			h.refs[r.V] = append(h.refs[r.V], h.next)
		})
		switch s := s.(type) {
		case *kir.Vectors:
			h.vectors++
		case *kir.Set:
			h.sets[s.V] = append(h.sets[s.V], h.next)
		case *kir.Let:
			_, h.constant[s.V] = s.X.(*kir.Const)
		}
		for _, b := range kir.Blocks(s) {
			h.number(b)
		}
	}
}

// block returns body with the stretches inside it prepared; scope are the scalar floats declared before it.
func (h *holder) block(body []kir.Stmt, scope []*kir.Var, depth int) []kir.Stmt {
	scope = slices.Clip(scope)
	var out []kir.Stmt
	for _, s := range body {
		h.next++
		if v, ok := s.(*kir.Vectors); ok {
			first := h.next
			h.next += count(v.Body)
			before, after := h.stretch(v, scope, first, h.next, depth)
			out = append(append(append(out, before...), s), after...)
			continue
		}
		inner := depth
		switch s.(type) {
		case *kir.For, *kir.While:
			inner++
		}
		if p, ok := s.(*kir.Par); ok {
			begin, end := h.begin, h.end
			h.begin, h.end = h.next, h.next+count(p.Body)
			p.Body = h.block(p.Body, nil, 0)
			h.begin, h.end = begin, end
			if c := p.CombinePartial; c != nil {
				c.Body = h.block(c.Body, nil, 0)
			}
		} else {
			kir.Rewrite(s, func(b []kir.Stmt) []kir.Stmt { return h.block(b, scope, inner) })
		}
		out = append(out, s)
		for _, v := range kir.Declares(s) {
			if isFloat(v) {
				scope = append(scope, v)
				h.depth[v] = depth
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

// stretch holds what a stretch, statements first to last, does not change and what is needed after it: later in the text,
// or when a loop around both comes back.
func (h *holder) stretch(s *kir.Vectors, scope []*kir.Var, first, last, depth int) (before, after []kir.Stmt) {
	set := map[*kir.Var]bool{}
	kir.Walk(s.Body, func(s kir.Stmt) {
		if a, ok := s.(*kir.Set); ok {
			set[a.V] = true
		}
	}, nil)
	held := map[*kir.Var]*kir.Load{}
	for _, v := range append(slices.Clip(h.hosts), scope...) {
		needed := slices.ContainsFunc(h.refs[v], func(at int) bool {
			return last < at && at <= h.end || h.begin < at && at < first && depth > h.depth[v]
		})
		if set[v] || !needed || h.isConstant(v, first, depth) {
			continue
		}
		a := &kir.Array{Name: h.l.name(v.Name + "Held"), Kind: v.T.Kind, Space: kir.Strip, Size: 1}
		load := &kir.Load{A: a, I: intConst(0), T: v.T}
		held[v] = load
		before = append(before, &kir.Store{A: a, I: intConst(0), X: &kir.Ref{V: v}})
		after = append(after, &kir.Set{V: v, X: load})
	}
	kir.Walk(s.Body, nil, func(x kir.Expr) {
		if splat, ok := x.(*kir.Splat); ok && splat.T.Kind != ir.Bool {
			if r, ok := splat.X.(*kir.Ref); ok && held[r.V] != nil {
				splat.X = held[r.V]
			}
		}
	})
	return before, after
}

// isConstant reports whether v is a constant before statement first: the compiler makes it anew.
func (h *holder) isConstant(v *kir.Var, first, depth int) bool {
	return h.constant[v] && depth == h.depth[v] && !slices.ContainsFunc(h.sets[v], func(at int) bool { return at < first })
}
