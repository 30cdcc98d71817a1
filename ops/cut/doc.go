// Package cut divides a fused kernel into what a cluster of machines does with it: its outermost level is cut into
// blocks of consecutive elements, each machine computes blocks, and what they yield is put together.
//
// It takes the IR of a kernel after fusion and gives a [Plan]: which parameters are cut, and by what, which go to every
// worker and why, and stages, each of which is IR that runs once and IR that runs for each block. The schedules of the
// level are those of the other levels: a Map is independent, its results are the blocks' one after the other; a Reduce
// and a Hist are cooperative, their results are combined; a Scan is cooperative in two passes over the blocks' totals.
// A Sort and a Scatter move elements between blocks, behind which the level may have another length. What a ReduceByKey
// has become is a Scan along its runs, and a Scatter. Where no neutral element is known, blocks say whether they had an
// element.
//
// It imports the IR and its analysis, no platform and no engine.
package cut
