package codegen

import (
	"runtime"
	"slices"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/opencl"
	"github.com/surge-ndp/surge/codegen/openmp"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// targets are the platforms that kernels compile to. That of the host, whose code is Go, comes first.
var targets = []target.Target{
	goroutine.Target,
	opencl.Target,
	openmp.Target,
}

// Targets returns the platforms that kernels compile to, that of the host first.
func Targets() []target.Target { return slices.Clone(targets) }

// Target returns the platform of that name, nil if there is none.
func Target(name string) target.Target {
	for _, t := range targets {
		if t.Platform().Name == name {
			return t
		}
	}
	return nil
}

// extensions are the targets besides the host's that are named.
func extensions(names []string) []target.Extension {
	var all []target.Extension
	for _, t := range targets {
		if x, ok := t.(target.Extension); ok && slices.Contains(names, t.Platform().Name) {
			all = append(all, x)
		}
	}
	return all
}

// Machine returns what this machine offers to the platforms that are named, nil for all. simd says whether the
// generated code will be built with the experiment that it needs for vectors.
func Machine(simd bool, platforms []string) policy.Machine {
	m := policy.Machine{Cores: runtime.GOMAXPROCS(0), MaxWorkGroup: 1024, LocalMemory: 32 << 10}
	for _, t := range targets {
		if t.Platform().Name == selector.Host || wanted(platforms, t.Platform().Name) {
			t.Limit(&m, simd)
		}
	}
	return m
}

// PortableMachine is the machine that generated files are made for: they come out the same wherever they are made, and
// hold every variant that some machine can run.
func PortableMachine() policy.Machine {
	return policy.Machine{Cores: 8, Lanes: map[int][]int{4: {4, 8, 16}, 8: {4, 8}}, MaxWorkGroup: 1024, LocalMemory: 32 << 10, Subgroups: true, Shuffles: true}
}

func wanted(names []string, name string) bool { return len(names) == 0 || slices.Contains(names, name) }
