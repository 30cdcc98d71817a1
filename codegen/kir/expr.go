package kir

import "github.com/surge-ndp/surge/ops/ir"

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

// Every reads every By-th of consecutive elements of A from index I on, as many as T has lanes; or, where By is -1, the
// element at I and those before it. It reads none behind the last one of these.
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

// Half is the lower half of the lanes of X, or the higher one; Join is the lanes of two vectors, one behind the other.
type Half struct {
	X    Expr
	High bool
}

// Join is the lanes of Lo and behind them those of Hi: see [Half].
type Join struct{ Lo, Hi Expr }

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
func (e *Half) Type() Type       { return withLanes(e.X.Type(), e.X.Type().Lanes/2) }
func (e *Join) Type() Type       { return withLanes(e.Lo.Type(), e.Lo.Type().Lanes*2) }
func (e *Routine) Type() Type    { return e.T }

func withLanes(t Type, lanes int) Type {
	t.Lanes = lanes
	return t
}
