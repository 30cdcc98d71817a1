package policy

import (
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector/param"
)

// Platform is everything that the search space needs to know about a target. It is a table that is only read.
type Platform struct {
	// Name stands in variants: goroutine.
	Name string
	// Doc is one line for a person.
	Doc string
	// Levels are the hardware's resource levels, outer to inner.
	Levels []Level
	// ScheduleConstraints prune schedules.
	ScheduleConstraints []schedule.Constraint
	// Devices says that kernels run on one of several devices, which --device (SURGE_DEVICE) chooses.
	Devices bool
	// Parameters are listed in the order in which a variant's settings stand: those of the whole computation first; of
	// the others, those of the launch before those of the code.
	Parameters []Parameter
	// Constraints prune points.
	Constraints []Constraint
}

// Level is a level of the hardware's resource hierarchy, with one line for a person.
type Level struct {
	Name param.Resource
	Doc  string
}

// Machine is what constraints and value lists know of the machine that a program is compiled for or runs on.
type Machine struct {
	// Cores is the number of cores that a process may use.
	Cores int
	// Lanes gives, by the size of an element in bytes, the lane counts that vectors of such elements can have.
	Lanes map[int][]int
	// NoLanes says why there are no vector variants at all, "" when there are.
	NoLanes string
	// MaxWorkGroup is the largest number of work-items in a workgroup of an OpenCL device.
	MaxWorkGroup int
	// Subgroups says that an OpenCL device has subgroup operations (cl_khr_subgroups), Shuffles that it has shuffles among
	// them (cl_khr_subgroup_shuffle).
	Subgroups, Shuffles bool
	// LocalMemory is the size in bytes of an OpenCL device's local memory.
	LocalMemory int
}

// Entry is what a platform's table says about a tunable parameter with values of type T (Surge Table IV).
type Entry[T any] struct {
	// Doc is one sentence for a person, with the unit.
	Doc string
	// Paper is the parameter's name in Table IV, or "" when it is an addition to the paper.
	Paper string
	// Code parameters change the generated code, the others only its launch.
	Code bool
	// Applies says, for a parameter of a level, whether it belongs to parameter-set[O, s, B] of Algorithm 1: the set of a
	// level with operators O, run as s, on this platform B. It is nil for those of the whole computation.
	Applies func(level fuse.Level, e schedule.Element) bool
	// Active says whether the parameter matters at a point; where it does not, the variant does not have it. For a code
	// parameter the policy holds the code parameters that come before it, for a launch parameter all code parameters.
	// Nil means always.
	Active func(p param.Policy, depth int) bool
	// Values lists the values to try at a depth (from 1; 0 for a parameter of the whole computation).
	Values func(m Machine, seq fuse.Sequence, depth int) []T
	// PerMachine marks the parameter whose values generated code works out where it runs: selector.ThreadCounts.
	PerMachine bool
}

// Parameter is an entry of a platform's table, whatever the type of its values; [Of] makes it.
type Parameter struct {
	// Key is the declaration.
	*param.Key
	// Entry has the values as texts.
	Entry[string]
}

// Of returns the entry of a table for the parameter that is declared as key.
func Of[T any](key *param.Of[T], e Entry[T]) Parameter {
	texts := func(m Machine, seq fuse.Sequence, depth int) []string {
		values := e.Values(m, seq, depth)
		all := make([]string, len(values))
		for i, v := range values {
			all[i] = key.Format(v)
		}
		return all
	}
	return Parameter{&key.Key, Entry[string]{Doc: e.Doc, Paper: e.Paper, Code: e.Code, Applies: e.Applies, Active: e.Active, Values: texts, PerMachine: e.PerMachine}}
}

// Fixed lists the same values at every depth, on every machine.
func Fixed[T any](values ...T) func(Machine, fuse.Sequence, int) []T {
	return func(Machine, fuse.Sequence, int) []T { return slices.Clone(values) }
}

// Constraint is one rule of a platform about which points it can run, or which are worth running (Surge section 3.3,
// pruning).
type Constraint struct {
	// Name is short and fit for a table: workgroup_size.
	Name string
	// Doc is one sentence for a person.
	Doc string
	// Code says that the rule looks at code parameters only. It is then asked once for each assignment of those.
	Code bool
	// Reason returns why the point is pruned, or "" when this rule does not object. Reasons are counted by their text, so
	// they name values of few kinds.
	Reason func(c Context) string
}

// Context is the point that a constraint judges. Policy holds the active parameters, in canonical order; to a Code
// constraint it holds only those that change the code. It may be read during the call only.
type Context struct {
	Sequence fuse.Sequence
	Schedule schedule.Schedule
	Policy   param.Policy
	Machine  Machine
}

// Inferred is a parameter that a schedule has (Surge Table V).
type Inferred struct {
	Param *Parameter
	// Depth is the level from 1, or 0 for a parameter of the whole computation.
	Depth int
	// Name is the name with the level: chunk_size_1.
	Name string
}

// ElementBytes returns the size in bytes of the widest element of the level at depth, which decides how many lanes its
// vectors have. A level that handles nothing but rows computes on the elements of the levels inside it. It is 0 when
// none of them names a kind.
func ElementBytes(seq fuse.Sequence, depth int) int {
	for _, level := range seq[depth-1:] {
		widest := 0
		for _, kind := range level.Kinds {
			widest = max(widest, kindBytes[kind])
		}
		if widest > 0 {
			return widest
		}
	}
	return 0
}

// KindBytes is the size in bytes of an element of a kind, 0 for one that is not known.
func KindBytes(kind string) int { return kindBytes[kind] }

var kindBytes = map[string]int{
	"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float32": 4,
	"int": 8, "uint": 8, "int64": 8, "uint64": 8, "uintptr": 8, "float64": 8,
}
