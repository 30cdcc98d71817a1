package cluster

import (
	"context"
	"slices"
)

// Gathered are the partials of some blocks of a stage. Those of blocks 2i and 2i+1 are combined, of pairs of these, and
// so on, so that what comes of all blocks does not depend on the order in which they arrive, nor on where.
type Gathered []Node

// Node holds what the partials of blocks [Index·2^Level, (Index+1)·2^Level) are together: combined, or listed as a
// slice.
type Node struct {
	Level, Index int
	Values       []Value
}

func (n Node) first() int { return n.Index << n.Level }
func (n Node) end() int   { return (n.Index + 1) << n.Level }

// Add adds the partials of a block.
func (k *Kernel) Add(ctx context.Context, stage int, g Gathered, block int, partials []Value) (Gathered, error) {
	values := slices.Clone(partials)
	for i, p := range k.Stages[stage].Partials {
		if _, rank := TypeOf(values[i]); p.Listed && rank == 0 {
			values[i] = Single(values[i])
		}
	}
	return k.Merge(ctx, stage, g, Gathered{{Index: block, Values: values}})
}

// Merge puts together the partials of different blocks. It may change the first ones.
func (k *Kernel) Merge(ctx context.Context, stage int, a, b Gathered) (Gathered, error) {
	for _, n := range b {
		at, _ := slices.BinarySearchFunc(a, n, func(x, y Node) int { return x.first() - y.first() })
		if at < len(a) && a[at].first() < n.end() || at > 0 && a[at-1].end() > n.first() {
			return nil, k.fail(n.first(), "block %d yields partials of stage %d twice", n.first(), stage)
		}
		a = slices.Insert(a, at, n)
		for {
			left := at
			if a[at].Index%2 == 1 {
				left--
			}
			if left < 0 || left+1 >= len(a) || a[left].Level != a[left+1].Level || a[left].Index+1 != a[left+1].Index {
				break
			}
			values, err := k.combine(ctx, stage, a[left], a[left+1])
			if err != nil {
				return nil, err
			}
			a[left] = Node{Level: a[left].Level + 1, Index: a[left].Index / 2, Values: values}
			a, at = slices.Delete(a, left+1, left+2), left
		}
	}
	return a, nil
}

// Finish sets the whole values that come of the partials of all blocks.
func (k *Kernel) Finish(ctx context.Context, stage int, g Gathered, blocks int, wholes []Value) error {
	next := 0
	for _, n := range g {
		if n.first() != next {
			break
		}
		next = n.end()
	}
	if next != blocks || len(g) == 0 {
		return k.fail(next, "stage %d: partials of block %d are missing, or of more than %d blocks", stage, next, blocks)
	}
	all := g[len(g)-1]
	for i := len(g) - 2; i >= 0; i-- {
		values, err := k.combine(ctx, stage, g[i], all)
		if err != nil {
			return err
		}
		all = Node{Values: values}
	}
	for i, p := range k.Stages[stage].Partials {
		wholes[p.Whole] = all.Values[i]
	}
	if k.Stages[stage].Sort != nil {
		return k.split(stage, blocks, wholes)
	}
	return nil
}

// combine puts the partials of some blocks together with those of the blocks right behind them.
func (k *Kernel) combine(ctx context.Context, stage int, earlier, later Node) ([]Value, error) {
	s := k.Stages[stage]
	values := make([]Value, len(s.Partials))
	var a, b []Value
	if len(earlier.Values) != len(values) || len(later.Values) != len(values) {
		return nil, k.fail(earlier.first(), "stage %d has %d partials, and not %d", stage, len(values), len(later.Values))
	}
	for i, p := range s.Partials {
		if !p.Listed {
			a, b = append(a, earlier.Values[i]), append(b, later.Values[i])
			continue
		}
		list, err := Concat([]Value{earlier.Values[i], later.Values[i]})
		if err != nil {
			return nil, k.fail(earlier.first(), "%v", err)
		}
		values[i] = list
	}
	if a == nil {
		return values, nil
	}
	combined, err := s.Combine(ctx, a, b)
	if err != nil {
		return nil, k.failed(err, -1, nil, nil)
	}
	if len(combined) != len(a) {
		return nil, k.fail(-1, "stage %d combines %d partials to %d", stage, len(a), len(combined))
	}
	for i, p := range s.Partials {
		if !p.Listed {
			values[i], combined = combined[0], combined[1:]
		}
	}
	return values, nil
}
