package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Kernel is a registered kernel: the compiled twin and the plain Go function.
type Kernel struct {
	// Exec has the name, the hash, the computations and their codes.
	Exec *exec.Kernel
	// Params and Results are those of the Go function, in order. A result of type error is its text: see [ErrorText].
	Params, Results []Value
	// Bind binds the compiled kernel to arguments: one a parameter, in order, of the Go types that Params say.
	Bind func(args []any, opts ...exec.Option) (Bound, error)
	// Call binds the compiled kernel to such arguments and runs it, as one call does.
	Call func(ctx context.Context, args []any, opts ...exec.Option) ([]any, error)
	// Reference runs the plain Go function on such arguments and returns its results. It may panic with an *ops.Error.
	Reference func(args []any) []any
	// Math has the names of the functions of package math that the kernel calls for float64 numbers and that lanes
	// and devices compute in their own way.
	Math []string

	ins, outs []Param      // the leaves of all parameters, and of all results
	watches   []*stopwatch // one a computation, if there are several
}

// Param is a leaf of a parameter or of a result: see Note [Leaves].
type Param struct {
	Name string `json:"name"`
	Type string `json:"type"` // Go syntax: int, []float64, [][]float32
	// Elements is how many elements the innermost dimension has, that of an array; 0 is any number.
	Elements int `json:"elements,omitempty"`
}

// Bound is a compiled kernel that is bound to arguments.
type Bound interface {
	// Run executes the kernel and returns its results, one a result of the Go function, in order.
	Run(ctx context.Context) ([]any, error)
	// Decisions returns what was chosen, one entry a computation.
	Decisions() []exec.Decision
}

// list lists the leaves of the kernel's parameters and results.
func (k *Kernel) list() (err error) {
	if k.ins, err = leaves(k.Params); err == nil {
		k.outs, err = leaves(k.Results)
	}
	return err
}

// leaves lists the leaves of all values.
func leaves(values []Value) (all []Param, err error) {
	for _, v := range values {
		own, err := v.Leaves()
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	return all, nil
}

var registered []*Kernel

// Register adds a kernel to those that [Main] serves. It is called from init functions and panics on a second kernel of
// the same name.
func Register(k *Kernel) {
	if slices.ContainsFunc(registered, func(o *Kernel) bool { return o.Exec.Name == k.Exec.Name }) {
		panic(fmt.Sprintf("harness: kernel %s is registered twice", k.Exec.Name))
	}
	k.watches = equip(k.Exec)
	if err := k.list(); err != nil {
		panic(fmt.Sprintf("harness: kernel %s: %v", k.Exec.Name, err))
	}
	registered = append(registered, k)
}
