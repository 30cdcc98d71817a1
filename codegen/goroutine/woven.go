package goroutine

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Sequences that are woven]
//
// Colours of pixels, coordinates of points, real and imaginary parts take turns in memory: each is every third or
// second element from another one on. Vectors of them, loaded one by one, load the same memory as often as there are
// sequences, and stored one by one they are stored element by element. Package vec has functions that load, or store,
// all of them at once by a few shuffles. The pass woven has loads stand together that one of these functions loads, and
// stores that one stores; the printer prints each such group as its call.

var woven = pass.Pass[*kir.Func]{
	Name: "woven", Doc: "vectors of numbers that take turns in memory are loaded, and stored, together",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		f.Body = weave(f.Body)
		return pass.Prune.Run(f)
	},
}

func weave(body []kir.Stmt) []kir.Stmt {
	for _, s := range body {
		kir.Rewrite(s, weave)
	}
	w := &weaver{sums: map[*kir.Var]kir.Expr{}}
	for _, s := range body {
		if let, ok := s.(*kir.Let); ok {
			if x, ok := let.X.(*kir.Bin); ok && let.V.T == kir.Int {
				w.sums[let.V] = x
			}
		}
	}
	kir.Walk(body, func(s kir.Stmt) {
		if set, ok := s.(*kir.Set); ok {
			delete(w.sums, set.V)
		}
	}, nil)
	for i := 0; i < len(body); {
		s := body[i]
		if body = w.gather(body, i); body[i] == s { // else another statement has come to this place
			i++
		}
	}
	return body
}

type weaver struct {
	sums map[*kir.Var]kir.Expr // the indices of the block that are sums
}

// thread is a vector of every by-th number of what lies at array: from number at on, counted from number v.
type thread struct {
	array string
	v     *kir.Var
	at    int64
	by    int
	t     kir.Type
	store bool
}

// thread returns what a statement loads or stores; by is 0 if that is no such vector.
func (w *weaver) thread(s kir.Stmt) (th thread) {
	var a *kir.Array
	var i kir.Expr
	switch s := s.(type) {
	case *kir.Let:
		if s.V.Memory != nil || s.V.Saved {
			return thread{}
		}
		switch x := s.X.(type) {
		case *kir.Every:
			a, i, th.by, th.t = x.A, x.I, x.By, x.T
		case *kir.Load:
			if x.A.Field == nil || x.Mask != nil {
				return thread{}
			}
			a, i, th.by, th.t = x.A, x.I, x.A.Field.Apart, x.T
		}
	case *kir.StoreEvery:
		a, i, th.by, th.t, th.store = s.A, s.I, s.By, s.X.Type(), true
	case *kir.Store:
		if s.A.Field == nil || s.Mask != nil {
			return thread{}
		}
		a, i, th.by, th.t, th.store = s.A, s.I, s.A.Field.Apart, s.X.Type(), true
	}
	if a == nil || th.by < 2 || !hasWoven(th.t) {
		return thread{}
	}
	th.array = stored(a)
	for {
		v, by := distance(i)
		if v == nil {
			return thread{}
		}
		th.v, th.at = v, th.at+by
		if w.sums[v] == nil {
			break
		}
		if next, _ := distance(w.sums[v]); next == nil {
			break
		}
		i = w.sums[v]
	}
	if f := a.Field; f != nil {
		th.at = th.at*int64(f.Apart) + int64(f.Nth)
	}
	return th
}

// hasWoven reports whether there are functions for vectors of a type.
func hasWoven(t kir.Type) bool {
	switch t.Kind.Bytes() {
	case 1:
		return t.Lanes == 8 && t.Kind != ir.Bool
	case 4, 8:
		return t.Lanes*t.Kind.Bytes() == 32
	}
	return false
}

// group is the number of the group of threads that a thread belongs to.
func (th thread) group() int64 {
	by := int64(th.by)
	return (th.at - (th.at%by+by)%by) / by
}

// gather brings together the group that begins with statement i: loads with the first of them, stores with the last.
func (w *weaver) gather(body []kir.Stmt, i int) []kir.Stmt {
	first := w.thread(body[i])
	if first.by == 0 || wovenAt(body[i:]) > 0 {
		return body
	}
	members := make([]int, first.by) // the statements, by the place of what they load or store; -1 for none
	for k := range members {
		members[k] = -1
	}
	last, found := i, 0
	for j := i; j < len(body) && found < first.by; j++ {
		th := w.thread(body[j])
		if th.by == first.by && th.array == first.array && th.v == first.v && th.t == first.t && th.store == first.store && th.group() == first.group() {
			k := th.at - th.group()*int64(th.by)
			if members[k] >= 0 {
				return body
			}
			members[k], last = j, j
			found++
		} else if j > i && !passes(body[j], first) {
			return body
		}
	}
	if found < first.by || first.store && !w.unchanged(body[i:last+1]) {
		return body
	}
	var together, others []kir.Stmt
	for _, j := range members {
		together = append(together, w.counted(body[j]))
	}
	for j := i; j <= last; j++ {
		if !slices.Contains(members, j) {
			others = append(others, body[j])
		}
	}
	if first.store {
		return slices.Concat(body[:i], others, together, body[last+1:])
	}
	return slices.Concat(body[:i], together, others, body[last+1:])
}

// counted has the index of a load or store counted from the number that those of its group have in common: what else
// it is computed from may be behind the first of them.
func (w *weaver) counted(s kir.Stmt) kir.Stmt {
	th := w.thread(s)
	i := kir.Expr(&kir.Ref{V: th.v})
	from := func(by int64) kir.Expr {
		if by == 0 {
			return i
		}
		return &kir.Bin{Fn: ir.Add, X: i, Y: &kir.Const{C: ir.IntConst(ir.Int, by)}, T: kir.Int}
	}
	of := func(f *kir.Field) kir.Expr { return from((th.at - int64(f.Nth)) / int64(f.Apart)) }
	switch s := s.(type) {
	case *kir.Let:
		if x, ok := s.X.(*kir.Every); ok {
			return &kir.Let{V: s.V, X: &kir.Every{A: x.A, I: from(th.at), By: x.By, T: x.T}}
		}
		x := s.X.(*kir.Load)
		return &kir.Let{V: s.V, X: &kir.Load{A: x.A, I: of(x.A.Field), T: x.T}}
	case *kir.StoreEvery:
		return &kir.StoreEvery{A: s.A, I: from(th.at), By: s.By, X: s.X}
	case *kir.Store:
		return &kir.Store{A: s.A, I: of(s.A.Field), X: s.X}
	}
	return s
}

// passes reports whether what a thread reads may be read before a statement, or what it writes be written behind it.
func passes(s kir.Stmt, th thread) bool {
	ok := true
	switch s := s.(type) {
	case *kir.Let:
	case *kir.Set:
		ok = s.V != th.v
	case *kir.Store, *kir.StoreEvery:
		ok = stored(kir.ArrayOf(s)) != th.array
	default:
		return false
	}
	kir.Walk([]kir.Stmt{s}, nil, func(x kir.Expr) {
		if _, routine := x.(*kir.Routine); routine {
			ok = false
		}
		if a := kir.ArrayOf(x); th.store && a != nil && stored(a) == th.array {
			ok = false
		}
	})
	return ok
}

// unchanged reports whether the values of stores are at the last of some statements what they are at the store.
func (w *weaver) unchanged(body []kir.Stmt) bool {
	set := map[*kir.Var]bool{}
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *kir.Set:
			set[s.V] = true
		case *kir.Store:
			if names(s.X, set) || names(s.I, set) {
				return false
			}
		case *kir.StoreEvery:
			if names(s.X, set) || names(s.I, set) {
				return false
			}
		}
	}
	return true
}

// wovenAt returns how many statements at the beginning of a body are a group that is loaded or stored together, in the
// order of memory; 0 if there is none.
func wovenAt(body []kir.Stmt) int {
	w := &weaver{}
	first := w.thread(body[0])
	if first.by == 0 || len(body) < first.by || first.at != first.group()*int64(first.by) {
		return 0
	}
	for k, s := range body[:first.by] {
		th := first
		th.at += int64(k)
		if w.thread(s) != th {
			return 0
		}
	}
	return first.by
}

// woven prints the group that a body begins with, and returns how many statements that are; 0 if there is none.
func (p *printer) woven(body []kir.Stmt) int {
	n := wovenAt(body)
	if n == 0 {
		return 0
	}
	var values []string
	for _, s := range body[:n] {
		switch s := s.(type) {
		case *kir.Let:
			values = append(values, s.V.Name)
		case *kir.Store:
			values = append(values, p.lowBits(s.X))
		case *kir.StoreEvery:
			values = append(values, p.lowBits(s.X))
		}
	}
	all := strings.Join(values, ", ")
	load := func(t kir.Type, at string) { p.printf("%s := vec.LoadAll%d%s(%s)\n", all, n, memoryName(t), at) }
	store := func(t kir.Type, at string) { p.printf("vec.StoreAll%d%s(%s, %s)\n", n, memoryName(t), all, at) }
	switch s := body[0].(type) {
	case *kir.Let:
		if x, ok := s.X.(*kir.Every); ok {
			load(x.T, p.at(x.A, x.I))
		} else {
			x := s.X.(*kir.Load)
			load(x.T, p.fieldAddress(x.A, x.I)+", 0")
		}
	case *kir.StoreEvery:
		store(s.X.Type(), p.at(s.A, s.I))
	case *kir.Store:
		store(s.X.Type(), p.fieldAddress(s.A, s.I)+", 0")
	}
	return n
}
