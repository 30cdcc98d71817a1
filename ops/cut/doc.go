// Package cut divides a fused kernel into what a cluster of machines does with it: its outermost level is cut into
// blocks of consecutive elements, each machine computes blocks, and what they yield is put together.
//
// It takes the IR of a kernel after fusion and gives a [Plan]: which parameters are cut, and by what, which go to every
// worker and why, and stages, each of which is IR that runs once and IR that runs for each block. The schedules of the
// level are those of the other levels: a Map is independent, its results are the blocks' one after the other; a Reduce
// and a Hist are cooperative, their results are combined; a Scan is cooperative in two passes over the blocks' totals.
// Of what is none of these, or combines by a function whose neutral element is not known, blocks compute what it needs
// of each element, and one worker does the rest.
//
// It imports the IR and its analysis, no platform and no engine.
package cut
