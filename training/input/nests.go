package input

import (
	"fmt"
	"go/ast"
	"go/token"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

func (v *evaluator) nest(n *ast.CallExpr) (operand, error) {
	args, err := v.args(n, "x", "offsets")
	if err != nil {
		return operand{}, err
	}
	if args[0].value.Data == nil || args[1].value.Data == nil {
		return operand{}, v.errorf(n, "type-mismatch", "nest takes two arrays", "one of these has several fields", "name a field, such as A.values")
	}
	offsets, err := Convert(args[1].value, Int)
	if err != nil {
		return operand{}, v.at(n.Args[1], err)
	}
	value, err := args[0].value.nestBy(offsets.Data.([]int))
	if err != nil {
		return operand{}, v.at(n.Args[1], err)
	}
	return operand{value: value}, nil
}

func (v *evaluator) matrix(n *ast.CallExpr) (operand, error) {
	names := []string{"x", "rows", "cols"}
	for len(names) < len(n.Args) { // more dimensions
		names = append(names, fmt.Sprintf("size %d", len(names)))
	}
	args, err := v.args(n, names...)
	if err != nil {
		return operand{}, err
	}
	dims := make([]int, len(n.Args)-1)
	for i := range dims {
		d, err := Convert(args[i+1].value, Int)
		if err != nil || args[i+1].number == nil {
			return operand{}, v.errorf(n.Args[i+1], "type-mismatch", "a number of rows or columns is an integer", "this is not one", "write an integer")
		}
		dims[i] = d.Data.([]int)[0]
	}
	value, have := args[0].value, args[0].value.Len()
	rows, least := 1, 0
	fits := true
	text := make([]string, len(dims))
	for i, d := range dims {
		text[i], least = strconv.Itoa(d), min(least, d)
		if i == len(dims)-1 {
			fits = fits && (d == 0 && have == 0 || d > 0 && have%d == 0 && have/d == rows)
		} else if fits = fits && (d <= 0 || rows <= math.MaxInt/8/d) && (have > 0 || checkSize(int64(rows*d), 8, v.limit()) == nil); fits {
			rows *= d
		}
	}
	if !fits || least < 0 {
		return operand{}, v.errorf(n, "type-mismatch", fmt.Sprintf("%d elements are not %s", have, strings.Join(text, " × ")),
			"rows times columns is the number of elements", "change the sizes")
	}
	value.Dims, value.Offsets = dims, nil
	return operand{value: value}, nil
}

func (v *evaluator) limit() int64 {
	if v.scope == nil {
		return 0
	}
	return v.scope.limit
}

// generate calls a generator: the first argument is n, the others are named.
func (v *evaluator) generate(n *ast.CallExpr, g *generator, called string) (operand, error) {
	a := &arguments{spec: v.text, generator: g, called: called, limit: v.limit(), values: map[string]Value{}, given: map[string]bool{}}
	valid := map[string]bool{}
	for _, p := range g.Parameters {
		if g.matrix == nil || p.Name != "rows" && p.Name != "cols" && p.Name != "per_row" {
			valid[p.Name] = true
		}
	}
	for i, arg := range n.Args {
		name, expr := "n", arg
		if b, ok := arg.(*ast.BinaryExpr); ok && b.Op == token.EQL {
			id, ok := b.X.(*ast.Ident)
			if !ok {
				return operand{}, v.errorf(b.X, "bad-argument", "this is not a name", "named arguments are NAME=VALUE", "write for example seed=34")
			}
			name, expr = v.name(id), b.Y
		} else if i > 0 {
			return operand{}, v.errorf(arg, "bad-argument", "only the first argument stands alone", "it is the number of elements; the others have names", "write for example seed=34")
		}
		if !valid[name] || a.given[name] {
			names := slices.Sorted(maps.Keys(valid))
			return operand{}, v.errorf(arg, "unknown-argument", fmt.Sprintf("%s has no argument %s, or has it already", called, excerpt(name)),
				"its arguments are "+strings.Join(names, ", "), "use one of these"+nearestHint(name, names))
		}
		c, err := v.number(expr)
		if err != nil {
			return operand{}, err
		}
		a.values[name], a.given[name] = scalarOf(c), true
	}
	if !a.given["n"] {
		return operand{}, v.errorf(n, "bad-argument", called+" needs a number of elements", "an array has a length", "write for example "+called+"(A.cols)")
	}
	for _, p := range g.Parameters {
		if _, ok := a.values[p.Name]; !ok && p.Default != "" {
			value, err := evalScalar(p.Default)
			if err != nil {
				return operand{}, err
			}
			a.values[p.Name] = value
		}
	}
	if !a.given["seed"] {
		a.values["seed"] = Scalar(defaultSeed(v.owner))
	}
	length := a.length("n", 8)
	if a.err != nil {
		return operand{}, v.at(n, a.err)
	}
	value := g.vector(a, length)
	if a.err != nil {
		return operand{}, v.at(n, a.err)
	}
	return operand{value: value}, nil
}

// defaultSeed differs from one parameter to the next, so that two of them never
// hold the same numbers by accident, and is the same in every run.
func defaultSeed(name string) int64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return int64(h.Sum32())
}
