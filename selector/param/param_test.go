package param

import (
	"slices"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	policy, err := Parse("num_threads=4,chunk_size_1=64,tile_1=2,tile_algo_1=routine,chunk_size_12=7,omp_schedule_2=guided", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"of the whole computation", NumThreads.At(policy, 0), 4},
		{"of the whole computation, whatever the depth", NumThreads.At(policy, 3), 4},
		{"of a level", ChunkSize.At(policy, 1), 64},
		{"of a level of two digits", ChunkSize.At(policy, 12), 7},
		{"of a level without", ChunkSize.Or(policy, 2, -1), -1},
		{"whose name begins another's", Tile.At(policy, 1), 2},
		{"whose name begins with another's", TileAlgo.At(policy, 1), Routine},
		{"a word", OmpSchedule.At(policy, 2), Guided},
		{"of no setting", EnableNesting.At(policy, 0), false},
		{"set", Tile.In(policy, 1), true},
		{"not set at that level", Tile.In(policy, 2), false},
		{"set somewhere", OmpSchedule.Anywhere(policy), true},
		{"set nowhere", Unroll.Anywhere(policy), false},
	} {
		if c.got != c.want {
			t.Errorf("a parameter %s is %v, want %v", c.what, c.got, c.want)
		}
	}
	for s, want := range map[string]bool{"tile_1": true, "tile": false, "tile_": false, "tile_algo_1": false, "tile_1x": false, "a_tile_1": false} {
		if got := Tile.Is(Setting{Name: s}); got != want {
			t.Errorf("%s sets the tile: %v, want %v", s, got, want)
		}
	}
	if got := ChunkSize.With(2, 16); got != (Setting{"chunk_size_2", "16"}) {
		t.Errorf("a setting is %s", got)
	}
}

func TestDepth(t *testing.T) {
	for name, want := range map[string]int{"num_threads": 0, "chunk_size_1": 1, "unroll_12": 12, "block_size_x": 0, "x1": 0, "7": 0, "_3": 3, "": 0} {
		if got := (Setting{Name: name}).Depth(); got != want {
			t.Errorf("the depth of %q = %d, want %d", name, got, want)
		}
	}
}

// A value that a parameter cannot have is an error to those who ask, and no value to others.
func TestOtherValues(t *testing.T) {
	policy := Policy{{"unroll_2", "x"}, {"scan_algo_1", "sideways"}, {"enable_nesting", "1"}}
	for _, c := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := Unroll.Read(policy, 2); return err }, "unroll_2=x is not a number"},
		{func() error { _, err := ScanAlgo.Read(policy, 1); return err }, "scan_algo_1=sideways is none of chained, two_pass"},
		{func() error { _, err := EnableNesting.Read(policy, 0); return err }, "enable_nesting=1 is neither true nor false"},
	} {
		if err := c.err(); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if Unroll.Or(policy, 2, 1) != 1 || ScanAlgo.At(policy, 1) != "" || EnableNesting.At(policy, 0) {
		t.Error("something is read as a value")
	}
}

func TestLaunch(t *testing.T) {
	const text = "num_threads=;enable_nesting=false|true;omp_schedule_2=static|sideways|guided;chunk_size_2=0|64"
	launch, err := ParseLaunch(text)
	if err != nil || LaunchText(launch) != text {
		t.Fatalf("%+v, %v: %s", launch, err, LaunchText(launch))
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"values of the machine", len(NumThreads.Of(launch[0])), 0},
		{"whether they are the machine's", launch[0].Values == nil, true},
		{"a truth", EnableNesting.Of(launch[1])[1], true},
		{"words, without one that the parameter cannot have", slices.Equal(OmpSchedule.Of(launch[2]), []Schedule{Static, Guided}), true},
		{"numbers", slices.Equal(ChunkSize.Of(launch[3]), []int{0, 64}), true},
		{"those of another parameter", len(Unroll.Of(launch[3])), 0},
		{"the depth", launch[3].Depth(), 2},
		{"a setting", launch[3].Setting("16"), Setting{"chunk_size_2", "16"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	for text, want := range map[string]string{
		"chunk_size":           `launch parameter "chunk_size" at byte 1: want NAME=VALUE|VALUE`,
		"num_threads=;=1":      "launch parameter at byte 14 is empty",
		"a=1|;b=2":             "value of a at byte 3 is empty",
		"a=1;b c=2":            `launch parameter "b c": character ' ' at byte 6 is not a letter, a digit or one of _ . + -`,
		"num_threads=;a=1;b=2": "",
	} {
		if _, err := ParseLaunch(text); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestDeclarations(t *testing.T) {
	for _, name := range []string{"", "chunk_1", "chunk size", "a=b"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is the name of a parameter", name)
				}
			}()
			Int(name, Level)
		}()
	}
}

func TestResources(t *testing.T) {
	both := Pool.And(Lane)
	if both != "pool+lane" || !both.Has(Pool) || !both.Has(Lane) || both.Has("poo") || !both.Threads() || Lane.Threads() || len(both.Parts()) != 2 {
		t.Errorf("%s: %q", both, both.Parts())
	}
}

func FuzzParse(f *testing.F) {
	f.Add("num_threads=2,chunk_size_1=64")
	f.Add("a=b,a=c")
	f.Add(strings.Repeat("x_1=", 3))
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := Parse(text, 1); err == nil && p.String() != text {
			t.Errorf("%q came back as %q", text, p)
		}
	})
}

func FuzzParseLaunch(f *testing.F) {
	f.Add("num_threads=;chunk_size_1=0|64")
	f.Add("a=|;b")
	f.Fuzz(func(t *testing.T, text string) {
		if launch, err := ParseLaunch(text); err == nil && LaunchText(launch) != text {
			t.Errorf("%q came back as %q", text, LaunchText(launch))
		}
	})
}
