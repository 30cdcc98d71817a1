package selector

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mappingOf is the mapping of a variant of a nest with these levels: "flat: pool, pool+lane" has two.
func mappingOf(t *testing.T, text string) Mapping {
	t.Helper()
	form, resources, named := strings.Cut(text, ": ")
	if !named {
		form, resources = Nest, text
	}
	v := Variant{Computation: "K.1", Form: form, Platform: Host}
	for i, r := range strings.Split(resources, ", ") {
		if i > 0 {
			v.Schedule += ">"
		}
		switch r, threads, _ := strings.Cut(r, " of "); r {
		case "-":
			v.Schedule += "sequential"
		default:
			v.Schedule += "independent"
			if strings.HasPrefix(r, "pool") && len(v.Policy) == 0 {
				v.Policy = append(v.Policy, Setting{Name: "num_threads", Value: cmp.Or(threads, "2")})
			}
			v.Policy = append(v.Policy, Setting{Name: fmt.Sprintf("execution_resource_%d", i+1), Value: r})
		}
	}
	return MappingOf(v)
}

func among(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// The degrees of parallelism of mappings are products of the lengths of their parallel levels.
func TestDegrees(t *testing.T) {
	irregular := []string{Length, AverageRowLength, LoadImbalance, ElementRowLength}
	for _, c := range []struct {
		mapping      string
		features     []string
		name         string
		outer, inner string
	}{
		{"-", []string{Length}, "nothing in parallel", "1", "1"},
		{"pool+lane", []string{Length}, "level 1 on 2 threads, level 1 on lanes", "length", "length"},
		{"pool+lane of 1", []string{Length}, "level 1 on lanes", "1", "length"},
		{"pool, lane", []string{Length, AspectRatio}, "level 1 on 2 threads, level 2 on lanes", "length", "length/aspect_ratio"},
		{"pool, pool+lane", []string{Length, AspectRatio}, "levels 1 and 2 on 2 threads, level 2 on lanes", "length*length/aspect_ratio", "length/aspect_ratio"},
		{"-, pool", irregular, "level 2 on 2 threads", "average_row_length", "1"},
		{"pool, lane", irregular, "level 1 on 2 threads, level 2 on lanes", "length*average_row_length/element_row_length", "element_row_length"},
		{"pool, pool", irregular, "levels 1 and 2 on 2 threads", "length*average_row_length", "1"},
		{"flat: pool, lane", irregular, "flat: level 1 on 2 threads, level 2 on lanes", "length*average_row_length", "element_row_length"},
		{"flat: pool, pool", irregular, "flat: levels 1 and 2 on 2 threads", "length*average_row_length", "1"},
		{"pool, -, lane", []string{Length, AspectRatio, InnerRowLength}, "level 1 on 2 threads, level 3 on lanes", "length", "inner_row_length"},
		{"pool, lane", []string{Length}, "level 1 on 2 threads, level 2 on lanes", "length", "1"}, // nobody knows how long rows are
		{"delinearise.w: pool, lane", []string{"delinearise.w.length", "delinearise.w.aspect_ratio", Length}, "delinearise.w: level 1 on 2 threads, level 2 on lanes",
			"delinearise.w.length", "delinearise.w.length/delinearise.w.aspect_ratio"},
		{"grid, group", []string{Length, AspectRatio}, "level 1 on the grid, level 2 on lanes", "length", "length/aspect_ratio"},
	} {
		mapping := mappingOf(t, c.mapping)
		has := among(c.features...)
		if got := []string{mapping.String(), mapping.Outer(has).String(), mapping.Inner(has).String()}; !slices.Equal(got, []string{c.name, c.outer, c.inner}) {
			t.Errorf("%s: %q, want %q, %q, %q", c.mapping, got, c.name, c.outer, c.inner)
		}
	}
}

// Where one row has nearly all elements there is hardly anything that threads could share of rows.
func TestDegreeOfSkewedRows(t *testing.T) {
	mapping := mappingOf(t, "pool, lane")
	values := map[string]float64{Length: 1000, AverageRowLength: 10, ElementRowLength: 9000}
	feature := func(name string) (float64, bool) { v, ok := values[name]; return v, ok }
	has := func(name string) bool { _, ok := values[name]; return ok }
	if got := mapping.Outer(has).Of(feature); got < 1 || got > 1.2 {
		t.Errorf("%g rows", got)
	}
	values[ElementRowLength] = 10
	if got := mapping.Outer(has).Of(feature); got != 1000 {
		t.Errorf("%g rows of one length", got)
	}
	values[AverageRowLength], values[ElementRowLength] = 0, 0
	if got := mapping.Outer(has).Of(feature); got != 0 {
		t.Errorf("%g without elements", got)
	}
}

// outline is a tree in one line: t1 (degree) is above, else below.
func outline(f *Fork) string {
	if f.Below == nil {
		return f.Mapping.String()
	}
	return fmt.Sprintf("%s(%s ? %s : %s)", f.Threshold, f.Degree, outline(f.Above), outline(f.Below))
}

func TestBranching(t *testing.T) {
	regular, irregular := among(Length, AspectRatio), among(Length, AverageRowLength, ElementRowLength)
	for _, c := range []struct {
		has      func(string) bool
		mappings []string
		want     string
	}{
		{regular, []string{"-, -"}, "nothing in parallel"},
		{regular, []string{"pool, -"}, "level 1 on 2 threads"},
		{regular, []string{"pool, -", "pool, -"}, "level 1 on 2 threads"},
		{regular, []string{"pool, -", "-, -", "pool, lane", "-, lane"},
			"t1(length*length/aspect_ratio ? t2(length/aspect_ratio ? level 1 on 2 threads, level 2 on lanes : level 1 on 2 threads) : t3(length/aspect_ratio ? level 2 on lanes : nothing in parallel))"},
		{regular, []string{"pool, pool", "pool, -", "-, pool"}, "t1(length ? level 1 on 2 threads : t2(length/aspect_ratio ? level 2 on 2 threads : levels 1 and 2 on 2 threads))"},
		{irregular, []string{"flat: pool, -", "pool, -", "-, -"},
			"t1(length*average_row_length ? t2(length*average_row_length/element_row_length ? level 1 on 2 threads : flat: level 1 on 2 threads) : nothing in parallel)"},
		{regular, []string{"pool of 2, -", "pool of 8, -", "-, -"},
			"t1(length*length/aspect_ratio ? t2(length ? level 1 on 8 threads : level 1 on 2 threads) : nothing in parallel)"},
		{irregular, []string{"-, -", "lane, -", "-, lane"}, "t1(element_row_length ? level 2 on lanes : t2(length ? level 1 on lanes : nothing in parallel))"},
	} {
		var mappings []Mapping
		for _, text := range c.mappings {
			mappings = append(mappings, mappingOf(t, text))
		}
		for range 2 { // whatever their order
			tree := Branching(mappings, c.has)
			if got := outline(tree); got != c.want {
				t.Errorf("%v:\n%s, want\n%s", c.mappings, got, c.want)
			}
			slices.Reverse(mappings)
		}
	}
}

// The choice among algorithms has mappings too, which differ in nothing that could be compared.
func TestBranchingOfAlgorithms(t *testing.T) {
	mappings := []Mapping{MappingOf(Algorithm("K", "K", Host, "1")), MappingOf(Algorithm("K", "L", Host, "2"))}
	tree := Branching(mappings, among(Length))
	if got := outline(tree); got != "t1(1 ? K: nothing in parallel : L: nothing in parallel)" {
		t.Error(got)
	}
}
