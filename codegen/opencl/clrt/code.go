package clrt

import "github.com/surge-ndp/surge/codegen/exec"

// Code is one variant of a computation. It implements [exec.Func].
type Code struct {
	Frame *exec.Frame
	// Source is OpenCL C. Kernels that check something take the status buffer and report with surge_fail, which the run
	// time adds in front of the source (see [Prelude]). A comment with a position of the Go source, such as
	// "// reduce, spmv.go:13:10", stands for the lines from it on when a build fails.
	Source    string
	Doubles   bool   // the source uses double
	Subgroups bool   // the source uses subgroup operations,
	Shuffles  bool   // and shuffles among them
	Temps     []Temp // buffers of the device that no frame field stands for
	Steps     []Step // launched in this order,
	Round     int    // and the steps from number Round on
	Rounds    int    // so many times over, one after the other; 0 is once
	// Results are the frame's fields that the computation writes: arrays, and scalars by way of [Result] arguments.
	Results []int
	// Reads are the arrays that the host reads after this computation and before the next (or the end of the run).
	Reads []int
	// Sites are what surge_fail's site numbers stand for.
	Sites []exec.Check
}

// Temp is a buffer of the device: partial results, scratch. Its contents are unspecified when the first step starts.
type Temp struct {
	Elem  int // bytes of an element
	Step  int // the step whose geometry Count is given
	Count func(frame any, g Geometry) int
	Zero  bool // cleared before the first step
}

// Resource says what the elements of a step are given to.
type Resource uint8

// Resources.
const (
	PerItem  Resource = iota // a work-item each
	PerWarp                  // a logical warp each: LOGICAL_WARP_SIZE work-items
	PerGroup                 // a workgroup each
	OneGroup                 // one workgroup runs all
)

// Step is one kernel launch: as many workgroups as Count elements need when each resource takes as many as the grain
// size says, but at least one and at most MaxGroups.
type Step struct {
	Kernel string
	Args   []Arg
	Count  func(frame any) int // elements; nil: 1
	Per    Resource
	Grain  int // level whose grain_size applies, 0 for one element each
	// MaxGroups bounds the number of workgroups, 0 does not. Then the kernel has to stride over what lies beyond, and
	// there are no more workgroups than keep the device busy.
	MaxGroups int
	// Always launches the step even if there are no elements: a reduction of nothing has a result.
	Always bool
	// Finds says that the step finds something out for those behind it: each work-item leaves a number in the first of the
	// step's Temps, and the greatest of these is what it finds. Steps that do are the first ones.
	Finds bool
}

// ArgKind says what a kernel argument is.
type ArgKind uint8

// Kinds of arguments, with their types in OpenCL C.
const (
	Field     ArgKind = iota // frame field Index: __global T * for an array, T for a scalar (uchar for bool, long for int)
	Length                   // long: the number of elements of array field Index
	Result                   // __global T *: one element, which becomes scalar field Index of the frame
	Temporary                // __global T *: buffer Index of Temps
	Status                   // __global int *: the status buffer
	Count                    // long: what the step's Count returned
	Local                    // __local T *: as many bytes as Bytes returns
	Groups                   // long: the number of workgroups of step Index (to know how many partials there are)
	Found                    // long: what step Index has found
	Round                    // long: how many times the steps that are repeated have run before
)

// Arg is one argument of a kernel.
type Arg struct {
	Kind  ArgKind
	Index int
	Bytes func(g Geometry) int // of Local
}

// Geometry is how a step is launched.
type Geometry struct {
	BlockX, BlockY int // work-items of a workgroup
	Warp           int // work-items of a logical warp
	Grain          int // elements that a resource runs one after the other
	Groups         int // workgroups
	// Found is what each step has found that finds something.
	Found []int
}

// Block returns the work-items of a workgroup.
func (g Geometry) Block() int { return g.BlockX * g.BlockY }

// Prelude is put in front of every source.
//
// surge_fail reports a failed check: the first one to come counts. surge_stopped tells a kernel that something
// failed, in this step or an earlier one.
const Prelude = `void surge_fail(volatile __global int *status, int site, long a, long b, long c, long d) {
	if (atomic_cmpxchg(status, 0, site + 1) == 0) {
		__global long *at = (__global long *)(status + 2);
		at[0] = a; at[1] = b; at[2] = c; at[3] = d;
	}
}
int surge_stopped(volatile __global int *status) { return *status != 0; }
`
