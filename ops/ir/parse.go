package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/scanner"
)

// Parse reads the text form of one function. The result is not verified.
func Parse(text string) (f *Func, err error) {
	p := &parser{vars: map[string]*Var{}}
	p.s.Init(strings.NewReader(text))
	p.s.Mode = scanner.ScanStrings
	p.s.Whitespace = 1<<' ' | 1<<'\t' | 1<<'\r' | 1<<'\n'
	p.s.Error = func(*scanner.Scanner, string) {}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(parseError)
			if !ok {
				panic(r)
			}
			f, err = nil, e
		}
	}()
	p.next()
	f = p.fn()
	if p.tok != "" {
		p.failf("unexpected %q after the function", p.tok)
	}
	return f, nil
}

type parseError struct{ msg string }

func (e parseError) Error() string { return e.msg }

type parser struct {
	s     scanner.Scanner
	tok   string // current token, "" at the end
	line  int
	depth int
	vars  map[string]*Var
}

func (p *parser) failf(format string, args ...any) {
	panic(parseError{fmt.Sprintf("ir: line %d: ", p.line) + fmt.Sprintf(format, args...)})
}

const stopChars = " \t\r\n(){},=<"

// next reads a token: a string literal, one of (){},=< or a run of other characters ("x.1:", "[]float64", "@f.go:1:2").
func (p *parser) next() string {
	old := p.tok
	for strings.ContainsRune(" \t\r\n", p.s.Peek()) {
		p.s.Next()
	}
	p.line = p.s.Pos().Line
	switch r := p.s.Peek(); {
	case r == scanner.EOF:
		p.tok = ""
	case r == '"':
		p.s.Scan()
		p.tok = p.s.TokenText()
	case strings.ContainsRune(stopChars, r):
		p.tok = string(p.s.Next())
	default:
		var sb strings.Builder
		for r := p.s.Peek(); r != scanner.EOF && r != '"' && !strings.ContainsRune(stopChars, r); r = p.s.Peek() {
			sb.WriteRune(p.s.Next())
		}
		p.tok = sb.String()
	}
	return old
}

func (p *parser) expect(tok string) {
	if p.tok != tok {
		p.failf("found %q where %q was expected", p.tok, tok)
	}
	p.next()
}

func (p *parser) accept(tok string) bool {
	if p.tok == tok {
		p.next()
		return true
	}
	return false
}

func (p *parser) fn() *Func {
	p.expect("func")
	f := &Func{Name: p.next(), Pos: p.pos()}
	f.Reassociate = p.accept("reassociate")
	if p.accept("sizes") {
		n, err := strconv.Atoi(p.next())
		if err != nil {
			p.failf("want a number of sizes: %v", err)
		}
		f.Sizes = n
	}
	p.expect("(")
	f.Params = p.varList()
	if f.Sizes < 0 || f.Sizes > len(f.Params) {
		p.failf("%d sizes of %d parameters", f.Sizes, len(f.Params))
	}
	p.expect(")")
	f.Body = p.block()
	return f
}

func (p *parser) pos() Pos {
	if !strings.HasPrefix(p.tok, "@") {
		return Pos{}
	}
	parts := strings.Split(p.next()[1:], ":")
	if len(parts) < 3 {
		p.failf("bad position")
	}
	n := len(parts)
	line, err1 := strconv.Atoi(parts[n-2])
	col, err2 := strconv.Atoi(parts[n-1])
	if err1 != nil || err2 != nil {
		p.failf("bad position")
	}
	return Pos{strings.Join(parts[:n-2], ":"), line, col}
}

// varList reads "a: T, b: T"; it may be empty.
func (p *parser) varList() []*Var {
	var vs []*Var
	for strings.HasSuffix(p.tok, ":") {
		vs = append(vs, p.declare(strings.TrimSuffix(p.next(), ":"), p.typ()))
		if !p.accept(",") {
			break
		}
	}
	return vs
}

func (p *parser) declare(name string, t Type) *Var {
	if name == "" || p.vars[name] != nil {
		p.failf("variable %q is bound twice", name)
	}
	v := &Var{Name: name, T: t}
	p.vars[name] = v
	return v
}

func (p *parser) typ() Type {
	s, rank := p.next(), 0
	for strings.HasPrefix(s, "[]") {
		s, rank = s[2:], rank+1
	}
	k, ok := ParseKind(s)
	if !ok {
		p.failf("%q is not a type", s)
	}
	return Type{k, rank}
}

func (p *parser) atom() Atom {
	s := p.next()
	if v := p.vars[s]; v != nil {
		return v
	}
	if s == "true" || s == "false" {
		return BoolConst(s == "true")
	}
	val, kind, ok := strings.Cut(s, ":")
	k, known := ParseKind(kind)
	if !ok || !known {
		p.failf("%q is neither a variable nor a constant", s)
	}
	switch {
	case k.IsFloat():
		if x, err := strconv.ParseFloat(val, 64); err == nil {
			if math.IsNaN(x) {
				x = math.NaN()
			}
			return FloatConst(k, x)
		}
	case k.IsUnsigned():
		if x, err := strconv.ParseUint(val, 10, 64); err == nil {
			return IntConst(k, int64(x))
		}
	case k.IsInteger():
		if x, err := strconv.ParseInt(val, 10, 64); err == nil {
			return IntConst(k, x)
		}
	}
	p.failf("%q is not a constant", s)
	return nil
}

// atoms reads atoms up to a token that cannot begin one.
func (p *parser) atoms() []Atom {
	var as []Atom
	for p.isAtom() {
		as = append(as, p.atom())
	}
	return as
}

func (p *parser) isAtom() bool {
	if p.tok == "true" || p.tok == "false" {
		return true
	}
	if p.tok == "" || strings.HasSuffix(p.tok, ":") || strings.HasPrefix(p.tok, "@") || strings.HasPrefix(p.tok, `"`) {
		return false
	}
	if p.vars[p.tok] != nil {
		return true
	}
	_, kind, ok := strings.Cut(p.tok, ":")
	_, known := ParseKind(kind)
	return ok && known
}

func (p *parser) block() *Block {
	if p.depth++; p.depth > 200 {
		p.failf("blocks are nested too deeply")
	}
	defer func() { p.depth-- }()
	b := &Block{}
	p.expect("{")
	for p.tok != "yield" {
		if p.tok == "" || p.tok == "}" {
			p.failf("block without yield")
		}
		b.Stmts = append(b.Stmts, p.stmt())
	}
	p.next()
	b.Results = p.atoms()
	p.expect("}")
	return b
}

func (p *parser) stmt() *Stmt {
	type decl struct {
		name string
		t    Type
	}
	var dst []decl // declared only after the operation: it must not use them
	for strings.HasSuffix(p.tok, ":") {
		name := strings.TrimSuffix(p.next(), ":")
		dst = append(dst, decl{name, p.typ()})
		if !p.accept(",") {
			break
		}
	}
	var first Type
	if len(dst) > 0 {
		p.expect("=")
		first = dst[0].t
	}
	s := &Stmt{Op: p.op(first)}
	for _, d := range dst {
		s.Dst = append(s.Dst, p.declare(d.name, d.t))
	}
	s.Pos = p.pos()
	return s
}

func (p *parser) op(dst Type) Op {
	name := p.next()
	switch name {
	case "convert":
		return &Convert{dst.Kind, p.atom()}
	case "select":
		return &Select{p.atom(), p.atom(), p.atom()}
	case "len":
		return &Len{p.atom()}
	case "index":
		return &Index{p.atom(), p.atom()}
	case "map":
		i, n := p.domain()
		m := &Map{N: n, I: i}
		if p.accept("by") {
			m.By = p.atom()
		}
		m.Body = p.block()
		return m
	case "reduce", "scan", "inclusive_scan":
		i, n := p.domain()
		p.expect("init")
		init := p.atoms()
		body := p.block()
		p.expect("comb")
		comb := &Lambda{Params: p.varList()}
		comb.Body = p.block()
		if name == "reduce" {
			return &Reduce{n, i, body, comb, init}
		}
		return &Scan{n, i, body, comb, init, name == "inclusive_scan"}
	case "scatter":
		i, n := p.domain()
		p.expect("into")
		w := p.atom()
		return &Scatter{n, w, i, p.block()}
	case "hist":
		i, n := p.domain()
		p.expect("into")
		h := &Hist{N: n, W: p.atom(), I: i}
		p.expect("init")
		h.Init = p.atoms()
		h.Body = p.block()
		p.expect("comb")
		h.Comb = &Lambda{Params: p.varList()}
		h.Comb.Body = p.block()
		return h
	case "sort":
		i, n := p.domain()
		return &Sort{n, i, p.block()}
	case "if":
		c := p.atom()
		then := p.block()
		p.expect("else")
		return &If{c, then, p.block()}
	case "loop":
		l := &Loop{}
		p.expect("(")
		l.Params = p.varList()
		p.expect(")")
		p.expect("init")
		l.Init = p.atoms()
		switch p.next() {
		case "for":
			l.I = p.declare(p.next(), Scalar(Int))
			p.expect("=")
			l.Lo = p.atom()
			p.expect("to")
			l.Hi = p.atom()
			l.Independent = p.accept("independent")
			l.Ahead = l.Independent && p.accept("ahead")
		case "while":
			l.Cond = p.block()
		default:
			p.failf("a loop needs for or while")
		}
		l.Body = p.block()
		return l
	case "alloc":
		return &Alloc{Kind: dst.Kind, N: p.atom()}
	case "blank":
		return &Alloc{Kind: dst.Kind, N: p.atom(), Blank: true}
	case "growing":
		return &Alloc{Kind: dst.Kind, N: p.atom(), Grows: true}
	case "grow":
		return &Grow{p.atom(), p.atom(), p.atom()}
	case "fma":
		return &FMA{p.atom(), p.atom(), p.atom()}
	case "update":
		return &Update{p.atom(), p.atom(), p.atom()}
	case "check":
		kind := CheckKind(p.next())
		op, arg := p.str(), p.str()
		return &Check{kind, op, arg, p.atoms()}
	case "call":
		return &Call{p.str(), p.atoms()}
	}
	if viewArity[ViewFn(name)] > 0 {
		return &View{ViewFn(name), p.atoms()}
	}
	as := p.atoms()
	switch len(as) {
	case 1:
		return &Unary{UnaryFn(name), as[0]}
	case 2:
		return &Binary{BinaryFn(name), as[0], as[1]}
	}
	p.failf("%q is not an operation, or has the wrong number of operands", name)
	return nil
}

func (p *parser) domain() (*Var, Atom) {
	name := p.next()
	p.expect("<")
	n := p.atom()
	return p.declare(name, Scalar(Int)), n
}

func (p *parser) str() string {
	s, err := strconv.Unquote(p.tok)
	if err != nil {
		p.failf("found %q where a string was expected", p.tok)
	}
	p.next()
	return s
}
