package input

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// expression is a parsed binding expression. Its grammar is Go's, with three
// additions made before parsing: named arguments (seed=34, parsed as seed==34),
// keywords as names (range(n)), and suffixes of sizes (4k). origin maps each
// byte of what was parsed to the text that the user wrote.
type expression struct {
	text   string
	root   ast.Expr
	origin []int
	names  map[int]string // names at an offset that had to be respelled
}

const longestExpression = 10000

var suffixes = map[string]int{
	"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
}

func parseExpression(text string) (*expression, error) {
	x := &expression{text: text, names: map[int]string{}}
	if len(text) > longestExpression {
		return nil, x.errorAt(0, "bad-expression", "the expression is too long", fmt.Sprintf("at most %d characters are read", longestExpression), "put the data in a file")
	}
	var spelled strings.Builder
	emit := func(s string, at, step int) {
		for i := range len(s) {
			spelled.WriteByte(s[i])
			x.origin = append(x.origin, at+i*step)
		}
	}
	file := token.NewFileSet().AddFile("", 1, len(text))
	var scan scanner.Scanner
	scan.Init(file, []byte(text), func(token.Position, string) {}, 0)
	last := 0
	number, numberAt := "", 0 // the token before, if it is a number
	for {
		pos, tok, lit := scan.Scan()
		if tok == token.EOF || tok == token.SEMICOLON && lit != ";" {
			break
		}
		at := file.Offset(pos)
		factor, suffix := suffixes[lit]
		replace := func(from int, with string, step int) {
			emit(text[last:from], last, 1)
			if step == 1 {
				x.names[spelled.Len()] = lit
			}
			emit(with, from, step)
			last = at + max(len(lit), 1)
		}
		switch {
		case tok == token.IDENT && suffix && number != "" && numberAt+len(number) == at:
			replace(numberAt, fmt.Sprintf("(%s*%d)", number, factor), 0)
		case tok == token.ASSIGN:
			replace(at, "==", 0)
		case tok.IsKeyword():
			replace(at, strings.ToUpper(lit), 1)
		}
		number, numberAt = "", at
		if tok == token.INT || tok == token.FLOAT {
			number = lit
		}
	}
	emit(text[last:], last, 1)
	root, err := parser.ParseExpr(spelled.String())
	if err != nil {
		at, why := 0, err.Error()
		if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
			at, why = x.offset(list[0].Pos.Offset), list[0].Msg
		}
		if IsSweep(text) {
			return nil, x.errorAt(0, "bad-range", "a range LOW..HIGH stands where one value is wanted", "surge train and its section train: in surge.yaml sample ranges; any other input is one input",
				"write one value here, and the range in train: or in an option of surge train")
		}
		return nil, x.errorAt(at, "bad-expression", "the expression is not complete or not well-formed", why,
			"write for example A.values, random(A.cols, seed=34), 2*n or 0.5")
	}
	x.root = root
	return x, nil
}

// offset gives the place in the user's text of a place in the parsed one.
func (x *expression) offset(spelled int) int {
	if spelled < len(x.origin) {
		return x.origin[max(spelled, 0)]
	}
	return len(x.text)
}

func (x *expression) errorAt(at int, code, what, why, do string) *Error {
	return &Error{File: x.text, Line: 1, Col: at + 1, What: what, Code: code, Why: why, Do: do}
}

func (x *expression) errorf(n ast.Node, code, what, why, do string) *Error {
	return x.errorAt(x.offset(int(n.Pos())-1), code, what, why, do)
}

// name gives an identifier as the user wrote it.
func (x *expression) name(id *ast.Ident) string {
	if name, ok := x.names[int(id.Pos())-1]; ok {
		return name
	}
	return id.Name
}

// at puts the place of a node on an error from elsewhere, keeping the spec that
// the error is about.
func (x *expression) at(n ast.Node, err error) error {
	e, ok := err.(*Error)
	if !ok || e.bound {
		return err
	}
	placed := *e
	if e.File != "" && e.File != x.text {
		placed.Why = fmt.Sprintf("%s (%s)", e.Why, e.File)
	}
	placed.File, placed.Line, placed.Col = x.text, 1, x.offset(int(n.Pos())-1)+1
	return &placed
}
