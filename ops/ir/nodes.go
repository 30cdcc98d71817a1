package ir

import (
	"math"
	"strconv"
)

// Pos is a position in the user's Go source.
type Pos struct {
	File      string // as the user names it; base name in generated files
	Line, Col int
}

// IsValid reports whether the position is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns file:line:col.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// Atom is an operand: a *[Var] or a [Const].
type Atom interface {
	Type() Type
	String() string
}

// Var is a variable that is bound exactly once. Its name is unique in its function.
type Var struct {
	Name string
	T    Type
}

// Type returns the variable's type.
func (v *Var) Type() Type { return v.T }

// String returns the variable's name.
func (v *Var) String() string { return v.Name }

// Const is a scalar constant. Integers and booleans keep their bits in Bits (sign extended), floats as
// math.Float64bits.
type Const struct {
	Kind Kind
	Bits uint64
}

// Type returns the constant's scalar type.
func (c Const) Type() Type { return Scalar(c.Kind) }

// BoolConst returns the constant b.
func BoolConst(b bool) Const {
	if b {
		return Const{Bool, 1}
	}
	return Const{Bool, 0}
}

// IntConst returns the integer constant i of kind k, wrapped to the kind's width as a Go conversion would.
func IntConst(k Kind, i int64) Const {
	switch k {
	case Int8:
		i = int64(int8(i))
	case Int16:
		i = int64(int16(i))
	case Int32:
		i = int64(int32(i))
	case Uint8:
		i = int64(uint8(i))
	case Uint16:
		i = int64(uint16(i))
	case Uint32:
		i = int64(uint32(i))
	}
	return Const{k, uint64(i)}
}

// FloatConst returns the floating-point constant f of kind k, rounded to it.
func FloatConst(k Kind, f float64) Const {
	if k == Float32 {
		f = float64(float32(f))
	}
	return Const{k, math.Float64bits(f)}
}

// Int returns the value of an integer or bool constant.
func (c Const) Int() int64 { return int64(c.Bits) }

// Float returns the value of a floating-point constant.
func (c Const) Float() float64 { return math.Float64frombits(c.Bits) }

// IsInt reports whether a is the integer constant i.
func IsInt(a Atom, i int64) bool {
	c, ok := a.(Const)
	return ok && c.Kind.IsInteger() && c.Int() == i
}

// String returns the constant as the text form writes it: the value, then the kind behind a colon.
func (c Const) String() string {
	switch {
	case c.Kind == Bool:
		return strconv.FormatBool(c.Bits != 0)
	case c.Kind.IsFloat():
		return strconv.FormatFloat(c.Float(), 'g', -1, 64) + ":" + c.Kind.String()
	case c.Kind.IsUnsigned():
		return strconv.FormatUint(c.Bits, 10) + ":" + c.Kind.String()
	}
	return strconv.FormatInt(c.Int(), 10) + ":" + c.Kind.String()
}

// Func is one kernel.
type Func struct {
	Name   string
	Pos    Pos
	Params []*Var
	Body   *Block // its results are the kernel's
	// Reassociate says that loops may add and multiply floats in another order than the source has (the line
	// //surge:reassociate).
	Reassociate bool
	// Sizes is how many parameters, the last ones, say how many rows an input has, or how long they are.
	Sizes int
}

// Results returns the types of the kernel's results.
func (f *Func) Results() []Type {
	ts := make([]Type, len(f.Body.Results))
	for i, a := range f.Body.Results {
		ts[i] = a.Type()
	}
	return ts
}

// Block is a sequence of statements and the values that it yields.
type Block struct {
	Stmts   []*Stmt
	Results []Atom
}

// Stmt binds the results of one operation.
type Stmt struct {
	Dst []*Var
	Op  Op
	Pos Pos
}

// Lambda is a function of scalars: the operator of a reduction or a scan.
type Lambda struct {
	Params []*Var
	Body   *Block
}

// Op is an operation. The implementations are the node kinds below.
//
//	node     operands                blocks        results
//	Unary    X                                     1, of the kind that [UnaryFn.Result] says
//	Binary   X, Y                                  1, kind of X (bool for comparisons)
//	FMA      X, Y, Z                               1, float64
//	Convert  X                                     1, kind To
//	Select   Cond, X, Y                            1, kind of X
//	Len      X                                     1, int
//	Index    X, I                                  1, element of X
//	View     Args                                  1, an array
//	Map      N                       Body(I)       one array a result of Body
//	Reduce   N, Init                 Body(I), Comb one scalar a result of Body
//	Scan     N, Init                 Body(I), Comb one sequence a result of Body
//	Scatter  N, W                    Body(I)       one array a result of Body but the first
//	Hist     N, W, Init              Body(I), Comb one array a result of Body but the first
//	Sort     N                       Body(I)       1, a sequence of ints
//	If       Cond                    Then, Else    those of Then
//	Loop     Init, Lo, Hi | Cond     Cond, Body    one a parameter
//	Alloc    N                                     1, a sequence of Kind
//	Grow     X, Keep, N                            1, of the type of X
//	Update   X, I, Value                           1, of the type of X
//	Check    Args                                  none
//	Call     Args                                  any number, of the types of the variables that they are bound to
type Op interface{ isOp() }

// Unary applies Fn to a scalar.
type Unary struct {
	Fn UnaryFn
	X  Atom
}

// Binary applies Fn to two scalars of one kind (shifts: the count may be of any integer kind).
type Binary struct {
	Fn   BinaryFn
	X, Y Atom
}

// FMA is X·Y + Z of float64s, rounded once: math.FMA.
type FMA struct{ X, Y, Z Atom }

// Convert converts a scalar as the Go conversion To(X) does.
type Convert struct {
	To Kind
	X  Atom
}

// Select yields X if Cond holds and Y otherwise; both are already evaluated.
type Select struct{ Cond, X, Y Atom }

// Len yields the length of the outermost dimension of X, as int.
type Len struct{ X Atom }

// Index yields element I (an int) of X: a scalar of a sequence, a row of a nested one. I is in range; where the source
// does not guarantee that, a [Check] stands before it.
type Index struct{ X, I Atom }

// View yields an array whose elements are elements of others, or a closed form of their index.
type View struct {
	Fn   ViewFn
	Args []Atom
}

// Map runs Body for every I in [0, N), independently, and collects each result into an array.
type Map struct {
	N    Atom
	I    *Var
	Body *Block
	// By says how long the rows are that elements compute, nil for most: row offsets, or a nested sequence whose rows are
	// meant. It changes nothing but who computes what: threads share the elements of the rows, and not the rows.
	By Atom
}

// Reduce combines Init ⊕ e(0) ⊕ … ⊕ e(N-1) where e(I) are the results of Body and ⊕ is Comb, which takes the
// accumulators, then the elements, and is associative and commutative (the user's promise).
type Reduce struct {
	N    Atom
	I    *Var
	Body *Block
	Comb *Lambda
	Init []Atom
}

// Scan yields y with y[0] = Init and y[i] = y[i-1] ⊕ e(i-1), or, if Inclusive, y[i] = y[i-1] ⊕ e(i) with y[-1] = Init.
// ⊕ is Comb, which is associative (the user's promise).
type Scan struct {
	N         Atom
	I         *Var
	Body      *Block
	Comb      *Lambda
	Init      []Atom
	Inclusive bool
}

// Scatter yields arrays of W elements that are put where Body says: its first result is the position of element I, an
// int, and the others are the elements. An element at a negative position is left out. The others have distinct
// positions that cover [0, W): whoever builds the node sees to it.
type Scatter struct {
	N, W Atom
	I    *Var
	Body *Block
}

// Hist is the reduction by index: it yields arrays of W elements with y[b] = Init ⊕ e(i) ⊕ e(j) ⊕ …, for the I whose
// bin is b. The first result of Body is the bin of element I, an int in [0, W); the others are the elements. ⊕ is
// Comb, which takes the accumulators, then the elements, and is associative and commutative (the user's promise).
//
// The elements may be rows of one length, all of them results of one Map in Body ([Hist.Row]): then the first result of
// Body is where the row of the bin begins, and the row is combined into y position by position.
type Hist struct {
	N, W Atom
	I    *Var
	Body *Block
	Comb *Lambda
	Init []Atom
}

// Sort yields the permutation p of [0, N) that sorts the keys that Body yields, stably: key(p[0]) ≤ key(p[1]) ≤ …, and
// p[i] < p[i+1] where these are equal. NaN comes before every other key.
type Sort struct {
	N    Atom
	I    *Var
	Body *Block
}

// If yields the results of Then if Cond holds, of Else otherwise; only that block runs. A result that is an array is
// one array that a block updates where it lies or leaves as it is (see [Alloc]), or one array or another, neither of
// which is updated.
type If struct {
	Cond       Atom
	Then, Else *Block
}

// Loop is a sequential loop: Params start as Init and become the results of Body after each turn; the loop yields
// their last values. With I set it counts I = Lo, Lo+1, … below Hi; otherwise it runs while Cond, a block over the
// parameters with one bool result, yields true.
//
// A parameter that is an array is either one array that all turns update where it lies (see [Alloc]), or another one in
// each turn, of the same length: then neither its Init nor what a turn yields is consumed.
type Loop struct {
	Params []*Var
	Init   []Atom
	I      *Var // counted form, else nil
	Lo, Hi Atom
	Cond   *Block // conditional form, else nil
	Body   *Block
	// Independent says that no turn reads or updates an element of an array that another turn updates, so that turns
	// may run in any order, or side by side: the loop is a parallel operator, of the arrays that it updates where they
	// lie. It counts from 0, and carries such arrays only.
	Independent bool
	// Ahead says of independent turns that they do read elements that later turns update, before they update any
	// themselves: several turns in a row may make each of their steps together, as lanes do, and those behind them
	// come later. Nothing else divides the turns.
	Ahead bool
}

// Alloc makes a sequence of N zeros of one kind, or of no values yet: what the source makes to update in place.
//
// It and what comes of it (results of [Update], and of an [If] or a [Loop] that carries it) are one array that is
// updated where it lies, so that there is only one valid version at any time: Update, the Init of a Loop and the
// results of the blocks of If and Loop consume the version they name, which nothing may use afterwards. Reading
// ([Index], [Len]) does not consume. An array that a parallel operator or a [View] has read is not updated any more.
// [Verify] checks this.
//
// The length of an array that Grows changes, so that nothing asks for it ([Len]), and no element of a [Map] is one: who
// made it knows how much of it has a meaning. What no Update has written is unspecified in it.
type Alloc struct {
	Kind  Kind
	N     Atom
	Grows bool
	// Blank says that every element is updated before it is read: the N elements need not be zero at first.
	Blank bool
}

// Grow consumes X, a version of an array that grows, and yields it with N elements, of which the first Keep are those
// that it had.
type Grow struct{ X, Keep, N Atom }

// Update consumes X and yields it with element I replaced by Value. I is in range, as for [Index].
type Update struct{ X, I, Value Atom }

// Check fails the run unless its condition holds. Op and Arg name the operator and argument for the message.
type Check struct {
	Kind CheckKind
	Op   string
	Arg  string
	Args []Atom
}

// ExitOp is the operator of a check that is a return statement of the source, out of a loop: it always says that
// something is wrong, and what is returned, the source knows. Its kind is that of panics.
const ExitOp = "return"

// Exits reports whether the check is a return statement.
func (c *Check) Exits() bool { return c.Kind == CheckPanic && c.Op == ExitOp }

// Call calls a pure function of Go as it stands: nothing is known of it but that it depends on its arguments only, and
// changes nothing outside. It may take long, panic, or never end. So it runs where the source calls it and nowhere
// else, and no pass moves, repeats or drops it. Fn names it; what the name stands for, the front end knows.
type Call struct {
	Fn   string
	Args []Atom
}

func (*Unary) isOp()   {}
func (*Binary) isOp()  {}
func (*FMA) isOp()     {}
func (*Convert) isOp() {}
func (*Select) isOp()  {}
func (*Len) isOp()     {}
func (*Index) isOp()   {}
func (*View) isOp()    {}
func (*Map) isOp()     {}
func (*Reduce) isOp()  {}
func (*Scan) isOp()    {}
func (*Scatter) isOp() {}
func (*Hist) isOp()    {}
func (*Sort) isOp()    {}
func (*If) isOp()      {}
func (*Loop) isOp()    {}
func (*Alloc) isOp()   {}
func (*Update) isOp()  {}
func (*Grow) isOp()    {}
func (*Check) isOp()   {}
func (*Call) isOp()    {}
