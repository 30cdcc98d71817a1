package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/fit"
	trainingreport "github.com/surge-ndp/surge/training/report"
)

// trainReport is what surge train prints.
type trainReport struct {
	Kernel       string  `json:"kernel"`
	Hash         string  `json:"hash"`
	Platform     string  `json:"platform"`
	Device       string  `json:"device"`
	Train        int     `json:"training_inputs"`
	Test         int     `json:"test_inputs"`
	Seconds      float64 `json:"seconds"`
	Measurements string  `json:"measurements"`
	// TrainingSeconds is what the recorded measurements to learn from took, in this run or earlier, without the final
	// comparison; SearchPart the part of it that a replayed search takes.
	TrainingSeconds float64 `json:"training_seconds"`
	SearchPart      float64 `json:"search_part,omitempty"`
	// Overlap is how many inputs to judge by are among those to learn from, which --force allows.
	Overlap int    `json:"overlap,omitempty"`
	Model   string `json:"model,omitempty"`
	// Foreign says that what was replayed is of another machine, whose the model is then.
	Foreign   bool   `json:"other_machine,omitempty"`
	Report    string `json:"report,omitempty"`
	Installed bool   `json:"installed"`
	Why       string `json:"why_not,omitempty"`
	// NoGain says for what the model chooses no better than is chosen without it, as far as can be told, and is
	// installed all the same.
	NoGain       string          `json:"no_gain,omitempty"`
	Computations []trainedReport `json:"computations"`
	// Totals judge the computations of a kernel together, where there are several.
	Totals []totalReport `json:"totals,omitempty"`
}

type totalReport struct {
	Kernel       string         `json:"kernel"`
	Computations int            `json:"computations"`
	Methods      []methodReport `json:"methods"`
}

type trainedReport struct {
	Computation string   `json:"computation"`
	Features    []string `json:"features"`
	Rejected    []string `json:"features_not_used,omitempty"`
	FeatureCost float64  `json:"feature_cost"` // a part of the best variant's time
	Space       int      `json:"space"`
	// Explored and Timed are the means over the inputs to learn from of the variants that were tried, and timed.
	Explored float64  `json:"explored"`
	Timed    float64  `json:"timed"`
	Variants []string `json:"variants"`
	// Ranker is the kind of the model.
	Ranker  string `json:"ranker"`
	HeldOut bool   `json:"held_out"`
	// Seconds is what its recorded measurements to learn from took.
	Seconds float64 `json:"seconds"`
	// Share is its part of the best time of all computations of the kernel, the mean over the judged inputs.
	Share    float64        `json:"share"`
	Methods  []methodReport `json:"methods"`
	Repeated []againReport  `json:"compared_again,omitempty"`
}

// againReport is a choice that was compared once more, because its regret in the table was large.
type againReport struct {
	Input string  `json:"input"`
	Table float64 `json:"table_regret"`
	Duel  float64 `json:"regret"`
}

type methodReport struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean_regret"`
	Worst float64 `json:"worst_regret"`
	Right int     `json:"within_noise"`
	// MeanError and WorstError are standard errors, the text NaN where they are not known.
	MeanError  harness.Float `json:"mean_error"`
	WorstError harness.Float `json:"worst_error"`
}

func reportMethods(methods []fit.Method) (all []methodReport) {
	for _, m := range methods {
		all = append(all, methodReport{m.Name, m.Mean, m.Worst, m.Right, harness.Float(m.MeanError), harness.Float(m.WorstError)})
	}
	return all
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// chosenPlatforms names the platforms that a model chooses among.
func chosenPlatforms(c *trainedReport) string {
	var names []string
	for _, text := range c.Variants {
		if v, err := selector.Parse(text); err == nil {
			names = append(names, v.Platform)
		}
	}
	if len(names) == 1 {
		return "always " + names[0]
	}
	return strings.Join(names, " or ")
}

// uncertain is a regret with its standard error, if that is known.
func uncertain(x float64, e harness.Float) string {
	if !(e > 0) {
		return percent(x)
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " ± " + percent(float64(e))
}

// reportTraining is what is printed of a result.
func reportTraining(t *training.Trained, f *trainFlags) *trainReport {
	r := &trainReport{Kernel: t.Kernel, Hash: t.Hash, Platform: t.Platform, Device: t.Device, Train: t.Learn, Test: t.Judge, Overlap: t.Overlap, Foreign: t.Foreign,
		Seconds: t.Spent.Seconds(), SearchPart: t.SearchPart, Measurements: t.Measurements, Model: t.Model, Installed: t.Model != "", Report: pagePath(t, f), NoGain: noGain(t.NoGain)}
	if l := t.Lost; l != nil {
		better := map[string]string{fit.ByUntrained: "the choice without a model", fit.BySingle: "always the same variant"}[l.To]
		r.Why = fmt.Sprintf("for %s its mean regret is %s, and %s of %s is better", l.What, percent(l.Model), percent(l.Other), better)
	}
	for _, j := range t.Judged {
		r.Computations = append(r.Computations, reportJudgement(j))
		r.TrainingSeconds += j.Classifier.Summary.Seconds
	}
	for _, total := range fit.Totals(t.Judged) {
		r.Totals = append(r.Totals, totalReport{total.Kernel, total.Computations, reportMethods(total.Methods)})
		at := 0
		for i := range r.Computations {
			if c := &r.Computations[i]; strings.HasPrefix(c.Computation, total.Kernel+".") && c.Computation != total.Kernel+selector.AlgorithmNumber {
				c.Share = total.Shares[at]
				at++
			}
		}
	}
	return r
}

func reportJudgement(j *fit.Judgement) trainedReport {
	c := trainedReport{Computation: j.Train.Computation, Space: len(j.Train.Variants), HeldOut: j.HeldOut, Ranker: j.Classifier.Machine.Kind(),
		Seconds: j.Classifier.Summary.Seconds, Rejected: j.Rejected, FeatureCost: j.Cost, Methods: reportMethods(j.Methods)}
	c.Explored, c.Timed = j.Train.Explored()
	for _, again := range j.Repeated() {
		c.Repeated = append(c.Repeated, againReport{again.Name, again.Table, again.Duel})
	}
	for _, s := range j.Classifier.Features {
		c.Features = append(c.Features, s.Name)
	}
	for _, v := range j.Classifier.Variants {
		c.Variants = append(c.Variants, v.String())
	}
	return c
}

// noGain says for what models choose no better than is chosen without them, "" if for nothing.
func noGain(all []fit.Loses) string {
	var parts []string
	for _, g := range all {
		parts = append(parts, fmt.Sprintf("%s (mean regret %s with it, %s without)", g.What, percent(g.Model), percent(g.Other)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "the model is no better than the choice without a model beyond noise for " + strings.Join(parts, ", ") + ": more inputs can tell, and without the file nothing is lost"
}

// pagePath is the file of a result's page: of several, each has a file of its own.
func pagePath(t *training.Trained, f *trainFlags) string {
	path := cmp.Or(f.report, filepath.Join(filepath.Dir(t.Measurements), t.Kernel+"-report.html"))
	if ext := filepath.Ext(path); t.Several {
		path = strings.TrimSuffix(path, ext) + "-" + t.Platform + ext
	}
	return path
}

// writePage draws the page of a result.
func writePage(t *training.Trained, f *trainFlags) error {
	html, err := trainingreport.HTML(trainingreport.Page{Kernel: t.Kernel, Hash: t.Hash, Platform: t.Platform, Device: t.Device, Seconds: t.Spent.Seconds(), Judged: t.Judged, Totals: fit.Totals(t.Judged)})
	if err != nil {
		return err
	}
	path := pagePath(t, f)
	if err := training.WriteFile(path, html); err != nil {
		return problem{File: path, Code: "write", What: err.Error(), Fix: "make room, or name another file with --report; no measurement is lost, and no model is installed: run the same command with --replay"}
	}
	return nil
}

func (a *app) printTraining(r *trainReport) {
	a.printf("kernel  %s on %s: %s\n", r.Kernel, r.Platform, r.Device)
	a.printf("inputs  %s to learn from, %s to judge by; measured in %.1f s\n", count(r.Train), count(r.Test), r.Seconds)
	for _, c := range r.Computations {
		what, by := plural(len(c.Variants), "variant")+" chosen among "+count(c.Space), strings.Join(c.Features, ", ")
		switch r.Platform {
		case selector.PlatformChoice:
			what = "which platform, for arrays on the host, copies counted: " + chosenPlatforms(&c)
		case selector.ResidentChoice:
			what = "which platform, for arrays that stay on the device: " + chosenPlatforms(&c)
		}
		a.printf("\n%s  %s, by %s\n", c.Computation, what, by)
		how := "regret on the test inputs"
		if !c.HeldOut {
			how = "regret in cross-validation"
		}
		t := newColumns("method", ">mean", ">worst", ">within noise", how)
		for _, m := range c.Methods {
			name := m.Name
			if name == fit.ByModel {
				name += " (" + c.Ranker + ")"
			}
			t.row(name, uncertain(m.Mean, m.MeanError), uncertain(m.Worst, m.WorstError), count(m.Right), "")
		}
		t.print(a.out, "  ")
		if c.Explored < 0.95*float64(c.Space) {
			a.printf("  searched: %.0f of %s tried on an input on average, %.0f of them timed\n", c.Explored, plural(c.Space, "variant"), c.Timed)
		}
		if c.FeatureCost > 0 {
			a.printf("  computing the features costs %s of the best time on average, which is a part of the regret\n", percent(c.FeatureCost))
		}
		if len(c.Rejected) > 0 {
			a.printf("  not used: %s\n", strings.Join(c.Rejected, ", "))
		}
		for _, again := range c.Repeated {
			a.printf("  compared again: %s: %s in the table, %s head to head\n", again.Input, percent(again.Table), percent(again.Duel))
		}
	}
	for _, total := range r.Totals {
		a.printf("\n%s  all %d computations together, by the sum of their times\n", total.Kernel, total.Computations)
		t := newColumns("method", ">mean", ">worst", ">within noise")
		for _, m := range total.Methods {
			t.row(m.Name, uncertain(m.Mean, m.MeanError), uncertain(m.Worst, m.WorstError), count(m.Right))
		}
		t.print(a.out, "  ")
	}
	a.printf("\n")
	switch {
	case r.Model != "" && r.Why != "":
		a.printf("the model is in %s, as --force demands: %s\n", r.Model, r.Why)
	case r.Model != "" && r.Foreign:
		a.printf("the model is in %s, for the machine that was measured, which is another one: it is not used here\n", r.Model)
	case r.Model != "" && filepath.Clean(r.Model) != filepath.Join(a.dir, training.ModelName):
		a.printf("the model is in %s: surge run %s --model %s uses it\n", r.Model, a.dir, r.Model)
	case r.Model != "":
		a.printf("the model is in %s: surge run %s uses it from now on, programs after surge generate %[2]s\n", r.Model, a.dir)
	default:
		a.printf("the model is NOT installed: %s\n", r.Why)
	}
	if r.NoGain != "" {
		a.printf("%s\n", r.NoGain)
	}
	a.printf("report  %s\n", r.Report)
}
