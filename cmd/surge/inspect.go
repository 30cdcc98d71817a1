package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// inspectFlags are the flags of surge inspect.
type inspectFlags struct {
	kernel             string
	variants, code, ir bool
	forms, thresholds  bool
	variant            []string
}

func (a *app) inspectCommand() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "inspect DIR",
		Short: "Show the search space of a package's kernels",
		Long: `inspect shows how the kernels of the Go package in DIR can be run: for each computation the
data-parallel operators at each nesting depth, the schedules (the strongest first, those that a platform
cannot implement with the reason), the tunable parameters of each platform, and the size of the
space: the plain product of all values, how many points of it differ, what was pruned and why, and
how many variants are left. Where rules make other forms of a computation besides the nest that the
source has, each has a space of its own; --forms shows the rules with the code before and after.
--thresholds shows the tree of comparisons that surge train --method threshold finds the numbers for.

A variant is named by its id, by its canonical text, or by parts of it that are joined by "/":
a computation, a form, a schedule, a platform, settings.`,
		Example: `  surge inspect ./examples/spmv
  surge inspect ./examples/spmv --platform all
  surge inspect ./examples/scan --variants
  surge inspect ./examples/spmv --variants --variant vector_width_2=8,num_threads=2
  surge inspect ./examples/spmv --variant 'independent>cooperative/vector_width_2=8' --code
  surge inspect ./examples/spmv --ir
  surge inspect ./examples/spmv --forms
  surge inspect ./examples/spmv --thresholds
  surge inspect ./examples/spmv --json | jq '.kernels[].computations[].spaces[].valid'`,
		Args:              oneDir,
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.dir = args[0]
			// The kernel and the variants of surge.yaml are those to run: here everything is to be seen.
			if _, err := a.configure(cmd, a.dir, "kernel", "variant"); err != nil {
				return err
			}
			if f.code && len(f.variant) == 0 {
				return usage(cmd, problem{Code: "usage", What: "--code needs --variant", Fix: "name one: " + cmd.CommandPath() + " " + a.dir + " --variants lists them"})
			}
			machine := codegen.Machine(!a.noSIMD, a.inspectable())
			prog, err := a.compile(cmd.Context(), machine, a.inspectable(), f.kernel)
			if err != nil {
				return err
			}
			selected, err := kernels(prog, f.kernel)
			if err != nil {
				return err
			}
			switch {
			case f.variants:
				return a.listVariants(selected, f.variant, machine.Cores)
			case f.forms:
				return a.showForms(selected)
			case f.thresholds:
				return a.showThresholds(selected)
			case len(f.variant) > 0:
				return a.showVariants(prog, selected, f, machine.Cores)
			case f.ir:
				return a.showStages(selected)
			}
			return a.showSpaces(selected)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.kernel, "kernel", "k", "", "show the kernel `NAME` only")
	flags.BoolVar(&f.variants, "variants", false, "list every valid variant: its id and its canonical text")
	flags.StringArrayVar(&f.variant, "variant", nil, "show one variant, or with --variants those that agree: `ID|TEXT`, TEXT being a canonical text or parts of one")
	flags.BoolVar(&f.forms, "forms", false, "show the forms of each computation, rule by rule, and why a rule does not apply")
	flags.BoolVar(&f.thresholds, "thresholds", false, "show which degrees of parallelism are compared with which thresholds to choose a mapping of variants")
	flags.BoolVar(&f.code, "code", false, "print the generated code of the variant")
	flags.BoolVar(&f.ir, "ir", false, "print the intermediate representation after each pass, with --variant the kernel IR after each of its passes too")
	return cmd
}

// listedVariant is a variant in lists for programs.
type listedVariant struct {
	ID          string            `json:"id"`
	Variant     string            `json:"variant"`
	Computation string            `json:"computation"`
	Form        string            `json:"form"`
	Schedule    string            `json:"schedule"`
	Platform    string            `json:"platform"`
	Policy      map[string]string `json:"policy"`
}

func listed(v selector.Variant) listedVariant {
	l := listedVariant{v.ID(), v.String(), v.Computation, v.Form, v.Schedule, v.Platform, map[string]string{}}
	for _, s := range v.Policy {
		l.Policy[s.Name] = s.Value
	}
	return l
}

func (a *app) listVariants(selected []*codegen.Kernel, texts []string, cores int) error {
	var all []selector.Variant
	for _, k := range selected {
		for _, sp := range k.Spaces {
			all = append(all, sp.Valid()...)
		}
	}
	all, err := selector.Filter(texts, all, cores)
	if err != nil {
		return noVariant(err, selected, texts...)
	}
	if a.json {
		list := make([]listedVariant, len(all))
		for i, v := range all {
			list[i] = listed(v)
		}
		return a.printJSON(list)
	}
	for _, v := range all {
		a.printf("%s  %s\n", v.ID(), v)
	}
	return nil
}

// shownVariant is a variant with what was asked for about it.
type shownVariant struct {
	listedVariant
	Code     string        `json:"code,omitempty"`
	KernelIR []kernelStage `json:"kernel_ir,omitempty"`
}

// kernelStage is the kernel IR of a variant after lowering or after a pass of the platform.
type kernelStage struct {
	Stage string `json:"stage"`
	Doc   string `json:"doc"`
	IR    string `json:"ir"`
}

func kernelStages(prog *codegen.Program, v selector.Variant) (shown []kernelStage, err error) {
	stages, err := prog.KernelIR(v)
	for _, s := range stages {
		shown = append(shown, kernelStage{s.Name, s.Doc, s.Text})
	}
	return shown, err
}

func (a *app) showVariants(prog *codegen.Program, selected []*codegen.Kernel, f inspectFlags, cores int) error {
	var spaces []*policy.Space
	for _, k := range selected {
		spaces = append(spaces, k.Spaces...)
	}
	var shown []shownVariant
	var found [][]selector.Variant
	var wrong []error
	for _, text := range f.variant {
		variants, err := resolve(text, selected, cores)
		found, wrong = append(found, variants), append(wrong, err)
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	for _, variants := range found {
		for _, v := range variants {
			s := shownVariant{listedVariant: listed(v)}
			var err error
			if f.ir {
				if s.KernelIR, err = kernelStages(prog, v); err != nil {
					return err
				}
			}
			if f.code {
				if s.Code, err = prog.Code(v); err != nil {
					return ofGeneration(err)
				}
			}
			shown = append(shown, s)
			if a.json {
				continue
			}
			a.printVariant(v, spaces, !f.code && !f.ir)
			if f.ir {
				previous := ""
				for _, stage := range s.KernelIR {
					a.printStage("\n", "kernel IR", stage.Stage, stage.Doc, stage.IR, previous)
					previous = stage.IR
				}
			}
			if f.code {
				a.printf("\n%s", withNewline(s.Code))
			}
		}
	}
	if a.json {
		return a.printJSON(shown)
	}
	if f.ir {
		return a.showStages(selected)
	}
	return nil
}

// printVariant prints a variant and, if explain is set, its settings with their meaning.
func (a *app) printVariant(v selector.Variant, spaces []*policy.Space, explain bool) {
	if !explain {
		a.printf("// %s  %s\n", v.ID(), v)
		return
	}
	a.printf("%s  %s\n\n", v.ID(), v)
	table := newColumns("setting", "value", "changes", "meaning")
	for _, s := range v.Policy {
		if p := parameterOf(v, s.Name, spaces); p != nil {
			table.row(s.Name, s.Value, changes(p.Param), p.Param.Doc)
		}
	}
	table.print(a.out, "")
}

// parameterOf finds the parameter of a setting.
func parameterOf(v selector.Variant, name string, spaces []*policy.Space) *policy.Listed {
	for _, sp := range spaces {
		if sp.Computation != v.Computation || sp.Platform.Name != v.Platform || sp.Form != v.Form {
			continue
		}
		for i := range sp.Schedules {
			part := &sp.Schedules[i]
			if part.Schedule.String() != v.Schedule {
				continue
			}
			for j := range part.Parameters {
				if part.Parameters[j].Name == name {
					return &part.Parameters[j]
				}
			}
		}
	}
	return nil
}

// shownStage is the IR after one pass.
type shownStage struct {
	Kernel string `json:"kernel"`
	Stage  string `json:"stage"`
	Doc    string `json:"doc"`
	IR     string `json:"ir"`
}

func (a *app) showStages(selected []*codegen.Kernel) error {
	var all []shownStage
	for _, k := range selected {
		previous := ""
		for _, s := range k.Stages {
			stage := shownStage{k.Source.Name, s.Name, s.Doc, s.Func.String()}
			all = append(all, stage)
			if a.json {
				continue
			}
			a.printStage("", stage.Kernel, stage.Stage, stage.Doc, stage.IR, previous)
			a.printf("\n")
			previous = stage.IR
		}
	}
	if a.json {
		return a.printJSON(all)
	}
	return nil
}

// printStage prints code after a stage, if it is not what it was before.
func (a *app) printStage(space, of, stage, doc, code, previous string) {
	if code == previous {
		code = "(unchanged)"
	}
	a.printf("%s-- %s: %s: %s --\n%s", space, of, stage, doc, withNewline(code))
}

func withNewline(text string) string {
	if text == "" || text[len(text)-1] == '\n' {
		return text
	}
	return text + "\n"
}

func changes(p *policy.Parameter) string {
	if p.Code {
		return "code"
	}
	return "launch"
}

func levelName(depth int) string {
	if depth == 0 {
		return "all"
	}
	return fmt.Sprint(depth)
}
