package rt

import (
	"math/bits"
	"sync/atomic"
)

// boardWords bounds the regions shown at one time to 64 a word. A region that
// finds the board full is executed by its owner alone.
const boardWords = 4

// board is where idle workers find open regions.
type board struct {
	_     [64]byte
	shown [boardWords]atomic.Uint64 // slots with chunks to claim; polled by the idle
	_     [64]byte
	taken [boardWords]atomic.Uint64 // slots in use
	_     [64]byte
	slot  [boardWords * 64]atomic.Pointer[region]
}

// take reserves a slot, or returns -1.
func (b *board) take() int {
	for i := range b.taken {
		for {
			t := b.taken[i].Load()
			if t == ^uint64(0) {
				break
			}
			bit := bits.TrailingZeros64(^t)
			if b.taken[i].CompareAndSwap(t, t|1<<bit) {
				return i*64 + bit
			}
		}
	}
	return -1
}

func (b *board) show(slot int, r *region) {
	b.slot[slot].Store(r)
	b.shown[slot/64].Or(1 << (slot % 64))
}

// hide may be called by anyone inside the slot's region, any number of times.
func (b *board) hide(slot int) {
	word, bit := &b.shown[slot/64], uint64(1)<<(slot%64)
	if word.Load()&bit != 0 {
		word.And(^bit)
	}
}

func (b *board) free(slot int) {
	b.hide(slot)
	b.slot[slot].Store(nil) // stale readers must not keep the run alive
	b.taken[slot/64].And(^(uint64(1) << (slot % 64)))
}

// any reports whether a region is shown.
func (b *board) any() bool {
	var s uint64
	for i := range b.shown {
		s |= b.shown[i].Load()
	}
	return s != 0
}

// join joins some region that is shown, and returns nils if there is none to
// join. Threads start their search at different slots.
func (b *board) join(thread int) (*region, *Worker) {
	for i := range b.shown {
		s := b.shown[i].Load()
		for s != 0 {
			bit := (bits.TrailingZeros64(bits.RotateLeft64(s, -thread)) + thread) & 63
			s &^= 1 << bit
			r := b.slot[i*64+bit].Load()
			if r == nil || !r.mayJoin() {
				continue
			}
			if w := r.join(thread); w != nil {
				return r, w
			}
		}
	}
	return nil, nil
}
