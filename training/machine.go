package training

import (
	"slices"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/policy"
)

// Machine returns what this machine offers to the platforms that are named, nil for all: of OpenCL the limits of the
// device that would be used. See [codegen.HostMachine].
func Machine(simd bool, platforms []string) policy.Machine {
	m := codegen.HostMachine(simd)
	if platforms != nil && !slices.Contains(platforms, "opencl") {
		return m
	}
	if d, err := clrt.Find(""); err == nil && d.Missing == "" {
		m.MaxWorkGroup, m.LocalMemory = d.MaxWorkGroup, d.LocalMemory
		m.Subgroups, m.Shuffles = d.Subgroups, d.Shuffles
	}
	return m
}
