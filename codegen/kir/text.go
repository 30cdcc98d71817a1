package kir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Text]
//
// The text of a function declares the arrays and the variables of the frame that it uses, then has a statement a line.
// [Parse] reads it back: what it gives prints as the same text again.
//
//	func dot_is {
//	  array x float64 global
//	  host n int
//	  acc: float64 = 0:float64
//	  for i = 0 to n step 1 { // reduce, dot.go:9:3
//	    acc = (acc + x[i])
//	  }
//	  result sum = acc
//	}
//
// A type stands behind an expression only where it does not follow from the operands: convert(i):float64. Operators
// of integers that may wrap around are followed by %: (i +% j).

// String returns the text of the function.
func (f *Func) String() string {
	text, _ := f.Text()
	return text
}

// Text returns the text of the function, and the lines, counted from 1, in which its statements begin.
func (f *Func) Text() (text string, lines map[Stmt]int) {
	p := &printer{at: map[Stmt]int{}}
	p.line("func %s {", f.Name)
	p.indent++
	p.declare(f.Body, nil)
	p.indent--
	p.block(f.Body)
	p.line("}")
	return p.sb.String(), p.at
}

// String returns the text of the launches and of the buffers between them.
func (d *Device) String() string {
	text, _ := d.Text()
	return text
}

// Text returns the text of the launches, and the lines, counted from 1, in which their statements begin.
func (d *Device) Text() (text string, lines map[Stmt]int) {
	p := &printer{at: map[Stmt]int{}}
	rounds := ""
	if d.Rounds > 0 {
		rounds = fmt.Sprintf(" rounds %d from %d", d.Rounds, d.Round)
	}
	p.line("device %s%s {", d.Name, rounds)
	p.indent++
	var bodies []Stmt
	for _, l := range d.Launches {
		bodies = append(bodies, l.Body...)
	}
	var sizes []Expr
	for _, t := range d.Temps {
		sizes = append(sizes, t.N)
	}
	for _, l := range d.Launches {
		if l.Count != nil {
			sizes = append(sizes, l.Count)
		}
	}
	p.declare(bodies, d.Temps, sizes...)
	for _, t := range d.Temps {
		p.line("%s %s[%s] %s per %s of launch %d", t.A.Space, t.A.Name, Text(t.N), t.A.Kind, t.Per.word(), t.Step)
	}
	for _, l := range d.Launches {
		p.line("launch %s%s {%s", l.Name, l.terms(), remark(l.What, l.Pos))
		p.block(l.Body)
		p.line("}")
	}
	p.indent--
	p.line("}")
	return p.sb.String(), p.at
}

func (l *Launch) terms() string {
	text := " per " + l.Per.word()
	if l.Count != nil {
		text += " over " + Text(l.Count)
	}
	if l.Grain > 0 {
		text += fmt.Sprintf(" grain %d", l.Grain)
	}
	if l.MaxGroups > 0 {
		text += fmt.Sprintf(" groups %d", l.MaxGroups)
	}
	if l.Always {
		text += " always"
	}
	if l.Finds != nil {
		text += " finds " + l.Finds.Name
	}
	return text
}

var resourceWords = [...]string{Item: "item", Warp: "warp", Group: "group", Grid: "grid", OneGroup: "one_group"}

func (r Resource) word() string { return resourceWords[r] }

var spaceWords = [...]string{Global: "global", Partial: "partial", Scratch: "scratch", Strip: "strip", Lines: "lines", Local: "local",
	Private: "private", Temporary: "temporary", Own: "own"}

// String returns the word for the space in the text form.
func (s Space) String() string { return spaceWords[s] }

type printer struct {
	sb     strings.Builder
	indent int
	lines  int          // so far
	at     map[Stmt]int // the lines in which statements begin
}

func (p *printer) line(format string, args ...any) {
	p.sb.WriteString(strings.Repeat("  ", p.indent))
	fmt.Fprintf(&p.sb, format, args...)
	p.sb.WriteByte('\n')
	p.lines++
}

func (p *printer) block(b []Stmt) {
	p.indent++
	for _, s := range b {
		p.stmt(s)
	}
	p.indent--
}

// declare prints the arrays, host variables and chains that a body uses, in the order of their first use.
func (p *printer) declare(body []Stmt, temps []*Temp, more ...Expr) {
	seen := map[any]bool{}
	for _, t := range temps {
		seen[t.A] = true // declared by the buffer
	}
	array := func(a *Array) {
		if a == nil || seen[a] {
			return
		}
		seen[a] = true
		size := ""
		if a.Size > 0 {
			size = " " + strconv.Itoa(a.Size)
		}
		in := ""
		if f := a.Field; f != nil {
			in = fmt.Sprintf(" in %s %q %q", f.Structs, f.Path, f.GoType)
			if f.Apart > 0 {
				in += fmt.Sprintf(" apart %d %d", f.Apart, f.Nth)
			}
		}
		if a.RowLength != "" {
			in += " rows " + a.RowLength
		}
		p.line("array %s %s %s%s%s", a.Name, a.Kind, a.Space, size, in)
	}
	expr := func(x Expr) {
		array(ArrayOf(x))
		switch x := x.(type) {
		case *Ref:
			if x.V.Host && !seen[x.V] {
				seen[x.V] = true
				p.line("host %s %s", x.V.Name, x.V.T)
			}
		case *Routine:
			for _, a := range x.Args {
				array(a.A)
			}
		}
	}
	Walk(body, func(s Stmt) {
		array(ArrayOf(s))
		switch s := s.(type) {
		case *Let:
			array(s.V.Memory)
		case *Par:
			for _, a := range s.Partials {
				array(a)
			}
		case *AllocScratch:
			array(s.A)
		}
	}, expr)
	for _, x := range more {
		WalkExpr(x, expr)
	}
}

// remark is what a loop implements and where that stands in the source, as a comment.
func remark(what string, pos ir.Pos) string {
	switch {
	case pos.IsValid() && what == "":
		return " // " + pos.String()
	case pos.IsValid():
		return fmt.Sprintf(" // %s, %s", what, pos)
	case what != "":
		return " // " + what
	}
	return ""
}

func (p *printer) stmt(s Stmt) {
	p.at[s] = p.lines + 1
	switch s := s.(type) {
	case *Let:
		memory := ""
		if a := s.V.Memory; a != nil {
			memory = fmt.Sprintf(" in %s %d", a.Name, s.V.At)
			if s.V.Saved {
				memory += " saved"
			}
		}
		p.line("%s: %s%s = %s", s.V.Name, s.V.T.full(), memory, Text(s.X))
	case *Set:
		p.line("%s = %s", s.V.Name, Text(s.X))
	case *Store:
		p.line("%s[%s%s] = %s", s.A.Name, Text(s.I), where(s.Mask), Text(s.X))
	case *Scatter:
		p.line("scatter %s[%s]%s = %s", s.A.Name, Text(s.I), where(s.Mask), Text(s.X))
	case *StoreEvery:
		p.line("store %s[%s by %d] = %s", s.A.Name, Text(s.I), s.By, Text(s.X))
	case *For:
		p.line("for %s to %s step %d%s%s%s%s {%s", p.from(s), Text(s.Hi), s.Step, flag(" whole", s.Whole), flag(" outlined", s.Outlined), flag(" watched", s.Watched), inLanes(s), remark(s.What, s.Pos))
		p.block(s.Body)
		p.line("}")
	case *Stride:
		p.line("stride %s = %s to %s step %s {%s", s.V.Name, Text(s.Lo), Text(s.Hi), Text(s.Step), remark(s.What, s.Pos))
		p.block(s.Body)
		p.line("}")
	case *Barrier:
		p.line("barrier%s", flag(" global", s.Global))
	case *Label:
		p.line("label %s", s.Name)
	case *While:
		p.line("while%s {", flag(" watched", s.Watched))
		p.block(s.Cond)
		p.line("} %s {", Text(s.Test))
		p.block(s.Body)
		p.line("}")
	case *Break:
		p.line("break")
	case *If:
		p.line("if %s {", Text(s.Cond))
		p.block(s.Then)
		if len(s.Else) > 0 {
			p.line("} else {")
			p.block(s.Else)
		}
		p.line("}")
	case *Par:
		p.par(s)
	case *Wait:
		p.line("%s: %s = wait %s %s", s.V.Name, s.V.T.full(), s.Chain.Name, s.Chunk.Name)
	case *Publish:
		p.line("publish %s %s %s", s.Chain.Name, s.Chunk.Name, Text(s.X))
	case *AllocScratch:
		p.line("scratch %s[%s]%s", s.A.Name, Text(s.N), flag(" grows", s.Grows))
	case *Grow:
		p.line("grow %s[%s] keep %s", s.A.Name, Text(s.N), Text(s.Keep))
	case *Scoped:
		p.line("scope {")
		p.block(s.Body)
		p.line("}")
	case *Divergent:
		p.line("divergent {")
		p.block(s.Body)
		p.line("}")
	case *Vectors:
		p.line("vectors {")
		p.block(s.Body)
		p.line("}")
	case *Result:
		p.line("result %s = %s", s.Name, Text(s.X))
	case *Call:
		p.line("call %s", Text(s.R))
	case *GoCall:
		dst := make([]string, len(s.Dst))
		for i, v := range s.Dst {
			dst[i] = v.Name + ": " + v.T.full()
		}
		p.line("func %q %s = %s%s", s.Fn, strings.Join(dst, ", "), Text(s.R), remark("", s.Pos))
	case *Check:
		position, leave := "", ""
		if s.Position != nil {
			position = " at " + Text(s.Position)
		}
		if s.Leave != "" {
			leave = " leave " + s.Leave
		}
		p.line("check %s%s(%s) %q %q%s%s%s", flag("failed ", s.Failed), s.Kind, texts(s.Args), s.Op, s.Arg, position, leave, remark("", s.Pos))
	case *CheckAll:
		p.line("check_all %s[%s] count %s below %s %q %q%s", s.A.Name, Text(s.I), Text(s.N), Text(s.Limit), s.Op, s.Arg, remark("", s.Pos))
	default:
		panic(fmt.Sprintf("kir: statement %T has no text", s))
	}
}

// inLanes says that the turns of a loop may run in lanes, and what they combine.
func inLanes(s *For) string {
	if s.Lanes == 0 {
		return ""
	}
	text := fmt.Sprintf(" lanes %d", s.Lanes)
	for _, c := range s.Combined {
		text += fmt.Sprintf(" %s into %s", c.Fn, c.V.Name)
	}
	return text
}

func (p *printer) from(s *For) string {
	if s.Keep {
		return "keep " + s.V.Name
	}
	return s.V.Name + " = " + Text(s.Lo)
}

func (p *printer) par(s *Par) {
	head := fmt.Sprintf("parallel %d over %s chunk %s from %s to %s", s.Level, Text(s.N), s.Chunk.Name, s.Lo.Name, s.Hi.Name)
	if len(s.Partials) > 0 {
		names := make([]string, len(s.Partials))
		for i, a := range s.Partials {
			names[i] = a.Name
		}
		head += " partials(" + strings.Join(names, ", ") + ")"
	}
	if s.PartialWidth != nil {
		head += " width " + Text(s.PartialWidth)
	}
	if s.Work != nil {
		head += " work " + Text(s.Work)
	}
	head += flag(" even", s.Even)
	if s.By != nil {
		head += " by " + s.By.Name
	}
	if c := s.Chain; c != nil {
		head += fmt.Sprintf(" chain %s %s from %s", c.Name, c.Kind, Text(c.Seed))
	}
	if s.Count != nil {
		head += " count " + s.Count.Name
	}
	p.line("%s {%s", head, remark(s.What, s.Pos))
	p.block(s.Body)
	if c := s.CombinePartial; c != nil {
		p.line("} combine %s {", c.K.Name)
		p.block(c.Body)
	}
	if s.Long != nil {
		p.line("} long %s {", s.Long.I.Name)
		p.block(s.Long.Body)
	}
	p.line("}")
}

func flag(text string, set bool) string {
	if set {
		return text
	}
	return ""
}

// String returns the kind, with the number of lanes if there are several.
func (t Type) String() string {
	if t.Lanes > 1 {
		return fmt.Sprintf("%sx%d", t.Kind, t.Lanes)
	}
	return t.Kind.String()
}

// Text returns the text of an expression.
func Text(x Expr) string {
	text := node(x)
	if x.Type() != plainType(x) {
		text += ":" + x.Type().full()
	}
	return text
}
