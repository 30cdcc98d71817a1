package torture

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Shrink looks for a smaller kernel that fails in the same way, for at most limit. tempDir gives empty directories.
func Shrink(ctx context.Context, tempDir func() string, f Failure, opt Options, limit time.Duration) (*Kernel, Failure) {
	deadline := time.Now().Add(limit)
	opt.Codes, opt.Full, opt.PerPackage, opt.Args = 0, 0, 1000, []string{"-few"}
	best := f
	for tried := 0; time.Now().Before(deadline); {
		all := smaller(best.Kernel)
		all = all[min(tried, len(all)):]
		if len(all) == 0 {
			break
		}
		all = all[:min(len(all), 12)]
		tried += len(all)
		for i, k := range all {
			k.Name = fmt.Sprintf("K%03d", i)
		}
		out, err := Run(ctx, tempDir(), all, opt)
		if err != nil {
			continue
		}
		found := false
		for _, k := range all { // in order: the smallest first
			i := slices.IndexFunc(out.Failures, func(g Failure) bool { return g.Kernel == k && g.Kind == f.Kind })
			if i >= 0 {
				best, found = out.Failures[i], true
				break
			}
		}
		if found {
			tried = 0
		}
	}
	return best.Kernel, best
}

// smaller lists kernels with one thing less than k, the smallest first.
func smaller(k *Kernel) []*Kernel {
	var out []*Kernel
	consider := func(c *Kernel) {
		c.clean()
		if c.scoped() && c.size() < k.size() && len(c.Params) > 0 {
			out = append(out, c)
		}
	}
	for i := range k.Results {
		if len(k.Results) > 1 {
			c := k.clone()
			c.Results = slices.Delete(c.Results, i, i+1)
			consider(c)
		}
	}
	// Statement number i goes, or gives way to one of its blocks.
	statements, exprs := 0, 0
	k.walk(func(*Expr) { exprs++ }, func(*Stmt) { statements++ })
	for i := range statements {
		for way := -1; way < 2; way++ {
			c := k.clone()
			if c.edit(i, func(s *Stmt) ([]*Stmt, bool) {
				if way < 0 {
					return nil, true
				}
				if way < len(s.Blocks) && len(s.Inner) == 0 {
					return s.Blocks[way], true
				}
				return nil, false
			}) {
				consider(c)
			}
		}
	}
	// Expression number i gives way to something inside it, a variable or a constant.
	for i := range exprs {
		n := -1
		var at *Expr
		k.walk(func(e *Expr) {
			if n++; n == i {
				at = e
			}
		}, nil)
		if at.Ref || at.Const || at.Fn != nil {
			continue
		}
		var with []*Expr
		walkExpr(at, func(e *Expr) {
			if e != at && e.fits(at) {
				with = append(with, e)
			}
		}, nil)
		for _, v := range k.variables() {
			if r := v.ref(); r.fits(at) {
				with = append(with, r)
			}
		}
		if at.T.Rank == 0 && at.T.B == "" {
			with = append(with, simplest(at.T.A)...)
		}
		for _, w := range with {
			c := k.clone()
			n := -1
			var target *Expr
			c.walk(func(e *Expr) {
				if n++; n == i {
					target = e
				}
			}, nil)
			*target = *cloneExpr(w)
			consider(c)
		}
	}
	slices.SortStableFunc(out, func(a, b *Kernel) int { return a.size() - b.size() })
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(c *Kernel) bool {
		name := c.Name
		c.Name = "K"
		text := c.Source("p", false)
		c.Name = name
		dup := seen[text]
		seen[text] = true
		return dup
	})
}

// fits reports whether e may stand in the place of at.
func (e *Expr) fits(at *Expr) bool {
	if e.T != at.T || at.T.A.float() && !e.A.within(at.A) || at.IdxOf != "" && e.IdxOf != at.IdxOf {
		return false
	}
	return len(at.Len) == 0 || len(e.Len) > 0 && e.Len[0] == at.Len[0]
}

func simplest(k Kind) []*Expr {
	one := attr{exact: true, nonny: true}
	switch {
	case k == Bool:
		return []*Expr{{T: scalarOf(k), Op: "true", Const: true}, {T: scalarOf(k), Op: "false", Const: true}}
	case k == F64:
		return []*Expr{{T: scalarOf(k), Op: "1.0", Const: true, A: one}}
	}
	return []*Expr{{T: scalarOf(k), Op: string(k) + "(1)", Const: true, A: one}}
}

// variables lists every variable of the kernel that an expression could name.
func (k *Kernel) variables() []*Var {
	var vs []*Var
	for _, p := range k.Params {
		vs = append(vs, &p.Var)
	}
	k.walk(func(e *Expr) {
		if e.Fn != nil {
			vs = append(vs, e.Fn.Params...)
		}
	}, nil)
	return vs
}

// edit replaces statement number i by what f gives.
func (k *Kernel) edit(i int, f func(*Stmt) ([]*Stmt, bool)) bool {
	n, done := -1, false
	var stmts func(body []*Stmt) []*Stmt
	var expr func(e *Expr)
	expr = func(e *Expr) {
		if e.Fn != nil {
			e.Fn.Body = stmts(e.Fn.Body)
			expr(e.Fn.Ret)
		}
		for _, a := range e.Args {
			expr(a)
		}
	}
	stmts = func(body []*Stmt) []*Stmt {
		var out []*Stmt
		for _, s := range body {
			n++
			if n == i {
				with, ok := f(s)
				if ok {
					done = true
					out = append(out, with...)
					continue
				}
			}
			for _, x := range s.X {
				expr(x)
			}
			for j := range s.Blocks {
				s.Blocks[j] = stmts(s.Blocks[j])
			}
			out = append(out, s)
		}
		return out
	}
	k.Body = stmts(k.Body)
	for _, r := range k.Results {
		expr(r)
	}
	return done
}
