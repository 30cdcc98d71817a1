package selector

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/surge-ndp/surge/selector/param"
)

const spmvText = "SpMV.1/nest/independent>cooperative/goroutine/num_threads=2,enable_nesting=false," +
	"omp_schedule_1=dynamic,chunk_size_1=64,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=2"

func TestParse(t *testing.T) {
	v, err := Parse(spmvText)
	if err != nil {
		t.Fatal(err)
	}
	if v.Computation != "SpMV.1" || v.Form != "nest" || v.Schedule != "independent>cooperative" || v.Platform != "goroutine" || len(v.Policy) != 8 {
		t.Errorf("parts: %+v", v)
	}
	if v.String() != spmvText {
		t.Errorf("printed %s", v)
	}
	if got := param.ChunkSize.Or(v.Policy, 1, -1); got != 64 {
		t.Errorf("chunk_size_1 = %d", got)
	}
	if _, ok := v.Get("chunk_size_2"); ok {
		t.Error("chunk_size_2 is not in the policy")
	}
	// sha256sum of the text begins so; ids stand in models and logs and must never change.
	if got := v.ID(); got != "7d9a1d16" {
		t.Errorf("id %s", got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "found 1 parts"},
		{"SpMV.1/nest/sequential", "found 3 parts"},
		{"a/b/c/d/e/f", "found 6 parts"},
		{"/nest/sequential/goroutine", "computation at byte 1 is empty"},
		{"SpMV/nest/sequential/goroutine", "want a kernel's name, a dot and a number"},
		{"SpMV.-1/nest/sequential/goroutine", `"-1" after the last dot`},
		{"SpMV.01/nest/sequential/goroutine", `"01" after the last dot`},
		{"SpMV.1/ne st/sequential/goroutine", `character ' ' at byte 10`},
		{"SpMV.1/nest/parallel/goroutine", `element "parallel" is none of`},
		{"SpMV.1/nest/sequential>/goroutine", `element "" is none of`},
		{"SpMV.1/nest/sequential/goroutine/", `setting "" at byte 34: want NAME=VALUE`},
		{"SpMV.1/nest/sequential/goroutine/a", "want NAME=VALUE"},
		{"SpMV.1/nest/sequential/goroutine/a=", "value of a at byte 36 is empty"},
		{"SpMV.1/nest/sequential/goroutine/a=1,=2", "setting name at byte 38 is empty"},
		{"SpMV.1/nest/sequential/goroutine/a=1,a=2", "setting a at byte 38: it is given twice"},
		{"SpMV.1/nest/sequential/goroutine/a=1=2", `character '=' at byte 37`},
		{"SpMV.1/nest/sequential/goroutine/a=x\xff", "at byte 37"},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

// Every variant prints as text that parses to the same variant, and every text that parses prints as itself.
func TestRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[\pL0-9_.+-]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		v := Variant{
			Computation: word.Draw(t, "kernel") + "." + rapid.StringMatching(`[1-9][0-9]{0,3}`).Draw(t, "number"),
			Form:        word.Draw(t, "form"),
			Schedule: strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"independent", "cooperative", "sequential"}), 1, 4).
				Draw(t, "schedule"), ">"),
			Platform: word.Draw(t, "platform"),
		}
		for _, name := range rapid.SliceOfNDistinct(word, 0, 8, rapid.ID[string]).Draw(t, "names") {
			v.Policy = append(v.Policy, Setting{Name: name, Value: word.Draw(t, "value")})
		}
		w, err := Parse(v.String())
		if err != nil {
			t.Fatal(err)
		}
		if !v.Equal(w) || v.String() != w.String() || v.ID() != w.ID() {
			t.Fatalf("%s came back as %s", v, w)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Z]\.[0-9]{1,2}/[a-z ]{0,2}/(independent|sequential|none|x)(>cooperative)?/[a-z]{1,2}(/([a-z]=[0-9,]{1,2},?){0,2})?`).Draw(t, "text")
		if v, err := Parse(text); err == nil && v.String() != text {
			t.Fatalf("%s came back as %s", text, v)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(spmvText)
	f.Add("Scan.2/nest/none/goroutine")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := Parse(text); err == nil && v.String() != text {
			t.Errorf("%q came back as %q", text, v)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"independent>sequential", "goroutine", "opencl", "nest"}
	if got := Nearest("gorutine", names, 3); len(got) != 1 || got[0] != "goroutine" {
		t.Errorf("nearest to gorutine: %v", got)
	}
	if got := Nearest("Goroutine", names, 3); len(got) != 1 || got[0] != "goroutine" {
		t.Errorf("nearest to Goroutine: %v", got)
	}
	if got := Nearest("zzzzzzzz", names, 3); len(got) != 0 {
		t.Errorf("nearest to zzzzzzzz: %v", got)
	}
	if got := distance("kitten", "sitting"); got != 3 {
		t.Errorf("distance of kitten and sitting: %d", got)
	}
}
