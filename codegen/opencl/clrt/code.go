package clrt

import (
	"math"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Frame describes the struct that holds the inputs of a kernel, its results and what passes between its computations.
type Frame struct {
	// Names are the fields: arrays (also the row offsets of ragged ones) and scalars.
	Names []string
	// Inputs is the number of fields, the first ones, that are the kernel's parameters.
	Inputs int
	// Outputs are the arrays that the kernel returns: when a run is over they are in the frame's memory.
	Outputs []int
	// Fixed are the inputs whose values do not change while bound either: index and offset sequences. They stay on the
	// device; the others are copied again in every run.
	Fixed []int
	// Get returns field i of a frame.
	Get func(frame any, i int) Value
	// Set sets scalar field i of a frame to the value with these bits, of which the low ones count.
	Set func(frame any, i int, bits uint64)
}

// Number is a type that arrays and scalars of a kernel have.
type Number interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Value is an array or a scalar of a frame. An array's memory belongs to the frame.
type Value struct {
	data  unsafe.Pointer // of an array; nil if it is empty or a scalar
	len   int            // elements of an array, -1 for a scalar
	elem  int            // bytes of an element or of the scalar
	bits  uint64         // of a scalar
	array bool
}

// Array returns a slice as a value.
func Array[T Number](s []T) Value {
	var zero T
	v := Value{len: len(s), elem: int(unsafe.Sizeof(zero)), array: true}
	if len(s) > 0 {
		v.data = unsafe.Pointer(unsafe.SliceData(s))
	}
	return v
}

// Scalar returns a number as a value.
func Scalar[T Number](x T) Value {
	v := Value{len: -1, elem: int(unsafe.Sizeof(x))}
	// A number's bytes, the low ones first: OpenCL devices that matter have the host's byte order, and it is little-endian.
	copy((*[8]byte)(unsafe.Pointer(&v.bits))[:v.elem], unsafe.Slice((*byte)(unsafe.Pointer(&x)), v.elem))
	return v
}

// Bits returns the number of type T with these bits: what [Frame.Set] is given.
func Bits[T Number](bits uint64) T {
	var x T
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)), (*[8]byte)(unsafe.Pointer(&bits))[:])
	return x
}

// Code is one variant of a computation. It implements [exec.Func].
type Code struct {
	Frame *Frame
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
	Sites []Check
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

// Step is one kernel launch: as many workgroups as Count elements need when each resource takes as many as the grain size
// says, but at least one and at most MaxGroups.
type Step struct {
	Kernel string
	Args   []Arg
	Count  func(frame any) int // elements; nil: 1
	Per    Resource
	Grain  int // level whose grain_size applies, 0 for one element each
	// MaxGroups bounds the number of workgroups, 0 does not. Then the kernel has to stride over what lies beyond, and there
	// are no more workgroups than keep the device busy.
	MaxGroups int
	// Always launches the step even if there are no elements: a reduction of nothing has a result.
	Always bool
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
}

// Block returns the work-items of a workgroup.
func (g Geometry) Block() int { return g.BlockX * g.BlockY }

// CheckKind is which method of [exec.Site] makes the error of a check, and what surge_fail's numbers mean.
type CheckKind uint8

// Kinds of checks, with the numbers that they report.
const (
	CheckIndex   CheckKind = iota // position (-1 if unknown), value, limit
	CheckLength                   // want, got
	CheckBounds                   // position, lo, hi, n
	CheckSize                     // x
	CheckNonneg                   // x
	CheckCount                    // n, limit
	CheckFinite                   // as_long((double)x)
	CheckNonzero                  // nothing
	CheckUnique                   // first, last, value
	CheckPanic                    // nothing
)

// Check is a place at which a kernel checks something.
type Check struct {
	Site exec.Site
	Kind CheckKind
}

func (c Check) fail(a [4]int64) error {
	n := func(i int) int { return int(a[i]) }
	switch c.Kind {
	case CheckIndex:
		return c.Site.Index(n(0), n(1), n(2))
	case CheckLength:
		return c.Site.Length(n(0), n(1))
	case CheckBounds:
		return c.Site.Bounds(n(0), n(1), n(2), n(3))
	case CheckSize:
		return c.Site.Size(n(0))
	case CheckNonneg:
		return c.Site.Nonneg(n(0))
	case CheckCount:
		return c.Site.Count(n(0), n(1))
	case CheckUnique:
		return c.Site.Unique(n(0), n(1), n(2))
	case CheckPanic:
		return c.Site.Panic()
	case CheckFinite:
		return c.Site.Finite(math.Float64frombits(uint64(a[0])))
	default:
		return c.Site.Nonzero()
	}
}

// Prelude is put in front of every source.
//
// surge_fail reports a failed check: the first one to come counts. surge_stopped tells a kernel that something failed, in
// this step or an earlier one.
const Prelude = `void surge_fail(volatile __global int *status, int site, long a, long b, long c, long d) {
	if (atomic_cmpxchg(status, 0, site + 1) == 0) {
		__global long *at = (__global long *)(status + 2);
		at[0] = a; at[1] = b; at[2] = c; at[3] = d;
	}
}
int surge_stopped(volatile __global int *status) { return *status != 0; }
`
