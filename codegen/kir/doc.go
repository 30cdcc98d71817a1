// Package kir is the kernel IR: what a computation looks like once its form, schedule and policy are decided. Loops are
// explicit and bound to a resource, values are scalars or vectors of lanes, memory spaces, partial results and checks
// are statements. Package lower builds it, once for all platforms; a platform's printer turns it into source text.
//
// A [Func] is code for the worker pool, a [Device] a list of launches for work-items. Both have a text
// ([Func.String]) that is read back ([ParseFunc], [ParseDevice]), and a verifier ([Verify], [VerifyDevice]) that
// tests run behind every lowering. Package interp runs them.
//
// The expressions. They have no side effects; T is a type that the node holds, because it does not follow from the
// operands.
//
//	node         operands        value                                                                     where
//	Ref          variable        its value                                                                 both
//	Const        constant        a scalar                                                                  both
//	Length       array           its number of elements, int                                               both
//	Bin          X, Y: T         X fn Y, lane by lane; comparisons give bool                               both
//	Un           X: T            fn X, lane by lane                                                        both
//	FMA          X, Y, Z         X·Y + Z, rounded once                                                     both
//	Convert      X: T            T(X), lane by lane                                                        both
//	Select       C, X, Y         X where C holds, else Y                                                   both
//	Load         A, I, Mask: T   A[I], A[I+1], … as many as T has lanes                                    both
//	Gather       A, I, Mask: T   A at each of the indices I                                                pool
//	Every        A, I: T         A[I], A[I+By], A[I+2·By], … as many as T has lanes                        pool
//	ZeroOf       none: T         zero in every lane                                                        pool
//	Splat        X: T            X in every lane                                                           pool
//	Iota         Start: T        Start, Start+1, …                                                         pool
//	IotaBy       Start, D: T     the same divided by D: quotients or remainders                            pool
//	FirstLanes   Start, Bound: T the mask of the lanes k with Start+k < Bound                              pool
//	Lane         X               lane K                                                                    pool
//	LaneWhere    X, Mask         the first lane that is set                                                pool
//	Horizontal   X               the lanes combined by fn                                                  pool
//	AnyLane      X, a mask       whether a lane is set                                                     pool
//	CountLanes   X, a mask       how many lanes are set                                                    pool
//	Compress     X, Mask         the lanes that are set, in front                                          pool
//	Half         X               the lower, or the higher, half of the lanes                               pool
//	Join         Lo, Hi          the lanes of both                                                         pool
//	Routine      arguments: T    what a routine of the run time yields                                     both
//	Place        none            where a work-item stands, int                                             device
//	GroupsOf     a launch        how many workgroups it had, int                                           device
//	Found        a launch        the greatest number that it has found, int                                device
//	RoundOf      none            how often the repeated launches have run before, int                      device
//	Shuffle      X, From         X of another work-item of the subgroup                                    device
//	Collective   X               X combined by fn over the subgroup, or over the work-items before         device
//
// The statements.
//
//	node         holds                       effect                                                        where
//	Let          V, X                        declares V                                                    both
//	Set          V, X                        assigns to V                                                  both
//	Store        A, I, X, Mask               A[I], A[I+1], … = the lanes of X that are set                 both
//	Scatter      A, I, X, Mask               A[I[k]] = X[k] for each lane k that is set                    pool
//	StoreEvery   A, I, X                     A[I], A[I+By], A[I+2·By], … = the lanes of X                     pool
//	For          V, Lo, Hi, Step, Body       a sequential loop                                             both
//	Stride       V, Lo, Hi, Step, Body       a loop whose step is computed                                 device
//	While        Cond, Test, Body            a loop while Test holds                                       both
//	Break        none                        leaves the innermost While                                    pool
//	If           Cond, Then, Else            a condition                                                   both
//	Par          N, Lo, Hi, Chunk, Body      a loop over chunks, on the pool                               pool
//	Wait         Chain, V                    declares V: what the chunk before handed on                   pool
//	Publish      Chain, X                    hands X on to the next chunk                                  pool
//	AllocScratch A, N                        gives A room, up to the end of the Scoped around it           pool
//	Grow         A, Keep, N                  gives A room for more, with the first Keep elements               pool
//	Scoped       Body                        a scope                                                       both
//	Vectors      Body                        marks vector code                                             pool
//	Result       a name, X                   sets a scalar result                                          both
//	Call         a routine                   runs it for its effect                                        both
//	GoCall       Dst, Fn, a routine          declares Dst: what a function of the program yields                   pool
//	Check        Kind, Args                  fails the run unless the condition holds                      both
//	CheckAll     A, I, N, Limit              the same for N indices, by one routine                        pool
//	Divergent    Body                        marks what work-items of a group go through in different ways     device
//	Barrier      none                        waits for all work-items of the group                         device
//	Label        a name                      where a failed check goes                                     device
//
// It imports ops/ir (for element kinds and positions) and nothing else of this module.
package kir
