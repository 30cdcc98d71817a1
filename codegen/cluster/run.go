package cluster

import "context"

// Run runs a kernel in this process, block after block of blockSize elements, and returns its results. It is what the
// drivers of engines have to agree with, bit by bit. Besides the whole values and one block it holds what blocks yield.
func Run(ctx context.Context, k *Kernel, src Source, blockSize int) ([]Value, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	wholes, err := k.Begin(ctx, src)
	if err != nil {
		return nil, err
	}
	var blocks []Place
	var kept [][]Value // what steps of blocks have computed and later ones read
	for stage, s := range k.Stages {
		if err := k.Once(ctx, stage, wholes); err != nil {
			return nil, err
		}
		if stage == 0 {
			if blocks, err = k.Blocks(wholes, blockSize); err != nil {
				return nil, err
			}
			kept = make([][]Value, len(blocks))
		}
		if s.Block == nil {
			continue
		}
		var gathered Gathered
		for _, at := range blocks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			parts, err := k.Load(ctx, src, stage, at, wholes, kept[at.Block])
			if err != nil {
				return nil, err
			}
			partials, err := k.Each(ctx, stage, at, wholes, parts)
			if err != nil {
				return nil, err
			}
			if gathered, err = k.Add(ctx, stage, gathered, at.Block, partials); err != nil {
				return nil, err
			}
			k.Keep(stage+1, parts)
			kept[at.Block] = parts
		}
		if len(s.Partials) > 0 {
			if err := k.Finish(ctx, stage, gathered, len(blocks), wholes); err != nil {
				return nil, err
			}
		}
		if s.Sort != nil {
			if blocks, kept, err = k.sorted(ctx, stage, blocks, wholes, kept); err != nil {
				return nil, err
			}
		}
	}
	results := make([]Value, len(k.Results))
	for i, r := range k.Results {
		if !r.Block {
			results[i] = wholes[r.Slot]
			continue
		}
		list := make([]Value, len(blocks))
		for _, at := range blocks {
			parts, err := k.Load(ctx, src, len(k.Stages), at, wholes, kept[at.Block])
			if err != nil {
				return nil, err
			}
			list[at.Block] = parts[r.Slot]
		}
		if results[i], err = Concat(list); err != nil {
			return nil, k.fail(-1, "result %s: %v", r.Name, err)
		}
	}
	return results, nil
}

// Load returns the values of a block that a stage reads: the parts of parameters, and what was kept of earlier stages,
// nil if there was none.
func (k *Kernel) Load(ctx context.Context, src Source, stage int, at Place, wholes, kept []Value) ([]Value, error) {
	parts, err := k.Read(ctx, src, at, wholes, k.Needed(stage))
	if err != nil {
		return nil, err
	}
	if kept != nil {
		copy(parts[2*len(k.Cuts):], kept[2*len(k.Cuts):])
	}
	return parts, nil
}
