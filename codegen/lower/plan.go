package lower

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// refusal is the reason why a point of the search space cannot be generated. The functions that lower panic with one,
// wherever they are; those that the package exports return it as their error.
type refusal string

func (r refusal) Error() string { return string(r) }

func veto(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// refused is deferred by whatever calls what may panic with a refusal, and makes that the error.
func refused(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r
	default:
		panic(r)
	}
}

// level is what one nesting level runs on.
type level struct {
	pool   bool
	width  int  // lanes, 1 if the level does not use them
	marked int  // lanes of a loop over scalars that the compiler of what is printed runs in them, 0 for none
	unroll int  // vectors (or scalar copies) in flight
	tile   int  // elements that are computed together, see tile.go
	sums   bool // the reductions of a tile are one routine
	scan   param.Scan
	stream bool // a scan writes past the caches
	sorted bool // threads share bins by sorting elements
	row    bool // a sparse row product is one routine call
	column bool // each element reads a column of rows

	// On devices:
	par    bool              // the level is spread over resources
	on     kir.Resource      // which
	reduce param.BlockReduce // how the work-items of a team combine
	grain  int               // elements of a scan that a work-item takes at a time
	flight int               // elements that a work-item has in flight
	radix  int               // bits of a digit that keys are sorted by
	stage  int               // elements that each work-item reads into a tile of local memory, 0 for no tiles
}

func (l level) lanes() bool { return l.width > 1 }

// deviceResources are the resources of platforms with work-items. There, a lane is a work-item.
var deviceResources = map[param.Resource]kir.Resource{param.Grid: kir.Grid, param.Group: kir.Group, param.Warp: kir.Warp}

// settings reads the parameters of a level, and keeps the first mistake.
type settings struct {
	policy param.Policy
	depth  int
	err    error
}

// read reads a parameter of the level, otherwise where the policy does not have it.
func read[T any](s *settings, p *param.Of[T], otherwise T) T {
	if !p.In(s.policy, s.depth) {
		return otherwise
	}
	v, err := p.Read(s.policy, s.depth)
	if s.err == nil {
		s.err = err
	}
	return v
}

// plan reads the code parameters of a variant, one level each.
func plan(seq fuse.Sequence, v selector.Variant) ([]level, error) {
	s, err := schedule.Parse(v.Schedule)
	if err != nil {
		return nil, err
	}
	if len(s) != len(seq) {
		return nil, fmt.Errorf("schedule %s has %d levels, the computation %d", v.Schedule, len(s), len(seq))
	}
	levels := make([]level, len(s))
	for i := range s {
		at := &settings{policy: v.Policy, depth: i + 1}
		l := level{
			width: 1, unroll: read(at, param.Unroll, 1), tile: read(at, param.Tile, 0),
			scan: read(at, param.ScanAlgo, ""), stream: read(at, param.StoreAlgo, "") == param.Stream,
			sorted: read(at, param.HistAlgo, "") == param.Sorted,
			sums:   read(at, param.TileAlgo, "") == param.Routine, row: read(at, param.GatherAlgo, "") == param.Row,
			reduce: read(at, param.BlockReduceAlgo, ""), grain: read(at, param.BlockScanGrainSize, 1), flight: read(at, param.InFlight, 1),
			radix: read(at, param.SortRadixBits, 0), stage: read(at, param.LocalTile, 0),
			column: seq[i].HasTrait(fuse.TraitColumns),
		}
		l.scan = read(at, param.BlockScanAlgo, l.scan)
		if s[i] != schedule.Sequential {
			for _, r := range read(at, param.ExecutionResource, "").Parts() {
				if on, ok := deviceResources[r]; ok {
					l.par, l.on = true, on
					continue
				}
				switch {
				case r == param.Pool, r == param.Team:
					l.pool = true
				case r != param.Lane:
					return nil, fmt.Errorf("%s is neither pool, team, lane, nor one of the first two and lane", param.ExecutionResource.With(i+1, r))
				case l.row:
				case param.Simdlen.In(v.Policy, i+1):
					l.marked = read(at, param.Simdlen, 0)
				case param.VectorWidth.In(v.Policy, i+1):
					l.width = read(at, param.VectorWidth, 1)
				default:
					l.par, l.on = true, kir.Item
				}
			}
		}
		if at.err != nil {
			return nil, at.err
		}
		levels[i] = l
	}
	return levels, arranged(levels)
}

// arranged returns an error where levels cannot be nested like that, whatever is computed in them. The constraints of
// the platforms (lanes_inside, unroll_innermost, outer_unroll, tile) keep such points out of all search spaces.
func arranged(levels []level) error {
	lanes := 0 // the level that has them
	for i, l := range levels {
		depth := i + 1
		in := l.lanes() || l.marked > 0
		switch {
		case lanes > 0 && (l.pool || in):
			return fmt.Errorf("level %d is inside the lanes of level %d and must be sequential", depth, lanes)
		case l.unroll > 1 && !l.lanes() && depth < len(levels):
			return fmt.Errorf("level %d holds another level: unrolling it would repeat that level's loop, not shorten it", depth)
		case l.tile > 1 && !l.par && !l.lanes() && lanes == 0 && (depth == len(levels) || levels[depth].pool || !levels[depth].lanes()):
			return fmt.Errorf("level %d is not computed in tiles: level %d does not run on lanes alone", depth, depth+1)
		}
		if in {
			lanes = depth
		}
	}
	return nil
}
