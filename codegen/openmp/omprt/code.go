package omprt

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Unit is the C of one computation: all its variants, which are compiled together.
type Unit struct {
	Computation string // SpMV.1
	Frame       *exec.Frame
	// Source is the C behind [Prelude]: the struct of the frame, whose members are the frame's fields in order, and a
	// function for each variant, which takes the run and the struct.
	Source string
	// Sites are what the numbers of failed checks stand for.
	Sites []exec.Check

	load sync.Once
	code library
	err  error

	linked // the program has been linked with the functions, and nothing is compiled
}

// linked are functions that are called by cgo.
type linked struct {
	call  Call
	first int      // number of the first
	names []string // of the functions, by number
}

// Call calls one of the functions that a program has been linked with, by its number.
type Call func(variant int, run, frame unsafe.Pointer)

// Link says that the program has been linked with the functions of the unit's variants, which call knows by the numbers
// from first on. It is to be called by init functions.
func (u *Unit) Link(call Call, first int, names ...string) { u.linked = linked{call, first, names} }

// Code is one variant of a computation. It implements [exec.Func].
type Code struct {
	unit    *Unit
	name    string
	results []int
}

// Func returns the variant whose C function has this name. results are the scalar fields of the frame that it computes.
func (u *Unit) Func(name string, results ...int) *Code {
	kernels.Lock()
	defer kernels.Unlock()
	if units := kernels.of[u.Frame]; !slices.Contains(units, u) {
		kernels.of[u.Frame] = append(units, u)
	}
	return &Code{unit: u, name: name, results: results}
}

// kernels are the units of each kernel: when one is needed, the others soon are.
var kernels = struct {
	sync.Mutex
	of map[*exec.Frame][]*Unit
}{of: map[*exec.Frame][]*Unit{}}

// Available implements [exec.Func].
func (c *Code) Available(int) string {
	if c.unit.call != nil {
		return ""
	}
	if _, err := compiler(); err != nil {
		return err.Error()
	}
	return ""
}

// Device implements [exec.Identified]: the compiler, and the processor that it compiles for.
func (c *Code) Device() string {
	if c.unit.call != nil {
		return fmt.Sprintf("cgo, %d cores, %s", runtime.GOMAXPROCS(0), processor())
	}
	cc, err := compiler()
	if err != nil {
		return ""
	}
	return cc.device()
}

// open returns the unit's compiled code. The other units of the kernel are compiled meanwhile.
func (u *Unit) open() (library, error) {
	kernels.Lock()
	others := slices.Clone(kernels.of[u.Frame])
	kernels.Unlock()
	for _, other := range others {
		if other != u {
			go other.once()
		}
	}
	u.once()
	return u.code, u.err
}

// enter returns what calls the variant's function. What the pointers lead to stays where it is while it runs.
func (c *Code) enter() (func(run, frame unsafe.Pointer), error) {
	if u := c.unit; u.call != nil {
		i := slices.Index(u.names, c.name)
		if i < 0 {
			return nil, fail(u.Computation, fmt.Errorf("the program was linked with other variants: generate its files again"))
		}
		return func(run, frame unsafe.Pointer) { u.call(u.first+i, run, frame) }, nil
	}
	lib, err := c.unit.open()
	if err != nil {
		return nil, err
	}
	entry, err := lib.symbol(c.name)
	if err != nil {
		return nil, fail(c.unit.Computation, err)
	}
	return func(run, frame unsafe.Pointer) { call(entry, run, frame) }, nil
}

func (u *Unit) once() {
	u.load.Do(func() {
		cc, err := compiler()
		if err != nil {
			u.err = fail("", err)
			return
		}
		if u.code, err = cc.compiled(Prelude + u.Source); err != nil {
			u.err = fail(u.Computation, err)
		}
	})
}

// fail is the error of a compiler or a system that does not do what is asked of it.
func fail(what string, err error) error {
	detail := err.Error()
	if what != "" {
		detail = what + ": " + detail
	}
	return &exec.DeviceError{Platform: "openmp", Detail: detail, Err: err}
}
