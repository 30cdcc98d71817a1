package goroutine

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
	"golang.org/x/sys/cpu"
)

// Target compiles kernels to Go. It is the target of the host: what generated code does outside of computations is Go
// too.
var Target target.Target = platform{}

type platform struct{}

func (platform) Platform() *policy.Platform { return Platform }

// Code is a lowered variant.
type Code struct {
	*kir.Func
	// Halved does the same by vectors of half as many bits, nil where they would save nothing, see Halve.
	Halved *kir.Func
}

// Build is a function as machines run it that have vectors of so many bits, 0 for any machine.
type Build struct {
	*kir.Func
	Bits int
}

// Builds returns the functions of a code, the one with the widest vectors first.
func (c Code) Builds() []Build {
	builds := []Build{{c.Func, vectorBits(c.Func)}}
	if c.Halved != nil {
		builds = append(builds, Build{c.Halved, vectorBits(c.Halved)})
	}
	return builds
}

func (platform) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	f, err := Lower(k, c, v, name, observe)
	if err != nil {
		return nil, err
	}
	halved, err := lowerHalved(k, c, v, f)
	return Code{f, halved}, err
}

// Verify checks the invariants of the kernel IR.
func (c Code) Verify() error {
	if c.Halved != nil {
		return errors.Join(kir.Verify(c.Func), kir.Verify(c.Halved))
	}
	return kir.Verify(c.Func)
}

// VectorBits implements [target.Vectors].
func (c Code) VectorBits() (widest, needed int) {
	builds := c.Builds()
	return builds[0].Bits, builds[len(builds)-1].Bits
}

// Unfit says why the code had better not run.
func (c Code) Unfit(m policy.Machine) string {
	if _, bits := c.VectorBits(); bits == 512 && len(m.Lanes[8]) > 0 && !slices.Contains(m.Lanes[8], bits/64) {
		return fmt.Sprintf("this CPU has no vectors of %d bits", bits)
	}
	if SlowSpills(c.Func) {
		return "vectors of 128 bits among wider ones, more of them than registers: Go saves them by instructions that are slow there"
	}
	return ""
}

func (platform) Limit(m *policy.Machine, simd bool) {
	m.Lanes = map[int][]int{}
	for _, bytes := range []int{4, 8} {
		m.Lanes[bytes] = vec.CPULanes(bytes)
	}
	switch {
	case len(m.Lanes[4]) == 0:
		m.NoLanes = "this CPU has no AVX2"
	case !simd:
		m.Lanes, m.NoLanes = nil, "the build does not have GOEXPERIMENT=simd"
	}
}

func (platform) Ready() (accelerated bool, err error) { return false, nil }

func (p platform) Here(simd bool) target.Report {
	var m policy.Machine
	p.Limit(&m, simd)
	cores := runtime.GOMAXPROCS(0)
	pool := target.Offer{Name: "cores", There: true, What: strconv.Itoa(cores) + " cores for the pool of workers"}
	if cores == 1 {
		pool.What = "1 core for the pool of workers"
	}
	if n := runtime.NumCPU(); n != cores {
		pool.What += " (of " + strconv.Itoa(n) + "; GOMAXPROCS limits them)"
	}
	lanes := target.Offer{Name: "SIMD", There: m.NoLanes == "", What: m.NoLanes}
	if lanes.There {
		var parts []string
		for _, bytes := range []int{4, 8} {
			if n := m.Lanes[bytes]; len(n) > 0 {
				parts = append(parts, joinInts(n)+" elements of "+strconv.Itoa(8*bytes)+" bits")
			}
		}
		lanes.What = "vectors of " + strings.Join(parts, " and of ")
		if f := vectorFeatures(); f != "" {
			lanes.What += " (" + f + ")"
		}
	} else if !simd {
		lanes.Fix = "leave --no-simd (or SURGE_NO_SIMD) out"
	}
	tool := target.Offer{Name: "Go", What: "the go command is not in PATH: nothing can be compiled", Fix: "install Go 1.26 or later from https://go.dev/dl"}
	if path, err := exec.LookPath("go"); err == nil {
		tool = target.Offer{Name: "Go", There: true, What: path + ", which surge run and surge bench build with"}
		if out, err := exec.Command(path, "env", "GOVERSION").Output(); err == nil {
			tool.What = strings.TrimSpace(string(out)) + ", " + tool.What
		}
	}
	return target.Report{Runs: true, Offers: []target.Offer{pool, lanes, tool}}
}

func joinInts(list []int) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}

func vectorFeatures() string {
	var parts []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA},
		{"AVX-512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL},
	} {
		if f.has {
			parts = append(parts, f.name)
		}
	}
	return strings.Join(parts, " ")
}
