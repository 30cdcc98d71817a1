package codegen

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
)

func (g *kernelFile) results() string {
	parts := make([]string, 0, len(g.k.Source.Results)+1)
	for _, r := range g.k.Source.Results {
		parts = append(parts, r.GoType)
	}
	return "(" + strings.Join(append(parts, "error"), ", ") + ")"
}

// zeros are zero values for all results, each with a comma behind it.
func (g *kernelFile) zeros() string {
	var sb strings.Builder
	for _, r := range g.k.Source.Results {
		switch {
		case r.Type.Rank > 0:
			sb.WriteString("nil, ")
		case r.Fields != nil:
			sb.WriteString(r.GoType + "{}, ")
		case r.Type.Kind == ir.Bool:
			sb.WriteString("false, ")
		default:
			sb.WriteString("0, ")
		}
	}
	return sb.String()
}

func (g *kernelFile) run() (string, error) {
	k := g.k
	var sb, helpers strings.Builder
	bound := g.public("Bound")
	zeros := g.zeros()
	fmt.Fprintf(&sb, "// Run computes %s. It stops early when ctx is done, and then returns its error.\nfunc (b *%s) Run(ctx context.Context) %s {\n", k.Source.Name, bound, g.results())
	sb.WriteString(g.alternativeCall("Run(ctx)"))
	var body strings.Builder
	late := k.Fused.Late()
	var pending []*ir.Stmt
	lates := 0
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		lates++
		stmts, err := lower.Host(k.Fused, pending)
		pending = nil
		if err != nil {
			return g.unsupported(err)
		}
		name, text := g.hostFunc(fmt.Sprintf("%sBetween%d", g.base, lates), stmts, "")
		if name == "" {
			return nil
		}
		helpers.WriteString(text)
		fmt.Fprintf(&body, "if err := rt.Host(f, %s); err != nil {\nreturn %serr\n}\n", name, zeros)
		return nil
	}
	number := 0
	for _, s := range k.Fused.Func.Body.Stmts {
		if !isComputation(s) {
			if late[s] && !isView(s) {
				pending = append(pending, s)
			}
			continue
		}
		if err := flush(); err != nil {
			return "", err
		}
		if err := g.allocate(&body, &helpers, s, number, zeros); err != nil {
			return "", err
		}
		if c := k.Fused.Computations[number]; g.lateFeatures(c) {
			probe, err := g.probe(c, &helpers, "f")
			if err != nil {
				return "", err
			}
			body.WriteString(probe + g.rowFeatures(number, c, "b.call", "f"))
			fmt.Fprintf(&body, "if err := b.call.Choose(%d%s); err != nil {\nreturn %serr\n}\n", number, g.features(c, "f"), zeros)
		}
		number++
		switch next := number; {
		case next < len(k.Fused.Computations) && k.Fused.Computations[next].Follows: // runs with it
		case k.Fused.Computations[next-1].Follows:
			fmt.Fprintf(&body, "if err := b.call.RunPair(ctx, %d, f); err != nil {\nreturn %serr\n}\n", next-2, zeros)
		default:
			fmt.Fprintf(&body, "if err := b.call.Run(ctx, %d, f); err != nil {\nreturn %serr\n}\n", next-1, zeros)
		}
	}
	if err := flush(); err != nil {
		return "", err
	}
	var rs []string
	atoms := k.Fused.Func.Body.Results
	for i, q := range k.Source.Results {
		n := len(q.Values())
		name := fmt.Sprintf("r%d", i+1)
		switch v := g.storedAs(atoms[0]); {
		case q.Fields != nil:
			body.WriteString(g.pack(q, atoms[:n], name, i, zeros))
			rs = append(rs, name)
		case q.Type.Rank > 0 && g.resultIndex(v) != i: // another result already: results share no memory
			fmt.Fprintf(&body, "%s, err := exec.Result[%s](&b.call, %d, len(f.%s))\nif err != nil {\nreturn %serr\n}\ncopy(%s, f.%s)\n",
				name, v.T.Kind, i, lower.HostName(v), zeros, name, lower.HostName(v))
			rs = append(rs, g.result(atoms[0], name))
		default:
			rs = append(rs, g.result(atoms[0], ""))
		}
		atoms = atoms[n:]
	}
	if number == 0 {
		body.WriteString("if err := ctx.Err(); err != nil {\nreturn " + zeros + "err\n}\n")
	}
	if goroutine.Mentions(body.String()+strings.Join(rs, " "), "f") {
		sb.WriteString("f := &b.frame\n")
	}
	if strings.Contains(body.String(), ", err = ") {
		sb.WriteString("var err error\n")
	}
	sb.WriteString(body.String())
	fmt.Fprintf(&sb, "return %s, nil\n}\n\n", strings.Join(rs, ", "))
	sb.WriteString(helpers.String())
	return sb.String(), nil
}

// allocate prints how a computation's sequences get memory: results from the caller or new, others from the last run.
func (g *kernelFile) allocate(body, helpers *strings.Builder, s *ir.Stmt, number int, zeros string) error {
	k := g.k
	c := k.Fused.Computations[number]
	for i, d := range s.Dst {
		if d.T.IsScalar() {
			continue
		}
		name := lower.HostName(d)
		count := g.host1(ir.ResultLength(s.Op), "f")
		if d.T.Rank == 2 {
			offsets, err := lower.RowOffsets(k.Fused, c, i)
			if err != nil {
				return g.unsupported(err)
			}
			if offsets == nil {
				row, err := lower.RegularRow(c, i)
				if err != nil {
					return g.unsupported(err)
				}
				count = fmt.Sprintf("%s * %s", count, g.host1(row, "f"))
			} else {
				off := lower.RowOffsetsName(d)
				fn := fmt.Sprintf("%s_rows%d", g.units[number].Prefix, i+1)
				helpers.WriteString(g.units[number].Func(&kir.Func{Name: fn, Body: offsets}, fmt.Sprintf("%s computes where the rows of %s begin.", fn, name)))
				fmt.Fprintf(body, "f.%s = rt.Grow(f.%s, %s+1)\nf.%s[0] = 0\nif err := rt.Host(f, %s); err != nil {\nreturn %serr\n}\n", off, off, count, off, fn, zeros)
				count = fmt.Sprintf("f.%s[%s]", off, count)
			}
		}
		if r := g.resultIndex(d); r >= 0 {
			from := "Result"
			if g.late(ir.ResultLength(s.Op)) { // the caller cannot know the length
				from = "Prefix"
			}
			fmt.Fprintf(body, "f.%s, err = exec.%s[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", name, from, d.T.Kind, r, count, zeros)
		} else {
			fmt.Fprintf(body, "f.%s = rt.Grow(f.%s, %s)\n", name, name, count)
		}
	}
	return nil
}

// resultIndex returns which result of the kernel a stored sequence is, itself or flattened; -1 if none, or only a field
// of a result.
func (g *kernelFile) resultIndex(v *ir.Var) int {
	atoms := g.k.Fused.Func.Body.Results
	for i, q := range g.k.Source.Results {
		if q.Fields == nil && g.storedAs(atoms[0]) == v {
			return i
		}
		atoms = atoms[len(q.Values()):]
	}
	return -1
}

// storedAs returns the stored sequence behind a result: the result itself, or what it flattens.
func (g *kernelFile) storedAs(a ir.Atom) *ir.Var {
	v, ok := a.(*ir.Var)
	if !ok {
		return nil
	}
	for _, s := range g.k.Fused.Func.Body.Stmts {
		if view, ok := s.Op.(*ir.View); ok && view.Fn == ir.Flatten && s.Dst[0] == v {
			return view.Args[0].(*ir.Var)
		}
	}
	return v
}

// result prints a result of the kernel. data is what holds its elements, "" for where they were computed.
func (g *kernelFile) result(a ir.Atom, data string) string {
	if c, ok := a.(ir.Const); ok {
		return goroutine.Constant(c)
	}
	v := g.storedAs(a)
	name := "f." + lower.HostName(v)
	if data != "" {
		name = data
	}
	if a.Type().Rank < 2 {
		return name
	}
	for _, c := range g.k.Fused.Computations {
		for j, d := range c.Stmt.Dst {
			if d != v {
				continue
			}
			if row, err := lower.RegularRow(c, j); err == nil && row != nil {
				return fmt.Sprintf("exec.RegularRows(%s, %s, %s)", name, g.host1(ir.ResultLength(c.Stmt.Op), "f"), g.host1(row, "f"))
			}
		}
	}
	return fmt.Sprintf("exec.Rows(%s, f.%s)", name, lower.RowOffsetsName(v))
}
