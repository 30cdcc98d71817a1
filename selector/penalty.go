package selector

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/surge-ndp/surge/selector/param"
)

// worse implements [planner]: threads are not started where, by estimate, that takes longer than one thread does.
func (want *plan) worse(code, plainest *Code, cores int) string {
	pool := slices.IndexFunc(code.Policy, onPool)
	if pool < 0 || slices.ContainsFunc(plainest.Policy, onPool) {
		return ""
	}
	v := want.launch(code, cores)
	chosen, alone := want.nest.onThreads(code.Policy[pool].Depth(), param.NumThreads.Or(v.Policy, 0, 1)), want.nest.onThreads(0, 1)
	if !(chosen > alone) {
		return ""
	}
	return fmt.Sprintf("sequential code, by estimate %.3g operations, because what the rules want takes %.3g for its parallel regions", alone, chosen)
}

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return strconv.Itoa(n) + " threads"
}

// penalty says how far code is from the plan; 0 is exactly what the rules want.
func (want *plan) penalty(code *Code) int {
	pool, lane, width, unrollLane, unrollSequential, tile := 0, 0, 0, 0, 0, 1
	total, routine, parts := 0, false, false
	for i := range code.Policy {
		s := code.Policy[i]
		switch l := s.Depth(); {
		case param.ExecutionResource.Is(s):
			resource := param.ExecutionResource.Value(s)
			if resource.Threads() {
				switch {
				case pool != 0 && want.divided:
					parts = true
				case pool != 0:
					total += 500 // nested regions
					if want.threads == 1 {
						total += pointless
					}
				default:
					pool = l
				}
			}
			if resource.Has(param.Lane) {
				lane = l
			}
		case param.VectorWidth.Is(s), param.Simdlen.Is(s):
			width, _ = param.Lanes(s)
		case param.Unroll.Is(s):
			if l == lane {
				unrollLane = param.Unroll.Value(s)
			} else {
				unrollSequential = param.Unroll.Value(s)
			}
		case param.TileAlgo.Is(s):
			// The routine keeps more sums in registers. For packed rows it took three times as long as the loop on one
			// processor (Intel), and 0.8 of its time on another (AMD): there the loop is the lesser risk.
			if (param.TileAlgo.Value(s) == param.Loop) != want.packed {
				total += 10
			}
		case param.Tile.Is(s):
			if l == lane {
				unrollLane = param.Tile.Value(s) // vectors of rows
			} else {
				tile = param.Tile.Value(s)
			}
		case param.GatherAlgo.Is(s):
			routine = param.GatherAlgo.Value(s) == param.Row
		case param.StoreAlgo.Is(s):
			if (param.StoreAlgo.Value(s) == param.Stream) != want.stream {
				total += 20
			}
		case param.HistAlgo.Is(s):
			if (param.HistAlgo.Value(s) == param.Sorted) != want.sorted {
				total += 20
			}
		case param.ScanAlgo.Is(s):
			switch algo := param.ScanAlgo.Value(s); {
			case want.threads == 1 && algo == param.TwoPass:
				total += pointless
			case want.scan != "" && algo != want.scan:
				total += 50
			}
		}
	}
	if pool != want.poolLevel {
		total += 1000
	}
	if parts != want.divided {
		total += 200
	}
	elements := want.row
	if (tile > 1) != want.tile {
		total += 300
	}
	switch {
	case tile > 1 && lane == want.laneLevel:
		// As wide as the row fills, and as many vectors as there may be: several of a row where it has them.
		// Of packed rows there are more: what is left over is computed row by row.
		most := width * max(unrollLane, 1)
		if want.packed {
			most = width * vectorsPerRow
		}
		if float64(most) > elements {
			total += 100
		}
		total += 64/max(width, 1) + 16/(tile*max(unrollLane, 1)) + 4/max(unrollLane, 1)
	case lane != 0 && lane == want.laneLevel && routine:
		if !want.routine {
			total += 100
		}
	case lane != 0 && lane == want.laneLevel:
		if want.routine {
			total += 100
		}
		// As wide as the plan wants, then, where elements wait for each other, as deep as registers hold if a row has
		// a few vectors.
		if want.width > 0 && width != want.width {
			total += 100
		}
		// Vectors of columns share the loops over these.
		columns, operations := want.nest.strided == lane+1, want.operations
		if columns {
			operations = want.nest.operations(lane + 1)
		}
		alone := want.nest.independent[lane-1] && !columns || elements < float64(vectorsPerRow*width) && want.nest.depth > 1
		if unrollLane > 1 && (alone || operations*float64(unrollLane) > operationsInFlight) {
			total += 40 + unrollLane
		}
		total += 64/max(width, 1) + 8/max(unrollLane, 1)
	case lane != want.laneLevel:
		total += 400
		switch {
		case lane != 0:
		case want.nest.depth > 0 && want.nest.independent[want.nest.depth-1]: // elements that do not wait for each other
			total += unrollSequential
		default:
			total += 8 / max(unrollSequential, 1)
		}
	default:
		if unrollSequential != want.unroll {
			total += 10
		}
	}
	return total
}
