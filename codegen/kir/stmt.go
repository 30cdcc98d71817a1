package kir

import "github.com/surge-ndp/surge/ops/ir"

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

// StoreEvery writes the lanes of X to every By-th element of A from index I on, or, where By is -1, to the one at I and
// those before it. What lies between is not touched.
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
	Count          *Var     // behind the loop, how many chunks it had; nil where nobody asks
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
