package exec

import (
	"unsafe"

	"github.com/surge-ndp/surge/selector"
)

// Packing is memory for the rows that a call packs which binds and runs a kernel once ([Kernel.Packing]), and for what
// its computations hand on to each other. New memory takes longer to come by, page by page, than numbers take to be
// written to it, so that the next call takes over what nothing refers to any more.
type Packing struct {
	kernel *Kernel
	option Option
	blocks [][]uint64 // in the order in which a call takes them
	taken  int
	kept   bool // something may refer to them when the call has ended
}

// Packing returns memory for one call of k, whose results are not the rows of its arguments.
func (k *Kernel) Packing() *Packing {
	p, ok := k.packings.Get().(*Packing)
	if !ok {
		p = &Packing{kernel: k}
		p.option = func(o *Options) { o.packing = p }
	}
	p.taken, p.kept = 0, false
	return p
}

// For returns the options of the call.
func (p *Packing) For(opts []Option) []Option { return append(opts[:len(opts):len(opts)], p.option) }

// Release leaves the memory to later calls, where the call has ended without an error.
func (p *Packing) Release(err error) {
	if err == nil && !p.kept {
		p.kernel.packings.Put(p)
	}
}

// keep says that results of the call, or something that outlives it, may refer to rows that it has packed.
func (p *Packing) keep() {
	if p != nil {
		p.kept = true
	}
}

// keepFor does so where a computation does not run on this machine's processors, in the time of the call.
func (p *Packing) keepFor(v *selector.Variant) {
	if v.Platform != selector.Host {
		p.keep()
	}
}

// Grow returns a slice of length n for a sequence of c's frame that is no result: in the memory of s if that is large
// enough, else, where the call binds and runs a kernel once, in what earlier calls have left, else in a new one. The
// elements are not cleared. Where no memory can hold so many elements the next computation fails.
func Grow[T any](c *Call, s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	if err := tooMany[T](c, n); err != nil { // and stays, though others fit
		c.unheld = err
		return s[:0]
	}
	room := max(n, 2*cap(s)) // a sequence that grows from turn to turn leaves its memory a few times only
	if p := c.opts.packing; p != nil {
		return memoryFor[T](p, room)[:n]
	}
	return make([]T, n, room)
}

// memoryFor returns an empty slice with room for n numbers, of p unless it is nil.
func memoryFor[T any](p *Packing, n int) []T {
	if p == nil || n == 0 {
		return make([]T, 0, n)
	}
	var zero T
	words := (n*int(unsafe.Sizeof(zero)) + 7) / 8
	if p.taken == len(p.blocks) {
		p.blocks = append(p.blocks, nil)
	}
	block := &p.blocks[p.taken]
	p.taken++
	if cap(*block) < words {
		*block = make([]uint64, words)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*block))), n)[:0]
}
