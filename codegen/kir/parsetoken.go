package kir

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/surge-ndp/surge/ops/ir"
)

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

// acceptHere accepts a word on the line of the token before: on the next one it is a variable's name.
func (p *parser) acceptHere(tok string) bool {
	p.peek()
	return p.here == p.line && p.accept(tok)
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
