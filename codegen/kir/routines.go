package kir

// RoutineName names a routine of a platform's run time, or a function on indices that every device has.
type RoutineName string

// The routines. What a call yields stands behind the arrow; capital letters are addresses, the others values.
const (
	Zero        RoutineName = "zero"         // (A, n): sets n elements to zero
	Move        RoutineName = "move"         // (A, B, n): A[k] = B[k] for k = 0, 1, … below n, one after the other
	Stream      RoutineName = "stream"       // (A, x…): writes the values past the caches
	Clear       RoutineName = "clear"        // (): clears the upper halves of vector registers, which slow scalar code down
	GatherStrip RoutineName = "gather_strip" // (A, B, I, n): A[k] = B[I[k]] for k < n
	TakeFields  RoutineName = "take_fields"  // (A, F, n): A[k] = F[k] for k < n, where F lies in structs
	PutFields   RoutineName = "put_fields"   // (F, A, n): F[k] = A[k] for k < n, where F lies in structs
	PackRows    RoutineName = "pack_rows"    // (A, B, width, d): puts width rows of d elements of B into A, column by column
	UnpackRows  RoutineName = "unpack_rows"  // (A, B, width, d): puts width rows of d elements into A that B has column by column
	DotGather   RoutineName = "dot_gather"   // (A, B, I, n) → Σ A[k]·B[I[k]] for k < n
	// SumTile (S, A, O, a, B, b, next, n, rows, vectors) adds n products to each sum of a register tile: rows of A
	// begin at the offsets O and are read with stride a, vectors of B lie next elements apart and are read with
	// stride b.
	SumTile   RoutineName = "sum_tile"
	SortIndex RoutineName = "sort_index" // (K, P, n, level): P sorts the n keys; the pool takes part if level is not 0
	ToLine    RoutineName = "to_line"    // (A, size) → elements of that size from A to where a line of the caches begins
	OrderF32  RoutineName = "order_f32"  // (x) → an integer that is ordered as floats are in ir.Sort
	OrderF64  RoutineName = "order_f64"  // (x) → the same of a float64

	GoFunc RoutineName = "go" // (…): the function of the user's program that a [GoCall] names

	// The scans (A, B, n, seed) → the seed for what follows put running sums of the n elements of B into A. Inclusive
	// ones count the element itself, streaming ones write past the caches.
	ScanAdd                RoutineName = "scan_add"
	ScanAddInclusive       RoutineName = "scan_add_inclusive"
	ScanAddStream          RoutineName = "scan_add_stream"
	ScanAddInclusiveStream RoutineName = "scan_add_inclusive_stream"

	// A range in runs of neighbours, one for each of n work-items: bounds for work-item i, and how many are not empty.
	RunLo    RoutineName = "run_lo"    // (lo, hi, i, n) → lower bound
	RunHi    RoutineName = "run_hi"    // (lo, hi, i, n) → upper bound
	RunCount RoutineName = "run_count" // (lo, hi, n) → runs that are not empty

	// A range cut as the device likes it: in runs, or every n-th element.
	ShareLo    RoutineName = "share_lo"    // (lo, hi, i, n) → first index
	ShareHi    RoutineName = "share_hi"    // (lo, hi, i, n) → bound of the indices
	ShareStep  RoutineName = "share_step"  // (n) → step from index to index
	ShareCount RoutineName = "share_count" // (lo, hi, n) → work-items with a part

	TeamCount RoutineName = "team_count" // (n, group, size) → how many of the grid's first n work-items the group has
	TeamsOf   RoutineName = "teams_of"   // (n, size) → how many groups n work-items fill

	// Work-items in runs whose length is a power of two.
	Common    RoutineName = "common"     // (a, b) → the largest power of two that divides both
	RunNumber RoutineName = "run_number" // (i, n) → which run work-item i is in
	RunPlace  RoutineName = "run_place"  // (i, n) → its place in that run
)

// routineArgs says of each routine which of its arguments are addresses (A) and which are values (x); "x*" at the end
// allows any number of values.
var routineArgs = map[RoutineName]string{
	Zero: "Ax", Move: "AAx", Stream: "Ax*", Clear: "", GatherStrip: "AAAx", TakeFields: "AAx", PutFields: "AAx", PackRows: "AAxx", UnpackRows: "AAxx", DotGather: "AAAx", SumTile: "AAAxAxxxxx",
	SortIndex: "AAxx", ToLine: "Ax", OrderF32: "x", OrderF64: "x",
	ScanAdd: "AAxx", ScanAddInclusive: "AAxx", ScanAddStream: "AAxx", ScanAddInclusiveStream: "AAxx",
	RunLo: "xxxx", RunHi: "xxxx", RunCount: "xxx", ShareLo: "xxxx", ShareHi: "xxxx", ShareStep: "x", ShareCount: "xxx",
	TeamCount: "xxx", TeamsOf: "xx", Common: "xx", RunNumber: "xx", RunPlace: "xx",
}
