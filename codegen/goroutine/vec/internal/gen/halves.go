package gen

import (
	"slices"
	"text/template"
)

// halvesTypes are the types of vectors of eight lanes of 32 bits and less, which are gathered by two halves of indices
// of 64 bits: of four lanes each, which processors without AVX-512 have.
type halvesTypes struct {
	Vectors []vector
	Narrow  []narrow
}

func halves() halvesTypes {
	return halvesTypes{
		slices.DeleteFunc(slices.Clone(vectors), func(v vector) bool { return v.Bits != 32 || v.Lanes != 8 }),
		slices.DeleteFunc(narrows(), func(n narrow) bool { return n.Lanes != 8 }),
	}
}

// gathered are the names that a function has which gathers: what its own ends with, its elements' type, its vector's,
// the type of that one's lanes, and the function that makes elements for tests.
type gathered struct{ V, T, C, E, F string }

var halvesFuncs = template.FuncMap{
	"gathered": func(v, t, c string) gathered {
		g := gathered{V: v, T: t, C: c, E: t, F: "values"}
		if v != c {
			g.E, g.F = "int32", "narrowValues"
		}
		return g
	},
}
