package main

import (
	"strings"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/form"
)

// The report of surge inspect --forms, as programs read it.
type (
	formsReport struct {
		Computation string          `json:"computation"`
		Forms       []formReport    `json:"forms"`
		Refused     []refusalReport `json:"refused"`
	}
	// formReport is a form, the nest or one that a rule made of another form.
	formReport struct {
		Name     string `json:"name"`
		Sequence string `json:"sequence"`
		From     string `json:"from,omitempty"`
		ruleReport
		IR string `json:"ir"`
	}
	refusalReport struct {
		Of string `json:"of"`
		ruleReport
		Reason string `json:"reason"`
	}
	ruleReport struct {
		Rule     string `json:"rule,omitempty"`
		Argument string `json:"argument,omitempty"`
		Paper    string `json:"paper,omitempty"`
		Doc      string `json:"doc,omitempty"`
	}
)

func reportRule(r *form.Rule, argument string) ruleReport {
	return ruleReport{r.Name, argument, r.Paper, r.Doc}
}

// String names a rule with its argument, and its number in the paper.
func (r ruleReport) String() string {
	text := strings.TrimSpace(r.Rule + " " + r.Argument)
	if r.Paper != "" {
		text += " (" + r.Paper + ")"
	}
	return text
}

func reportForms(f *form.Forms) formsReport {
	r := formsReport{Computation: f.All[0].Computation.Name}
	for _, one := range f.All {
		report := formReport{Name: one.Name, Sequence: one.Computation.Sequence.String(), IR: one.Code()}
		if one.From != nil {
			report.From, report.ruleReport = one.From.Name, reportRule(one.Rule, one.Argument)
		}
		r.Forms = append(r.Forms, report)
	}
	for _, no := range f.Refused {
		r.Refused = append(r.Refused, refusalReport{no.Of.Name, reportRule(no.Rule, no.Argument), no.Reason})
	}
	return r
}

// showForms prints the forms of each computation, as they were derived, and which rules do not apply to which.
func (a *app) showForms(selected []*codegen.Kernel) error {
	var all []formsReport
	for _, k := range selected {
		for _, f := range k.Forms {
			all = append(all, reportForms(f))
		}
	}
	if a.json {
		return a.printJSON(all)
	}
	for i, r := range all {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("computation %s: %s\n", r.Computation, plural(len(r.Forms), "form"))
		for _, f := range r.Forms {
			a.printf("\n-- form %s: %s --\n", f.Name, f.Sequence)
			if f.From != "" {
				a.printf("from %s by %s: %s\n", f.From, f.ruleReport, f.Doc)
			}
			a.printf("%s", f.IR)
			for _, no := range r.Refused {
				if no.Of == f.Name {
					a.printf("no %s: %s\n", no.ruleReport, no.Reason)
				}
			}
		}
	}
	return nil
}
