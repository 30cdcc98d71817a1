package rt

const (
	// longChunk is the most iterations that an automatic chunk has. It bounds
	// the time between two looks at the stop flag.
	longChunk = 1 << 16
	// grain is the unit to which boundaries of long automatic chunks are
	// rounded: whole cache lines of output and whole vectors inside, so that
	// only the last chunk has a ragged end.
	grain = 64
	// dynamicShare is the number of automatic dynamic chunks a thread.
	dynamicShare = 16
	// guidedShare bounds an automatic guided chunk from below: a thread's equal
	// share divided by guidedShare.
	guidedShare = 128
	// maxBatches bounds the table of guided sizes: each batch halves what
	// remains.
	maxBatches = 64
)

// batch is a group of guided chunks of one size, one chunk a thread. It
// starts at iteration lo.
type batch struct{ lo, size int }

// partition is the division of [0,n) into chunks. It depends on n and the
// loop's parameters only.
type partition struct {
	n      int
	loop   Loop
	valid  bool
	thread int // threads, clamped
	chunks int

	// Static loops deal chunks to lanes; lane t belongs to worker t modulo lanes.
	lanes int
	// Static loops without a chunk size: chunks a block, blocks = lanes, and the
	// rounding unit. split is 0 otherwise.
	split, unit int

	// size is the chunk size of dynamic loops and of static ones with a chunk
	// size, and of the first `long` chunks of a guided loop.
	size int
	long int

	batches int
	batch   [maxBatches]batch

	rows *Rows // which say the bounds of chunks, nil where these follow from n and the loop
}

// given makes the partition of rows that were cut. Its chunks are handed out in order.
func (p *partition) given(l Loop, rows *Rows) {
	l.Schedule = Dynamic
	p.n, p.loop, p.valid, p.thread = rows.n, l, false, clampThreads(l.Threads)
	p.chunks, p.rows = len(rows.bounds)/2, rows
}

// Chunks returns the number of chunks into which a loop over [0,n) with
// parameters l is cut: 0 if n <= 0, and never more than MaxChunks. It is a
// pure function of its arguments.
func Chunks(n int, l Loop) int {
	var p partition
	p.init(n, l)
	return p.chunks
}

// Bounds returns the iterations [lo,hi) of one chunk of a loop over [0,n) with
// parameters l, for 0 <= chunk < Chunks(n, l). Chunks are numbered in
// increasing order of iterations and are never empty. It is a pure function
// of its arguments.
func Bounds(n int, l Loop, chunk int) (lo, hi int) {
	var p partition
	p.init(n, l)
	return p.bounds(chunk)
}

// init computes the partition, or keeps it if it is already that of n and l.
func (p *partition) init(n int, l Loop) {
	if p.valid && p.n == n && p.loop == l {
		return
	}
	p.n, p.loop, p.valid, p.rows = n, l, true, nil
	p.thread = clampThreads(l.Threads)
	p.split, p.long, p.batches = 0, 0, 0
	if n <= 0 {
		p.chunks = 0
		return
	}
	// least keeps the number of chunks within MaxChunks.
	least := ceilDiv(n, MaxChunks)
	switch l.Schedule {
	case Dynamic:
		p.size = l.Chunk
		if p.size <= 0 {
			p.size = min(roundUp(ceilDiv(n, p.thread*dynamicShare)), longChunk)
		}
		p.size = min(max(p.size, least), n)
		p.chunks = ceilDiv(n, p.size)
	case Guided:
		p.guided(max(l.Chunk, 0))
	default:
		if l.Chunk > 0 {
			p.size = min(max(l.Chunk, least), n)
			p.chunks = ceilDiv(n, p.size)
			p.lanes = min(p.thread, p.chunks)
			return
		}
		p.blocks()
	}
}

// blocks cuts a static loop without a chunk size: one block a thread, each of
// `split` chunks.
func (p *partition) blocks() {
	p.unit = 1
	if p.n/p.thread >= grain*grain {
		p.unit = grain
	}
	units := ceilDiv(p.n, p.unit)
	p.lanes = min(p.thread, units)
	p.split = ceilDiv(ceilDiv(units, p.lanes), longChunk/p.unit)
	p.split = min(p.split, MaxChunks/p.lanes)
	p.chunks = p.lanes * p.split
}

// guided cuts a guided loop. A chunk has remaining/(2*threads) iterations,
// and at least the chunk size, where what remains is counted at the start of
// a batch of one chunk a thread; so sizes follow from the position alone and
// the table is short. Long chunks are capped like those of other schedules.
func (p *partition) guided(least int) {
	shares := 2 * p.thread
	top := max(longChunk, ceilDiv(p.n, MaxChunks/2))
	if least == 0 {
		least = max(1, roundUp(p.n/(p.thread*guidedShare)))
		least = min(least, top)
	}
	least = min(max(least, ceilDiv(p.n, MaxChunks/2)), p.n)
	top = max(top, least)
	p.size = top

	left := p.n
	if cut := left / shares; cut > top {
		p.long = (left - shares*top) / top
		left -= p.long * top
	}
	p.chunks = p.long
	for left > 0 {
		size := min(roundUp(ceilDiv(left, shares)), top)
		b := &p.batch[p.batches]
		p.batches++
		b.lo = p.n - left
		if size <= least || p.batches == maxBatches {
			b.size = least
			p.chunks += ceilDiv(left, least)
			return
		}
		b.size = size
		p.chunks += p.thread
		left -= p.thread * size
	}
}

// bounds returns the iterations of one chunk.
func (p *partition) bounds(chunk int) (lo, hi int) {
	switch {
	case p.rows != nil:
		return p.rows.bounds[2*chunk], p.rows.bounds[2*chunk+1]
	case p.loop.Schedule == Guided && chunk >= p.long:
		k := chunk - p.long
		j := min(k/p.thread, p.batches-1)
		b := &p.batch[j]
		lo = b.lo + (k-j*p.thread)*b.size
		return lo, lo + min(b.size, p.n-lo)
	case p.split == 1:
		lo, hi = share(ceilDiv(p.n, p.unit), p.lanes, chunk)
		return lo * p.unit, min(hi*p.unit, p.n)
	case p.split > 1:
		block := chunk / p.split
		first, end := share(ceilDiv(p.n, p.unit), p.lanes, block)
		lo, hi = share(end-first, p.split, chunk-block*p.split)
		return (first + lo) * p.unit, min((first+hi)*p.unit, p.n)
	default:
		lo = chunk * p.size
		return lo, lo + min(p.size, p.n-lo)
	}
}

// laneChunks returns how many chunks lane t of a static loop has.
func (p *partition) laneChunks(t int) int {
	if p.split > 0 {
		return p.split
	}
	return ceilDiv(p.chunks-t, p.lanes)
}

// laneChunk returns the number of the j-th chunk of lane t of a static loop.
func (p *partition) laneChunk(t, j int) int {
	if p.split > 0 {
		return t*p.split + j
	}
	return t + j*p.lanes
}

// share returns part k of n things dealt to `parts` contiguous parts, the
// longer ones first.
func share(n, parts, k int) (lo, hi int) {
	each, extra := n/parts, n%parts
	lo = k*each + min(k, extra)
	hi = lo + each
	if k < extra {
		hi++
	}
	return lo, hi
}

// roundUp rounds the size of a long chunk up to whole grains. Short ones, of
// which each iteration is presumably heavy, keep their size.
func roundUp(size int) int {
	if size < 8*grain {
		return size
	}
	return (size + grain - 1) &^ (grain - 1)
}

func ceilDiv(a, b int) int {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}
