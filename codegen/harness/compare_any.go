package harness

import (
	"fmt"
	"slices"
)

// Registered returns the registered kernels, in the order in which they were.
func Registered() []*Kernel { return slices.Clone(registered) }

// Assemble makes the arguments of the kernel from their leaves, given as slices and scalars.
func (k *Kernel) Assemble(leaves []any) ([]any, error) {
	if len(leaves) != len(k.ins) {
		return nil, fmt.Errorf("%s has %d parameters, not %d", k.Exec.Name, len(k.ins), len(leaves))
	}
	var args []any
	for _, p := range k.Params {
		own, err := p.Leaves()
		if err != nil {
			return nil, err
		}
		var arrays []array
		for _, x := range leaves[:len(own)] {
			a, err := view(x)
			if err != nil {
				return nil, err
			}
			arrays = append(arrays, a)
		}
		if len(own) == 1 && own[0].Type == p.Type { // as it is: rows need not lie side by side
			args = append(args, leaves[0])
		} else if made, err := assemble([]Value{p}, arrays); err != nil {
			return nil, err
		} else {
			args = append(args, made...)
		}
		leaves = leaves[len(own):]
	}
	return args, nil
}

// Dismantle returns the leaves of the kernel's results as slices and scalars.
func (k *Kernel) Dismantle(results []any) ([]any, error) {
	arrays, err := dismantle(k.Results, results)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(arrays))
	for i, a := range arrays {
		out[i] = a.value()
	}
	return out, nil
}

// Outs lists the leaves of the kernel's results.
func (k *Kernel) Outs() []Param { return k.outs }

// Compare compares a result of a compiled run with that of plain Go, by the rule of [Comparison]. Both are values of
// the Go type that param says; n is the number of elements of the largest argument.
func Compare(got, want any, param Param, n int) Comparison {
	g, err := view(got)
	if err == nil {
		var w array
		if w, err = view(want); err == nil {
			return g.compare(w, param, n)
		}
	}
	return Comparison{Result: param.Name, Rule: "exact", First: -1, Got: err.Error()}
}
