package blockwise

import (
	"context"
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/input"
)

// Plan is what a run would do.
type Plan struct {
	Kernel    string
	BlockSize int
	Work      cluster.Work // partials, and what blocks keep, as the first elements yield them
	Measured  bool         // how long the kernel takes for these
	Steps     []string
	Estimates []cluster.Estimate // for one worker and for more
}

// Run is a kernel with its inputs, and what is known of a run of it.
type Run struct {
	Kernel *cluster.Kernel
	Inputs Inputs
	FanIn  int // of how many blocks partials are combined at first, 0 for [DefaultFanIn]
	// Interpreted says that the kernel's steps are not compiled, so that how long they take says nothing.
	Interpreted bool
}

// Plan does what a run does before its first pipeline, and the first elements, and says what would follow in blocks of
// a size, and how long it would take on so many workers, or on 1 to 1,000 if none are given.
func (r Run) Plan(ctx context.Context, blockSize int, workers ...int) (*Plan, error) {
	k, in := r.Kernel, r.Inputs.Complete(r.Kernel)
	src, wholes, err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	p := &Plan{Kernel: k.Name, BlockSize: blockSize, Measured: !r.Interpreted}
	if p.Work, _, err = r.work(ctx, src, wholes); err != nil {
		return nil, err
	}
	if len(workers) == 0 {
		workers = []int{1, 2, 4, 10, 100, 1000}
	}
	for _, n := range workers {
		p.Estimates = append(p.Estimates, p.Work.Estimate(Machines(n, r.FanIn), blockSize))
	}
	blocks := p.Blocks()
	for i, param := range k.Params {
		switch {
		case !param.Cut:
			p.Steps = append(p.Steps, fmt.Sprintf("%s goes to every worker whole: %s", param.Name, size(int64(cluster.Size(wholes[i])))))
		case in[i].Shards == "":
			p.Steps = append(p.Steps, fmt.Sprintf("%s is cut by workers, which get it whole, as it is a value and no shards: %s", param.Name, size(int64(cluster.Size(in[i].Value)))))
		default:
			p.Steps = append(p.Steps, fmt.Sprintf("%s is cut: workers read parts of %s", param.Name, in[i].Shards))
		}
	}
	for i, stage := range k.Stages {
		if stage.Whole != nil {
			p.Steps = append(p.Steps, fmt.Sprintf("stage %d: once, on one worker", i))
		}
		if stage.Block == nil {
			continue
		}
		read, err := reads(ctx, k, src, i)
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("stage %d: each of %s by itself, of %s", i, plural(blocks, "block"), size(read/int64(blocks)))
		if combined, listed := partials(stage); combined+listed > 0 {
			what += fmt.Sprintf("; of what it yields %s combined and %s listed", are(combined, "value"), are(listed, "value"))
		}
		p.Steps = append(p.Steps, what)
		if stage.Sort != nil {
			how := "elements are sorted, and go to the block of their keys"
			if stage.Sort.Placed {
				how = "elements go to the block of their places"
			}
			p.Steps = append(p.Steps, fmt.Sprintf("stage %d: %s; %s moved with them, in all up to %s", i, how, are(len(stage.Sort.Moved), "value"), size(p.Work.Moved)))
		}
	}
	return p, nil
}

// Dry fills in the plan of a request whose size of blocks is known.
func (r Run) Dry(ctx context.Context, q *cluster.Request, a *cluster.Answer) error {
	var workers []int
	if q.Workers > 0 {
		workers = []int{q.Workers}
	}
	plan, err := r.Plan(ctx, a.Size, workers...)
	if err == nil {
		a.Plan, a.Estimates = plan.String(), plan.Estimates
	}
	return err
}

// Blocks is how many blocks there are.
func (p *Plan) Blocks() int { return p.Estimates[0].Blocks }

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

// bytesOf returns how many bytes n elements of cut parameter i take, with where each row begins if they are rows.
func bytesOf(k *cluster.Kernel, src cluster.Source, i, n int) int64 {
	p, width := k.Params[i], int64(8)
	if kind, err := input.ParseKind(p.Kind); err == nil {
		width = int64(kind.Size())
	}
	if p.Rank < 2 {
		return width * int64(n)
	}
	s, ok := src.(*source)
	switch {
	case !ok:
		return 8 * int64(n)
	case s.shards[i] != nil:
		return (width*int64(s.shards[i].Columns()) + 8) * int64(n)
	}
	return int64(cluster.Size(s.values[i]))
}

// String prints a plan, a line for each step and each number of workers.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in %s of %d\n", p.Kernel, plural(p.Work.Elements, "element"), plural(p.Blocks(), "block"), p.BlockSize)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	fmt.Fprintf(&b, "  to each worker: %s; read by blocks: %s in all\n", size(p.Work.Broadcast), size(p.Work.Read))
	fmt.Fprintf(&b, "  as the first elements tell, a block yields %s to be put together, which makes %s of all blocks, and all keep %s\n",
		size(p.Work.Partial), size(p.Work.Partial*int64(p.Blocks())), size(p.Work.Kept))
	if p.Measured {
		fmt.Fprintf(&b, "  the kernel takes %s of one worker like this one; with what Prism and a network take, it would be\n",
			seconds(p.Work.PerElement*float64(p.Work.Elements)))
	} else {
		fmt.Fprintf(&b, "  if the kernel read %s of its input in a second, which a run measures, it would take, with Prism and a network,\n", size(usualRate))
	}
	for _, e := range p.Estimates {
		fmt.Fprintf(&b, "    %s\n", estimateText(e))
	}
	return b.String()
}

// estimateText is an estimate on a line.
func estimateText(e cluster.Estimate) string {
	return fmt.Sprintf("%-12s %8s: blocks %s, sending %s (%s), combining %s (%s shuffled)", plural(e.Workers, "worker"), seconds(e.Seconds), seconds(e.Blocked),
		seconds(e.Send), size(e.Sent), seconds(e.Combine), size(e.Shuffled))
}

// plural is a number of things, are that with the verb.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func are(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return plural(n, thing) + " are"
}

// seconds prints a time.
func seconds(s float64) string {
	switch {
	case s >= 100:
		return fmt.Sprintf("%.0f s", s)
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	}
	return fmt.Sprintf("%.3g ms", 1e3*s)
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
