package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// beamReport is the report of surge run with --target beam.
type beamReport struct {
	Kernel    string           `json:"kernel"`
	Columns   []columnReport   `json:"columns"`
	Alone     []aloneReport    `json:"one_worker,omitempty"`
	Elements  int              `json:"elements"`
	Block     int              `json:"block"`
	Blocks    int              `json:"blocks"`
	Stages    int              `json:"stages"`
	Sent      int64            `json:"bytes_to_every_worker"`
	Read      int64            `json:"bytes_cut"`
	Counters  map[string]int64 `json:"counters,omitempty"`
	Variants  []variantReport  `json:"variants,omitempty"`
	Selectors map[string]int64 `json:"selectors,omitempty"`
	Results   []resultReport   `json:"results,omitempty"`
	WallNS    int64            `json:"wall_ns,omitempty"`
	Plan      string           `json:"plan,omitempty"`
	Chosen    string           `json:"chosen,omitempty"`
	Estimate  []estimateReport `json:"estimates,omitempty"`
}

// variantReport says what workers chose for a computation of a step.
type variantReport struct {
	Computation string `json:"computation"`
	ID          string `json:"id"`
	Variant     string `json:"variant"`
	Times       int64  `json:"times"`
}

// estimateReport is what a run is thought to take on so many workers.
type estimateReport struct {
	Workers  int     `json:"workers"`
	Sent     int64   `json:"bytes_sent"`
	Shuffled int64   `json:"bytes_shuffled"`
	Combined int64   `json:"bytes_combined"`
	Send     float64 `json:"send_s"`
	Blocks   float64 `json:"blocks_s"`
	Combine  float64 `json:"combine_s"`
	Seconds  float64 `json:"s"`
}

// aloneReport is what of the kernel one worker runs.
type aloneReport struct {
	Position string `json:"position"`
	Why      string `json:"why"`
}

// columnReport says what becomes of a parameter, or of a column of one.
type columnReport struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Is     string `json:"is"` // cut, or to every worker
	Why    string `json:"why,omitempty"`
	Source string `json:"source"`
}

// variantReports lists what workers chose, by computation, the most frequent first.
func variantReports(counted map[string]int64) (all []variantReport, err error) {
	for text, n := range counted {
		v, err := selector.Parse(text)
		if err != nil {
			return nil, err
		}
		all = append(all, variantReport{v.Computation, v.ID(), text, n})
	}
	slices.SortFunc(all, func(x, y variantReport) int {
		return cmp.Or(cmp.Compare(x.Computation, y.Computation), cmp.Compare(y.Times, x.Times), cmp.Compare(x.Variant, y.Variant))
	})
	return all, nil
}

// results reports the results of a run, and writes those that are asked for in one file.
func (r *beamReport) results(cut *codegen.Cut, values []cluster.Value, out map[string]string) error {
	for i, q := range cut.Plan.Results {
		name := cut.Kernel.ResultName(i)
		one := resultReport{Name: name, Type: q.Type.String(), File: out[name]}
		if one.File == "" {
			v, err := training.InputValue(values[i])
			if err != nil {
				return err
			}
			one.Checksum = checksum(v)
		}
		r.Results = append(r.Results, one)
	}
	return nil
}

func checksum(v input.Value) harness.Float {
	all := make([]float64, v.Len())
	for i := range all {
		all[i] = v.Float64(i)
	}
	return harness.Float(harness.Checksum(all))
}

func (a *app) printBeam(r *beamReport) {
	a.printf("kernel  %s, block by block on Apache Beam\n", r.Kernel)
	t := newColumns("", "", "", "")
	for _, c := range r.Columns {
		is := c.Is
		if c.Why != "" {
			is += ": " + c.Why
		}
		t.row("  "+c.Name, c.Type, c.Source, is)
	}
	t.print(a.out, "")
	for _, one := range r.Alone {
		a.printf("  by one worker, %s: %s\n", one.Position, one.Why)
	}
	a.printf("\n%s", r.Plan)
	t = newColumns("", "")
	blocks := fmt.Sprintf("%s of %s, %s in all, %s", count(r.Blocks), plural(r.Block, "element"), count(r.Elements), plural(r.Stages, "stage"))
	if r.Chosen != "" {
		blocks += "; " + r.Chosen
	}
	t.row("blocks", blocks)
	t.row("bytes", fmt.Sprintf("%s cut, %s to every worker", size(r.Read), size(r.Sent)))
	if r.WallNS > 0 {
		t.row("time", fmt.Sprintf("%s, of which %s in steps of blocks", duration(time.Duration(r.WallNS)), duration(time.Duration(r.Counters["kernel-ns"]))))
	}
	for i, v := range r.Variants {
		text := fmt.Sprintf("%s %s  %s", plural(int(v.Times), "time"), v.ID, v.Variant)
		t.row(first(i, "chosen"), text)
	}
	for i, kind := range slices.Sorted(maps.Keys(r.Selectors)) {
		t.row(first(i, "selector"), fmt.Sprintf("%s, %s", kind, plural(int(r.Selectors[kind]), "time")))
	}
	for _, q := range r.Results {
		text := fmt.Sprintf("%s %s  checksum %.17g", q.Name, q.Type, float64(q.Checksum))
		if q.File != "" {
			text = fmt.Sprintf("%s %s  written to %s", q.Name, q.Type, q.File)
		}
		t.row("result", text)
	}
	for _, q := range r.Results {
		if q.Compared != nil {
			t.row("verify", comparison(q.Compared))
		}
	}
	t.print(a.out, "")
}
