package harness

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Note [Leaves]
//
// A parameter or a result has a Go type, and users of the command bind scalars, vectors and nested vectors. What
// they bind, and what they see of results, are the leaves of the type: its numbers, named by the path to them, with a
// dimension for each slice and array around. A struct has a leaf for each of its fields' (m.Data, m.Rows), a slice of
// structs a vector for each (bodies.At.X), a complex number z.real and z.imag, a string one vector of bytes, and an
// array of arrays one dimension. An array that would be a third dimension, or a later one, has a leaf for each element:
// x[0], x[1].
//
// Going from leaves to values and back follows the type and carries spots: where in memory the numbers of one leaf
// lie, in order.

// Value is a parameter or a result of the Go function.
type Value struct {
	Name string
	Type string // as Go writes it

	typ  reflect.Type
	into func(at unsafe.Pointer, n int) exec.Option // nil if no destination can be given
}

// Of describes a parameter, or a result that goes to new memory in each run.
func Of[T any](name string) Value {
	return Value{Name: name, Type: reflect.TypeFor[T]().String(), typ: reflect.TypeFor[T]()}
}

// Into describes a result of type T, a slice of E or of rows of E, that goes where the harness wants it.
func Into[T, E any](name string) Value {
	v := Of[T](name)
	v.into = func(at unsafe.Pointer, n int) exec.Option { return exec.Into(unsafe.Slice((*E)(at), n)) }
	return v
}

// ErrorText is the value of a result of type error.
func ErrorText(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

// Own reports whether err is one of the errors that a kernel itself returns: one of a list, or, where the kernel makes
// others, one that is not about the run.
func Own(err error, own []error, makes bool) bool {
	for _, e := range own {
		if reflect.TypeOf(e) == reflect.TypeOf(err) && reflect.TypeOf(e).Comparable() && e == err {
			return true
		}
	}
	var input *exec.Error
	var device *exec.DeviceError
	var fault *Fault
	return makes && !errors.As(err, &input) && !errors.As(err, &device) && !errors.As(err, &fault) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// Leaves lists what is bound to the parameter, or what there is of the result. See Note [Leaves].
func (v Value) Leaves() ([]Param, error) {
	l := &leafList{}
	l.add(v.typ, v.Name, 0, 0)
	return l.leaves, l.err
}

type leafList struct {
	leaves []Param
	err    error
}

// add lists the leaves of a type, in rank dimensions of which the innermost may be an array's, of so many elements.
func (l *leafList) add(t reflect.Type, name string, rank, array int) {
	number := func(t reflect.Kind, name string) {
		l.leaves = append(l.leaves, Param{name, strings.Repeat("[]", rank) + t.String(), array})
	}
	switch t.Kind() {
	case reflect.Pointer:
		l.add(t.Elem(), name, rank, array)
	case reflect.Struct:
		for i := range t.NumField() {
			l.add(t.Field(i).Type, name+"."+t.Field(i).Name, rank, array)
		}
	case reflect.Array:
		if array == 0 && rank >= 2 {
			for i := range t.Len() {
				l.add(t.Elem(), name+"["+strconv.Itoa(i)+"]", rank, 0)
			}
			return
		}
		if array == 0 {
			rank, array = rank+1, 1
		}
		l.add(t.Elem(), name, rank, array*t.Len())
	case reflect.Slice:
		l.add(t.Elem(), name, rank+1, 0)
	case reflect.String:
		rank, array = rank+1, 0
		number(reflect.Uint8, name)
	case reflect.Complex128:
		number(reflect.Float64, name+".real")
		number(reflect.Float64, name+".imag")
	case reflect.Complex64:
		number(reflect.Float32, name+".real")
		number(reflect.Float32, name+".imag")
	default:
		if _, ok := kinds[t.Kind()]; !ok {
			l.err = fmt.Errorf("%s is a %s", name, t)
		}
		number(t.Kind(), name)
	}
}

// Pointed is the value of a result that is a pointer: what it points to, a zero value if it is nil.
func Pointed[T any](p *T) T {
	if p == nil {
		p = new(T)
	}
	return *p
}
