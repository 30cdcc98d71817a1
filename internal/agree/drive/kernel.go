package drive

import (
	"context"
	"fmt"
	"reflect"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/exec"
)

// Kernel is a kernel with what was generated for it.
type Kernel struct {
	Name string
	Exec *exec.Kernel
	// Plain is the Go function, or the method as a function of its receiver; Run is its compiled twin.
	Plain, Run any
	// Inputs is nil, or makes an input of about n elements: func(n int, r *rand.Rand) []any, one value a parameter.
	Inputs any
	// Sets is nil, or lists the inputs that [Suite] takes.
	Sets func() []Set
	// Bind binds the kernel to arguments.
	Bind func(args []any, opts ...exec.Option) (Bound, error)
	// Blocks describes the kernel block by block, and has the arguments for that; nil if it is not cut.
	Blocks func(args []any) (*cluster.Kernel, cluster.Slices)
}

// Set is an input of a program that is measured: its name, and how its arguments are made, one a parameter. It is an
// alias, so that programs need not import this package.
type Set = struct {
	Name string
	Make func() []any
}

// Bound is a kernel that is bound to arguments.
type Bound struct {
	Plain     func()       // plain Go
	Call      func() error // a call of Run
	Run       func() error // a run of what is bound
	Decisions func() []exec.Decision
	Of        any // what is bound, which has the method Run
}

// Opaque is f, of which the compiler no longer knows what it is: it cannot inline it, and leave out results that nobody
// looks at, which a program keeps.
//
//go:noinline
func Opaque[F any](f F) F { return f }

var kernels []Kernel

// Add adds a kernel to those that [Main] runs.
func Add(k Kernel) { kernels = append(kernels, k) }

// outcome is what a run ended with.
type outcome struct {
	values []reflect.Value // the results, without an error at the end
	err    error           // the error that the kernel returned
	again  error           // the error of a second run of plain Go, which may be another one with the same text
	fault  any             // what plain Go panicked with
}

var errorType = reflect.TypeFor[error]()

// plain runs the kernel as plain Go.
func (k *Kernel) plain(args []reflect.Value) (o outcome) {
	defer func() {
		if o.fault = recover(); o.fault != nil {
			o.values, o.err = nil, nil
		}
	}()
	o = split(call(reflect.ValueOf(k.Plain), args))
	if o.err != nil {
		o.again = split(call(reflect.ValueOf(k.Plain), args)).err
	}
	return o
}

// compiled runs what was generated. It does not recover: a panic there is a defect.
func (k *Kernel) compiled(ctx context.Context, args []reflect.Value, opts []exec.Option) outcome {
	all := append([]reflect.Value{reflect.ValueOf(ctx)}, args...)
	for _, o := range opts {
		all = append(all, reflect.ValueOf(o))
	}
	return split(reflect.ValueOf(k.Run).Call(all))
}

// call calls f; the last argument of a variadic function is the slice.
func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// split takes the error at the end of results off.
func split(values []reflect.Value) (o outcome) {
	last := len(values) - 1
	if last >= 0 && values[last].Type() == errorType {
		o.err, _ = values[last].Interface().(error)
		values = values[:last]
	}
	o.values = values
	return o
}

// params are the types of the parameters.
func (k *Kernel) params() []reflect.Type {
	t := reflect.TypeOf(k.Plain)
	list := make([]reflect.Type, t.NumIn())
	for i := range list {
		list[i] = t.In(i)
	}
	return list
}

func (o outcome) String() string {
	switch {
	case o.fault != nil:
		return fmt.Sprintf("panic: %v", o.fault)
	case o.err != nil:
		return fmt.Sprintf("error: %v", o.err)
	}
	return "no error"
}
