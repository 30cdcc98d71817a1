package harness

import (
	"encoding/json"
	"math"
	"testing"
)

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f32 := func(x ...float64) []float32 {
		out := make([]float32, len(x))
		for i := range x {
			out[i] = float32(x[i])
		}
		return out
	}
	for name, c := range map[string]struct {
		got, want any
		n         int
		first     int // -2: all is well
	}{
		"equal":                   {[]float64{1, nan, inf, -inf, 0}, []float64{1, nan, inf, -inf, math.Copysign(0, -1)}, 5, -2},
		"rounding":                {[]float64{1 + 1e-12}, []float64{1}, 1, -2},
		"beyond":                  {[]float64{1, 1 + 1e-8}, []float64{1, 1}, 2, 1},
		"cancelled":               {[]float64{1e6, 1e-8}, []float64{1e6, 0}, 1 << 20, -2},
		"beside a large one":      {[]float64{1e9, 0}, []float64{1e9, 0.01}, 1000, 1},
		"a nan":                   {[]float64{nan}, []float64{1}, 1, 0},
		"no nan":                  {[]float64{1}, []float64{nan}, 1, 0},
		"an inf":                  {[]float64{1, inf}, []float64{1, 1}, 1, 1},
		"no inf":                  {[]float64{1e300}, []float64{inf}, 1, 0},
		"wrong inf":               {[]float64{-inf}, []float64{inf}, 1, 0},
		"inf is no scale":         {[]float64{inf, 1}, []float64{inf, 2}, 1, 1},
		"float32 rounding":        {f32(1.00003), f32(1), 1, -2},
		"float32 beyond":          {f32(1.0003), f32(1), 1, 0},
		"float32 sum of many":     {f32(1.0003), f32(1), 1 << 22, -2},
		"integers":                {[]int64{1 << 62, 3}, []int64{1<<62 - 1, 3}, 2, 0},
		"booleans":                {[]bool{true, false}, []bool{true, true}, 2, 1},
		"rows":                    {[][]int32{{1}, {2, 3}}, [][]int32{{1}, {2, 3}}, 2, -2},
		"rows cut in other place": {[][]int32{{1, 2}, {3}}, [][]int32{{1}, {2, 3}}, 2, -1},
		"length":                  {[]int32{1}, []int32{1, 2}, 2, -1},
		"type":                    {[]int32{1}, []int64{1}, 2, -1},
		"scalar":                  {3, 4, 1, 0},
	} {
		got, err := view(c.got)
		if err != nil {
			t.Fatal(err)
		}
		want, err := view(c.want)
		if err != nil {
			t.Fatal(err)
		}
		r := got.compare(want, Param{Name: "y"}, c.n)
		if r.OK != (c.first == -2) || r.First != max(c.first, -1) || !r.OK && (r.Got == "" || r.Want == "") {
			t.Errorf("%s: %+v", name, r)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var back Comparison
		if err := json.Unmarshal(text, &back); err != nil || back != r {
			t.Errorf("%s: %+v became %+v (%v)", name, r, back, err)
		}
	}
}

// Long results are compared in parts.
func TestCompareLong(t *testing.T) {
	want := make([]float64, 1<<20)
	for i := range want {
		want[i] = float64(i)
	}
	x, _ := view(want)
	for _, at := range [][]int{{}, {0}, {len(want) - 1}, {len(want) / 2, len(want)/2 - 1, 700000}} {
		y := x.fresh()
		copy(y.value().([]float64), want)
		first := -1
		for _, i := range at {
			y.value().([]float64)[i] += 0.5 * want[len(want)-1]
			if first < 0 || i < first {
				first = i
			}
		}
		if c := y.compare(x, Param{}, len(want)); c.Bad != len(at) || c.First != first || len(at) > 0 && c.MaxAbsolute != Float(0.5*want[len(want)-1]) {
			t.Errorf("%v: %+v", at, c)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	want, got := make([]float64, 1<<22), make([]float64, 1<<22)
	for i := range want {
		want[i] = float64(i)
		got[i] = want[i] * (1 + 1e-15*float64(i%7))
	}
	x, _ := view(want)
	y, _ := view(got)
	b.SetBytes(16 << 22)
	for b.Loop() {
		if !y.compare(x, Param{}, len(want)).OK {
			b.Fatal("differs")
		}
	}
}

type real float64

func TestView(t *testing.T) {
	for _, v := range []any{[]real{1, 2}, real(3), [][]real{{1}, nil}, []real(nil)} {
		x, err := view(v)
		if err != nil {
			t.Errorf("%v: %v", v, err)
		} else if x.argument().Count > 0 && x.raw() == nil {
			t.Errorf("%v: %v", v, x)
		}
	}
	for _, v := range []any{nil, "text", []string{"a"}, [][][]string{}, struct{}{}} {
		if x, err := view(v); err == nil {
			t.Errorf("%v: %v", v, x)
		}
	}
}

func TestSpoil(t *testing.T) {
	for _, v := range []any{[]bool{true, false}, []int8{0, -1}, []uint64{3, 0}, []float32{0, 1}, []float64{float64(math.NaN()), 1}} {
		x, _ := view(v)
		y := x.fresh()
		y.spoil(x)
		if c := y.compare(x, Param{}, 2); c.OK {
			t.Errorf("%v spoilt is %v", v, y.value())
		}
	}
}
