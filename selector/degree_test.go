package selector

import (
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
			if threads != "" {
				v.Policy = append(v.Policy, Setting{Name: "num_threads", Value: threads})
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
		{"pool+lane", []string{Length}, "threads 1, lanes 1", "length", "length"},
		{"pool+lane of 1", []string{Length}, "lanes 1", "1", "length"},
		{"pool, lane", []string{Length, AspectRatio}, "threads 1, lanes 2", "length", "length/aspect_ratio"},
		{"pool, pool+lane", []string{Length, AspectRatio}, "threads 1 and 2, lanes 2", "length*length/aspect_ratio", "length/aspect_ratio"},
		{"-, pool", irregular, "threads 2", "average_row_length", "1"},
		{"pool, lane", irregular, "threads 1, lanes 2", "length*average_row_length/element_row_length", "element_row_length"},
		{"pool, pool", irregular, "threads 1 and 2", "length*average_row_length", "1"},
		{"flat: pool, lane", irregular, "flat: threads 1, lanes 2", "length*average_row_length", "element_row_length"},
		{"flat: pool, pool", irregular, "flat: threads 1 and 2", "length*average_row_length", "1"},
		{"pool, -, lane", []string{Length, AspectRatio, InnerRowLength}, "threads 1, lanes 3", "length", "inner_row_length"},
		{"pool, lane", []string{Length}, "threads 1, lanes 2", "length", "1"}, // nobody knows how long rows are
		{"delinearise.w: pool, lane", []string{"delinearise.w.length", "delinearise.w.aspect_ratio", Length}, "delinearise.w: threads 1, lanes 2",
			"delinearise.w.length", "delinearise.w.length/delinearise.w.aspect_ratio"},
		{"grid, group", []string{Length, AspectRatio}, "threads 1, lanes 2", "length", "length/aspect_ratio"},
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
		{regular, []string{"pool, -"}, "threads 1"},
		{regular, []string{"pool, -", "pool, -"}, "threads 1"},
		{regular, []string{"pool, -", "-, -", "pool, lane", "-, lane"},
			"t1(length*length/aspect_ratio ? t2(length/aspect_ratio ? threads 1, lanes 2 : threads 1) : t3(length/aspect_ratio ? lanes 2 : nothing in parallel))"},
		{regular, []string{"pool, pool", "pool, -", "-, pool"}, "t1(length ? threads 1 : t2(length/aspect_ratio ? threads 2 : threads 1 and 2))"},
		{irregular, []string{"flat: pool, -", "pool, -", "-, -"},
			"t1(length*average_row_length ? t2(length*average_row_length/element_row_length ? threads 1 : flat: threads 1) : nothing in parallel)"},
		{irregular, []string{"-, -", "lane, -", "-, lane"}, "t1(element_row_length ? lanes 2 : t2(length ? lanes 1 : nothing in parallel))"},
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
