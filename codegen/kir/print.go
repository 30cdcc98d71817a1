package kir

import (
	"fmt"
	"strings"
)

// String returns the function as pseudo-code, for people.
func (f *Func) String() string {
	p := &printer{}
	p.line("func %s {", f.Name)
	p.block(f.Body)
	p.line("}")
	return p.sb.String()
}

type printer struct {
	sb     strings.Builder
	indent int
}

func (p *printer) line(format string, args ...any) {
	p.sb.WriteString(strings.Repeat("  ", p.indent))
	fmt.Fprintf(&p.sb, format, args...)
	p.sb.WriteByte('\n')
}

func (p *printer) block(b []Stmt) {
	p.indent++
	for _, s := range b {
		p.stmt(s)
	}
	p.indent--
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		where := ""
		if s.V.Memory != nil {
			where = " in memory"
		}
		p.line("%s: %s%s = %s", s.V.Name, s.V.T, where, Text(s.X))
	case *Set:
		p.line("%s = %s", s.V.Name, Text(s.X))
	case *Store:
		p.line("%s[%s] = %s", s.A.Name, Text(s.I), Text(s.X))
	case *Scatter:
		p.line("%s[%s] = %s where %s", s.A.Name, Text(s.I), Text(s.X), Text(s.Mask))
	case *For:
		lo := "…"
		if !s.Keep {
			lo = Text(s.Lo)
		}
		p.line("for %s = %s to %s step %d {", s.V.Name, lo, Text(s.Hi), s.Step)
		p.block(s.Body)
		p.line("}")
	case *Stride:
		p.line("for %s = %s to %s step %s {", s.V.Name, Text(s.Lo), Text(s.Hi), Text(s.Step))
		p.block(s.Body)
		p.line("}")
	case *Barrier:
		p.line("barrier")
	case *Label:
		p.line("%s:", s.Name)
	case *While:
		p.line("while {")
		p.block(s.Cond)
		p.line("} %s {", Text(s.Test))
		p.block(s.Body)
		p.line("}")
	case *If:
		p.line("if %s {", Text(s.Cond))
		p.block(s.Then)
		if len(s.Else) > 0 {
			p.line("} else {")
			p.block(s.Else)
		}
		p.line("}")
	case *Par:
		p.line("parallel level %d over %s, chunk %s [%s, %s) {", s.Level, Text(s.N), s.Chunk.Name, s.Lo.Name, s.Hi.Name)
		p.block(s.Body)
		p.line("}")
		if c := s.CombinePartial; c != nil {
			p.line("for each chunk %s {", c.K.Name)
			p.block(c.Body)
			p.line("}")
		}
	case *Wait:
		p.line("%s = wait %s", s.V.Name, s.Chain.Name)
	case *Publish:
		p.line("publish %s %s", s.Chain.Name, Text(s.X))
	case *AllocScratch:
		p.line("scratch %s[%s] %s", s.A.Name, Text(s.N), s.A.Kind)
	case *Scoped:
		p.line("scope {")
		p.block(s.Body)
		p.line("}")
	case *Vectors:
		p.line("vectors {")
		p.block(s.Body)
		p.line("}")
	case *Result:
		p.line("result %s = %s", s.Name, Text(s.X))
	case *Call:
		p.line("%s", Text(s.R))
	case *Check:
		p.line("check %s %s", s.Kind, texts(s.Args))
	case *CheckAll:
		p.line("check index %s[%s ..+ %s] below %s", s.A.Name, Text(s.I), Text(s.N), Text(s.Limit))
	default:
		p.line("%T", s)
	}
}

// String returns the kind, with the number of lanes if there are several.
func (t Type) String() string {
	if t.Lanes > 1 {
		return fmt.Sprintf("%sx%d", t.Kind, t.Lanes)
	}
	return t.Kind.String()
}

func texts(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = Text(x)
	}
	return strings.Join(parts, ", ")
}

func where(mask Expr) string {
	if mask == nil {
		return ""
	}
	return " where " + Text(mask)
}

// Text returns an expression as pseudo-code.
func Text(x Expr) string {
	switch x := x.(type) {
	case *Ref:
		return x.V.Name
	case *Const:
		v, _, _ := strings.Cut(x.C.String(), ":")
		return v
	case *Length:
		return "len(" + x.A.Name + ")"
	case *Place:
		return x.What
	case *RoundOf:
		return "round"
	case *GroupsOf:
		return fmt.Sprintf("groups of launch %d", x.Step+1)
	case *Bin:
		if op := x.Fn.GoOperator(); op != "" {
			return "(" + Text(x.X) + " " + op + " " + Text(x.Y) + ")"
		}
		return string(x.Fn) + "(" + Text(x.X) + ", " + Text(x.Y) + ")"
	case *Un:
		return string(x.Fn) + "(" + Text(x.X) + ")"
	case *Load:
		return x.A.Name + "[" + Text(x.I) + laneRange(x.T) + "]" + where(x.Mask)
	case *Gather:
		return x.A.Name + "[" + Text(x.I) + "]" + where(x.Mask)
	case *IotaBy:
		return "(" + Text(x.Start) + ".. " + x.Fn.GoOperator() + " " + Text(x.D) + ")"
	case *FirstLanes:
		op := " < "
		if x.OrEqual {
			op = " <= "
		}
		return "(" + Text(x.Start) + ".." + op + Text(x.Bound) + ")"
	case *Convert:
		return x.T.String() + "(" + Text(x.X) + ")"
	case *Routine:
		parts := make([]string, len(x.Args))
		for i, a := range x.Args {
			parts[i] = Text(a.X)
			if a.A != nil {
				parts[i] = "&" + a.A.Name + "[" + parts[i] + "]"
			}
		}
		return x.Name + "(" + strings.Join(parts, ", ") + ")"
	case *Lane:
		return fmt.Sprintf("%s.lane%d", Text(x.X), x.K)
	case *Horizontal:
		return string(x.Fn) + "_lanes(" + Text(x.X) + ")"
	}
	name := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", x), "*kir."))
	return name + "(" + texts(Operands(x)) + ")"
}

func laneRange(t Type) string {
	if t.Lanes > 1 {
		return fmt.Sprintf(" ..+ %d", t.Lanes)
	}
	return ""
}
