package kir

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// block reads statements up to a closing brace, which it leaves.
func (p *parser) block() []Stmt {
	var list []Stmt
	for p.peek() != "}" {
		list = append(list, p.stmt())
	}
	return list
}

func (p *parser) stmt() Stmt {
	word := p.word()
	switch p.peek() {
	case ":", "=", "[": // a variable may be called like a statement
		return p.assignment(word)
	}
	switch word {
	case "for":
		return p.loop()
	case "stride":
		s := &Stride{V: &Var{Name: p.word(), T: Int}}
		p.expect("=")
		s.Lo = p.expr()
		p.expect("to")
		s.Hi = p.expr()
		p.expect("step")
		s.Step = p.expr()
		s.What, s.Pos = p.open()
		p.vars[s.V.Name] = s.V
		s.Body = p.block()
		p.expect("}")
		return s
	case "while":
		s := &While{Watched: p.accept("watched")}
		p.expect("{")
		s.Cond = p.block()
		p.expect("}")
		s.Test = p.expr()
		p.expect("{")
		s.Body = p.block()
		p.expect("}")
		return s
	case "break":
		return &Break{}
	case "if":
		s := &If{Cond: p.expr()}
		p.expect("{")
		s.Then = p.block()
		p.expect("}")
		if p.accept("else") {
			p.expect("{")
			s.Else = p.block()
			p.expect("}")
		}
		return s
	case "parallel":
		return p.par()
	case "barrier":
		return &Barrier{Global: p.accept("global")}
	case "label":
		return &Label{Name: p.word()}
	case "publish":
		s := &Publish{Chain: p.chain()}
		s.Chunk = p.use(p.word())
		s.X = p.expr()
		return s
	case "scratch":
		s := &AllocScratch{A: p.array()}
		s.N = p.index()
		s.Grows = p.accept("grows")
		return s
	case "grow":
		s := &Grow{A: p.array()}
		s.N = p.index()
		p.expect("keep")
		s.Keep = p.expr()
		return s
	case "scope":
		p.expect("{")
		s := &Scoped{Body: p.block()}
		p.expect("}")
		return s
	case "divergent":
		p.expect("{")
		s := &Divergent{Body: p.block()}
		p.expect("}")
		return s
	case "vectors":
		p.expect("{")
		s := &Vectors{Body: p.block()}
		p.expect("}")
		return s
	case "result":
		s := &Result{Name: p.word()}
		p.expect("=")
		s.X = p.expr()
		return s
	case "call":
		r, ok := p.expr().(*Routine)
		if !ok {
			p.failf("a routine was expected")
		}
		return &Call{R: r}
	case "func":
		s := &GoCall{Fn: p.str()}
		for {
			v := &Var{Name: p.word()}
			p.expect(":")
			v.T = p.typ()
			s.Dst = append(s.Dst, v)
			if !p.accept(",") {
				break
			}
		}
		p.expect("=")
		r, ok := p.expr().(*Routine)
		if !ok {
			p.failf("a routine was expected")
		}
		s.R = r
		for _, v := range s.Dst {
			p.vars[v.Name] = v
		}
		p.peek()
		_, s.Pos = splitRemark(p.remark)
		return s
	case "scatter":
		s := &Scatter{A: p.array()}
		s.I = p.index()
		if p.accept("where") {
			s.Mask = p.expr()
		}
		p.expect("=")
		s.X = p.expr()
		return s
	case "store":
		s := &StoreEvery{A: p.array()}
		p.expect("[")
		s.I = p.expr()
		p.expect("by")
		s.By = p.int()
		p.expect("]")
		p.expect("=")
		s.X = p.expr()
		return s
	case "check":
		s := &Check{Failed: p.accept("failed")}
		s.Kind = ir.CheckKind(p.word())
		s.Args = p.list()
		s.Op, s.Arg = p.str(), p.str()
		if p.acceptHere("at") {
			s.Position = p.expr()
		}
		if p.acceptHere("leave") {
			s.Leave = p.word()
		}
		p.peek()
		_, s.Pos = splitRemark(p.remark)
		return s
	case "check_all":
		s := &CheckAll{A: p.array()}
		s.I = p.index()
		p.expect("count")
		s.N = p.expr()
		p.expect("below")
		s.Limit = p.expr()
		s.Op, s.Arg = p.str(), p.str()
		p.peek()
		_, s.Pos = splitRemark(p.remark)
		return s
	}
	p.failf("%q begins no statement", word)
	return nil
}

// assignment reads "v: T = x", "v: T = wait c", "v = x" and "a[i] = x".
func (p *parser) assignment(name string) Stmt {
	switch {
	case p.accept(":"):
		v := &Var{Name: name}
		v.T = p.typ()
		if p.accept("in") {
			v.Memory = p.array()
			v.At = p.int()
			v.Saved = p.accept("saved")
		}
		p.expect("=")
		if p.accept("wait") {
			s := &Wait{Chain: p.chain(), V: v}
			s.Chunk = p.use(p.word())
			p.vars[name] = v
			return s
		}
		x := p.expr()
		p.vars[name] = v
		return &Let{v, x}
	case p.peek() == "[":
		a := p.arrays[name]
		if a == nil {
			p.failf("no array is called %q", name)
		}
		s := &Store{A: a}
		p.expect("[")
		s.I = p.expr()
		if p.accept("where") {
			s.Mask = p.expr()
		}
		p.expect("]")
		p.expect("=")
		s.X = p.expr()
		return s
	}
	p.expect("=")
	return &Set{p.use(name), p.expr()}
}

func (p *parser) index() Expr {
	p.expect("[")
	x := p.expr()
	p.expect("]")
	return x
}

func (p *parser) chain() *Chain {
	name := p.word()
	c := p.chains[name]
	if c == nil {
		p.failf("no chain is called %q", name)
	}
	return c
}

func (p *parser) loop() Stmt {
	s := &For{Keep: p.accept("keep")}
	name := p.word()
	if s.Keep {
		s.V = p.use(name)
	} else {
		p.expect("=")
		s.Lo = p.expr()
		s.V = &Var{Name: name, T: Int}
	}
	p.expect("to")
	s.Hi = p.expr()
	p.expect("step")
	s.Step = p.int()
	s.Whole = p.accept("whole")
	s.Outlined = p.accept("outlined")
	s.Watched = p.accept("watched")
	if p.accept("lanes") {
		s.Lanes = p.int()
		for p.peek() != "{" {
			fn := ir.BinaryFn(p.word())
			p.expect("into")
			s.Combined = append(s.Combined, Combined{p.use(p.word()), fn})
		}
	}
	s.What, s.Pos = p.open()
	p.vars[name] = s.V
	s.Body = p.block()
	p.expect("}")
	return s
}

func (p *parser) par() Stmt {
	s := &Par{Level: p.int()}
	p.expect("over")
	s.N = p.expr()
	p.expect("chunk")
	s.Chunk = p.declare(p.word(), Int)
	p.expect("from")
	s.Lo = p.declare(p.word(), Int)
	p.expect("to")
	s.Hi = p.declare(p.word(), Int)
	if p.accept("partials") {
		p.expect("(")
		for {
			s.Partials = append(s.Partials, p.array())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	if p.accept("width") {
		s.PartialWidth = p.expr()
	}
	if p.accept("work") {
		s.Work = p.expr()
	}
	s.Even = p.accept("even")
	if p.accept("by") {
		s.By = p.array()
	}
	if p.accept("chain") {
		s.Chain = &Chain{Name: p.word(), Kind: p.kind()}
		p.expect("from")
		s.Chain.Seed = p.expr()
		p.chains[s.Chain.Name] = s.Chain
	}
	if p.accept("count") {
		s.Count = p.declare(p.word(), Int)
	}
	s.What, s.Pos = p.open()
	s.Body = p.block()
	p.expect("}")
	if p.accept("combine") {
		s.CombinePartial = &CombinePartials{K: p.declare(p.word(), Int)}
		p.expect("{")
		s.CombinePartial.Body = p.block()
		p.expect("}")
	}
	if p.accept("long") {
		s.Long = &LongRows{I: p.declare(p.word(), Int)}
		p.expect("{")
		s.Long.Body = p.block()
		p.expect("}")
	}
	return s
}

func (p *parser) list() []Expr {
	p.expect("(")
	var xs []Expr
	for p.peek() != ")" {
		xs = append(xs, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return xs
}
