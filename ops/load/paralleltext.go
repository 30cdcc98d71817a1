package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// source is the text of a file, with changes.
type source struct {
	fset    *token.FileSet
	content []byte
	edits   []edit
}

// edit is a text in the place of another one.
type edit struct {
	from, to int
	text     string
}

func (s *source) offset(pos token.Pos) int { return s.fset.Position(pos).Offset }

func (s *source) replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{s.offset(from), s.offset(to), text})
}

// text is what stands between two positions, with the changes that lie there as a whole. Of two that overlap, the
// larger one holds.
func (s *source) text(from, to token.Pos) string {
	lo, hi := s.offset(from), s.offset(to)
	var in []edit
	for _, e := range s.edits {
		if lo <= e.from && e.to <= hi {
			in = append(in, e)
		}
	}
	slices.SortStableFunc(in, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var sb strings.Builder
	for _, e := range in {
		if e.from < lo {
			continue
		}
		sb.Write(s.content[lo:e.from])
		sb.WriteString(e.text)
		lo = e.to
	}
	sb.Write(s.content[lo:hi])
	return sb.String()
}

// spread puts a parallel loop in the place of a loop.
func (s *source) spread(p *spreader, stmt ast.Stmt, l *parallelLoop) {
	var head, tail, behind strings.Builder
	from, to := p.fresh("from"), p.fresh("to")
	least, bound := "0", ""
	if l.least != nil {
		least = s.text(l.least.Pos(), l.least.End())
	}
	over := ""
	switch {
	case l.bound != nil:
		bound = s.text(l.bound.Pos(), l.bound.End())
	case l.value == nil:
		bound = "len(" + s.text(l.over.Pos(), l.over.End()) + ")"
	case variable(p.info, l.over) != nil && !slices.Contains(l.gathered, variable(p.info, l.over)) && text(l.over) != l.i:
		over = text(l.over)
		bound = "len(" + over + ")"
	default:
		over = p.fresh("over")
		head.WriteString(over + " := " + s.text(l.over.Pos(), l.over.End()) + "\n")
		bound = "len(" + over + ")"
	}
	var inside strings.Builder
	for _, v := range l.gathered {
		all := p.fresh(v.Name() + "Parts")
		head.WriteString(all + " := exec.PartsOf(" + v.Name() + ")\n")
		inside.WriteString(v.Name() + " := " + all + ".Empty()\n")
		tail.WriteString(all + ".Add(" + from + ", " + v.Name() + ")\n")
		behind.WriteString(v.Name() + " = " + all + ".Behind(" + v.Name() + ")\n")
	}
	for _, v := range l.private {
		inside.WriteString(v.v.Name() + " := " + v.begin + "\n")
		if v.unset { // else nobody would use this value
			inside.WriteString("_ = " + v.v.Name() + "\n")
		}
	}
	for _, v := range l.tallied {
		all := p.fresh(v.Name() + "Tally")
		head.WriteString(all + " := exec.TallyOf(" + p.name + ", " + v.Name() + ")\n")
		inside.WriteString(v.Name() + " := " + all + ".Take()\n")
		tail.WriteString(all + ".Give(" + v.Name() + ")\n")
		behind.WriteString(all + ".AddUp()\n")
	}
	for _, t := range l.totals {
		v, all := t.v.Name(), p.fresh(t.v.Name()+"Total")
		start := "exec.TotalOf(0*" + v + ")"
		if t.op == "" {
			start = "exec.TotalOf(" + v + ")"
		}
		head.WriteString(all + " := " + start + "\n")
		inside.WriteString(v + " := " + all + ".First()\n")
		tail.WriteString(all + "." + t.by + "(" + v + ")\n")
		behind.WriteString(v + " " + cmp.Or(t.op, "=") + " " + all + ".Value()\n")
	}
	i := cmp.Or(l.i, p.fresh("turn"))
	head.WriteString(p.name + ".Run(" + strconv.Itoa(len(p.loops)) + ", " + least + ", " + bound + ", func(" + from + ", " + to + " int) {\n" + inside.String())
	if l.label != "" {
		head.WriteString(l.label + ":\n")
	}
	head.WriteString("for " + i + " := " + from + "; " + i + " < " + to + "; " + i + "++ {")
	if l.value != nil {
		head.WriteString("\n" + l.value.Name + " := " + over + "[" + i + "]\n")
	}
	for _, r := range l.left {
		s.leave(p, r)
	}
	s.replace(stmt.Pos(), l.body.Lbrace+1, head.String())
	s.replace(l.body.Rbrace, l.body.Rbrace+1, strings.TrimRight("}\n"+tail.String()+"})\n"+behind.String(), "\n"))
}

// leave puts what ends all turns in the place of a return. What is returned is computed there, as it may be all that
// some variables are for.
func (s *source) leave(p *spreader, r *ast.ReturnStmt) {
	var sb strings.Builder
	results := p.fn.obj.Signature().Results().Len()
	for _, x := range r.Results {
		if tv := p.info.Types[x]; tv.IsNil() {
			continue
		} else if tv.Value != nil {
			uses(x, func(id *ast.Ident, _ []ast.Node) { // the length of an array is a constant
				if _, isVar := p.info.Uses[id].(*types.Var); isVar {
					sb.WriteString("_ = " + id.Name + "\n")
				}
			})
			continue
		}
		blanks := 1
		if len(r.Results) < results {
			blanks = results
		}
		sb.WriteString(strings.Repeat("_, ", blanks-1) + "_ = " + s.text(x.Pos(), x.End()) + "\n")
	}
	s.replace(r.Pos(), r.End(), sb.String()+p.name+".Leave()")
}
