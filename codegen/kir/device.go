package kir

import "github.com/surge-ndp/surge/ops/ir"

// Device is one computation for a platform whose work is launched: kernels that run one after the other, each by many
// work-items, and the buffers that pass between them.
type Device struct {
	Name     string
	Launches []*Launch
	Temps    []*Temp
	// The launches from number Round on run Rounds times over, one after the other, if Rounds is more than 0.
	Round, Rounds int
}

// Launch is one kernel.
type Launch struct {
	Name string
	What string
	Pos  ir.Pos
	Body []Stmt
	Per  Resource
	// Count is the number of elements that are given out, in terms of the frame; nil is 1.
	Count     Expr
	Grain     int  // level whose grain size says how many elements a resource runs; 0: 1
	MaxGroups int  // 0: as many groups as Count needs
	Always    bool // also if Count is 0
	// Finds is a buffer in which each work-item leaves how long a sequence is at most that its elements need for
	// themselves; it is nil for most. What launch i finds is [Found] i for those behind it. Launches that find
	// something are the first ones.
	Finds *Array
}

// Resource is what elements are given to.
type Resource uint8

// Resources of a device, inner to outer.
const (
	Item Resource = iota
	Warp
	Group
	Grid
	OneGroup
)

// Temp is a buffer of the device: N elements for each Per of launch Step. OneGroup: N elements in all.
type Temp struct {
	A    *Array
	N    Expr
	Per  Resource
	Step int
}

// Place is a number that says where a work-item stands, as int.
type Place struct{ What string }

// Places.
const (
	GroupOf     = "group"  // number of the workgroup in the grid
	Groups      = "groups" // workgroups of the grid
	ItemOf      = "item"   // number of the work-item in its group
	Items       = "items"  // work-items of a group
	WarpOf      = "warp"   // number of the logical warp in its group
	Warps       = "warps"  // logical warps of a group
	LaneOf      = "lane"   // number of the work-item in its logical warp
	Lanes       = "lanes"  // work-items of a logical warp
	GlobalOf    = "global" // number of the work-item in the grid
	Globals     = "globals"
	SubgroupOf  = "subgroup"    // number of the subgroup in its group
	Subgroups   = "subgroups"   // subgroups of the group
	SubitemOf   = "subitem"     // number of the work-item in its subgroup
	Subitems    = "subitems"    // work-items of its subgroup
	MaxSubitems = "maxsubitems" // work-items of the group's largest subgroup
	Blockwise   = "blockwise"   // 1 if a team's share of a loop is best a run of neighbours for each work-item (caches), 0 if neighbours go to neighbouring work-items (coalescing)
)

// Type returns the type of the number.
func (*Place) Type() Type { return Int }

// GroupsOf is the number of workgroups of an earlier launch, as int.
type GroupsOf struct{ Step int }

// Type returns the type of the number.
func (*GroupsOf) Type() Type { return Int }

// Found is the greatest number that an earlier launch has found, as int: see [Launch].
type Found struct{ Step int }

// Type returns the type of the number.
func (*Found) Type() Type { return Int }

// RoundOf is how many times the launches that are repeated have run before, as int.
type RoundOf struct{}

// Type returns the type of the number.
func (*RoundOf) Type() Type { return Int }

// Shuffle is the value of X in the work-item with the number From of the subgroup, all of whose work-items come to it.
type Shuffle struct{ X, From Expr }

// Type returns the type of the value.
func (s *Shuffle) Type() Type { return s.X.Type() }

// Collective combines X by Fn over the work-items of the subgroup, all of which come to it: all of them, or, of a
// Scan, those before this one.
type Collective struct {
	Fn   ir.BinaryFn
	Scan bool
	X    Expr
}

// Type returns the type of the value.
func (c *Collective) Type() Type { return c.X.Type() }

// Stride runs Body for V = Lo, Lo+Step, … below Hi: a work-item's or a team's part of a loop.
type Stride struct {
	V            *Var
	Lo, Hi, Step Expr
	Body         []Stmt
	Pos          ir.Pos
	What         string
}

// Divergent marks a loop or a condition in which work-items of a group go different ways, for drivers that have to
// know. It changes nothing of what is computed.
type Divergent struct{ Body []Stmt }

// Barrier waits for all work-items of the group; what they wrote to local memory is seen after it, and what they wrote
// to global memory if Global.
type Barrier struct{ Global bool }

// Label is where a failed [Check] goes that names it.
type Label struct{ Name string }

func (*Stride) isStmt()    {}
func (*Divergent) isStmt() {}
func (*Barrier) isStmt()   {}
func (*Label) isStmt()     {}

// String returns the resource's name.
func (r Resource) String() string {
	return [...]string{"work-item", "logical warp", "workgroup", "grid", "workgroup (the only one)"}[r]
}

// HasBarrier reports whether body waits anywhere.
func HasBarrier(body []Stmt) bool {
	found := false
	Walk(body, func(s Stmt) {
		if _, ok := s.(*Barrier); ok {
			found = true
		}
	}, nil)
	return found
}
