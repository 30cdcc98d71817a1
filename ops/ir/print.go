package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the text form of the function, which [Parse] reads back.
//
//	func SpMV @spmv.go:12:1 (values: []float64, x: []float64) {
//	  n: int = len values
//	  s: float64 = reduce i < n init 0:float64 {
//	    e: float64 = index values i
//	    yield e
//	  } comb a: float64, b: float64 {
//	    c: float64 = add a b @spmv.go:16:61
//	    yield c
//	  }
//	  yield s
//	}
func (f *Func) String() string {
	p := &printer{}
	p.printf("func %s", f.Name)
	if f.Pos.IsValid() {
		p.printf(" @%s", f.Pos)
	}
	if f.Reassociate {
		p.printf(" reassociate")
	}
	if f.Sizes > 0 {
		p.printf(" sizes %d", f.Sizes)
	}
	p.printf(" (%s) ", varList(f.Params))
	p.block(f.Body)
	p.printf("\n")
	return p.sb.String()
}

// String returns the text form of the block.
func (b *Block) String() string {
	p := &printer{}
	p.block(b)
	return p.sb.String()
}

// String returns the text form of the statement.
func (s *Stmt) String() string {
	p := &printer{}
	p.stmt(s)
	return p.sb.String()
}

type printer struct {
	sb     strings.Builder
	indent int
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.sb, format, args...) }

func (p *printer) line() {
	p.sb.WriteByte('\n')
	for range p.indent {
		p.sb.WriteString("  ")
	}
}

func varList(vs []*Var) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.Name + ": " + v.T.String()
	}
	return strings.Join(parts, ", ")
}

func atomList(as []Atom) string {
	parts := make([]string, len(as))
	for i, a := range as {
		parts[i] = a.String()
	}
	return strings.Join(parts, " ")
}

func (p *printer) block(b *Block) {
	p.printf("{")
	p.indent++
	for _, s := range b.Stmts {
		p.line()
		p.stmt(s)
	}
	p.line()
	p.printf("yield")
	if len(b.Results) > 0 {
		p.printf(" %s", atomList(b.Results))
	}
	p.indent--
	p.line()
	p.printf("}")
}

func (p *printer) stmt(s *Stmt) {
	if len(s.Dst) > 0 {
		p.printf("%s = ", varList(s.Dst))
	}
	switch op := s.Op.(type) {
	case *Unary:
		p.printf("%s %s", op.Fn, op.X)
	case *Binary:
		p.printf("%s %s %s", op.Fn, op.X, op.Y)
	case *FMA:
		p.printf("fma %s %s %s", op.X, op.Y, op.Z)
	case *Convert:
		p.printf("convert %s", op.X)
	case *Select:
		p.printf("select %s %s %s", op.Cond, op.X, op.Y)
	case *Len:
		p.printf("len %s", op.X)
	case *Index:
		p.printf("index %s %s", op.X, op.I)
	case *View:
		p.printf("%s %s", op.Fn, atomList(op.Args))
	case *Map:
		p.printf("map %s < %s ", op.I, op.N)
		if op.By != nil {
			p.printf("by %s ", op.By)
		}
		p.block(op.Body)
	case *Reduce:
		p.printf("reduce %s < %s init %s ", op.I, op.N, atomList(op.Init))
		p.block(op.Body)
		p.comb(op.Comb)
	case *Scan:
		name := "scan"
		if op.Inclusive {
			name = "inclusive_scan"
		}
		p.printf("%s %s < %s init %s ", name, op.I, op.N, atomList(op.Init))
		p.block(op.Body)
		p.comb(op.Comb)
	case *Scatter:
		p.printf("scatter %s < %s into %s ", op.I, op.N, op.W)
		p.block(op.Body)
	case *Hist:
		p.printf("hist %s < %s into %s init %s ", op.I, op.N, op.W, atomList(op.Init))
		p.block(op.Body)
		p.comb(op.Comb)
	case *Sort:
		p.printf("sort %s < %s ", op.I, op.N)
		p.block(op.Body)
	case *If:
		p.printf("if %s ", op.Cond)
		p.block(op.Then)
		p.printf(" else ")
		p.block(op.Else)
	case *Loop:
		p.printf("loop (%s) init %s ", varList(op.Params), atomList(op.Init))
		if op.I != nil {
			p.printf("for %s = %s to %s ", op.I, op.Lo, op.Hi)
			if op.Independent {
				p.printf("independent ")
			}
			if op.Ahead {
				p.printf("ahead ")
			}
		} else {
			p.printf("while ")
			p.block(op.Cond)
			p.printf(" ")
		}
		p.block(op.Body)
	case *Alloc:
		name := "alloc"
		if op.Grows {
			name = "growing"
		}
		if op.Blank {
			name = "blank"
		}
		p.printf("%s %s", name, op.N)
	case *Grow:
		p.printf("grow %s %s %s", op.X, op.Keep, op.N)
	case *Update:
		p.printf("update %s %s %s", op.X, op.I, op.Value)
	case *Check:
		p.printf("check %s %s %s %s", op.Kind, strconv.Quote(op.Op), strconv.Quote(op.Arg), atomList(op.Args))
	case *Call:
		p.printf("call %s", strconv.Quote(op.Fn))
		if len(op.Args) > 0 {
			p.printf(" %s", atomList(op.Args))
		}
	default:
		panic("ir: unknown node")
	}
	if s.Pos.IsValid() {
		p.printf(" @%s", s.Pos)
	}
}

func (p *printer) comb(l *Lambda) {
	p.printf(" comb %s ", varList(l.Params))
	p.block(l.Body)
}
