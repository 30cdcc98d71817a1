package cluster

import "math"

// Work is what a run of a kernel takes, in bytes and seconds of one worker.
type Work struct {
	Elements   int     // of the outermost level
	Steps      int     // steps that run for each block, writing results among them
	Turns      int     // stages whose partials are combined or listed
	Broadcast  int64   // bytes that each worker gets or reads whole, for each stage
	Read       int64   // bytes that blocks read of the parameters that are cut, in all stages
	Kept       int64   // bytes that all blocks yield to results and to later stages
	Partial    int64   // bytes that a block yields to be put together, in all stages
	Moved      int64   // bytes of elements that go to other blocks in sorts
	PerElement float64 // seconds of the kernel for an element, in all stages
	Once       float64 // seconds of what runs once
}

// Machines are what does the work: workers, and what they and the engine take. Rates are bytes in a second.
type Machines struct {
	Workers int
	// AtOnce is how many workers have processors, if workers share a machine; 0 stands for all.
	AtOnce   int
	FanIn    int     // of how many blocks partials are combined at first
	Network  float64 // of one worker, and of whoever sends to all
	Disk     float64 // at which a worker reads and writes shards
	Merge    float64 // at which a worker combines partials
	Pipeline float64 // seconds that a pipeline takes without any block
	Block    float64 // seconds that a worker takes for a block and a step besides the kernel
	Schedule float64 // seconds that the engine takes for a block and a step, one after the other
}

// Estimate is what a run is thought to take.
type Estimate struct {
	Workers, BlockSize, Blocks int

	Sent     int64 // bytes to all workers together that each of them gets whole
	Shuffled int64 // bytes of partials, and of elements that are sorted, that go from worker to worker
	Combined int64 // bytes of partials that the last turn combines on one worker

	Send, Blocked, Combine float64 // seconds of sending, of all blocks, and of combining
	Seconds                float64 // in all
}

// Estimate says what the work takes in blocks of a size. Blocks come in rounds of as many as there are workers; the
// engine hands them out one after the other, and partials are combined in two turns, of some blocks and then of all.
func (w Work) Estimate(m Machines, blockSize int) Estimate {
	e := Estimate{Workers: max(m.Workers, 1), BlockSize: max(blockSize, 1), Blocks: 1}
	if w.Elements > 0 {
		e.Blocks = (w.Elements-1)/e.BlockSize + 1
	}
	busy := e.Workers
	if m.AtOnce > 0 {
		busy = min(busy, m.AtOnce)
	}
	fanIn := max(m.FanIn, 1)
	steps := float64(max(w.Steps, 1))

	e.Sent = w.Broadcast * int64(e.Workers)
	e.Send = float64(e.Sent) / m.Network

	elements := float64(w.Elements) / float64(e.Blocks)
	block := steps*m.Block + elements*w.PerElement + float64(w.Read+w.Kept)/float64(e.Blocks)/m.Disk + float64(w.Moved)/float64(e.Blocks)/m.Network
	rounds := math.Ceil(float64(e.Blocks) / float64(busy))
	e.Blocked = max(rounds*block, float64(e.Blocks)*steps*m.Schedule)

	e.Shuffled = w.Moved
	if w.Turns > 0 {
		groups := (e.Blocks-1)/fanIn + 1
		e.Shuffled += w.Partial * int64(e.Blocks+groups)
		e.Combined = w.Partial * int64(groups)
		each := float64(w.Partial) * (1/m.Network + 1/m.Merge)
		e.Combine = math.Ceil(float64(groups)/float64(busy))*float64(min(fanIn, e.Blocks))*each + float64(groups)*each
	}
	e.Seconds = m.Pipeline + w.Once + e.Send + e.Blocked + e.Combine
	return e
}

// BlockSize returns the size of blocks with the least estimate, of those that read from 64 KiB to limit bytes each and
// are these a power of two. Of sizes that take the same the largest one is returned.
func (w Work) BlockSize(m Machines, limit int64) int {
	if w.Elements < 1 {
		return 1
	}
	each := max(float64(w.Read+w.Kept)/float64(w.Elements), 1)
	best, least := w.Elements, math.Inf(1)
	for bytes := int64(64 << 10); bytes <= limit; bytes *= 2 {
		size := max(min(int(float64(bytes)/each), w.Elements), 1)
		if s := w.Estimate(m, size).Seconds; s <= least {
			best, least = size, s
		}
	}
	return best
}
