package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

func (g *kernelFile) results() string {
	parts := make([]string, 0, len(g.k.Source.Results)+1)
	for _, r := range g.k.Source.Results {
		if r.Part.Kind != load.PartError { // Run has an error of its own
			parts = append(parts, r.GoType)
		}
	}
	return "(" + strings.Join(append(parts, "error"), ", ") + ")"
}

// zeros are zero values for all results, each with a comma behind it.
func (g *kernelFile) zeros() string {
	var sb strings.Builder
	for _, r := range g.k.Source.Results {
		switch r.Part.Kind {
		case load.PartError:
		case load.PartSlice, load.PartPointer:
			sb.WriteString("nil, ")
		case load.PartStruct, load.PartArray, load.PartTable:
			sb.WriteString(r.GoType + "{}, ")
		case load.PartString:
			sb.WriteString("\"\", ")
		default:
			if r.Part.Number == ir.Bool {
				sb.WriteString("false, ")
			} else {
				sb.WriteString("0, ")
			}
		}
	}
	return sb.String()
}

// failureDoc is what the comment of Run says of the kernel's own error.
func (g *kernelFile) failureDoc() string {
	if g.k.Source.Error() < 0 {
		return ""
	}
	return fmt.Sprintf(" An error\n// that %s itself returns comes with its results.", g.k.Source.Name)
}

// failures prints the list of errors that the kernel itself returns.
func (g *kernelFile) failures() string {
	if g.k.Source.Error() < 0 {
		return ""
	}
	name, base := g.k.Source.Name, g.base
	var list []string
	var cases strings.Builder
	for i, e := range g.k.Source.Errors {
		if e.Plain {
			list = append(list, "exec.ErrText")
			continue
		}
		if e.Words == 0 {
			list = append(list, e.Expr("", ""))
			continue
		}
		list = append(list, "nil")
		fmt.Fprintf(&cases, "case %d:\nreturn %s\n", i+1, e.Expr(g.local("said"), base+"Error"))
	}
	text := fmt.Sprintf("// %[1]sErrors are the errors that %[2]s returns", base, name)
	if g.computedErrors() {
		text += ", but for those that say what it computed"
	}
	text += fmt.Sprintf(".\nvar %sErrors = [...]error{%s}\n\n", base, strings.Join(list, ", "))
	if g.computedErrors() {
		text += fmt.Sprintf("// %[1]sError makes an error that %[2]s returns: its number and what it says come first.\n"+
			"func %[1]sError(%[3]s []int64) error {\n%[4]s := %[3]s[0]\n%[3]s = %[3]s[1:]\nswitch %[4]s {\ncase 0:\nreturn nil\n%[5]s}\nreturn %[1]sErrors[%[4]s-1]\n}\n\n",
			base, name, g.local("said"), g.local("number"), cases.String())
	}
	return text
}

// computedErrors reports whether errors of the kernel say numbers that it computes.
func (g *kernelFile) computedErrors() bool {
	return slices.ContainsFunc(g.k.Source.Errors, func(e load.ErrorValue) bool { return e.Words > 0 })
}

// failure prints the error that a result of the kernel is.
func (g *kernelFile) failure(p *load.Part, give *giver) string {
	code := give.scalar(give.next())
	said := []string{"int64(" + code + ")"}
	for range p.Words {
		said = append(said, give.scalar(give.next()))
	}
	if g.computedErrors() {
		return fmt.Sprintf("%sError([]int64{%s})", g.base, strings.Join(said, ", "))
	}
	return fmt.Sprintf("exec.Failure(%sErrors[:], %s)", g.base, code)
}

func (g *kernelFile) run() (string, error) {
	k := g.k
	var sb, helpers strings.Builder
	bound := g.public("Bound")
	zeros := g.zeros()
	name := "Run"
	decl, args := g.params()
	plain := g.plainRun("ctx", "", decl, args)
	if g.mayRunAgain() {
		sb.WriteString(g.runAgain(plain.ended))
		name = "run"
		fmt.Fprintf(&sb, "// run is Run but for what only the kernel itself does.\n")
	} else {
		fmt.Fprintf(&sb, "// Run computes %s. It stops early when ctx is done, and then returns its error.%s\n", k.Source.Name, g.failureDoc())
	}
	fmt.Fprintf(&sb, "func (b *%s) %s(ctx context.Context) %s {\n", bound, name, g.results())
	if name == "Run" {
		sb.WriteString(g.alternativeCall("Run(ctx)") + plain.ended)
	}
	sb.WriteString(plain.run + g.failedBefore(zeros+"b.failed"))
	host := &hostPrinter{g: g, helpers: &helpers, late: k.Fused.Late(), zeros: zeros}
	if err := host.program(); err != nil {
		return "", err
	}
	body := &host.out
	var rs []string
	give := &giver{g: g, atoms: k.Fused.Func.Body.Results, zeros: zeros}
	failure := "nil"
	for i, q := range k.Source.Results {
		if q.Part.Kind == load.PartError {
			failure = g.failure(q.Part, give)
			continue
		}
		rs = append(rs, give.result(q, i))
	}
	body.WriteString(give.out.String())
	if failure != "nil" && slices.ContainsFunc(k.Source.Results, func(q load.Param) bool { return q.Part.Kind == load.PartPointer }) {
		fmt.Fprintf(body, "if err := %s; err != nil {\nreturn %serr\n}\n", failure, zeros) // no pointer then
		failure = "nil"
	}
	rs = append(rs, failure)
	if len(k.Fused.Computations) == 0 {
		body.WriteString("if err := ctx.Err(); err != nil {\nreturn " + zeros + "err\n}\n")
	}
	fmt.Fprintf(body, "return %s\n}\n\n", strings.Join(rs, ", "))
	used, _, err := free("func _() {\n" + body.String())
	if err != nil {
		return "", err
	}
	if used["f"] {
		sb.WriteString("f := &b.frame\n")
	}
	if used["err"] {
		sb.WriteString("var err error\n")
	}
	sb.WriteString(body.String())
	sb.WriteString(helpers.String())
	return sb.String(), nil
}

// watched reports whether code holds a loop that may take for ever.
func watched(body []kir.Stmt) bool {
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.For:
			found = found || s.Watched
		case *kir.While:
			found = found || s.Watched
		}
	}, nil)
	return found
}

// hostCall is the call of a function of the host in a run: one with a parallel loop has the threads of the run.
func hostCall(fn string, body []kir.Stmt) string {
	parallel := false
	kir.Walk(body, func(s kir.Stmt) {
		_, par := s.(*kir.Par)
		parallel = parallel || par
	}, nil)
	if parallel {
		return fmt.Sprintf("InspectUntil(ctx, b.call.Threads(), f, %s)", fn)
	}
	return fmt.Sprintf("Host(f, %s)", fn)
}

// allocate prints how a computation's sequences get memory: results from the caller or new, others from the last run.
func (g *kernelFile) allocate(body, helpers *strings.Builder, number int, zeros string) error {
	k := g.k
	c := k.Fused.Computations[number]
	s := c.Stmt
	var taken []string  // calls that give results memory
	var irregular []int // the results before
	for i, d := range s.Dst {
		if d.T.IsScalar() {
			continue
		}
		name := lower.HostName(d)
		count := g.host1(ir.ResultLength(s.Op), "f")
		levels, err := lower.RowsOf(k.Fused, c, i)
		if err != nil {
			return g.unsupported(err)
		}
		for level, rows := range levels {
			if rows.Length != nil {
				count = fmt.Sprintf("%s * %s", count, g.host1(rows.Length, "f"))
				if rows.Total != nil {
					// There is no row where a condition says so, whatever the total would be.
					count = fmt.Sprintf("max(min(%s, %s), 0)", count, g.host1(rows.Total, "f"))
				}
				continue
			}
			names := lower.RowOffsetsNames(d)
			off := names[level]
			if at := slices.IndexFunc(irregular, func(o int) bool { return lower.SameRows(c, i, o, level) }); at >= 0 {
				other := lower.RowOffsetsNames(s.Dst[irregular[at]])
				fmt.Fprintf(body, "f.%s = f.%s\n", off, other[level])
			} else {
				fn := fmt.Sprintf("%s_rows%d", g.units[number].Prefix, i+1)
				if level+1 < len(names) {
					fn += fmt.Sprintf("_%d", level+1)
				}
				offsets, err := goroutine.Host(fn, rows.Offsets)
				if err != nil {
					return g.unsupported(err)
				}
				helpers.WriteString(g.units[number].Func(offsets, fmt.Sprintf("%s computes where the rows of %s begin.", fn, name)))
				fmt.Fprintf(body, "f.%s = exec.Grow(&b.call, f.%s, %s+1)\nf.%s[0] = 0\nif err := rt.%s; err != nil {\nreturn %serr\n}\n", off, off, count, off, hostCall(fn, offsets.Body), zeros)
			}
			count = fmt.Sprintf("f.%s[%s]", off, count)
		}
		irregular = append(irregular, i)
		if k.Fused.InPlace[d] != nil {
			body.WriteString(g.allocateStructs(d, count, zeros))
		} else if r := g.resultIndex(d); r >= 0 {
			from := "Result"
			if g.late(ir.ResultLength(s.Op)) { // the caller cannot know the length
				from = "Prefix"
			}
			to := elements(k.Source.Results[r].Part)
			if to.Plain {
				if from == "Result" {
					taken = append(taken, fmt.Sprintf("exec.Take(&b.call, &f.%s, %d, %s)", name, r, count))
					continue
				}
				fmt.Fprintf(body, "f.%s, err = exec.%s[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\n", name, from, d.T.Kind, r, count, zeros)
			} else {
				fmt.Fprintf(body, "dst%d, err := exec.%s[%s](&b.call, %d, %s)\nif err != nil {\nreturn %serr\n}\nf.%s = exec.As[%s](dst%d)\n",
					r+1, from, to.GoType, r, count, zeros, name, d.T.Kind, r+1)
			}
		} else {
			body.WriteString(g.grow(c, d, count))
		}
	}
	all := strings.TrimSuffix(goroutine.Filled(taken, ", ", ",\n"), ",\n")
	switch len(taken) {
	case 0:
	case 1:
		fmt.Fprintf(body, "if err := %s; err != nil {\nreturn %serr\n}\n", all, zeros)
	default:
		fmt.Fprintf(body, "if err := exec.First(%s); err != nil {\nreturn %serr\n}\n", all, zeros)
	}
	return nil
}
