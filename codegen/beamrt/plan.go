package beamrt

import (
	"context"
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Plan is what a run would do.
type Plan struct {
	Kernel    string
	Elements  int // of the outermost level
	Blocks    int
	BlockSize int
	Read      int64 // bytes of parts that all blocks of all stages read
	Broadcast int64 // bytes that each worker gets or reads whole
	Partials  int64 // bytes that a block of the first stage yields to be put together, as its first block does
	Kept      int64 // bytes that a block of the first stage yields to later ones and to results, as its first block does
	Steps     []string
}

// Dry does what a run does before its first pipeline, and the first block, and says what would follow.
func Dry(ctx context.Context, o Options) (*Plan, error) {
	k := o.Kernel
	if err := k.Check(); err != nil {
		return nil, err
	}
	s, err := begin(ctx, k, o.Inputs, o.BlockSize)
	if err != nil {
		return nil, err
	}
	src, err := o.Inputs.Source(k)
	if err != nil {
		return nil, err
	}
	wholes, err := k.Begin(ctx, src)
	if err != nil {
		return nil, err
	}
	if err := k.Once(ctx, 0, wholes); err != nil {
		return nil, err
	}
	blocks, err := k.Blocks(wholes, s.Size)
	if err != nil {
		return nil, err
	}
	p := &Plan{Kernel: k.Name, Blocks: len(blocks), BlockSize: s.Size, Elements: blocks[len(blocks)-1].First + blocks[len(blocks)-1].Count}
	for i, param := range k.Params {
		switch {
		case !param.Cut:
			p.Broadcast += int64(cluster.Size(wholes[i]))
			p.Steps = append(p.Steps, fmt.Sprintf("%s goes to every worker whole: %s", param.Name, size(int64(cluster.Size(wholes[i])))))
		case o.Inputs[i].Shards == "":
			p.Broadcast += int64(cluster.Size(o.Inputs[i].Value))
			p.Steps = append(p.Steps, fmt.Sprintf("%s is cut by workers, which get it whole, as it is a value and no shards: %s", param.Name, size(int64(cluster.Size(o.Inputs[i].Value)))))
		default:
			p.Steps = append(p.Steps, fmt.Sprintf("%s is cut: workers read parts of %s", param.Name, o.Inputs[i].Shards))
		}
	}
	for i, stage := range k.Stages {
		if stage.Whole != nil {
			p.Steps = append(p.Steps, fmt.Sprintf("stage %d: once, on one worker", i))
		}
		if stage.Block == nil {
			continue
		}
		var read int64
		for j := range k.Cuts {
			if param := k.Cuts[j].Param; k.Needed(i)(j) {
				all, err := src.Len(ctx, param)
				if err != nil {
					return nil, err
				}
				read += bytesOf(k.Params[param], all)
			}
		}
		p.Read += read
		what := fmt.Sprintf("stage %d: each of %d blocks by itself, of %s", i, len(blocks), size(read/int64(len(blocks))))
		if combined, listed := partials(stage); combined+listed > 0 {
			what += fmt.Sprintf("; of what it yields %d values are combined and %d are listed", combined, listed)
		}
		p.Steps = append(p.Steps, what)
	}
	if first := k.Stages[0]; first.Block != nil {
		parts, err := k.Load(ctx, src, 0, blocks[0], wholes, nil)
		if err != nil {
			return nil, err
		}
		yields, err := k.Each(ctx, 0, blocks[0], wholes, parts)
		if err != nil {
			return nil, err
		}
		k.Keep(1, parts)
		p.Partials, p.Kept = int64(cluster.Size(yields...)), int64(cluster.Size(parts...))
	}
	return p, nil
}

func partials(s cluster.Stage) (combined, listed int) {
	for _, p := range s.Partials {
		if p.Listed {
			listed++
		} else {
			combined++
		}
	}
	return combined, listed
}

// bytesOf returns how many bytes the elements of a cut parameter take; of rows it is their offsets alone.
func bytesOf(p cluster.Param, n int) int64 {
	if p.Rank > 1 {
		return 8 * int64(n)
	}
	widths := map[string]int64{"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float32": 4}
	if w, ok := widths[p.Kind]; ok {
		return w * int64(n)
	}
	return 8 * int64(n)
}

// String prints a plan, a line for each step.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d elements in %d blocks of %d\n", p.Kernel, p.Elements, p.Blocks, p.BlockSize)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	fmt.Fprintf(&b, "  to each worker: %s; read by blocks: %s in all\n", size(p.Broadcast), size(p.Read))
	fmt.Fprintf(&b, "  the first block yields %s to be put together, which makes %s of all blocks, and %s that stay with it, %s\n",
		size(p.Partials), size(p.Partials*int64(p.Blocks)), size(p.Kept), size(p.Kept*int64(p.Blocks)))
	return b.String()
}

// size prints a number of bytes.
func size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
