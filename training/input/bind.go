package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parameter is a kernel's parameter with the expression that is bound to it.
type Parameter struct {
	Name string
	// Type is the Go type; the zero Type takes whatever the expression gives, for
	// names that only other expressions use.
	Type Type
	// Expr is the binding expression; empty stands for the input of the same name.
	Expr string
	// Elements is how many elements the innermost dimension has, 0 if any number.
	Elements int
}

// Bind evaluates the binding expressions of all parameters and converts each
// result to the parameter's type (see [Convert]). An expression is made of
//
//	A, A.values, A["a name"], A[0]   an input and its fields, see [Source]
//	42, 0.5, 1e6, 4k, 1<<20, true    numbers; k M G are decimal, Ki Mi Gi binary
//	"ACGT"                           the bytes of a text, for a string or a []byte
//	list(1, 2.5), list("ab", "c")    an array of numbers, or one of texts, for a []string
//	n + 1, -n, 2*(n/3), n%4          arithmetic on numbers; integers divide as in Go
//	len(x)                           the outermost length
//	random(n, seed=34, lo=0, hi=1)   and the other vector generators: [Functions]
//	nest(x, offsets)                 rows of x: a [][]T, or of rows a [][][]T
//	matrix(x, rows, cols)            rows of equal length; with more sizes more dimensions
//
// A [][]T takes a nested or two-dimensional array, or a matrix, whose values and
// columns know their rows, and a [][][]T one of three dimensions; a []T takes an array of any row-major. Unless
// a seed is given, random numbers depend on the name that is bound. Errors are
// [*Error] with the expression as the file and the column in it.
//
// The parts of a parameter are bound one by one, by their names: m.Data, bodies.At.X, z.real, x[0]. Unless an
// expression says what m.Data is, it is the input of that name, or the field Data of the input m.
//
// Expressions may use the names of other parameters (n, len(x)) in any order, but
// not in a circle; an input of the same name goes before a parameter.
func Bind(params []Parameter, sources map[string]*Source, opts Options) ([]Value, error) {
	sc := &scope{sources: sources, params: params, limit: opts.MaxBytes,
		state: make([]evaluation, len(params)), values: make([]Value, len(params))}
	for i, p := range params {
		for _, q := range params[:i] {
			if p.Name == q.Name {
				return nil, &Error{File: p.Name, What: "parameter " + p.Name + " is bound twice", Code: "bad-binding",
					Why: "only one value can hold", Do: "remove one of the bindings"}
			}
		}
	}
	for i := range params {
		if err := sc.bind(i); err != nil {
			return nil, err
		}
	}
	return sc.values, nil
}

type evaluation uint8

const (
	notYet evaluation = iota
	underWay
	done
)

// scope is what the names of an expression mean.
type scope struct {
	sources map[string]*Source
	params  []Parameter
	limit   int64
	state   []evaluation
	values  []Value
}

func (sc *scope) names() []string {
	names := slices.Sorted(maps.Keys(sc.sources))
	for _, p := range sc.params {
		if p.Name != "" && sc.sources[p.Name] == nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// parameter gives the value of another parameter, evaluating it if need be; ok
// is false when there is none of this name.
func (sc *scope) parameter(name string) (v Value, ok bool, err error) {
	for i, p := range sc.params {
		if p.Name == name && name != "" {
			err := sc.bind(i)
			return sc.values[i], true, err
		}
	}
	return Value{}, false, nil
}

func (sc *scope) bind(i int) error {
	p := sc.params[i]
	switch sc.state[i] {
	case done:
		return nil
	case underWay:
		return &Error{File: p.Expr, What: "parameter " + p.Name + " depends on itself", Code: "bad-binding",
			Why: "its expression needs its own value", Do: "bind it to an input, a number or another parameter"}
	}
	sc.state[i] = underWay
	v, err := sc.evaluate(p)
	if err != nil {
		e, ok := err.(*Error)
		if ok && p.Name != "" && !e.bound {
			placed := *e
			placed.File, placed.bound = p.Name+" = "+e.File, true
			return &placed
		}
		return err
	}
	sc.values[i], sc.state[i] = v, done
	return nil
}

func (sc *scope) evaluate(p Parameter) (Value, error) {
	text := p.Expr
	if text == "" {
		base, _, _ := strings.Cut(p.Name, ".")
		if sc.sources[p.Name] == nil && (base == p.Name || sc.sources[base] == nil) {
			return Value{}, &Error{File: "(nothing)", What: fmt.Sprintf("parameter %s (%s) is not bound", p.Name, p.Type), Code: CodeUnbound,
				Why: "no input and no binding gives it a value", Do: fmt.Sprintf("load an input named %s, or bind an expression to it", p.Name)}
		}
		text = p.Name
	}
	x, err := parseExpression(text)
	if err != nil {
		return Value{}, err
	}
	o, err := (&evaluator{expression: x, scope: sc, owner: p.Name}).eval(x.root)
	if err != nil {
		return Value{}, err
	}
	v, err := o.as(p.Type)
	if err != nil {
		return Value{}, x.at(x.root, err)
	}
	return v, nil
}

// as gives the operand the rank and then the kind of a type.
func (o operand) as(want Type) (Value, error) {
	v := o.value
	if want.Kind == Invalid {
		if v.Data == nil {
			return o.source.Field("") // says which fields there are
		}
		return v, nil
	}
	mismatch := func(why, do string) error {
		return &Error{What: fmt.Sprintf("%s cannot be a %s", v, want), Code: "type-mismatch", Why: why, Do: do}
	}
	var err error
	switch {
	case want.Rank > 1 && o.source != nil:
		v, err = o.source.rowsOf(o.field, want.Rank)
	case want.Rank > 1:
		v, err = v.nest(want.Rank)
	case v.Data == nil:
		_, err = o.source.Field("")
	case want.Rank == 0 && len(v.Dims) != 0:
		err = mismatch("the parameter is one number, this is an array", "use a number, such as A.rows or len(x)")
	case want.Rank == 1 && len(v.Dims) == 0:
		err = mismatch("the parameter is an array, this is one number", "use an array, such as ones(n) or range(n)")
	case want.Rank == 1 && v.Offsets != nil:
		err = mismatch("the parameter is flat, this has rows", "leave nest out")
	case want.Rank == 1:
		v.Dims = []int{v.Len()}
	}
	if err != nil {
		return Value{}, err
	}
	return Convert(v, want.Kind)
}
