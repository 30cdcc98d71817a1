package clrt

import (
	"runtime"
	"unsafe"
)

// objects are what a launch has to give back.
type objects struct {
	device  *Device
	program *built
	names   []string
	kernels []handle // a step each
	temps   []buffer
	results map[int]handle // one-element buffers, by field
	status  handle         // 0 if no step checks anything
	inbox   *inbox         // what the host reads after a run
	pins    runtime.Pinner // of the inbox
	counts  []int          // elements of each step of the run
	shapes  []Geometry     // how each step is launched
	found   []int          // what steps have found,
	left    []int64        // and what work-items left of it
}

// inbox is memory that is passed to OpenCL: what a device writes while the host does not wait, and the argument that
// is being set. It is not a part of objects, whose pointers cgo does not let pass.
type inbox struct {
	word   uint64
	report struct {
		site int32
		_    int32
		at   [4]int64
	}
	scalars []uint64 // of Code.Results
}

type buffer struct {
	h     handle
	bytes int
}

// statusBytes is the size of the status buffer: the site's number plus 1, padding, and four numbers.
const statusBytes = 8 + 4*8

func (o *objects) needStatus() error {
	if o.status != 0 {
		return nil
	}
	b, err := o.device.pool.take(statusBytes)
	if err != nil {
		return err
	}
	o.status = b
	return o.clearStatus()
}

func (o *objects) clearStatus() error {
	var zero [statusBytes]byte
	return o.device.failure("clEnqueueWriteBuffer", o.device.lib.write(o.device.queue, o.status, len(zero), unsafe.Pointer(&zero)))
}

// release gives back what a launch that nobody has any more has taken.
func (o *objects) release() {
	for i, k := range o.kernels {
		o.program.give(o.names[i], k)
	}
	o.device.leave(o.program)
	for _, t := range o.temps {
		o.device.pool.give(t.h, t.bytes)
	}
	for _, b := range o.results {
		o.device.pool.give(b, 8)
	}
	o.device.pool.give(o.status, statusBytes)
	o.pins.Unpin()
}
