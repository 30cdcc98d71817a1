package clrt

import (
	"runtime"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

// place implements [exec.Place]. It is a handle for the arrays, so that they are given back when nobody has it any
// more.
type place struct{ *arrays }

// arrays are arrays of the host with their buffers on a device.
//
// Devices of kind CPU work on the host's memory: their buffers share it, and mapping a buffer or not says whose turn
// it is. Other devices have buffers of their own, and arrays are copied.
type arrays struct {
	device *Device
	all    map[extent]*array
	frame  *exec.Frame // of the latest run
	// Waiting is what short runs consist of, so that there is as little of it as possible. lazy says that whoever runs
	// computations asks for the arrays then, and that a computation need not be waited for; pending, that commands were
	// enqueued that were not waited for.
	lazy, pending bool
}

// extent identifies an array: the same memory is the same array, whatever frame it belongs to.
type extent struct {
	at    unsafe.Pointer
	bytes int
}

type array struct {
	extent
	buffer handle
	shared bool // the buffer is the host's memory
	pins   runtime.Pinner
	mapped unsafe.Pointer // of a shared buffer that the host has
	valid  bool           // the device has what the host has, or something newer
	dirty  bool           // the device has something newer
	marked bool           // by Begin: still of use
}

func newPlace(d *Device) *place {
	p := &place{&arrays{device: d, all: map[extent]*array{}}}
	d.collect()
	runtime.AddCleanup(p, func(a *arrays) { a.device.discard(a.Close) }, p.arrays)
	return p
}

// Device implements [exec.Place].
func (a *arrays) Device() string { return a.device.Name }

// begin prepares for a run on a frame. What the host may have written is not valid on the device any more; arrays
// that the frame has not got any more are dropped, unless the program keeps them there.
func (a *arrays) begin(f *exec.Frame, frame any, resident bool) error {
	a.frame, a.lazy = f, !resident
	for i := range f.Names {
		v := f.Get(frame, i)
		x := a.all[extent{v.Data, v.Len * v.Elem}]
		if x == nil || !v.IsArray {
			continue
		}
		x.marked = true
		switch {
		case i < f.Inputs && (resident || f.IsFixed(i)), resident && x.dirty:
			continue // what is dirty is an input too, or will be overwritten
		case x.shared:
			if err := a.home(x); err != nil {
				return err
			}
		default:
			x.valid, x.dirty = false, false
		}
	}
	for e, x := range a.all {
		if !x.marked && !resident {
			a.drop(x)
			delete(a.all, e)
		}
		x.marked = false
	}
	return a.Wait()
}

// Wait implements [exec.Place].
func (a *arrays) Wait() error {
	if !a.pending {
		return nil
	}
	a.pending = false
	return a.device.failure("clFinish", a.device.lib.finish(a.device.queue))
}

// use returns the buffer of an array for a kernel. written says that the kernel overwrites it, so that its contents
// do not matter.
func (a *arrays) use(v exec.Value, written bool) (handle, error) {
	d := a.device
	bytes := v.Len * v.Elem
	if bytes == 0 {
		return d.empty()
	}
	e := extent{v.Data, bytes}
	x := a.all[e]
	if x == nil {
		var err error
		if x, err = a.add(e); err != nil {
			return 0, err
		}
	}
	if err := a.settle(x, written); err != nil {
		return 0, err
	}
	if x.mapped != nil {
		if s := d.lib.unmapBuffer(d.queue, x.buffer, x.mapped); s != 0 {
			return 0, d.failure("clEnqueueUnmapMemObject", s)
		}
		x.mapped = nil
	}
	if !x.valid && !written {
		if s := d.lib.write(d.queue, x.buffer, bytes, x.at); s != 0 {
			return 0, d.failure("clEnqueueWriteBuffer", s)
		}
		x.valid = true
	}
	return x.buffer, nil
}

// settle looks after other arrays that share memory with x: parts of the same slice, or what stood there with another
// length. Before x is copied to the device, what is newer in them comes home; when x will be written, they are stale.
func (a *arrays) settle(x *array, written bool) error {
	if x.shared || !written && x.valid {
		return nil
	}
	for e, other := range a.all {
		if other == x || other.shared || !e.overlaps(x.extent) {
			continue
		}
		if other.dirty && !(written && x.covers(e)) {
			if err := a.home(other); err != nil {
				return err
			}
		}
		if written {
			other.valid, other.dirty = false, false
		}
	}
	return nil
}

func (e extent) end() uintptr { return uintptr(e.at) + uintptr(e.bytes) }

func (e extent) overlaps(f extent) bool { return uintptr(e.at) < f.end() && uintptr(f.at) < e.end() }

func (e extent) covers(f extent) bool { return uintptr(e.at) <= uintptr(f.at) && f.end() <= e.end() }

// add makes a buffer for an array.
func (a *arrays) add(e extent) (*array, error) {
	d := a.device
	x := &array{extent: e, shared: d.shared}
	if x.shared {
		if err := d.fits(e.bytes); err != nil {
			return nil, err
		}
		x.pins.Pin(e.at)
		var s status
		if x.buffer, s = d.lib.createBuffer(d.context, memReadWrite|memUseHostPtr, e.bytes, e.at); s != 0 {
			x.pins.Unpin()
			return nil, d.failure("clCreateBuffer", s)
		}
		x.valid = true
	} else {
		var err error
		if x.buffer, err = d.pool.take(e.bytes); err != nil {
			return nil, err
		}
	}
	a.all[e] = x
	return x, nil
}

// wrote says that a kernel has written an array.
func (a *arrays) wrote(v exec.Value) {
	if x := a.all[extent{v.Data, v.Len * v.Elem}]; x != nil {
		x.valid, x.dirty = true, true
	}
}

// home brings an array to the host. A shared one is the host's from here on, or from the next wait on.
func (a *arrays) home(x *array) error {
	d := a.device
	if x.shared {
		x.dirty = false
		if x.mapped != nil {
			return nil
		}
		at, s := d.lib.mapBuffer(d.queue, x.buffer, x.bytes)
		x.mapped, a.pending = at, true
		return d.failure("clEnqueueMapBuffer", s)
	}
	if !x.dirty {
		return nil
	}
	if s := d.lib.read(d.queue, x.buffer, x.bytes, x.at); s != 0 {
		return d.failure("clEnqueueReadBuffer", s)
	}
	x.dirty = false
	return nil
}

// Home implements [exec.Place].
func (a *arrays) Home(frame any, all bool) error {
	if all {
		return a.Fetch(nil, 0)
	}
	f := a.frame
	if f == nil {
		return nil
	}
	for _, i := range f.Outputs {
		if err := a.field(frame, i); err != nil {
			return err
		}
	}
	if a.device.shared {
		for i := range f.Names { // the host may write them now
			if !f.IsFixed(i) {
				if err := a.field(frame, i); err != nil {
					return err
				}
			}
		}
	}
	return a.Wait()
}

// field brings a field of a frame home, if it has been on the device.
func (a *arrays) field(frame any, i int) error {
	v := a.frame.Get(frame, i)
	if x := a.all[extent{v.Data, v.Len * v.Elem}]; x != nil && v.IsArray {
		return a.home(x)
	}
	return nil
}

// Stale implements [exec.Place].
func (a *arrays) Stale(frame any) {
	if a.frame == nil {
		return
	}
	for i := a.frame.Inputs; i < len(a.frame.Names); i++ {
		v := a.frame.Get(frame, i)
		if x := a.all[extent{v.Data, v.Len * v.Elem}]; x != nil && v.IsArray && !x.shared {
			x.valid = false
		}
	}
}

// Fetch implements [exec.Place].
func (a *arrays) Fetch(at unsafe.Pointer, bytes int) error {
	for e, x := range a.all {
		if at == nil || e == (extent{at, bytes}) {
			if err := a.home(x); err != nil {
				return err
			}
		}
	}
	return a.Wait()
}

// Changed implements [exec.Place].
func (a *arrays) Changed(at unsafe.Pointer, bytes int) {
	for e, x := range a.all {
		if (at == nil || e == (extent{at, bytes})) && !x.shared {
			x.valid, x.dirty = false, false
		}
	}
}

// Close implements [exec.Place].
func (a *arrays) Close() {
	for e, x := range a.all {
		a.drop(x)
		delete(a.all, e)
	}
}

// drop gives the buffer of an array back.
func (a *arrays) drop(x *array) {
	d := a.device
	if !x.shared {
		d.pool.give(x.buffer, x.bytes)
		return
	}
	if x.mapped != nil {
		d.lib.unmapBuffer(d.queue, x.buffer, x.mapped)
	}
	d.lib.finish(d.queue) // nothing may touch the memory any more
	d.lib.releaseBuffer(x.buffer)
	x.pins.Unpin()
}

var _ exec.Place = (*place)(nil)
