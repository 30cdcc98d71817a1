package input

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// product is a kernel of two vectors and a number; the package has another one with a parameter tile.
func product(t *testing.T) *Kernel {
	k := &Kernel{Name: "Product", Others: []string{"tile"}}
	for name, text := range map[string]string{"x": "[]float64", "y": "[]float64", "n": "int"} {
		typ, err := ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		k.Params = append(k.Params, Parameter{Name: name, Type: typ})
	}
	return k
}

// Parameters are bound to inputs and to each other; only the inputs that they need are read.
func TestSetBind(t *testing.T) {
	s := NewSet(Options{})
	data := []Entry{{Name: "A", Value: "gen:ones:n=5", File: "surge.yaml", Line: 2}, {Name: "B", Value: "nosuch.npy", File: "surge.yaml", Line: 3}}
	bind := []Entry{{Name: "x", Value: "A"}, {Name: "y", Value: "random(half*2)"}, {Name: "n", Value: "len(x)"}, {Name: "half", Value: "3"}, {Name: "tile", Value: "4", File: "surge.yaml", Line: 7}}
	args, used, err := s.Bind(context.Background(), product(t), data, bind)
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[string]int{}
	for _, a := range args {
		lengths[a.Name+"="+a.Expr] = a.Value.Len()
	}
	if len(args) != 3 || lengths["x=A"] != 5 || lengths["y=random(half*2)"] != 6 || len(Values(args)) != 3 {
		t.Errorf("%v", lengths)
	}
	if len(used) != 1 || used[0] != data[0] || s.Source("A") == nil || s.Source("B") != nil {
		t.Errorf("%v are used", used)
	}
}

// Names that belong to nothing are errors with what there is, at the place where they stand.
func TestSetBindErrors(t *testing.T) {
	yaml := func(name, value string) Entry {
		return Entry{Name: name, Value: value, File: "surge.yaml", Line: 4, Col: 9}
	}
	flag := func(name, value string) Entry { return Entry{Name: name, Value: value} }
	ok := []Entry{flag("x", "A"), flag("y", "A"), flag("n", "3")}
	one := []Entry{flag("A", "gen:ones:n=5")}
	for _, c := range []struct {
		data, bind []Entry
		want       string
	}{
		{one, append(ok, flag("xx", "A")), `kernel Product has no parameter "xx" [unknown-parameter]`},
		{one, append(ok, yaml("xx", "A")), `surge.yaml:4:9: kernel Product has no parameter "xx" [unknown-parameter]`},
		{append(one, flag("C", "gen:ones:n=5")), ok, `no parameter of Product is bound to an input "C" [unknown-data]`},
		{[]Entry{yaml("A", "nosuch.npy")}, ok, "surge.yaml:4:9: nosuch.npy: there is no such file"},
		{one, []Entry{flag("x", "A"), flag("y", "A"), yaml("n", "A.width")}, "surge.yaml:4:9: n = A.width: "},
	} {
		_, _, err := NewSet(Options{}).Bind(context.Background(), product(t), c.data, c.bind)
		if of := (*Error)(nil); !errors.As(err, &of) || !strings.HasPrefix(err.Error(), c.want) || of.Do == "" {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := product(t).CheckUsed([]Entry{yaml("A", ""), yaml("B", "")}, Case{Data: one, Bind: ok}); err == nil || !strings.HasPrefix(err.Error(), `surge.yaml:4:9: no parameter of Product is bound to an input "B"`) {
		t.Errorf("%v", err)
	}
}

// Cases combine the specs of several names, and sample ranges, each case once and by what differs.
func TestCases(t *testing.T) {
	base := []Entry{{Name: "C", Value: "gen:ones:n=1"}}
	data := []Entry{{Name: "A", Value: "gen:ones:n=2"}, {Name: "A", Value: "gen:ones:n=3"}, {Name: "A", Value: "gen:ones:n=2"}, {Name: "B", Value: "gen:ones:n=4"}}
	all, err := Cases(base, data, []Entry{{Name: "n", Value: "5"}}, 3, 0)
	if err != nil || len(all) != 2 || all[0].Name != "A=gen:ones:n=2, B=gen:ones:n=4" || all[1].Name != "A=gen:ones:n=3, B=gen:ones:n=4" {
		t.Fatalf("%+v, %v", all, err)
	}
	if c := all[1]; len(c.Data) != 3 || c.Data[0] != base[0] || c.Data[1].Value != "gen:ones:n=3" || len(c.Bind) != 1 {
		t.Errorf("%+v", c)
	}
	swept, err := Cases(base, nil, []Entry{{Name: "n", Value: "10..1000"}}, 3, 0)
	if err != nil || len(swept) != 3 || !strings.HasPrefix(swept[0].Name, "n=") || swept[0].Bind[0].Value == "10..1000" {
		t.Errorf("%+v, %v", swept, err)
	}
	if same, err := Cases(base, nil, nil, 3, 0); err != nil || len(same) != 1 || same[0].Name != "C=gen:ones:n=1" {
		t.Errorf("%+v, %v", same, err)
	}
	var of *Error
	if _, err := Cases(nil, []Entry{{Name: "A", Value: "no/*.npy", File: "surge.yaml", Line: 3, Col: 5}}, nil, 3, 0); !errors.As(err, &of) || of.File != "surge.yaml" || of.Line != 3 {
		t.Errorf("%v", err)
	}
}
