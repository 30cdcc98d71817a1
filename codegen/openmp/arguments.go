package openmp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// result is what the caller gets of one of the kernel's results.
type result struct {
	name string // of the parameters
	kind ir.Kind
	atom ir.Atom
	from *ir.Var  // the sequence that holds it; nil for a scalar
	rows []string // its row offsets, in the frame, that are not known by the lengths of others
}

// results are the kernel's results. Names of several are numbered.
func (p *libraryPrinter) results() (all []result) {
	k := p.frame.Kernel
	for i, a := range k.Func.Body.Results {
		r := result{name: "result", kind: a.Type().Kind, atom: a}
		if len(k.Func.Body.Results) > 1 {
			r.name += strconv.Itoa(i + 1)
		}
		if slices.ContainsFunc(k.Func.Params, func(v *ir.Var) bool { return strings.HasPrefix(p.member(lower.HostName(v)), r.name) }) {
			r.name = "surge_" + r.name
		}
		if !a.Type().IsScalar() {
			r.from = k.Stored(a)
			all := lower.RowOffsetsNames(r.from)
			for _, offsets := range all[len(all)-a.Type().Rank+1:] { // it may be flattened
				if slices.ContainsFunc(p.fields, func(f Field) bool { return f.Name == offsets }) {
					r.rows = append(r.rows, offsets)
				}
			}
		}
		all = append(all, r)
	}
	return all
}

// offsets is the parameter for row offsets of the result.
func (r result) offsets(name string) string {
	return r.name + "_rows" + name[len(strings.TrimRight(name, "0123456789")):]
}

// sequence is an array that the caller gets: the elements of a result, or its row offsets.
type sequence struct {
	to, member string // the parameter, and the member of the frame
	kind       ir.Kind
	copied     bool // it is an argument, or the caller gets it twice
}

// sequences are the arrays that the caller gets, in the order of the parameters.
func (p *libraryPrinter) sequences() (all []sequence) {
	made := p.made()
	given := map[string]bool{}
	add := func(to, member string, kind ir.Kind) {
		all = append(all, sequence{to, member, kind, given[member] || !slices.Contains(made, member)})
		given[member] = true
	}
	for _, r := range p.results() {
		if r.from == nil {
			continue
		}
		add(r.name, p.member(lower.HostName(r.from)), r.kind)
		for _, offsets := range r.rows {
			add(r.offsets(offsets), p.member(offsets), ir.Int)
		}
	}
	return all
}

// give prints how results go to the caller: memory of the library is the caller's from there on, and what is also an
// argument is copied, which may fail and so comes first. The rest is freed.
func (p *libraryPrinter) give() {
	all := p.sequences()
	for _, s := range all {
		if s.copied {
			p.line("*%s = surge_copy(&run, f->%s, f->%s, sizeof(%s));", s.to, s.member, lengthOf(s.member), ctypes[s.kind])
			p.line("if (run.stop)\n\t\tgoto failed;")
		}
	}
	given := map[string]bool{}
	for _, s := range all {
		p.line("*%s = f->%s;", lengthOf(s.to), lengthOf(s.member))
		if !s.copied {
			given[s.member] = true
			p.line("*%s = f->%s;", s.to, s.member)
		}
	}
	for _, r := range p.results() {
		if r.from == nil {
			p.line("*%s = %s;", r.name, p.value(r.atom))
		}
	}
	for _, n := range p.made() {
		if !given[n] {
			p.line("free(f->%s);", n)
		}
	}
}

// checkArguments prints the checks that make reading the arguments safe: Go's slices cannot be wrong in these ways. It
// also makes results NULL, which they stay if the function fails.
func (p *libraryPrinter) checkArguments(k *fuse.Kernel) {
	var checks []string
	check := func(format string, args ...any) { checks = append(checks, fmt.Sprintf(format, args...)) }
	name := func(parameter string) string { return quote(p.frame.Source + ": " + parameter) }
	for _, r := range p.results() {
		if r.from == nil {
			check("surge_destination(error, %s, %s)", name(r.name), r.name)
		}
	}
	sequences := p.sequences()
	for _, s := range sequences {
		check("surge_destination(error, %s, %s && %s)", name(s.to), s.to, lengthOf(s.to))
	}
	p.refuse(checks)
	for _, s := range sequences {
		p.line("*%s = NULL, *%s = 0;", s.to, lengthOf(s.to))
	}
	checks = nil
	for _, v := range k.Func.Params {
		if v.T.IsScalar() {
			continue
		}
		n := p.member(lower.HostName(v))
		check("surge_column(error, %s, %s, %s)", name(n), n, lengthOf(n))
		within := lengthOf(n) // of the data, and then of the rows of the level below
		for _, offsets := range slices.Backward(lower.RowOffsetsNames(v)) {
			r := p.member(offsets)
			check("surge_row_offsets(error, %s, %s, %s, %s)", name(r), r, lengthOf(r), within)
			within = lengthOf(r) + " - 1"
		}
	}
	for _, c := range p.frame.Columns {
		first := c.Vars[0]
		for _, v := range c.Vars[1:] {
			if c.Level >= 0 {
				at := c.Level
				a, b := p.member(lower.RowOffsetsNames(first)[at]), p.member(lower.RowOffsetsNames(v)[at])
				check("surge_same_rows(error, %s, %s, %s, %s, %s)", name(b), quote(a), b, a, lengthOf(a))
				continue
			}
			check("surge_same_length(error, %s, %s, %s, %s)", name(p.member(lower.HostName(v))), quote(p.member(lower.HostName(first))), p.count(v), p.count(first))
		}
	}
	p.refuse(checks)
}

// count is how many elements a sequence among the parameters has.
func (p *libraryPrinter) count(v *ir.Var) string {
	if v.T.Rank > 1 {
		return lengthOf(p.member(lower.RowOffsetsNames(v)[0])) + " - 1"
	}
	return lengthOf(p.member(lower.HostName(v)))
}

// refuse prints that the function ends with the code of the first of the checks that finds something.
func (p *libraryPrinter) refuse(checks []string) {
	if len(checks) == 0 {
		return
	}
	for i, c := range checks {
		checks[i] = "(surge_code = " + c + ")"
	}
	p.line("if (%s)\n\t\treturn surge_code;", strings.Join(checks, " ||\n\t    "))
}

// signature is the head of the kernel's function.
func (p *libraryPrinter) signature() string {
	if p.unit == nil {
		p.unit = NewUnit(identifier(p.frame.Base)+"_frame", p.fields)
	}
	var params []string
	for _, v := range p.frame.Kernel.Func.Params {
		n := p.member(lower.HostName(v))
		if v.T.IsScalar() {
			params = append(params, ctypes[v.T.Kind]+" "+n)
			continue
		}
		params = append(params, fmt.Sprintf("const %s *%s, int64_t %s", ctypes[v.T.Kind], n, lengthOf(n)))
		for _, offsets := range lower.RowOffsetsNames(v) {
			r := p.member(offsets)
			params = append(params, fmt.Sprintf("const int64_t *%s, int64_t %s", r, lengthOf(r)))
		}
	}
	for _, r := range p.results() {
		if r.from == nil {
			params = append(params, fmt.Sprintf("%s *%s", ctypes[r.kind], r.name))
			continue
		}
		params = append(params, fmt.Sprintf("%s **%s, int64_t *len_%s", ctypes[r.kind], r.name, r.name))
		for _, offsets := range r.rows {
			params = append(params, fmt.Sprintf("int64_t **%s, int64_t *len_%[1]s", r.offsets(offsets)))
		}
	}
	return fmt.Sprintf("int %s(%s, surge_error *error)", p.name(), strings.Join(params, ", "))
}

// doc is the comment of the kernel's function.
func (p *libraryPrinter) doc() string {
	return fmt.Sprintf("// %s is the kernel %s. It returns 0, or one of SURGE_ERROR_CHECK and so on, and the error says what is\n// wrong. Results that are sequences are the caller's to free, and NULL where it fails.\n", p.name(), p.frame.Source)
}
