package kir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/surge-ndp/surge/ops/ir"
)

// ParseFunc reads the text of one function, as [Func.String] writes it. The result is not verified.
func ParseFunc(text string) (f *Func, err error) {
	p := newParser(text)
	defer p.recover(&err)
	p.expect("func")
	f = &Func{Name: p.word()}
	p.expect("{")
	p.declarations()
	f.Body = p.block()
	p.expect("}")
	p.end()
	return f, nil
}

// ParseDevice reads the text of a device's launches, as [Device.String] writes it. The result is not verified.
func ParseDevice(text string) (d *Device, err error) {
	p := newParser(text)
	defer p.recover(&err)
	p.expect("device")
	d = &Device{Name: p.word()}
	if p.accept("rounds") {
		d.Rounds = p.int()
		p.expect("from")
		d.Round = p.int()
	}
	p.expect("{")
	p.declarations()
	for p.accept("temporary") {
		a := &Array{Name: p.word(), Space: Temporary}
		p.arrays[a.Name] = a
		t := &Temp{A: a}
		p.expect("[")
		t.N = p.expr()
		p.expect("]")
		a.Kind = p.kind()
		p.expect("per")
		t.Per = p.resource()
		for _, w := range []string{"of", "launch"} {
			p.expect(w)
		}
		t.Step = p.int()
		d.Temps = append(d.Temps, t)
	}
	for p.accept("launch") {
		l := &Launch{Name: p.word()}
		p.expect("per")
		l.Per = p.resource()
		if p.accept("over") {
			l.Count = p.expr()
		}
		if p.accept("grain") {
			l.Grain = p.int()
		}
		if p.accept("groups") {
			l.MaxGroups = p.int()
		}
		l.Always = p.accept("always")
		l.What, l.Pos = p.open()
		l.Body = p.block()
		p.expect("}")
		d.Launches = append(d.Launches, l)
	}
	p.expect("}")
	p.end()
	return d, nil
}

// parser reads tokens: names and numbers with what may stand in them (a.b, 1e-3:float32, floatx4/64), strings,
// remarks, and single characters or pairs of them.
type parser struct {
	text   string
	at     int
	tok    string
	remark string // the comment behind the token before
	line   int    // of the last token that was taken
	here   int    // of the token at hand

	arrays map[string]*Array
	vars   map[string]*Var
	chains map[string]*Chain
}

type parseError struct{ msg string }

func newParser(text string) *parser {
	p := &parser{text: text, line: 1, here: 1, arrays: map[string]*Array{}, vars: map[string]*Var{}, chains: map[string]*Chain{}}
	return p
}

func (p *parser) recover(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(parseError)
		if !ok {
			panic(r)
		}
		*err = fmt.Errorf("kir: line %d: %s", p.line, e.msg)
	}
}

func (p *parser) failf(format string, args ...any) { panic(parseError{fmt.Sprintf(format, args...)}) }

// pairs are the tokens of several characters that are no names.
var pairs = []string{"<<%", "<<", ">>%", ">>", "&^%", "&^", "<=", ">=", "==", "!=", "+%", "-%", "*%", "/%", "%%", "&%", "|%", "^%"}

func inName(r byte) bool {
	return r == '_' || r == '.' || r == '$' || r >= 0x80 || unicode.IsLetter(rune(r)) || unicode.IsDigit(rune(r))
}

// peek returns the token at hand without taking it; "" is the end.
func (p *parser) peek() string {
	if p.tok != "" {
		return p.tok
	}
	p.remark = ""
	for p.at < len(p.text) {
		switch rest := p.text[p.at:]; {
		case rest[0] == '\n':
			p.here++
			p.at++
			continue
		case rest[0] == ' ':
			p.at++
			continue
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			p.remark = strings.TrimSpace(line[2:])
			p.at += len(line)
			continue
		}
		break
	}
	rest := p.text[p.at:]
	if rest == "" {
		return ""
	}
	n := 1
	switch {
	case rest[0] == '"':
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			p.failf("a string does not end")
		}
		n = len(quoted)
	case inName(rest[0]):
		for n < len(rest) && (inName(rest[n]) || number(rest[:n+1])) {
			n++
		}
		if kind, ok := strings.CutPrefix(rest[n:], ":"); ok && kind != "" && inName(kind[0]) { // a constant's kind
			for n++; n < len(rest) && inName(rest[n]); {
				n++
			}
		}
	case strings.HasPrefix(rest, "+Inf:"), rest[0] == '-' && len(rest) > 1 && (unicode.IsDigit(rune(rest[1])) || rest[1] == 'I'): // a number
		for n < len(rest) && (inName(rest[n]) || rest[n] == ':' || number(rest[:n+1])) {
			n++
		}
	default:
		for _, pair := range pairs {
			if strings.HasPrefix(rest, pair) {
				n = len(pair)
				break
			}
		}
	}
	p.tok = rest[:n]
	return p.tok
}

// number reports whether text ends in the sign of an exponent.
func number(text string) bool {
	n := len(text)
	return n > 2 && (text[n-1] == '-' || text[n-1] == '+') && text[n-2] == 'e' && (unicode.IsDigit(rune(text[0])) || text[0] == '-' && unicode.IsDigit(rune(text[1])))
}

func (p *parser) next() string {
	tok := p.peek()
	p.line = p.here
	p.at += len(tok)
	p.tok = ""
	return tok
}

func (p *parser) accept(tok string) bool {
	if p.peek() != tok {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(tok string) {
	if got := p.next(); got != tok {
		p.failf("found %q where %q was expected", got, tok)
	}
}

func (p *parser) end() {
	if tok := p.peek(); tok != "" {
		p.failf("found %q behind the end", tok)
	}
}

func (p *parser) word() string {
	tok := p.next()
	if tok == "" || !inName(tok[0]) {
		p.failf("found %q where a name was expected", tok)
	}
	return tok
}

func (p *parser) int() int {
	n, err := strconv.Atoi(p.next())
	if err != nil {
		p.failf("a number was expected")
	}
	return n
}

func (p *parser) str() string {
	s, err := strconv.Unquote(p.next())
	if err != nil {
		p.failf("a string was expected")
	}
	return s
}

func (p *parser) kind() ir.Kind {
	k, ok := ir.ParseKind(p.next())
	if !ok {
		p.failf("a kind of elements was expected")
	}
	return k
}

func (p *parser) resource() Resource {
	w := p.word()
	for r, word := range resourceWords {
		if w == word {
			return Resource(r)
		}
	}
	p.failf("%q is no resource", w)
	return 0
}

// typ reads a type: float64, float64x4, boolx4/64.
func (p *parser) typ() Type {
	text := p.word()
	kind, lanes, many := strings.Cut(text, "x")
	t := Type{Lanes: 1}
	ok := true
	if t.Kind, ok = ir.ParseKind(kind); !ok {
		p.failf("%q is no type", text)
	}
	if many {
		n, err := strconv.Atoi(lanes)
		if err != nil || n < 2 {
			p.failf("%q is no type", text)
		}
		t.Lanes = n
	}
	if p.accept("/") {
		t.Bits = p.int()
	}
	return t
}

func (p *parser) declarations() {
	for {
		switch p.peek() {
		case "array":
			p.next()
			a := &Array{Name: p.word(), Kind: p.kind()}
			word := p.word()
			found := false
			for s, w := range spaceWords {
				if w == word {
					a.Space, found = Space(s), true
				}
			}
			if !found {
				p.failf("%q is no memory space", word)
			}
			if tok := p.peek(); tok != "" && unicode.IsDigit(rune(tok[0])) {
				a.Size = p.int()
			}
			if p.accept("in") {
				a.Field = &Field{Structs: p.word(), Path: p.str(), GoType: p.str()}
			}
			p.arrays[a.Name] = a
		case "host":
			p.next()
			v := &Var{Name: p.word(), Host: true}
			v.T = p.typ()
			p.vars[v.Name] = v
		default:
			return
		}
	}
}

func (p *parser) array() *Array {
	name := p.word()
	a := p.arrays[name]
	if a == nil {
		p.failf("no array is called %q", name)
	}
	return a
}

func (p *parser) use(name string) *Var {
	v := p.vars[name]
	if v == nil {
		p.failf("no variable is called %q", name)
	}
	return v
}

func (p *parser) declare(name string, t Type) *Var {
	v := &Var{Name: name, T: t}
	p.vars[name] = v
	return v
}

// open reads a brace and the remark behind it: what a loop implements, and where that stands.
func (p *parser) open() (what string, pos ir.Pos) {
	p.expect("{")
	p.peek()
	return splitRemark(p.remark)
}

func splitRemark(text string) (what string, pos ir.Pos) {
	what, at, ok := cutLast(text, ", ")
	if !ok {
		what, at = "", text
	}
	parts := strings.Split(at, ":")
	if n := len(parts); n > 2 {
		line, err1 := strconv.Atoi(parts[n-2])
		col, err2 := strconv.Atoi(parts[n-1])
		if err1 == nil && err2 == nil {
			return what, ir.Pos{File: strings.Join(parts[:n-2], ":"), Line: line, Col: col}
		}
	}
	return text, ir.Pos{}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

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
	case "scatter":
		s := &Scatter{A: p.array()}
		s.I = p.index()
		if p.accept("where") {
			s.Mask = p.expr()
		}
		p.expect("=")
		s.X = p.expr()
		return s
	case "check":
		s := &Check{Kind: ir.CheckKind(p.word())}
		s.Args = p.list()
		s.Op, s.Arg = p.str(), p.str()
		if p.accept("at") {
			s.Position = p.expr()
		}
		if p.accept("leave") {
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
		s := &Store{A: a, I: p.index()}
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
	s.Even = p.accept("even")
	if p.accept("chain") {
		s.Chain = &Chain{Name: p.word(), Kind: p.kind()}
		p.expect("from")
		s.Chain.Seed = p.expr()
		p.chains[s.Chain.Name] = s.Chain
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

// expr reads an expression and its type, if one is written.
func (p *parser) expr() Expr {
	x := p.node()
	var t Type
	if p.accept(":") {
		t = p.typ()
		return typed(x, t)
	}
	if _, ok := x.(*Routine); ok { // it yields nothing
		return x
	}
	if plain := plainType(x); plain != (Type{}) {
		return typed(x, plain)
	}
	p.failf("the type of an expression is missing")
	return nil
}

// typed gives an expression its type, where the node holds one.
func typed(x Expr, t Type) Expr {
	switch x := x.(type) {
	case *Bin:
		x.T = t
	case *Un:
		x.T = t
	case *Convert:
		x.T = t
	case *Load:
		x.T = t
	case *Gather:
		x.T = t
	case *ZeroOf:
		x.T = t
	case *Splat:
		x.T = t
	case *Iota:
		x.T = t
	case *IotaBy:
		x.T = t
	case *FirstLanes:
		x.T = t
	case *Routine:
		x.T = t
	}
	return x
}

func (p *parser) node() Expr {
	switch tok := p.next(); {
	case tok == "(":
		x := p.expr()
		op, wrap := strings.CutSuffix(p.next(), "%")
		if op == "" { // the remainder is written % or %%
			op = "%"
			wrap = false
		}
		y := p.expr()
		p.expect(")")
		fn := binaryOf(op)
		if fn == "" {
			p.failf("%q is no operator", op)
		}
		return &Bin{Fn: fn, X: x, Y: y, Wrap: wrap}
	case tok == "@":
		return p.routine()
	case tok == "gather" && p.arrays[p.peek()] != nil:
		g := &Gather{A: p.array()}
		p.expect("[")
		g.I = p.expr()
		if p.accept("where") {
			g.Mask = p.expr()
		}
		p.expect("]")
		return g
	case tok == "$round":
		return &RoundOf{}
	case strings.HasPrefix(tok, "$"):
		return &Place{What: tok[1:]}
	case tok == "len" && p.peek() == "(":
		p.expect("(")
		l := &Length{A: p.array()}
		p.expect(")")
		return l
	case tok == "groups_of":
		p.expect("(")
		g := &GroupsOf{Step: p.int()}
		p.expect(")")
		return g
	case tok == "":
		p.failf("the text ends where an expression was expected")
	case p.peek() == "[":
		if a := p.arrays[tok]; a != nil {
			p.expect("[")
			l := &Load{A: a, I: p.expr()}
			if p.accept("where") {
				l.Mask = p.expr()
			}
			p.expect("]")
			return l
		}
		p.failf("no array is called %q", tok)
	case p.peek() == "(":
		return p.function(tok)
	default:
		if v := p.vars[tok]; v != nil {
			return &Ref{v}
		}
		if c, ok := parseConst(tok); ok {
			return &Const{c}
		}
		p.failf("no variable is called %q, and it is no constant", tok)
	}
	return nil
}

func binaryOf(op string) ir.BinaryFn {
	for _, fn := range []ir.BinaryFn{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Shl, ir.Shr,
		ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge} {
		if fn.GoOperator() == op {
			return fn
		}
	}
	return ""
}

func (p *parser) routine() Expr {
	r := &Routine{Name: RoutineName(p.word())}
	p.expect("(")
	for p.peek() != ")" {
		var a Arg
		if p.accept("&") {
			a.A = p.array()
			a.X = p.index()
		} else {
			a.X = p.expr()
		}
		r.Args = append(r.Args, a)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return r
}

// function reads the operands of a node that is written as a call.
func (p *parser) function(name string) Expr {
	name, wrap := strings.CutPrefix(name, "wrap.")
	xs := p.list()
	need := func(n int) {
		if len(xs) != n {
			p.failf("%s takes %d operands", name, n)
		}
	}
	if k, ok := strings.CutPrefix(name, "lane"); ok {
		if n, err := strconv.Atoi(k); err == nil {
			need(1)
			return &Lane{xs[0], n}
		}
	}
	if fn, ok := strings.CutPrefix(name, "lanes."); ok {
		need(1)
		return &Horizontal{ir.BinaryFn(fn), xs[0]}
	}
	if fn, ok := strings.CutPrefix(name, "subgroup."); ok {
		need(1)
		fn, scan := strings.CutPrefix(fn, "scan.")
		return &Collective{ir.BinaryFn(fn), scan, xs[0]}
	}
	if fn, ok := strings.CutPrefix(name, "iota."); ok {
		need(2)
		return &IotaBy{Fn: ir.BinaryFn(fn), Start: xs[0], D: xs[1]}
	}
	switch name {
	case "first_lanes", "first_lanes_equal":
		need(2)
		return &FirstLanes{Start: xs[0], Bound: xs[1], OrEqual: name != "first_lanes"}
	case "fma":
		need(3)
		return &FMA{xs[0], xs[1], xs[2]}
	case "select":
		need(3)
		return &Select{xs[0], xs[1], xs[2]}
	case "compress":
		need(2)
		return &Compress{xs[0], xs[1]}
	case "shuffle":
		need(2)
		return &Shuffle{xs[0], xs[1]}
	case "any_lane":
		need(1)
		return &AnyLane{xs[0]}
	case "count_lanes":
		need(1)
		return &CountLanes{xs[0]}
	case "convert":
		need(1)
		return &Convert{X: xs[0]}
	case "zero":
		need(0)
		return &ZeroOf{}
	case "splat":
		need(1)
		return &Splat{X: xs[0]}
	case "iota":
		need(1)
		return &Iota{Start: xs[0]}
	}
	if len(xs) == 1 {
		return &Un{Fn: ir.UnaryFn(name), X: xs[0]}
	}
	need(2)
	return &Bin{Fn: ir.BinaryFn(name), X: xs[0], Y: xs[1], Wrap: wrap}
}

// parseConst reads a constant as [constant] writes it.
func parseConst(text string) (ir.Const, bool) {
	switch text {
	case "true", "false":
		return ir.BoolConst(text == "true"), true
	}
	value, name, ok := strings.Cut(text, ":")
	kind := ir.Int
	if ok {
		if kind, ok = ir.ParseKind(name); !ok {
			return ir.Const{}, false
		}
	}
	switch {
	case kind.IsFloat():
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return ir.Const{}, false
		}
		if math.IsNaN(f) {
			f = math.NaN()
		}
		return ir.FloatConst(kind, f), true
	case kind.IsUnsigned():
		u, err := strconv.ParseUint(value, 10, 64)
		return ir.Const{Kind: kind, Bits: u}, err == nil
	}
	i, err := strconv.ParseInt(value, 10, 64)
	return ir.IntConst(kind, i), err == nil
}
