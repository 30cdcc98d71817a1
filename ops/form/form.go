package form

import (
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

const (
	// maxSteps is how many rules are applied one after the other.
	maxSteps = 2
	// maxForms is how many forms a computation has at most: each has a search space of its own.
	maxForms = 6
)

// Form is a computation in one shape.
type Form struct {
	// Name is that in variants: nest, or the rules that were applied, each with its argument: delinearise.w.
	Name string
	// Func is the kernel up to the computation, which it has in this form and whose results it yields. These have the
	// names and the memory that they have in the kernel: rows of one length lie one behind the other where that has a
	// flat sequence.
	Func *ir.Func
	// Kernel is Func with its computations, of which Computation is the last; for the nest it is the kernel itself.
	Kernel      *fuse.Kernel
	Computation *fuse.Computation
	// From is the form that Rule was applied to, with Argument; nil for the nest.
	From     *Form
	Rule     *Rule
	Argument string

	before []*ir.Stmt // what Rule added before the computation
}

// Code is the text of the form's IR: the computation, and what its rule computes before it.
func (f *Form) Code() string {
	var sb strings.Builder
	for _, s := range append(slices.Clone(f.before), f.Computation.Stmt) {
		sb.WriteString(s.String() + "\n")
	}
	return sb.String()
}

// Rule rewrites computations.
type Rule struct {
	Name string
	// Paper is the number of the rule of incremental flattening, G0 to G9, if it is one of these.
	Paper string
	// Doc is a line about what becomes of what.
	Doc string
	// Arguments are those that the rule can be tried with on a computation, words of letters and digits; one that is
	// empty if it takes none. If there are none at all, the rule has no place there to be applied to, as None says.
	Arguments func(at Site) []string
	None      string
	// Apply rewrites the computation at a site. The reason says why it does not, "" if it does.
	Apply func(at Site, argument string) (to Rewriting, reason string)
}

// Site is a computation that a rule may rewrite, and must not change.
type Site struct {
	Func  *ir.Func // ends with the computation
	Stmt  *ir.Stmt // the computation
	Names *ir.Namer
}

// Rewriting is what becomes of a computation.
type Rewriting struct {
	// Before are scalars that are computed before the computation. They must not fail.
	Before []*ir.Stmt
	// Stmt is the computation. Its results are those that it had, in their order, under the same names; one that is
	// flat may have become rows of one length, which have the flat sequence's elements in its order.
	Stmt *ir.Stmt
}

// Refusal says why a rule does not apply to a form.
type Refusal struct {
	Of       *Form
	Rule     *Rule
	Argument string
	Reason   string
}

// Name is that of the form that there would be.
func (r *Refusal) Name() string { return extend(r.Of.Name, r.Rule, r.Argument) }

// Forms are those of one computation.
type Forms struct {
	All     []*Form // the nest first
	Refused []Refusal
}

// Derive returns the forms of each computation of k. What they compute before is entered into k, before the
// computation.
func Derive(k *fuse.Kernel) []*Forms {
	names := ir.NewNamer(k.Func)
	all := make([]*Forms, len(k.Computations))
	for i, c := range k.Computations {
		if k.Nested(c) { // rules see what stands before a computation in the same block
			all[i] = &Forms{All: []*Form{{Name: selector.Nest, Func: k.Func, Kernel: k, Computation: c}}}
			continue
		}
		at := slices.Index(k.Func.Body.Stmts, c.Stmt)
		f := upTo(k.Func, k.Func.Body.Stmts[:at], c.Stmt)
		d := derivation{names: names, of: &Forms{All: []*Form{{Name: selector.Nest, Func: f, Kernel: k, Computation: c}}}}
		d.run()
		all[i] = d.of
		k.Insert(at, d.before)
	}
	return all
}

// upTo is a function that ends with computation s, and yields its results.
func upTo(f *ir.Func, before []*ir.Stmt, s *ir.Stmt) *ir.Func {
	g := *f
	g.Body = &ir.Block{Stmts: append(slices.Clone(before), s)}
	for _, v := range s.Dst {
		g.Body.Results = append(g.Body.Results, v)
	}
	return &g
}

// derivation is the state of the search for the forms of a computation.
type derivation struct {
	names  *ir.Namer
	of     *Forms
	before []*ir.Stmt // of all forms
}

// run applies all rules to the nest, then to what came of it, and so on.
func (d *derivation) run() {
	steps := []int{0}
	for at := 0; at < len(d.of.All); at++ {
		if steps[at] == maxSteps {
			continue
		}
		for r := range Rules {
			d.apply(d.of.All[at], &Rules[r])
		}
		for len(steps) < len(d.of.All) {
			steps = append(steps, steps[at]+1)
		}
	}
}

// apply adds what comes of a form by a rule, in all ways.
func (d *derivation) apply(from *Form, r *Rule) {
	refuse := func(argument, reason string) {
		d.of.Refused = append(d.of.Refused, Refusal{from, r, argument, reason})
	}
	last := len(from.Func.Body.Stmts) - 1
	at := Site{from.Func, from.Func.Body.Stmts[last], d.names}
	arguments := r.Arguments(at)
	if len(arguments) == 0 {
		refuse("", r.None)
	}
	for _, argument := range arguments {
		if len(d.of.All) == maxForms {
			refuse(argument, "the computation has as many forms as it can have")
			continue
		}
		to, reason := r.Apply(at, argument)
		if reason != "" {
			refuse(argument, reason)
			continue
		}
		f := upTo(from.Func, slices.Concat(from.Func.Body.Stmts[:last], to.Before), to.Stmt)
		k := fuse.Split(f)
		k.PutRegular(from.Kernel.Regular)
		k.PutInPlace(places(from.Kernel.InPlace, at.Stmt, to.Stmt))
		d.of.All = append(d.of.All, &Form{Name: extend(from.Name, r, argument), Func: f, Kernel: k,
			Computation: k.Computations[len(k.Computations)-1], From: from, Rule: r, Argument: argument, before: to.Before})
		d.before = append(d.before, to.Before...)
	}
}

// places says where sequences lie when a computation has become another one.
func places(before map[*ir.Var]*fuse.Place, from, to *ir.Stmt) map[*ir.Var]*fuse.Place {
	all := maps.Clone(before)
	for i, v := range from.Dst {
		if p := before[v]; p != nil {
			all[to.Dst[i]] = p
		}
	}
	return all
}

// extend is the name of a form behind one more rule.
func extend(name string, r *Rule, argument string) string {
	step := r.Name
	if argument != "" {
		step += "." + argument
	}
	if name == selector.Nest {
		return step
	}
	return name + "+" + step
}

// Find returns the form of that name, nil if there is none.
func (f *Forms) Find(name string) *Form {
	for _, one := range f.All {
		if one.Name == name {
			return one
		}
	}
	return nil
}
