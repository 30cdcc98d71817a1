package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
)

// Veto is the reason why a point of the search space cannot be generated.
type Veto struct{ Reason string }

// Error returns the reason.
func (v *Veto) Error() string { return v.Reason }

func veto(format string, args ...any) { panic(&Veto{fmt.Sprintf(format, args...)}) }

// level is what one nesting level runs on.
type level struct {
	pool   bool
	width  int  // lanes, 1 if the level does not use them
	marked int  // lanes of a loop over scalars that the compiler of what is printed runs in them, 0 for none
	unroll int  // vectors (or scalar copies) in flight
	tile   int  // elements that are computed together, see tile.go
	sums   bool // the reductions of a tile are one routine
	scan   string
	stream bool // a scan writes past the caches
	row    bool // a sparse row product is one routine call

	// On devices:
	par    bool         // the level is spread over resources
	on     kir.Resource // which
	reduce string       // how the work-items of a team combine
	grain  int          // elements of a scan that a work-item takes at a time
	flight int          // elements that a work-item has in flight
	radix  int          // bits of a digit that keys are sorted by
	stage  int          // elements that each work-item reads into a tile of local memory, 0 for no tiles
}

func (l level) lanes() bool { return l.width > 1 }

// deviceResources are the values of execution_resource on platforms with work-items. There, a lane is a work-item.
var deviceResources = map[string]kir.Resource{"grid": kir.Grid, "group": kir.Group, "warp": kir.Warp}

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
		at := func(name string) string {
			value, _ := v.Get(name + "_" + strconv.Itoa(i+1))
			return value
		}
		l := level{width: 1, unroll: 1, scan: at("scan_algo"), sums: at("tile_algo") == "routine", row: at("gather_algo") == "row", stream: at("store_algo") == "stream"}
		if u := at("unroll"); u != "" {
			if l.unroll, err = strconv.Atoi(u); err != nil {
				return nil, fmt.Errorf("unroll_%d=%s is not a number", i+1, u)
			}
		}
		if t := at("tile"); t != "" {
			if l.tile, err = strconv.Atoi(t); err != nil {
				return nil, fmt.Errorf("tile_%d=%s is not a number", i+1, t)
			}
		}
		if s[i] != schedule.Sequential {
			for _, r := range strings.Split(at("execution_resource"), "+") {
				if on, ok := deviceResources[r]; ok {
					l.par, l.on = true, on
					continue
				}
				switch r {
				case "pool", "team":
					l.pool = true
				case "lane":
					if l.row {
						continue
					}
					if n := at("simdlen"); n != "" {
						if l.marked, err = strconv.Atoi(n); err != nil {
							return nil, fmt.Errorf("simdlen_%d=%s is not a number", i+1, n)
						}
						continue
					}
					if at("vector_width") == "" {
						l.par, l.on = true, kir.Item
						continue
					}
					if l.width, err = strconv.Atoi(at("vector_width")); err != nil {
						return nil, fmt.Errorf("vector_width_%d=%s is not a number", i+1, at("vector_width"))
					}
				default:
					return nil, fmt.Errorf("execution_resource_%d=%s is neither pool, team, lane, nor one of the first two and lane", i+1, r)
				}
			}
		}
		l.reduce, l.grain, l.flight = at("block_reduce_algo"), 1, 1
		if f := at("in_flight"); f != "" {
			if l.flight, err = strconv.Atoi(f); err != nil {
				return nil, fmt.Errorf("in_flight_%d=%s is not a number", i+1, f)
			}
		}
		if r := at("sort_radix_bits"); r != "" {
			if l.radix, err = strconv.Atoi(r); err != nil {
				return nil, fmt.Errorf("sort_radix_bits_%d=%s is not a number", i+1, r)
			}
		}
		if t := at("local_tile"); t != "" {
			if l.stage, err = strconv.Atoi(t); err != nil {
				return nil, fmt.Errorf("local_tile_%d=%s is not a number", i+1, t)
			}
		}
		if a := at("block_scan_algo"); a != "" {
			l.scan = a
		}
		if g := at("block_scan_grain_size"); g != "" {
			if l.grain, err = strconv.Atoi(g); err != nil {
				return nil, fmt.Errorf("block_scan_grain_size_%d=%s is not a number", i+1, g)
			}
		}
		levels[i] = l
	}
	return levels, nil
}
