package input

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestSuggest binds parameters of all types to what the error for unbound ones says, and wants it to fit.
func TestSuggest(t *testing.T) {
	var params []Parameter
	for _, k := range kindNames[Bool:] {
		for rank := range 4 {
			typ, err := ParseType(strings.Repeat("[]", rank) + k)
			if err != nil {
				t.Fatal(err)
			}
			params = append(params, Parameter{Name: "p" + strings.Repeat("x", rank) + "." + k, Type: typ})
			if rank > 0 {
				params = append(params, Parameter{Name: "q" + strings.Repeat("x", rank) + "." + k, Type: typ, Elements: 3})
			}
		}
	}
	ints := Type{Kind: Int, Rank: 1}
	floats := Type{Kind: Float64, Rank: 1}
	for name, c := range map[string]struct {
		params []Parameter
		bind   []Entry
		want   string // of one parameter
		length int    // of the parameters of one dimension, 0 if not looked at
	}{
		"all types":          {params: params},
		"n is a parameter":   {params: []Parameter{{Name: "n", Type: Type{Kind: Int}}, {Name: "x", Type: floats}}, want: "x=random(n)", length: 1000},
		"n is another thing": {params: []Parameter{{Name: "n", Type: floats}}, want: "n=random(size)", length: 1000},
		"n has fields":       {params: []Parameter{{Name: "n.X", Type: floats}}, want: "n.X=random(size)", length: 1000},
		"n is bound":         {params: []Parameter{{Name: "x", Type: ints}, {Name: "y", Type: ints}}, bind: []Entry{{Name: "n", Value: "7"}, {Name: "y", Value: "range(n)"}}, want: "x=integers(n, hi=n)", length: 7},
		"offsets":            {params: []Parameter{{Name: "rowOffsets", Type: ints}}, want: "rowOffsets=range(n/10+1, step=10)", length: 101},
		"no length":          {params: []Parameter{{Name: "x", Type: Type{Kind: Float64}}}, want: "x=0.5"},
		"an array":           {params: []Parameter{{Name: "x", Type: ints, Elements: 4}}, want: "x=integers(4, hi=n)", length: 4},
	} {
		t.Run(name, func(t *testing.T) {
			k := &Kernel{Name: "K", Params: c.params}
			_, _, err := NewSet(Options{}).Bind(t.Context(), k, nil, c.bind)
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeUnbound {
				t.Fatalf("got %v, want an error of code %s", err, CodeUnbound)
			}
			if c.want != "" && !slices.ContainsFunc(e.Bind, func(b Entry) bool { return b.Name+"="+b.Value == c.want }) {
				t.Errorf("got %v, want %s among them", e.Bind, c.want)
			}
			args, _, err := NewSet(Options{}).Bind(t.Context(), k, nil, append(c.bind, e.Bind...))
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range args {
				if got := a.Value.Type(); got != c.params[i].Type {
					t.Errorf("%s is a %s, want %s", a.Name, got, c.params[i].Type)
				}
				if c.length > 0 && c.params[i].Type.Rank == 1 && a.Value.Len() != c.length {
					t.Errorf("%s has %d elements, want %d", a.Name, a.Value.Len(), c.length)
				}
			}
		})
	}
}
