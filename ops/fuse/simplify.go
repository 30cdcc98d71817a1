package fuse

import (
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// simplify folds constants, removes statements that compute what an earlier one in scope computed already, drops checks
// that always hold or were made before, and then dead code. Floating-point arithmetic is never reassociated.
func simplify(f *ir.Func) {
	s := &simplifier{sub: ir.Subst{}, scope: newScope(nil), below: map[*ir.Var]ir.Atom{}, counts: map[*ir.Var]bool{}, bits: map[*ir.Var]int{}, rows: map[*ir.Var]bool{}, defs: map[*ir.Var]ir.Op{}, picks: map[*ir.Var]*ir.Select{}, known: map[ir.Atom]bool{}, sums: map[*ir.Var]*ir.Binary{}}
	ir.Walk(f.Body, func(st *ir.Stmt) {
		if loop, ok := st.Op.(*ir.Loop); ok { // what the first turn reads is in memory of the loop's own
			for _, a := range loop.Init {
				if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
					s.rows[v] = true
				}
			}
		}
	})
	s.block(f.Body)
	dropDead(f.Body)
}

type scope struct {
	parent *scope
	values map[string][]*ir.Var // what an operation's text computes
	checks map[string]bool
}

func newScope(p *scope) *scope {
	return &scope{parent: p, values: map[string][]*ir.Var{}, checks: map[string]bool{}}
}

func (sc *scope) find(key string) []*ir.Var {
	for ; sc != nil; sc = sc.parent {
		if v, ok := sc.values[key]; ok {
			return v
		}
	}
	return nil
}

func (sc *scope) checked(key string) bool {
	for ; sc != nil; sc = sc.parent {
		if sc.checks[key] {
			return true
		}
	}
	return false
}

type simplifier struct {
	sub    ir.Subst
	scope  *scope
	below  map[*ir.Var]ir.Atom    // index variables and the length they stay below
	counts map[*ir.Var]bool       // indices of operators and loops, which are less than some int
	bits   map[*ir.Var]int        // ints of a magnitude of at most 2 to that power
	undo   []func()               // what blocks forget when they end
	rows   map[*ir.Var]bool       // sequences that a Map yields or a loop carries: each is written where it is stored, so none stands for another
	defs   map[*ir.Var]ir.Op      // what yields a scalar of floats
	picks  map[*ir.Var]*ir.Select // what yields an int that a condition chooses, such as the length of a sequence
	known  map[ir.Atom]bool       // conditions of the branches around
	sums   map[*ir.Var]*ir.Binary // ints that are the sum of two, and conditions that ask whether both or one of two hold
}

// magnitude returns that of an atom, unknownBits if nothing is known.
func (s *simplifier) magnitude(a ir.Atom) int {
	switch a := a.(type) {
	case ir.Const:
		if n := a.Int(); n != math.MinInt64 {
			return bits.Len64(uint64(max(n, -n)))
		}
	case *ir.Var:
		if m, ok := s.bits[a]; ok {
			return m
		}
		if n, ok := s.below[a]; ok {
			return s.magnitude(n)
		}
	}
	return unknownBits
}

// learn notes what an operation says about the magnitude of its result, or a check about its arguments.
func (s *simplifier) learn(st *ir.Stmt) {
	if op, ok := st.Op.(*ir.Check); ok {
		var bounded []ir.Atom
		switch op.Kind {
		case ir.CheckIndex:
			bounded = op.Args[:1]
		case ir.CheckBounds:
			bounded = op.Args[:2]
		}
		for _, a := range bounded {
			if v, ok := a.(*ir.Var); ok {
				m := s.magnitude(v)
				s.undo = append(s.undo, func() { s.bits[v] = m }) // the check says nothing outside of its block
				s.bits[v] = min(m, s.magnitude(op.Args[len(op.Args)-1]))
			}
		}
		return
	}
	if m := magnitude(st.Op, s.magnitude); m < unknownBits && len(st.Dst) == 1 && st.Dst[0].T == tInt {
		s.bits[st.Dst[0]] = m
	}
}

func (s *simplifier) block(b *ir.Block) {
	s.scope = newScope(s.scope)
	known := len(s.undo)
	stmts := b.Stmts
	b.Stmts = nil
	for i := 0; i < len(stmts); i++ {
		st := stmts[i]
		for _, a := range ir.Operands(st.Op) {
			*a = s.under(s.sub.Atom(*a), s.known)
		}
		if taken := s.taken(st.Op); taken != nil {
			for j, d := range st.Dst {
				s.sub[d] = taken.Results[j]
			}
			stmts, i = slices.Concat(taken.Stmts, stmts[i+1:]), -1
			continue
		}
		if !s.stmt(st) {
			continue
		}
		if either := sameBranch(st.Op); either != nil && !s.anyRow(st.Dst) {
			for j, d := range st.Dst {
				s.sub[d] = either.Results[j]
			}
			stmts, i = slices.Concat(either.Stmts, stmts[i+1:]), -1
			continue
		}
		b.Stmts = append(b.Stmts, st)
		if picks := chosenLengths(st); len(picks) > 0 {
			stmts, i = slices.Concat(picks, stmts[i+1:]), -1
		}
	}
	for i := range b.Results {
		b.Results[i] = s.under(s.sub.Atom(b.Results[i]), s.known)
	}
	s.scope = s.scope.parent
	for len(s.undo) > known {
		s.undo[len(s.undo)-1]()
		s.undo = s.undo[:len(s.undo)-1]
	}
}

// taken returns the branch that a condition takes which is known, nil if op is none.
func (s *simplifier) taken(op ir.Op) *ir.Block {
	branch, ok := op.(*ir.If)
	if !ok {
		return nil
	}
	holds, ok := s.known[branch.Cond]
	if c, isConst := branch.Cond.(ir.Const); isConst {
		holds, ok = c.Bits != 0, true
	}
	switch {
	case !ok:
		return nil
	case holds:
		return branch.Then
	}
	return branch.Else
}

// sameBranch returns what both branches of a condition do, if that is the same, and nil otherwise. A check says where
// it stands, and so does the panic of a call: none is the same as another one.
func sameBranch(op ir.Op) *ir.Block {
	branch, ok := op.(*ir.If)
	if !ok || len(branch.Then.Stmts) != len(branch.Else.Stmts) || ir.HasCalls(branch) {
		return nil
	}
	for i, s := range branch.Then.Stmts {
		if reflect.TypeOf(s.Op) != reflect.TypeOf(branch.Else.Stmts[i].Op) {
			return nil
		}
	}
	alone := func(b *ir.Block) ir.Op { return &ir.If{Cond: branch.Cond, Then: b, Else: &ir.Block{}} }
	checks := false
	ir.Walk(branch.Then, func(s *ir.Stmt) {
		_, check := s.Op.(*ir.Check)
		checks = checks || check
	})
	if checks || structuralKey(alone(branch.Then)) != structuralKey(alone(branch.Else)) {
		return nil
	}
	return branch.Then
}

// stmt simplifies one statement and reports whether it is still needed.
func (s *simplifier) stmt(st *ir.Stmt) bool {
	s.learn(st)
	if i := ir.OperatorIndex(st.Op); i != nil {
		s.below[i], s.counts[i] = ir.OperatorLength(st.Op), true
	}
	switch op := st.Op.(type) {
	case *ir.Map:
		for _, a := range op.Body.Results {
			if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
				s.rows[v] = true
			}
		}
	case *ir.Loop:
		for _, a := range op.Body.Results { // stored in other memory than what this turn began with, as rows are
			if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 {
				s.rows[v] = true
			}
		}
		for i, p := range op.Params { // a number that no turn changes
			if p.T.Rank == 0 && op.Body.Results[i] == ir.Atom(p) {
				s.sub[p], s.sub[st.Dst[i]] = op.Init[i], op.Init[i]
			}
		}
		if op.I != nil {
			s.counts[op.I] = true
		}
		if lo, ok := op.Lo.(ir.Const); ok && op.I != nil && lo.Int() >= 0 {
			s.below[op.I] = op.Hi
		}
	case *ir.Check:
		key := opKey(op)
		if s.holds(op) || s.scope.checked(key) {
			return false
		}
		s.scope.checks[key] = true
		return true
	}
	if c, ok := st.Op.(*ir.Convert); ok {
		if op := s.narrow(c); op != nil {
			st.Op = op
		}
	}
	if op, ok := st.Op.(*ir.Binary); ok {
		timesReciprocal(op)
		a := s.undone(st.Dst[0], op)
		if a == nil {
			a = s.repeated(st.Dst[0], op)
		}
		if a != nil {
			s.sub[st.Dst[0]] = a
			return false
		}
	}
	if pick, ok := st.Op.(*ir.Select); ok {
		if _, known := s.known[pick.Cond]; !known {
			pick.X, pick.Y = s.where(pick.Cond, true, pick.X, s.known), s.where(pick.Cond, false, pick.Y, s.known)
		}
		if st.Dst[0].T == tInt {
			s.picks[st.Dst[0]] = pick
		}
	}
	if a := fold(st.Op); a != nil {
		s.sub[st.Dst[0]] = a
		return false
	}
	s.blocks(st.Op)
	if key := opKey(st.Op); key != "" {
		if vs := s.scope.find(key); vs != nil && len(vs) == len(st.Dst) && !s.anyRow(st.Dst) {
			for i, d := range st.Dst {
				s.sub[d] = vs[i]
			}
			return false
		}
		s.scope.values[key] = st.Dst
	}
	if len(st.Dst) == 1 && st.Dst[0].T == ir.Scalar(ir.Float64) {
		s.defs[st.Dst[0]] = st.Op
	}
	return true
}

// under is a, or what a is where the conditions hold that are known: those of the branches around, and those in known.
func (s *simplifier) under(a ir.Atom, known map[ir.Atom]bool) ir.Atom {
	v, _ := a.(*ir.Var)
	pick := s.picks[v]
	if pick == nil {
		return a
	}
	if holds, ok := known[pick.Cond]; ok {
		if holds {
			return s.under(pick.X, known)
		}
		return s.under(pick.Y, known)
	}
	if x := s.where(pick.Cond, true, pick.X, known); x == s.where(pick.Cond, false, pick.Y, known) {
		return x
	}
	return a
}

// where is under with one more condition that is known.
func (s *simplifier) where(cond ir.Atom, holds bool, a ir.Atom, known map[ir.Atom]bool) ir.Atom {
	known[cond] = holds
	defer delete(known, cond)
	return s.under(a, known)
}

// blocks simplifies the blocks of op; those of a condition know how it ended.
func (s *simplifier) blocks(op ir.Op) {
	branch, ok := op.(*ir.If)
	if ok {
		_, known := s.known[branch.Cond]
		ok = !known
	}
	if !ok {
		for _, c := range ir.Blocks(op) {
			s.block(c)
		}
		return
	}
	s.known[branch.Cond] = true
	s.block(branch.Then)
	s.known[branch.Cond] = false
	s.block(branch.Else)
	delete(s.known, branch.Cond)
}

func (s *simplifier) anyRow(vs []*ir.Var) bool {
	return slices.ContainsFunc(vs, func(v *ir.Var) bool { return s.rows[v] })
}

// holds reports whether a check always succeeds.
func (s *simplifier) holds(c *ir.Check) bool {
	switch c.Kind {
	case ir.CheckLength:
		return c.Args[0] == c.Args[1]
	case ir.CheckIndex:
		if v, ok := c.Args[0].(*ir.Var); ok {
			if n, ok := s.below[v]; ok && n == c.Args[1] {
				return true
			}
		}
	case ir.CheckCount:
		return s.magnitude(c.Args[0]) < s.magnitude(c.Args[1])-1
	case ir.CheckFinite:
		k, ok := c.Args[0].(ir.Const)
		return ok && !math.IsNaN(k.Float()) && !math.IsInf(k.Float(), 0)
	case ir.CheckSize:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Int() > 0
	case ir.CheckPanic:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Bits != 0
	case ir.CheckNonneg:
		k, ok := c.Args[0].(ir.Const)
		return ok && k.Int() >= 0
	case ir.CheckNonzero:
		k, ok := c.Args[0].(ir.Const)
		return ok && (k.Kind.IsFloat() && k.Float() != 0 || !k.Kind.IsFloat() && k.Int() != 0)
	}
	return false
}
