package main

import (
	"slices"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/selector"
)

// The report of surge inspect --thresholds, as programs read it.
type (
	thresholdsReport struct {
		Computation string       `json:"computation"`
		Platform    string       `json:"platform"`
		Variants    int          `json:"variants"`
		Mappings    int          `json:"mappings"`
		Sizes       []sizeReport `json:"sizes"`
		Tree        *forkReport  `json:"tree"`
	}
	// sizeReport says what a feature is that the tree asks for.
	sizeReport struct {
		Name       string `json:"name"`
		Expression string `json:"expression"`
	}
	// forkReport is a comparison with a threshold, or a mapping of variants.
	forkReport struct {
		Threshold string      `json:"threshold,omitempty"`
		Degree    string      `json:"degree,omitempty"`
		Of        string      `json:"of,omitempty"`
		Above     *forkReport `json:"above,omitempty"`
		Below     *forkReport `json:"below,omitempty"`
		Mapping   string      `json:"mapping,omitempty"`
		Variants  int         `json:"variants,omitempty"`
	}
)

// showThresholds prints the branching tree of each computation on each platform.
func (a *app) showThresholds(selected []*codegen.Kernel) error {
	var all []thresholdsReport
	for _, k := range selected {
		for _, c := range k.Fused.Computations {
			var platforms []string
			for _, sp := range k.Spaces {
				if sp.Computation == c.Name && sp.Size() > 0 && !slices.Contains(platforms, sp.Platform.Name) {
					platforms = append(platforms, sp.Platform.Name)
				}
			}
			for _, p := range platforms {
				all = append(all, reportThresholds(k, c, p))
			}
		}
	}
	if a.json {
		return a.printJSON(all)
	}
	for i, r := range all {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("computation %s on %s, %s of %d mappings\n\n", r.Computation, r.Platform, plural(r.Variants, "variant"), r.Mappings)
		a.printFork(r.Tree, "  ", "")
		if len(r.Sizes) == 0 {
			continue
		}
		a.printf("\n")
		t := newColumns("size", "")
		for _, s := range r.Sizes {
			t.row(s.Name, s.Expression)
		}
		t.print(a.out, "  ")
	}
	return nil
}

func reportThresholds(k *codegen.Kernel, c *fuse.Computation, platform string) thresholdsReport {
	features := k.Features(c)
	has := func(name string) bool {
		return slices.ContainsFunc(features, func(f fuse.Feature) bool { return f.Name == name })
	}
	var mappings []selector.Mapping
	variants := map[selector.Mapping]int{}
	for _, sp := range k.Spaces {
		if sp.Computation != c.Name || sp.Platform.Name != platform {
			continue
		}
		for _, v := range sp.Valid() {
			mapping := selector.MappingOf(v)
			if variants[mapping]++; variants[mapping] == 1 {
				mappings = append(mappings, mapping)
			}
		}
	}
	r := thresholdsReport{Computation: c.Name, Platform: platform, Mappings: len(mappings)}
	for _, n := range variants {
		r.Variants += n
	}
	asked := map[string]bool{}
	r.Tree = reportFork(selector.Branching(mappings, has), variants, asked)
	for _, f := range features {
		if asked[f.Name] {
			r.Sizes = append(r.Sizes, sizeReport{f.Name, k.Fused.FeatureExpression(f)})
		}
	}
	return r
}

// reportFork notes in asked which features the degrees are made of.
func reportFork(f *selector.Fork, variants map[selector.Mapping]int, asked map[string]bool) *forkReport {
	if f.Below == nil {
		return &forkReport{Mapping: f.Mapping.String(), Variants: variants[f.Mapping]}
	}
	for _, name := range slices.Concat(f.Degree.Times, f.Degree.Over) {
		asked[name] = true
	}
	return &forkReport{Threshold: f.Threshold, Degree: f.Degree.String(), Of: f.Of, Above: reportFork(f.Above, variants, asked), Below: reportFork(f.Below, variants, asked)}
}

// printFork prints a tree as conditions of Go, where what is above a threshold comes first.
func (a *app) printFork(f *forkReport, space, before string) {
	if f.Threshold == "" {
		a.printf("%s%s%s  (%s)\n", space, before, f.Mapping, plural(f.Variants, "variant"))
		return
	}
	a.printf("%s%sif Par(%s) = %s >= %s\n", space, before, f.Of, f.Degree, f.Threshold)
	a.printFork(f.Above, space+"    ", "")
	below := f.Below
	if below.Threshold == "" {
		a.printf("%selse\n", space)
		a.printFork(below, space+"    ", "")
		return
	}
	a.printFork(below, space, "else ")
}
