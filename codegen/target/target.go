// Package target says what a platform must provide so that kernels compile to it and programs run on it.
//
// A [Target] has the platform's table (levels, parameters, constraints), lowers a variant to kernel IR with the
// platform's passes, prints it, and says what this machine has of what the platform needs. The code of the host's
// target is a part of the generated Go file of a kernel; that of every other one stands in files of its own, which an
// [Extension] prints: it is given a [Frame], through which code that is not Go reaches the kernel's arrays and
// scalars.
//
// A new platform is a package that implements Target and Extension, a run time that generated code imports, and one
// line in the list of targets of package codegen.
//
// The package imports codegen/kir, codegen/kir/pass, codegen/lower, ops/fuse, ops/ir, policy and selector. It must
// not import a platform.
package target

import (
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// Target is a platform that kernels compile to.
type Target interface {
	// Platform is the table of its levels, parameters and constraints.
	Platform() *policy.Platform
	// Lower returns the code of a variant of computation c of k: what codegen/lower yields, after the target's
	// passes. Launch parameters of v are ignored; name is that of the function, or begins those of several. The error
	// says, in a few words, why these code parameters cannot be realised. observe, unless it is nil, is shown the
	// code after each stage.
	Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (Code, error)
	// Limit enters what this machine offers to the platform. simd says whether Go code is built with vectors.
	Limit(m *policy.Machine, simd bool)
	// Here says what this machine has of what the platform needs. simd is as for Limit.
	Here(simd bool) Report
	// Ready returns an error that says what is missing if kernels cannot run on the platform here. accelerated says
	// that they run on something that is to be preferred to this machine's processors where no model chooses.
	Ready() (accelerated bool, err error)
}

// Code is the kernel IR of one variant.
type Code interface {
	// String is its text.
	String() string
	// Verify checks the invariants of the kernel IR.
	Verify() error
	// Unfit says why the code cannot run, or had better not, on a machine that the platform's constraints allow; ""
	// if it can.
	Unfit(m policy.Machine) string
}

// Vectors is a [Code] that only machines with vectors of some width can run.
type Vectors interface {
	Code
	// VectorBits is the width in bits of the widest vectors, 0 if there are none, and of those of its function for
	// machines that lack them: the same if it has none.
	VectorBits() (widest, needed int)
}

// Report is what a machine has of what a platform needs.
type Report struct {
	Runs   bool // kernels can run on the platform
	Offers []Offer
	// Devices are those that the platform can use, if it uses devices.
	Devices []Device
}

// Offer is one thing that a platform has or needs.
type Offer struct {
	Name  string `json:"name"`
	There bool   `json:"there"`
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"` // how to get it
}

// Device is a device that a platform can use.
type Device struct {
	Number        int    `json:"number"`
	Name          string `json:"name"`
	Kind          string `json:"kind"`
	Driver        string `json:"driver"`
	Version       string `json:"version"`
	ComputeUnits  int    `json:"compute_units"`
	MaxWorkGroup  int    `json:"max_work_group"`
	LocalMemory   int    `json:"local_memory"`
	Memory        int64  `json:"memory"`
	MaxAllocation int64  `json:"max_allocation"`
	Doubles       bool   `json:"doubles"`
	Subgroups     bool   `json:"subgroups"`
	// SizedSubgroups says that their size can be asked for.
	SizedSubgroups bool   `json:"sized_subgroups"`
	Missing        string `json:"missing,omitempty"` // why it cannot be used
	Used           bool   `json:"used"`              // where no other device is asked for
}

// Extension is a target whose code stands in files of its own beside the generated Go file.
type Extension interface {
	Target
	// Label is the platform's name in names of Go and in comments: OpenCL.
	Label() string
	// RunTime is the import path of the package that the files use.
	RunTime() string
	// CheckEnvironment returns an error that names a variable of the environment whose value the run time cannot use.
	CheckEnvironment() error
	// Source is code that Lower returned in the platform's language. doc is the comment on top.
	Source(c Code, doc string) string
	// File begins the file for the kernels of the source file base (its name without .go).
	File(base string) File
}

// File prints what a platform adds to a package for the kernels of one source file.
type File interface {
	// Kernel begins the next kernel.
	Kernel(f *Frame) Kernel
	// End returns the Go declarations that the kernels share.
	End() string
	// Others returns further files, by name: there may be none.
	Others() (map[string][]byte, error)
}

// Builder is a [File] that has a further Go file for builds with a tag.
type Builder interface {
	File
	// Build returns the file.
	Build() GoFile
}

// GoFile is a Go file without its heading.
type GoFile struct {
	Suffix     string   // of the file's name, behind that of the platform
	Constraint string   // the builds that it belongs to
	Imports    []string // that it may use, besides the run time
	Body       string   // its declarations, "" if there is no such file
}

// Kernel prints what a platform adds for one kernel.
type Kernel interface {
	// Func returns a Go expression, the exec.Func that runs a code of computation i. The expression may refer to the
	// frame's description, [Frame.Name], and to what End declares.
	Func(i int, code selector.Code, c Code) (string, error)
	// End returns the Go declarations that the functions of the kernel need.
	End() string
}
