package kir

import "github.com/surge-ndp/surge/ops/ir"

// Type is the type of a value: Lanes elements of one kind. A scalar has one lane. A bool in several lanes is a mask and
// Bits says how wide the elements are that it selects (32 or 64).
type Type struct {
	Kind  ir.Kind
	Lanes int
	Bits  int
}

// ScalarType returns the type of a scalar of kind k.
func ScalarType(k ir.Kind) Type { return Type{Kind: k, Lanes: 1} }

// LaneBits is the width in bits of a lane that holds kind k. Numbers of less than 32 bits are computed in lanes of 32,
// and are narrow in memory only.
func LaneBits(k ir.Kind) int { return max(8*k.Bytes(), 32) }

// Int is the type of indices and lengths.
var Int = ScalarType(ir.Int)

// Space is where an array lives.
type Space uint8

// The memory spaces.
const (
	Global    Space = iota // inputs, results and intermediate sequences of the kernel: fields of the frame
	Partial                // one value a chunk of a parallel loop, combined in chunk order
	Scratch                // owned by one worker for the length of one iteration
	Strip                  // a small fixed buffer of the function, of Size elements
	Lines                  // the same, beginning where a cache line does
	Local                  // shared by a workgroup: Size elements for each of its work-items
	Private                // Size elements of one work-item
	Temporary              // a buffer of the device
)

// Array is a sequence of scalars in memory. The name is unique in its function.
type Array struct {
	Name  string
	Kind  ir.Kind
	Space Space
	Size  int    // elements: Strip, Lines, Local, Private
	Field *Field // where the elements of a Global array lie if that is in structs; nil for most
}

// Field is a number of each struct of a sequence, the elements of an array that has no column of its own.
type Field struct {
	Structs string // the sequence of structs in the frame
	Path    string // from a struct to the number in Go: .pos.x
	GoType  string // of the number
	Apart   int    // how many numbers of its size a struct holds, if nothing else and few enough for [Every]; else 0
}

// Var is a variable of a function. Its name is unique in the function. A Host variable is a scalar of the frame,
// computed before the function runs and constant while it does. A vector with Memory is assigned to once and stays
// there, not in a register.
type Var struct {
	Name   string
	T      Type
	Host   bool
	Memory *Array // nil for most variables
	At     int    // the element of Memory that holds the first lane
	Saved  bool   // the vector is in a register too, up to the next call
}

// Expr is an expression without side effects.
type Expr interface{ Type() Type }

// Ref is the value of a variable.
type Ref struct{ V *Var }

// Const is a scalar constant.
type Const struct{ C ir.Const }

// Length is the number of elements of a Global array, as int.
type Length struct{ A *Array }

// RSqrtEstimate is 1/√x on lanes with a precision of 14 bits, and RSqrtStep the same with twice the precision that the
// estimate y of 1/√x has. AddBits adds floats as if their bits were integers.
const (
	RSqrtEstimate ir.UnaryFn  = "rsqrt_estimate"
	RSqrtStep     ir.BinaryFn = "rsqrt_step"
	AddBits       ir.BinaryFn = "add_bits"
)

// Bin is a binary function of ir, [RSqrtStep] or [AddBits], on scalars or, lane by lane, on vectors. Wrap says that
// integers may exceed their range and wrap around: the user's arithmetic, but not the lowering's own on indices.
type Bin struct {
	Fn   ir.BinaryFn
	X, Y Expr
	T    Type
	Wrap bool
}

// Un is a unary function of ir, or [RSqrtEstimate].
type Un struct {
	Fn ir.UnaryFn
	X  Expr
	T  Type
}

// FMA is X*Y+Z, rounded once.
type FMA struct{ X, Y, Z Expr }

// Convert converts X to T, lane by lane.
type Convert struct {
	X Expr
	T Type
}

// Select yields X where C holds and Y elsewhere.
type Select struct{ C, X, Y Expr }

// Load reads T.Lanes consecutive elements of A from index I on. With a Mask, lanes that are not set read nothing and
// are zero: their elements need not exist.
type Load struct {
	A    *Array
	I    Expr
	T    Type
	Mask Expr
}

// Gather reads the elements of A at the indices I, a vector of int32, int64 or int. With a Mask, lanes that are not set
// read nothing and are zero.
type Gather struct {
	A    *Array
	I    Expr
	T    Type
	Mask Expr
}

// Every reads every By-th of consecutive elements of A from index I on, as many as T has lanes. It reads none behind
// the last one of these.
type Every struct {
	A  *Array
	I  Expr
	By int
	T  Type
}

// ZeroOf is the vector that is zero in every lane: the value of a variable that is declared before it gets one.
type ZeroOf struct{ T Type }

// Splat repeats a scalar in every lane.
type Splat struct {
	X Expr
	T Type
}

// Iota is Start, Start+1, … lane by lane.
type Iota struct {
	Start Expr
	T     Type
}

// IotaBy is Start, Start+1, … divided by D, lane by lane: Fn is ir.Div for the quotients or ir.Rem for the
// remainders. D is a scalar that is not 0.
type IotaBy struct {
	Fn       ir.BinaryFn
	Start, D Expr
	T        Type
}

// FirstLanes is the mask of the lanes k with Start+k < Bound, or <= if OrEqual.
type FirstLanes struct {
	Start, Bound Expr
	OrEqual      bool
	T            Type
}

// Lane is lane K of a vector.
type Lane struct {
	X Expr
	K int
}

// LaneWhere is the lane of X that is the first which Mask sets, lane 0 if it sets none.
type LaneWhere struct{ X, Mask Expr }

// Horizontal combines the lanes of X by Fn, in a fixed order.
type Horizontal struct {
	Fn ir.BinaryFn
	X  Expr
}

// AnyLane reports whether a mask has a lane set.
type AnyLane struct{ X Expr }

// Compress moves the lanes of X that Mask sets to the front, in their order; the lanes behind them are zero.
type Compress struct{ X, Mask Expr }

// CountLanes is the number of lanes that a mask sets.
type CountLanes struct{ X Expr }

// Routine is the value of a call of one of the platform's vector routines.
type Routine struct {
	Name RoutineName
	Args []Arg
	T    Type
}

// Arg is an argument of a routine: an address (array and element index) or a value.
type Arg struct {
	A *Array
	X Expr // element index if A is set, the value otherwise
}

// Type returns the type of the expression's value.
func (e *Ref) Type() Type        { return e.V.T }
func (e *Const) Type() Type      { return ScalarType(e.C.Kind) }
func (e *Length) Type() Type     { return Int }
func (e *Bin) Type() Type        { return e.T }
func (e *Un) Type() Type         { return e.T }
func (e *FMA) Type() Type        { return e.X.Type() }
func (e *Convert) Type() Type    { return e.T }
func (e *Select) Type() Type     { return e.X.Type() }
func (e *Load) Type() Type       { return e.T }
func (e *Gather) Type() Type     { return e.T }
func (e *Every) Type() Type      { return e.T }
func (e *ZeroOf) Type() Type     { return e.T }
func (e *Splat) Type() Type      { return e.T }
func (e *Iota) Type() Type       { return e.T }
func (e *IotaBy) Type() Type     { return e.T }
func (e *FirstLanes) Type() Type { return e.T }
func (e *Lane) Type() Type       { return ScalarType(e.X.Type().Kind) }
func (e *LaneWhere) Type() Type  { return ScalarType(e.X.Type().Kind) }
func (e *Horizontal) Type() Type { return ScalarType(e.X.Type().Kind) }
func (e *AnyLane) Type() Type    { return ScalarType(ir.Bool) }
func (e *Compress) Type() Type   { return e.X.Type() }
func (e *CountLanes) Type() Type { return Int }
func (e *Routine) Type() Type    { return e.T }

// Stmt is a statement.
type Stmt interface{ isStmt() }

// Let declares a variable.
type Let struct {
	V *Var
	X Expr
}

// Set assigns to a variable that a Let or a Wait declared. A Host variable may be set to what it is: a spilled copy
// of it is read again.
type Set struct {
	V *Var
	X Expr
}

// Store writes X to A from index I on. A horizontal sum of floats that is stored needs no scalar instruction.
type Store struct {
	A    *Array
	I    Expr
	X    Expr
	Mask Expr // of the lanes that are stored, nil for all
}

// Vectors marks a stretch of vector code, and is no scope: what it declares is visible behind it. Where scalar floats
// are computed before it and used after it, they stay in memory meanwhile: the registers belong to vectors.
type Vectors struct{ Body []Stmt }

// Scatter writes the lanes of X that Mask sets to A at the indices I, a vector of int64 or int, in the order of the
// lanes.
type Scatter struct {
	A    *Array
	I    Expr
	X    Expr
	Mask Expr
}

// StoreEvery writes the lanes of X to every By-th element of A from index I on. What lies between is not touched.
type StoreEvery struct {
	A  *Array
	I  Expr
	By int
	X  Expr
}

// For runs Body for V = Lo, Lo+Step, … while V+Step <= Hi (Whole) or V < Hi. If Keep, V is declared before the loop
// by a Let, starts at its current value, and keeps its last one. Outlined asks for a function of its own, so that
// variables that the body does not use take no registers from it; a platform may disregard that.
type For struct {
	V        *Var
	Lo       Expr
	Hi       Expr
	Step     int
	Whole    bool
	Keep     bool
	Outlined bool
	Body     []Stmt
	Pos      ir.Pos
	What     string // the operator that this loop implements, for the comment
	// Watched loops may take for ever, and look every so many turns whether the run was stopped. Their step is 1.
	Watched bool
	// Lanes, if not 0, is how many turns a compiler should run at once, in the lanes of vectors: they are independent of
	// each other but for what Combined says.
	Lanes    int
	Combined []Combined
}

// Combined is a variable into which each turn of a loop combines a value by Fn, and for which the turns have no other
// use. The order of the turns does not matter.
type Combined struct {
	V  *Var
	Fn ir.BinaryFn
}

// While runs Cond, then stops if Test is false, then runs Body, and so on.
type While struct {
	Cond    []Stmt
	Test    Expr
	Body    []Stmt
	Watched bool // as that of For
}

// Break leaves the innermost While around it; no For lies between.
type Break struct{}

// If runs Then or Else.
type If struct {
	Cond       Expr
	Then, Else []Stmt
}

// Par is a parallel loop over [0, N) on the worker pool. Workers run Body for disjoint chunks: Lo, Hi and Chunk are the
// chunk's bounds and number. Level is the 1-based nesting level whose launch parameters govern it.
type Par struct {
	Level          int
	N              Expr
	Lo, Hi, Chunk  *Var
	Body           []Stmt
	Pos            ir.Pos
	What           string
	Partials       []*Array // Partial arrays that need one element a chunk, or PartialWidth elements
	PartialWidth   Expr     // nil is 1
	Work           Expr     // the operations of all turns, about; nil is many. Where they are few, one worker runs all chunks
	Even           bool     // the loop is cut into one chunk a thread, whatever its launch parameters say, unless another loop shares its chunks
	Chain          *Chain   // set if the body uses a chained prefix
	CombinePartial *CombinePartials
	// By are the offsets of rows of which chunks have as many elements and rows together, nil where chunks have as many
	// turns. Long runs the turns of rows that are longer, in order, after the loop; nil leaves them in the chunks.
	By   *Array
	Long *LongRows
}

// LongRows runs Body for each I of the rows that are left out of chunks.
type LongRows struct {
	I    *Var
	Body []Stmt
}

// Chain is a prefix that is handed from chunk to chunk in order (a decoupled scan).
type Chain struct {
	Name string
	Kind ir.Kind
	Seed Expr // value for chunk 0
}

// CombinePartials runs Body for K = 0, 1, … below the number of chunks, after the loop. It replaces a For over a count
// that only the runtime knows.
type CombinePartials struct {
	K    *Var
	Body []Stmt
}

// Wait receives the prefix of the current chunk into V; the body ends if the run was stopped.
type Wait struct {
	Chain *Chain
	V     *Var
	Chunk *Var
}

// Publish hands the prefix X to the next chunk.
type Publish struct {
	Chain *Chain
	X     Expr
	Chunk *Var
}

// AllocScratch gives A room for N elements, until the enclosing Scoped ends.
type AllocScratch struct {
	A     *Array
	N     Expr
	Grows bool // A may [Grow]
}

// Grow gives A, which grows, other memory with room for N elements, where its first Keep elements are.
type Grow struct {
	A       *Array
	Keep, N Expr
}

// Scoped releases the scratch memory that Body took.
type Scoped struct{ Body []Stmt }

// Result sets a scalar result of the computation.
type Result struct {
	Name string
	X    Expr
}

// Call runs a routine for its effect.
type Call struct{ R *Routine }

// GoCall declares Dst: what the function Fn of the user's program yields. The arguments are those of R, a [GoFunc]: a
// value for each scalar, and an address and a number of elements for each sequence.
type GoCall struct {
	Dst []*Var
	Fn  string
	R   *Routine
	Pos ir.Pos
}

// Check fails the run unless the condition holds. Position is the index at which the offending value stands in Arg,
// nil if unknown. Failed says that the condition is known not to hold: a lane has been found in which it does not. On a
// device the work-item then goes to the [Label] Leave.
type Check struct {
	Kind     ir.CheckKind
	Failed   bool
	Op, Arg  string
	Args     []Expr
	Position Expr
	Pos      ir.Pos
	Leave    string
}

// CheckAll checks N consecutive indices of A from I on, each against Limit, with one routine.
type CheckAll struct {
	A       *Array
	I, N    Expr
	Limit   Expr
	Op, Arg string
	Pos     ir.Pos
}

func (*Let) isStmt()          {}
func (*Set) isStmt()          {}
func (*Store) isStmt()        {}
func (*StoreEvery) isStmt()   {}
func (*Vectors) isStmt()      {}
func (*Scatter) isStmt()      {}
func (*For) isStmt()          {}
func (*While) isStmt()        {}
func (*Break) isStmt()        {}
func (*If) isStmt()           {}
func (*Par) isStmt()          {}
func (*Wait) isStmt()         {}
func (*Publish) isStmt()      {}
func (*AllocScratch) isStmt() {}
func (*Grow) isStmt()         {}
func (*Scoped) isStmt()       {}
func (*Result) isStmt()       {}
func (*Call) isStmt()         {}
func (*GoCall) isStmt()       {}
func (*Check) isStmt()        {}
func (*CheckAll) isStmt()     {}

// Func is one computation under one form, schedule and choice of code parameters, or one inspector.
type Func struct {
	Name string
	Doc  string
	Body []Stmt
}
