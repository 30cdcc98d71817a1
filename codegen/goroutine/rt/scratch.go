package rt

import (
	"reflect"
	"unsafe"
)

// Grow returns a slice of length n that reuses s's memory if that is large
// enough. The elements are not cleared: after growth they are zero, otherwise
// what they were.
func Grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, max(n, 2*cap(s)))
}

// Scratch returns n elements of w's scratch memory, aligned to 64 bytes, with
// unspecified contents. They are the caller's until the chunk (or the call of
// Run's fn) in which it took them returns, or until Release of an earlier
// Mark. When warm it allocates nothing. T is meant to be a numeric or boolean
// kind; for any other kind the memory comes from the heap.
func Scratch[T any](w *Worker, n int) []T {
	if k := reflect.TypeFor[T]().Kind(); k < reflect.Bool || k > reflect.Complex128 {
		return make([]T, n) // may hold pointers, which the arena would hide
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < 0 || n > maxScratch/size {
		panic("scratch memory of impossible size")
	}
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(w.scratch.take(n*size)), n)
}

// Zeroed is Scratch with elements that are zero.
func Zeroed[T any](w *Worker, n int) []T {
	s := Scratch[T](w, n)
	clear(s)
	return s
}

// GrowAll makes slices n elements long, as Grow does.
func GrowAll[T any](n int, slices ...*[]T) {
	for _, s := range slices {
		*s = Grow(*s, n)
	}
}

// Grown returns memory for n elements, of which the first keep are those at p. The others are zero.
func Grown[T any](p *T, keep, n int) *T {
	s := make([]T, n)
	copy(s, unsafe.Slice(p, keep))
	return unsafe.SliceData(s)
}

// Mark returns the present state of w's scratch memory, for Release.
func (w *Worker) Mark() int { return w.scratch.top }

// Release returns all scratch memory that was taken since Mark returned mark.
// A body that takes scratch memory once a chunk needs neither.
func (w *Worker) Release(mark int) { w.scratch.release(mark) }

const (
	scratchAlign = 64
	scratchPage  = 4 << 10
	// awayFromStack is the size of the frames that functions with vectors usually have, and what is between them and here.
	awayFromStack = 1536
	scratchBlock  = 64 << 10 // least size of a block in bytes
	maxScratch    = 1 << 46
)

// arena is a stack of bytes in blocks. Positions are counted through all
// blocks, so that memory handed out does not move when the arena grows. When
// it is empty again, several blocks become one large enough for all.
type arena struct {
	top    int // position of the first free byte
	blocks []block
	last   int // index of the block that top is in
	colour int // where in a page large pieces begin
}

type block struct {
	base int // position of mem[0]
	mem  []byte
}

// take returns size bytes.
func (a *arena) take(size int) unsafe.Pointer {
	size = (size + scratchAlign - 1) &^ (scratchAlign - 1)
	if a.top == 0 {
		a.colour = colour()
	}
	for ; ; a.last++ {
		if a.last == len(a.blocks) {
			base, grown := 0, scratchBlock
			if n := len(a.blocks); n > 0 {
				b := a.blocks[n-1]
				base = b.base + len(b.mem)
				grown = 2 * len(b.mem)
			}
			a.blocks = append(a.blocks, block{base, aligned(max(size+scratchPage, grown))})
		}
		b := &a.blocks[a.last]
		at := max(a.top-b.base, 0)
		if size >= scratchPage/2 {
			at += (a.colour - at) & (scratchPage - 1)
		}
		if at+size <= len(b.mem) {
			a.top = b.base + at + size
			return unsafe.Pointer(&b.mem[at])
		}
	}
}

// colour returns where in a page large pieces begin, away from what the caller has on its stack. A processor that
// compares the lower bits of addresses takes a load for one of what was just stored, if they are alike, and waits
// until that is in the cache. Where arrays begin alike, a loop that stores element k of one after it has loaded
// element k of the others never loads where it just stored; and what it keeps on the stack should not look like the
// first elements either.
func colour() int {
	var here byte
	return (int(uintptr(unsafe.Pointer(&here))) + awayFromStack) & (scratchPage - 1) &^ (scratchAlign - 1)
}

// release sets the position back to mark.
func (a *arena) release(mark int) {
	if mark < 0 || mark > a.top {
		panic("scratch memory released out of order")
	}
	a.top = mark
	if mark == 0 && len(a.blocks) > 1 {
		b := a.blocks[len(a.blocks)-1]
		a.blocks = append(a.blocks[:0], block{0, aligned(b.base + len(b.mem))})
	}
	for a.last = min(a.last, max(len(a.blocks)-1, 0)); a.last > 0 && a.blocks[a.last].base > mark; {
		a.last--
	}
}

// aligned returns n bytes that begin at a page.
func aligned(n int) []byte {
	mem := make([]byte, n+scratchPage)
	at := -int(uintptr(unsafe.Pointer(&mem[0]))) & (scratchPage - 1)
	return mem[at : at+n : at+n]
}
