package codegen

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/ops/load"
)

const (
	once      = "no level reads the elements again and again, and a copy takes as long as reading them"
	again     = "a level reads the elements again for each element of a level around it"
	byColumns = "columns would have to be copied"
)

// TestPlacements checks which fields of structs are read and written where they lie, and what is said of it.
func TestPlacements(t *testing.T) {
	pkg, err := load.Load(context.Background(), "testdata/structs", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled := func(code ...string) *Program {
		p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{goroutine.Platform.Name}, Code: code})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := map[string][]string{
		"Scale": {"X, Y, N of ps: read where the structs lie, because " + once, "Tag of ps: not copied, because " + unread,
			"X, Y, N, Tag of the result: written where the structs lie, because " + byColumns},
		"Total":    {"X of ps: read where the structs lie, because " + once, "Y, N, Tag of ps: not copied, because " + unread},
		"Pairs":    {"X of ps: copied to columns by Bind, because " + again, "Y of ps: read where the structs lie, because " + once, "N, Tag of ps: not copied, because " + unread},
		"Triangle": {"X of ps: copied to columns by Bind, because " + again, "Y, N, Tag of ps: not copied, because " + unread},
		"Gathered": {"X of ps: read where the structs lie, because " + once, "Y, N, Tag of ps: not copied, because " + unread},
		"Rows":     {"X, Y of rows: read where the structs lie, because " + once, "N, Tag of rows: not copied, because " + unread},
		"Column":   {"X, Y of ps: read where the structs lie, because " + once, "N, Tag of ps: not copied, because " + unread},
		"Often":    {"X of ps: copied to columns by Bind, because 4 computations read the elements", "Y, N, Tag of ps: not copied, because " + unread},
		"Offsets": {"X, Y, Tag of ps: not copied, because " + unread,
			"N of ps: copied to columns by Bind, because the kernel needs the column as a sequence of its own"},
		"Turns":      {"X of ps: copied to columns by Bind, because " + again, "Y, N, Tag of ps: not copied, because " + unread},
		"turnsWhole": {"X of ps: copied to columns by Bind, because " + again, "Y, N, Tag of ps: not copied, because " + unread},
	}
	for _, k := range compiled().Kernels {
		var got []string
		for _, p := range k.Placements {
			got = append(got, p.String())
		}
		if !slices.Equal(got, want[k.Source.Name]) {
			t.Errorf("%s:\n%s\nwant\n%s\n%s", k.Source.Name, strings.Join(got, "\n"), strings.Join(want[k.Source.Name], "\n"), k.Fused.Func)
		}
		delete(want, k.Source.Name)
	}
	for name := range want {
		t.Errorf("there is no kernel %s", name)
	}
	for _, k := range compiled(opencl.Platform.Name).Kernels {
		for _, p := range k.Placements {
			if p.InPlace || !strings.Contains(p.String(), "OpenCL") {
				t.Errorf("with code for OpenCL: %s", p)
			}
		}
	}
}
