package cluster

import (
	"context"
	"fmt"
	"slices"
)

// Check says what is wrong with a description, so that a driver need not look again.
func (k *Kernel) Check() error {
	within := func(list []int, n int) bool {
		for _, x := range list {
			if x < 0 || x >= n {
				return false
			}
		}
		return true
	}
	terms := func(c Cut) bool { return max(c.Times.Slot, c.Lo.Slot, c.Hi.Slot) < k.Wholes }
	switch {
	case k.Wholes < len(k.Params) || k.Parts < 2*len(k.Cuts) || !within([]int{k.Length}, k.Wholes):
		return k.fail(-1, "%d whole values and %d block values are too few", k.Wholes, k.Parts)
	case len(k.Stages) == 0 || k.Stages[0].Block == nil && k.Stages[0].Whole == nil:
		return k.fail(-1, "there is no step")
	}
	for i, c := range k.Cuts {
		if !within([]int{c.Param}, len(k.Params)) || !k.Params[c.Param].Cut || k.cutOf(c.Param) != i || !terms(c) {
			return k.fail(-1, "cut %d is of no parameter that is cut once", i)
		}
		if by := k.cutOf(c.By); c.By >= 0 && (by < 0 || by >= i || k.Params[c.By].Rank != 1) {
			return k.fail(-1, "cut %d goes by a parameter that is not read before it", i)
		}
	}
	for i, p := range k.Params {
		if p.Cut != (k.cutOf(i) >= 0) || p.Cut && p.Rank == 0 {
			return k.fail(-1, "parameter %s: it is not known how it is cut", p.Name)
		}
	}
	for i, s := range k.Stages {
		for _, step := range []*Step{s.Whole, s.Block} {
			out := k.Wholes
			if step == nil {
				continue
			} else if step == s.Block {
				out = k.Parts
			}
			if !within(step.Wholes, k.Wholes) || !within(step.Parts, k.Parts) || !within(step.Out, out) || step == s.Whole && len(step.Parts) > 0 {
				return k.fail(-1, "stage %d takes or yields values that there are not", i)
			}
		}
		if err := k.checkSort(i); err != nil {
			return err
		}
		combined := false
		for _, p := range s.Partials {
			combined = combined || !p.Listed
			if s.Block == nil || !within([]int{p.Whole}, k.Wholes) {
				return k.fail(-1, "stage %d has partials of no block", i)
			}
		}
		if combined && s.Combine == nil {
			return k.fail(-1, "stage %d does not say how partials are combined", i)
		}
	}
	for _, r := range k.Results {
		if n := k.Wholes; r.Slot < 0 || !r.Block && r.Slot >= n || r.Block && r.Slot >= k.Parts {
			return k.fail(-1, "result %s is a value that there is not", r.Name)
		}
	}
	return nil
}

// Begin returns the whole values before any step: the parameters, with the lengths of those that are cut.
func (k *Kernel) Begin(ctx context.Context, src Source) ([]Value, error) {
	wholes := make([]Value, k.Wholes)
	for i, p := range k.Params {
		n, err := src.Len(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		if p.Cut {
			wholes[i] = n
			continue
		}
		if wholes[i], err = src.Read(ctx, i, 0, n); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", k.Name, p.Name, err)
		}
		if err := k.fits(i, wholes[i], n); err != nil {
			return nil, err
		}
	}
	return wholes, nil
}

// Once does the step of a stage that runs once, if there is one: it sets whole values, and drops those that nothing
// behind it reads.
func (k *Kernel) Once(ctx context.Context, stage int, wholes []Value) error {
	step := k.Stages[stage].Whole
	if step == nil {
		return nil
	}
	out, err := step.Run(ctx, Place{}, pick(wholes, step.Wholes), nil)
	if err != nil {
		return k.failed(err, -1, nil, nil)
	}
	if len(out) != len(step.Out) {
		return k.fail(-1, "stage %d yields %d values of %d", stage, len(out), len(step.Out))
	}
	for i, slot := range step.Out {
		wholes[slot] = out[i]
	}
	k.forget(stage, wholes)
	return nil
}

// forget drops whole values that nothing behind the step of a stage that runs once reads: what was listed of all blocks
// for that step goes to no worker again.
func (k *Kernel) forget(stage int, wholes []Value) {
	needed := make([]bool, k.Wholes)
	need := func(slots ...int) {
		for _, slot := range slots {
			if slot >= 0 {
				needed[slot] = true
			}
		}
	}
	need(k.Length)
	for _, c := range k.Cuts {
		need(c.Times.Slot, c.Lo.Slot, c.Hi.Slot)
	}
	for _, r := range k.Results {
		if !r.Block {
			need(r.Slot)
		}
	}
	for i, s := range k.Stages[stage:] {
		if s.Whole != nil && i > 0 {
			need(s.Whole.Wholes...)
		}
		if s.Block != nil {
			need(s.Block.Wholes...)
		}
		if s.Sort != nil && s.Sort.Placed {
			need(s.Sort.Width)
		}
	}
	for slot := len(k.Params); slot < k.Wholes; slot++ {
		if !needed[slot] {
			wholes[slot] = nil
		}
	}
}

// Blocks returns the blocks of a run, of size elements each but for the last one. Of no elements there is one block.
func (k *Kernel) Blocks(wholes []Value, size int) ([]Place, error) {
	n, err := k.int(wholes, k.Length)
	if err != nil {
		return nil, err
	}
	if n < 0 || size < 1 {
		return nil, k.fail(-1, "%d elements cannot be cut into blocks of %d", n, size)
	}
	blocks := make([]Place, 0, max(1, (n-1)/size+1))
	for first := 0; first < n || first == 0; first += min(size, n-first) {
		blocks = append(blocks, Place{First: first, Count: min(size, n-first), Block: len(blocks)})
		if n == 0 {
			break
		}
	}
	return blocks, nil
}

// Each does the step of a stage for one block, whose values it sets, and returns the partials.
func (k *Kernel) Each(ctx context.Context, stage int, at Place, wholes, parts []Value) ([]Value, error) {
	s := k.Stages[stage]
	out, err := s.Block.Run(ctx, at, pick(wholes, s.Block.Wholes), pick(parts, s.Block.Parts))
	if err != nil {
		return nil, k.failed(err, at.Block, wholes, parts)
	}
	want := len(s.Block.Out) + len(s.Partials) - s.Sort.samples()
	if len(out) != want {
		return nil, k.fail(at.Block, "stage %d yields %d values of %d for a block", stage, len(out), want)
	}
	for i, slot := range s.Block.Out {
		parts[slot] = out[i]
	}
	partials := out[len(s.Block.Out):]
	if s.Sort != nil {
		some, err := k.within(stage, at, parts)
		if err != nil {
			return nil, err
		}
		partials = slices.Concat(partials, some)
	}
	for i, p := range s.Partials {
		if kind, _ := TypeOf(partials[i]); p.Listed && kind == "" {
			return nil, k.fail(at.Block, "a %T cannot be listed", partials[i])
		}
	}
	return partials, nil
}

// Needed returns a function that says whether a block value is read by the steps of a stage, or by the sort before it.
// The results of blocks are read by the stage behind the last one.
func (k *Kernel) Needed(stage int) func(slot int) bool {
	needed := make([]bool, k.Parts)
	if stage > 0 {
		if s := k.Stages[stage-1].Sort; s != nil {
			for _, slot := range append(s.Slots(), s.From) {
				needed[slot] = true
			}
		}
	}
	if stage < len(k.Stages) {
		if step := k.Stages[stage].Block; step != nil {
			for _, slot := range step.Parts {
				needed[slot] = true
			}
		}
	} else {
		for _, r := range k.Results {
			if r.Block {
				needed[r.Slot] = true
			}
		}
	}
	return func(slot int) bool { return needed[slot] }
}

// Wanted reports whether a step of a block from a stage on reads a value, or it is a result.
func (k *Kernel) Wanted(stage, slot int) bool {
	for _, s := range k.Stages[stage:] {
		if s.Block != nil && slices.Contains(s.Block.Parts, slot) {
			return true
		}
	}
	return slices.ContainsFunc(k.Results, func(r Result) bool { return r.Block && r.Slot == slot })
}

// Keep drops the values of a block that no stage from this one on reads, and the parts of parameters, which are read
// again.
func (k *Kernel) Keep(stage int, parts []Value) {
	for slot := range parts {
		keep := false
		for s := stage; s <= len(k.Stages) && slot >= 2*len(k.Cuts); s++ {
			keep = keep || k.Needed(s)(slot)
		}
		if !keep {
			parts[slot] = nil
		}
	}
}

func pick(values []Value, slots []int) []Value {
	list := make([]Value, len(slots))
	for i, slot := range slots {
		list[i] = values[slot]
	}
	return list
}
