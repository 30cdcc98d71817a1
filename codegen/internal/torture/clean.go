package torture

import "slices"

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// walkExpr calls f for e and everything inside, statements of function literals included.
func walkExpr(e *Expr, f func(*Expr), s func(*Stmt)) {
	f(e)
	if e.Fn != nil {
		walkStmts(e.Fn.Body, f, s)
		walkExpr(e.Fn.Ret, f, s)
	}
	for _, a := range e.Args {
		walkExpr(a, f, s)
	}
}

func walkStmts(body []*Stmt, f func(*Expr), s func(*Stmt)) {
	for _, st := range body {
		if s != nil {
			s(st)
		}
		for _, x := range st.X {
			walkExpr(x, f, s)
		}
		for _, b := range st.Blocks {
			walkStmts(b, f, s)
		}
	}
}

func (k *Kernel) walk(f func(*Expr), s func(*Stmt)) {
	walkStmts(k.Body, f, s)
	for _, r := range k.Results {
		walkExpr(r, f, s)
	}
}

// size counts expressions and statements.
func (k *Kernel) size() int {
	n := len(k.Params)
	k.walk(func(*Expr) { n++ }, func(*Stmt) { n++ })
	return n
}

// clean drops variables that nothing reads, which Go does not allow, and parameters that nothing mentions.
func (k *Kernel) clean() {
	if k.Text {
		return
	}
	for {
		used := map[string]bool{}
		k.walk(func(e *Expr) {
			if e.Ref {
				used[e.Op] = true
			}
		}, nil)
		changed := false
		var drop func(body []*Stmt) []*Stmt
		var inExpr func(e *Expr)
		inExpr = func(e *Expr) {
			if e.Fn != nil {
				e.Fn.Body = drop(e.Fn.Body)
				inExpr(e.Fn.Ret)
			}
			for _, a := range e.Args {
				inExpr(a)
			}
		}
		drop = func(body []*Stmt) []*Stmt {
			var out []*Stmt
			for _, s := range body {
				if s.Declares != "" && !used[s.Declares] && !used[s.Second] || s.Assigns != "" && !used[s.Assigns] {
					changed = true
					continue
				}
				for _, x := range s.X {
					inExpr(x)
				}
				for i := range s.Blocks {
					s.Blocks[i] = drop(s.Blocks[i])
				}
				out = append(out, s)
			}
			return out
		}
		k.Body = drop(k.Body)
		for _, r := range k.Results {
			inExpr(r)
		}
		if !changed {
			k.Params = slices.DeleteFunc(k.Params, func(p *Param) bool { return !used[p.Name] })
			return
		}
	}
}

// scoped reports whether every variable is used where it exists.
func (k *Kernel) scoped() bool {
	if k.Text {
		return true
	}
	ok := true
	type set = map[string]bool
	extend := func(s set, names ...string) set {
		t := set{}
		for n := range s {
			t[n] = true
		}
		for _, n := range names {
			t[n] = true
		}
		return t
	}
	var expr func(e *Expr, in set)
	var stmts func(body []*Stmt, in set) set
	expr = func(e *Expr, in set) {
		if e.Ref && !in[e.Op] {
			ok = false
		}
		if e.Fn != nil {
			inner := extend(in)
			for _, p := range e.Fn.Params {
				inner[p.Name] = true
			}
			inner = stmts(e.Fn.Body, inner)
			expr(e.Fn.Ret, inner)
		}
		for _, a := range e.Args {
			expr(a, in)
		}
	}
	stmts = func(body []*Stmt, in set) set {
		in = extend(in)
		for _, s := range body {
			inner := extend(in)
			for _, v := range s.Inner {
				inner[v.Name] = true
			}
			for _, x := range s.X {
				expr(x, inner) // conditions of loops see the loop's variable
			}
			if s.Assigns != "" && !in[s.Assigns] {
				ok = false
			}
			for _, b := range s.Blocks {
				stmts(b, inner)
			}
			for _, name := range []string{s.Declares, s.Second} {
				if name != "" {
					in[name] = true
				}
			}
		}
		return in
	}
	in := set{}
	for _, p := range k.Params {
		in[p.Name] = true
	}
	in = stmts(k.Body, in)
	for _, r := range k.Results {
		expr(r, in)
	}
	return ok
}

// clone copies a kernel deeply; variables are shared, they do not change.
func (k *Kernel) clone() *Kernel {
	c := *k
	c.Params = slices.Clone(k.Params)
	c.Body = cloneStmts(k.Body)
	c.Results = cloneExprs(k.Results)
	return &c
}

func cloneExprs(xs []*Expr) []*Expr {
	out := make([]*Expr, len(xs))
	for i, x := range xs {
		out[i] = cloneExpr(x)
	}
	return out
}

func cloneExpr(e *Expr) *Expr {
	c := *e
	c.Args = cloneExprs(e.Args)
	if e.Fn != nil {
		c.Fn = &Fn{e.Fn.Params, cloneStmts(e.Fn.Body), cloneExpr(e.Fn.Ret)}
	}
	return &c
}

func cloneStmts(body []*Stmt) []*Stmt {
	out := make([]*Stmt, len(body))
	for i, s := range body {
		c := *s
		c.X = cloneExprs(s.X)
		c.Blocks = nil
		for _, b := range s.Blocks {
			c.Blocks = append(c.Blocks, cloneStmts(b))
		}
		out[i] = &c
	}
	return out
}
