package interp

import "math/rand/v2"

// Order is the order in which work-items run up to the next barrier, workgroups, and chunks.
type Order uint8

// The orders.
const (
	Ascending Order = iota
	Descending
	Random // another one each time
)

// Options say how code runs.
type Options struct {
	Order Order
	Seed  uint64 // of all that is random
	Steps int    // statements that may run; 0: 100 million

	// Of devices. What is 0 is 1, but for Groups and Subgroup.
	Items     int  // work-items of a group
	Warp      int  // work-items of a logical warp, a divisor of Items
	Groups    int  // the most workgroups of launches that stride over what lies beyond; 0: as many as they say
	Grain     int  // elements that a resource runs one after the other, where the code lets that be chosen
	Subgroup  int  // work-items of a subgroup; 0: Items
	Blockwise bool // a team's share of a loop is a run of neighbours

	// Of the pool.
	Chunk int // the most elements of a chunk; 0: 4
}

func (o Options) steps() int {
	if o.Steps > 0 {
		return o.Steps
	}
	return 100e6
}

func (o Options) items() int { return max(o.Items, 1) }

func (o Options) warp() int { return max(o.Warp, 1) }

func (o Options) subgroup() int {
	if o.Subgroup > 0 {
		return min(o.Subgroup, o.items())
	}
	return o.items()
}

// order returns the numbers below n as they come.
func (r *run) order(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
		if r.opt.Order == Descending {
			all[i] = n - 1 - i
		}
	}
	if r.opt.Order == Random {
		r.rng.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

func newRun(f *Frame, opt Options, c *code) *run {
	return &run{root: &stand{}, frame: f, opt: opt, code: c, rng: rand.New(rand.NewPCG(opt.Seed, 1)), results: map[string]*memory{}, cuts: map[int]int{}}
}
