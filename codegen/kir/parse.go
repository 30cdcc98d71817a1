package kir

import (
	"fmt"
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
	for {
		space := Temporary
		if p.accept(Own.String()) {
			space = Own
		} else if !p.accept(Temporary.String()) {
			break
		}
		a := &Array{Name: p.word(), Space: space}
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
		if p.accept("finds") {
			l.Finds = p.array()
		}
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
				if p.accept("apart") {
					a.Field.Apart, a.Field.Nth = p.int(), p.int()
				}
			}
			if p.accept("rows") {
				a.RowLength = p.word()
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
