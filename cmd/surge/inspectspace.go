package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
)

// The report of surge inspect, as programs read it.
type (
	report struct {
		Kernels []kernelReport `json:"kernels"`
	}
	kernelReport struct {
		Name       string   `json:"name"`
		Position   string   `json:"position"`
		Signature  string   `json:"signature"`
		Hash       string   `json:"hash"`
		VariantOf  string   `json:"variant_of,omitempty"`
		Algorithms []string `json:"algorithms,omitempty"`

		whole, regular bool // it is a way of VariantOf: see codegen.Kernel.WayOf
		// Declared are the features that the package declares for it (surge:feature), Requested the ready-made ones.
		Declared  []featureReport `json:"declared_features,omitempty"`
		Requested []string        `json:"requested_features,omitempty"`
		Structs   []structsReport `json:"structs,omitempty"`
		// Host is the host program, where it is more than a chain of computations.
		Host    []hostReport    `json:"host,omitempty"`
		InOrder []inOrderReport `json:"in_order,omitempty"`
		// Called are the functions that are called as they stand.
		Called []calledReport `json:"called,omitempty"`
		// Whole says what of a kernel is not compiled that runs as it stands.
		Whole []string `json:"whole,omitempty"`
		// Threads says on how many threads it runs then.
		Threads      string              `json:"threads,omitempty"`
		Computations []computationReport `json:"computations"`
	}
	// structsReport is where fields of a parameter or a result lie that holds structs.
	structsReport struct {
		Of      string   `json:"of"`
		Result  bool     `json:"result,omitempty"`
		Fields  []string `json:"fields"`
		InPlace bool     `json:"in_place"`
		Why     string   `json:"why"`

		text string
	}
	// inOrderReport is a loop that is not parallel, and why.
	inOrderReport struct {
		Position string `json:"position"`
		Why      string `json:"why"`

		text string
	}
	// calledReport is a function that is not taken apart, and why.
	calledReport struct {
		Name     string `json:"name"`
		Position string `json:"position"`
		Why      string `json:"why"`
	}
	computationReport struct {
		Name     string          `json:"name"`
		Sequence string          `json:"sequence"`
		Levels   []levelReport   `json:"levels"`
		Features []featureReport `json:"features"`
		Spaces   []spaceReport   `json:"spaces"`
	}
	levelReport struct {
		Operators []string `json:"operators"`
		// Once is true for sequential code at the top level of a kernel, which is a level of one element.
		Once  bool     `json:"once,omitempty"`
		Kinds []string `json:"kinds"`
	}
	featureReport struct {
		Name string `json:"name"`
		Unit string `json:"unit"`
	}
	spaceReport struct {
		Platform    string            `json:"platform"`
		Doc         string            `json:"doc"`
		Form        string            `json:"form"`
		Sequence    string            `json:"sequence"`
		Schedules   []scheduleReport  `json:"schedules"`
		Parameters  []parameterReport `json:"parameters"`
		Product     int               `json:"product"`
		Distinct    int               `json:"distinct"`
		PrunedTotal int               `json:"pruned_total"`
		Pruned      []prunedReport    `json:"pruned"`
		Valid       int               `json:"valid"`
		Codes       int               `json:"codes"`
	}
	scheduleReport struct {
		Number    int    `json:"number"`
		Schedule  string `json:"schedule"`
		Strongest bool   `json:"strongest,omitempty"`
		Pruned    string `json:"pruned,omitempty"`
		// Emptied says why no variant is left of a schedule that the platform could implement.
		Emptied  string `json:"emptied,omitempty"`
		Product  int    `json:"product"`
		Distinct int    `json:"distinct"`
		Valid    int    `json:"valid"`
	}
	parameterReport struct {
		Name string `json:"name"`
		// Level is the nesting level from 1, 0 for a parameter of the whole computation.
		Level   int      `json:"level"`
		Changes string   `json:"changes"` // code or launch
		Paper   string   `json:"paper,omitempty"`
		Values  []string `json:"values"`
		Doc     string   `json:"doc"`
		// Schedules are the numbers of those that have the parameter.
		Schedules []int `json:"schedules"`
	}
	prunedReport struct {
		Constraint string `json:"constraint"`
		Reason     string `json:"reason"`
		Count      int    `json:"count"`
		Example    string `json:"example"`
	}
)

func (a *app) showSpaces(selected []*codegen.Kernel) error {
	var r report
	for _, k := range selected {
		r.Kernels = append(r.Kernels, a.reportKernel(k))
	}
	if a.json {
		return a.printJSON(r)
	}
	for i, k := range r.Kernels {
		if i > 0 {
			a.printf("\n")
		}
		a.printKernel(k)
	}
	if a.platform == platformAuto {
		a.printf("\nSee also: --platform all (with OpenCL), --variants (all of them), --variant ID --code, --ir\n")
	}
	return nil
}

func (a *app) reportKernel(k *codegen.Kernel) kernelReport {
	pos := k.Source.Pos
	pos.File = filepath.Join(a.dir, filepath.Base(pos.File))
	r := kernelReport{Name: k.Source.Name, Position: pos.String(), Signature: signature(k.Source), Hash: k.Hash, VariantOf: k.Source.VariantOf, whole: k.Whole, regular: k.Regular}
	for _, alt := range k.Alternatives {
		r.Algorithms = append(r.Algorithms, alt.Source.Name)
	}
	for _, f := range k.Source.Features {
		r.Declared = append(r.Declared, featureReport{f.Name, f.Unit})
	}
	r.Requested = k.Source.Requested
	for _, p := range k.Placements {
		r.Structs = append(r.Structs, structsReport{p.Of, p.Result, p.Fields, p.InPlace, p.Why, p.String()})
	}
	for _, o := range k.Fused.InOrder {
		r.InOrder = append(r.InOrder, inOrderReport{o.Pos.String(), o.Why, o.String()})
	}
	for _, c := range k.Source.Calls {
		r.Called = append(r.Called, calledReport{c.Name, c.Pos.String(), c.Why})
	}
	for _, d := range k.Source.Whole {
		r.Whole = append(r.Whole, d.Error())
	}
	if len(r.Whole) > 0 {
		r.Threads = k.Source.Threads()
	}
	if k.Fused.IsTree() {
		r.Host = a.reportHost(k, k.Fused.Func.Body, k.Fused.Late())
	}
	for _, c := range k.Fused.Computations {
		r.Computations = append(r.Computations, reportComputation(k, c))
	}
	return r
}

func reportComputation(k *codegen.Kernel, c *fuse.Computation) computationReport {
	r := computationReport{Name: c.Name, Sequence: c.Sequence.String()}
	for _, l := range c.Sequence {
		r.Levels = append(r.Levels, levelReport{Operators: l.Ops, Once: l.HasTrait(fuse.TraitOnce), Kinds: l.Kinds})
	}
	for _, f := range k.Features(c) {
		r.Features = append(r.Features, featureReport{f.Name, f.Unit})
	}
	for _, sp := range k.Spaces {
		if sp.Computation == c.Name {
			r.Spaces = append(r.Spaces, reportSpace(sp, k.Functions(sp)))
		}
	}
	return r
}

func reportSpace(sp *policy.Space, functions int) spaceReport {
	r := spaceReport{Platform: sp.Platform.Name, Doc: sp.Platform.Doc, Form: sp.Form, Sequence: sp.Sequence.String(), Product: sp.Product, Distinct: sp.Distinct,
		Valid: sp.Size(), Codes: functions}
	strongest := schedule.Strongest(sp.Sequence).String()
	for i, c := range sp.Candidates {
		s := scheduleReport{Number: i + 1, Schedule: c.Schedule.String(), Pruned: c.Pruned}
		s.Strongest = s.Schedule == strongest
		at := slices.IndexFunc(sp.Schedules, func(p policy.ScheduleSpace) bool { return p.Schedule.String() == s.Schedule })
		if at >= 0 {
			part := &sp.Schedules[at]
			s.Product, s.Distinct, s.Valid, s.Emptied = part.Product, part.Distinct, part.Valid, part.Reason
			for _, p := range part.Parameters {
				r.addParameter(p, s.Number)
			}
		}
		r.Schedules = append(r.Schedules, s)
	}
	slices.SortStableFunc(r.Parameters, func(x, y parameterReport) int { return x.Level - y.Level })
	for _, p := range sp.Pruned {
		r.Pruned = append(r.Pruned, prunedReport{p.Constraint, p.Reason, p.Count, p.Example.String()})
		r.PrunedTotal += p.Count
	}
	return r
}

// addParameter adds a parameter of a schedule. Schedules that have the same one share a row.
func (r *spaceReport) addParameter(p policy.Listed, number int) {
	for i := range r.Parameters {
		have := &r.Parameters[i]
		if have.Name == p.Name && have.Doc == p.Param.Doc && slices.Equal(have.Values, p.Values) {
			have.Schedules = append(have.Schedules, number)
			return
		}
	}
	r.Parameters = append(r.Parameters, parameterReport{p.Name, p.Depth, changes(p.Param), p.Param.Paper, p.Values, p.Param.Doc, []int{number}})
}

func (a *app) printKernel(k kernelReport) {
	a.printf("kernel %s  %s\n%s\n", k.Name, k.Position, k.Signature)
	switch {
	case k.regular && !k.whole:
		a.printf("%s for inputs whose rows have one length: taken for these, and asked for there by --variant %s.\n", k.VariantOf, k.Name)
	case k.whole:
		a.printf("%s with each of its loops around operators as one computation: taken where turns are short, and asked for there by --variant %s.\n", k.VariantOf, k.Name)
	case k.VariantOf != "":
		a.printf("Another algorithm for %s, chosen there by --variant %s.\n", k.VariantOf, k.Name)
	}
	if len(k.Algorithms) > 0 {
		a.printf("Other algorithms for it: %s. The first choice is the algorithm (untrained: %s itself, unless estimates say otherwise), the second the variant.\n", strings.Join(k.Algorithms, ", "), k.Name)
	}
	if len(k.Declared)+len(k.Requested) > 0 {
		var names []string
		for _, f := range k.Declared {
			names = append(names, withUnit(f.Name, f.Unit))
		}
		a.printf("Features of its own, computed where a model asks for them: %s.\n", strings.Join(append(names, k.Requested...), ", "))
	}
	for _, s := range k.Structs {
		a.printf("%s.\n", s.text)
	}
	for _, o := range k.InOrder {
		a.printf("%s.\n", o.text)
	}
	for _, c := range k.Called {
		a.printf("%s (%s) is called as it is, on goroutines and without lanes: %s.\n", c.Name, c.Position, c.Why)
	}
	switch {
	case len(k.Host) > 0:
		a.printf("The host program runs its computations turn by turn, each with a search space of its own:\n")
		a.printHost(k.Host, "  ")
	case len(k.Computations) > 1:
		a.printf("A chain of %s, each with a search space of its own.\n", plural(len(k.Computations), "computation"))
	}
	if len(k.Whole) > 0 {
		a.printf("It runs as it stands, as plain Go%s, because this is not compiled:\n%s\n", k.Threads, strings.Join(k.Whole, "\n"))
	} else if len(k.Computations) == 0 {
		a.printf("It has no data-parallel operator: there is nothing to choose.\n")
	}
	for _, c := range k.Computations {
		a.printf("\ncomputation %s: %s\n\n", c.Name, c.Sequence)
		table := newColumns("level", "operators", "elements")
		for i, l := range c.Levels {
			operators := strings.Join(l.Operators, " ")
			if l.Once {
				operators += " of one element: sequential code"
			}
			table.row(strconv.Itoa(i+1), operators, strings.Join(l.Kinds, " "))
		}
		table.print(a.out, "  ")
		if len(c.Features) > 0 {
			var features []string
			for _, f := range c.Features {
				features = append(features, withUnit(f.Name, f.Unit))
			}
			a.printf("\n  features  %s\n", strings.Join(features, ", "))
		}
		for _, sp := range c.Spaces {
			a.printSpace(sp)
		}
	}
}

func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

func (a *app) printSpace(sp spaceReport) {
	of := ""
	if sp.Form != selector.Nest {
		of = fmt.Sprintf(", form %s: %s", sp.Form, sp.Sequence)
	}
	a.printf("\n  platform %s: %s%s\n\n", sp.Platform, sp.Doc, of)

	table := newColumns(">#", "schedule", ">variants", "")
	for _, s := range sp.Schedules {
		variants, note := count(s.Valid), ""
		if s.Strongest {
			note = "strongest"
		}
		if s.Pruned != "" {
			variants = "pruned"
			note = strings.TrimPrefix(note+": "+s.Pruned, ": ")
		}
		if s.Emptied != "" {
			note = strings.TrimPrefix(note+": every point is pruned below, the last ones because "+s.Emptied, ": ")
		}
		table.row(strconv.Itoa(s.Number), s.Schedule, variants, note)
	}
	table.print(a.out, "  ")
	a.printf("\n")

	table = newColumns("parameter", "level", "changes", "schedules", "values", "meaning")
	for _, p := range sp.Parameters {
		table.row(p.Name, levelName(p.Level), p.Changes, numbers(p.Schedules, len(sp.Schedules)), strings.Join(p.Values, " "), p.Doc)
	}
	table.print(a.out, "  ")

	a.printf("\n  space  %s = %s in the plain product of all values − %s that only repeat another − %s pruned; %s of generated code\n",
		plural(sp.Valid, "variant"), count(sp.Product), count(sp.Product-sp.Distinct), count(sp.PrunedTotal), plural(sp.Codes, "function"))
	if len(sp.Pruned) == 0 {
		return
	}
	a.printf("\n")
	table = newColumns(">pruned", "constraint", "reason")
	constraint := ""
	for _, p := range grouped(sp.Pruned) {
		name := p.Constraint
		if name == constraint {
			name = ""
		}
		constraint = p.Constraint
		table.row(count(p.Count), name, p.Reason)
		table.row("", "", "e.g. "+p.Example[strings.Index(p.Example, sp.Form+"/")+len(sp.Form)+1:])
	}
	table.print(a.out, "  ")
}

// grouped brings the reasons of one constraint together; the one that prunes most comes first.
func grouped(pruned []prunedReport) []prunedReport {
	totals := map[string]int{}
	for _, p := range pruned {
		totals[p.Constraint] += p.Count
	}
	sorted := slices.Clone(pruned)
	slices.SortStableFunc(sorted, func(x, y prunedReport) int {
		return cmp.Or(totals[y.Constraint]-totals[x.Constraint], strings.Compare(x.Constraint, y.Constraint), y.Count-x.Count)
	})
	return sorted
}

// numbers lists numbers, those that follow each other as a range; "all" when it is all of them.
func numbers(list []int, of int) string {
	if len(list) == of {
		return "all"
	}
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if j > i+1 {
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		} else {
			for _, n := range list[i : j+1] {
				parts = append(parts, strconv.Itoa(n))
			}
		}
		i = j + 1
	}
	return strings.Join(parts, " ")
}
