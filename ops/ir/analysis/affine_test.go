package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// body is a loop over i in a loop over j, with the statements between them.
const body = `func F (x: []int, w: int, n: int) {
  y: []int = map j < n {
    s: int = reduce i < w init 0:int {
%s
      v: int = index x at
      yield v
    } comb a: int, b: int {
      c: int = add a b
      yield c
    }
    yield s
  }
  yield y
}
`

// TestAffine has indices as sums over the indices of loops.
func TestAffine(t *testing.T) {
	for _, c := range []struct{ statements, want string }{
		{"at: int = add i j", "1·i + 1·j"},
		{"at: int = mul j w\nat0: int = add at i", "w·j"},
		{"r: int = mul j w\nat: int = add i r", "1·i + w·j"},
		{"r: int = sub n j\nat: int = sub r 3:int", "n + -3 + -1·j"},
		{"r: int = add i 1:int\nq: int = mul r w\nat: int = sub q w", "w·i"},
		{"r: int = mul i j\nat: int = add r 1:int", "no sum"},
		{"r: int = div i w\nat: int = mul r 2:int", "2·i/w"},
		{"q: int = div i w\nr: int = rem i w\np: int = mul q w\nat: int = add p r", "1·i"},
		{"q: int = div i 8:int\nr: int = rem i 8:int\np: int = mul q 8:int\nat: int = add r p", "1·i"},
		{"q: int = div i w\nr: int = rem i n\np: int = mul q w\nat: int = add p r", "w·i/w + 1·i%n"},
		{"q: int = rem n w\nat: int = add q i", "q + 1·i"},
		{"q: int = index x i\nat: int = add q i", "no sum"},
		{"at: int = sub i i", ""},
	} {
		f, err := ir.Parse(fmt.Sprintf(body, c.statements))
		if err != nil {
			t.Fatal(err)
		}
		defs := analysis.Of(f.Body)
		var indices []ir.Atom
		var at ir.Atom
		ir.Walk(f.Body, func(s *ir.Stmt) {
			if i := ir.OperatorIndex(s.Op); i != nil {
				indices = append(indices, i)
			}
			if s.Dst[0].Name == "at" {
				at = s.Dst[0]
			}
		})
		form, ok := analysis.Form{Defs: defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
			return analysis.On(a), slices.Contains(indices, a)
		}}.Affine(at)
		got := "no sum"
		if ok {
			got = text(form)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.statements, got, c.want)
		}
	}
}

func text(a analysis.Affine) string {
	var parts []string
	for _, p := range a.Base {
		parts = append(parts, product(p))
	}
	for _, p := range a.Parts {
		for _, times := range p.Times {
			of := p.Of.V.(*ir.Var).Name
			switch p.Of.Fn {
			case ir.Div:
				of += "/" + name(p.Of.By)
			case ir.Rem:
				of += "%" + name(p.Of.By)
			}
			parts = append(parts, product(times)+"·"+of)
		}
	}
	return strings.Join(parts, " + ")
}

func product(p analysis.Product) string {
	var of []string
	if p.C != 1 || len(p.Of) == 0 {
		of = append(of, fmt.Sprint(p.C))
	}
	for _, a := range p.Of {
		of = append(of, name(a))
	}
	return strings.Join(of, "·")
}

func name(a ir.Atom) string {
	if c, ok := a.(ir.Const); ok {
		return fmt.Sprint(c.Int())
	}
	return a.(*ir.Var).Name
}

// TestRead finds the element that an index was read from.
func TestRead(t *testing.T) {
	f, err := ir.Parse(`func F (x: []int32, y: []float64) {
  n: int = len x
  z: []float64 = map i < n {
    k: int32 = index x i
    wide: int = convert k
    short: int8 = convert wide
    v: float64 = index y wide
    yield v
  }
  yield z
}
`)
	if err != nil {
		t.Fatal(err)
	}
	defs := analysis.Of(f.Body)
	for a := range defs {
		read, asIs := defs.Read(a) != nil, defs.ReadAsIs(a) != nil
		switch a.(*ir.Var).Name {
		case "k", "wide", "v":
			if !read || !asIs {
				t.Errorf("%s is read, and as it is: %v, %v", name(a), read, asIs)
			}
		case "short":
			if !read || asIs {
				t.Errorf("short is read, and not as it is: %v, %v", read, asIs)
			}
		default:
			if read || asIs {
				t.Errorf("%s is not read", name(a))
			}
		}
	}
}

// TestUniform finds what is the same for all elements of a level: what is computed from nothing that the level has.
func TestUniform(t *testing.T) {
	f, err := ir.Parse(`func F (x: []int, n: int) {
  y: []int = map i < n {
    same: int = add n 1:int
    again: int = mul same n
    own: int = add i n
    mixed: int = mul own same
    read: int = index x i
    yield mixed
  }
  yield y
}
`)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Body.Stmts[0].Op.(*ir.Map)
	defs := analysis.Of(m.Body)
	outside := func(a ir.Atom) bool { return defs[a] == nil && a != ir.Atom(m.I) }
	for a := range defs {
		want := a.(*ir.Var).Name == "same" || a.(*ir.Var).Name == "again"
		if got := defs.Uniform(a, outside); got != want {
			t.Errorf("%s is the same for all elements: %v, want %v", name(a), got, want)
		}
	}
}
