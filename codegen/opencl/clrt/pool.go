package clrt

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"
)

// pool keeps buffers of a device for further use.
type pool struct {
	device *Device
	mu     sync.Mutex
	free   map[int][]handle // by size
	bytes  int64            // of the free ones
}

// poolPart is the part of a device's memory that free buffers may take.
const poolPart = 8

// size rounds up so that few sizes occur and at most an eighth is wasted.
func (p *pool) size(bytes int) int {
	bytes = max(bytes, 64)
	step := 1 << max(bits.Len(uint(bytes-1))-4, 6)
	return (bytes + step - 1) / step * step
}

// take returns a buffer of at least so many bytes, with unspecified contents.
func (p *pool) take(bytes int) (handle, error) {
	d := p.device
	if err := d.fits(bytes); err != nil {
		return 0, err
	}
	size := min(p.size(bytes), max(bytes, int(d.MaxAllocation)))
	p.mu.Lock()
	if list := p.free[size]; len(list) > 0 {
		b := list[len(list)-1]
		p.free[size] = list[:len(list)-1]
		p.bytes -= int64(size)
		p.mu.Unlock()
		return b, nil
	}
	p.mu.Unlock()
	b, s := d.lib.createBuffer(d.context, memReadWrite, size, nil)
	if s == clOutOfDeviceMemory || s == clOutOfHostMemory || s == clOutOfResources {
		// What nobody uses any more is given back before giving up.
		runtime.GC()
		time.Sleep(10 * time.Millisecond) // in which what became garbage is discarded
		d.collect()
		p.drain()
		b, s = d.lib.createBuffer(d.context, memReadWrite, size, nil)
	}
	return b, d.failure(fmt.Sprintf("clCreateBuffer of %d bytes", size), s)
}

// give takes a buffer back that take returned for so many bytes.
func (p *pool) give(b handle, bytes int) {
	if b == 0 {
		return
	}
	d := p.device
	size := min(p.size(bytes), max(bytes, int(d.MaxAllocation)))
	p.mu.Lock()
	if p.bytes+int64(size) <= d.Memory/poolPart {
		if p.free == nil {
			p.free = map[int][]handle{}
		}
		p.free[size] = append(p.free[size], b)
		p.bytes += int64(size)
		b = 0
	}
	p.mu.Unlock()
	if b != 0 {
		d.lib.releaseBuffer(b)
	}
}

// drain releases all free buffers.
func (p *pool) drain() {
	p.mu.Lock()
	free := p.free
	p.free, p.bytes = nil, 0
	p.mu.Unlock()
	for _, list := range free {
		for _, b := range list {
			p.device.lib.releaseBuffer(b)
		}
	}
}

// discard remembers to give something back that nobody has any more. The garbage collector tells that at any time, on a
// goroutine of its own; the device hears of it when somebody uses it, since not every driver can be called meanwhile.
func (d *Device) discard(release func()) {
	d.garbageMu.Lock()
	d.garbage = append(d.garbage, release)
	d.garbageMu.Unlock()
}

// collect gives back what was discarded.
func (d *Device) collect() {
	d.garbageMu.Lock()
	all := d.garbage
	d.garbage = nil
	d.garbageMu.Unlock()
	for _, release := range all {
		release()
	}
}

// fits says why an array of so many bytes cannot be on the device.
func (d *Device) fits(bytes int) error {
	if int64(bytes) > d.MaxAllocation {
		return d.fail(fmt.Sprintf("an array of %d bytes is larger than the device takes in one piece, %d bytes (CL_DEVICE_MAX_MEM_ALLOC_SIZE)", bytes, d.MaxAllocation), nil)
	}
	return nil
}
