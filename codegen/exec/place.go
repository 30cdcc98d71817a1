package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"unsafe"

	"github.com/surge-ndp/surge/selector"
)

// Placer is a Func that can run on one of several devices, as [Device] asks.
type Placer interface {
	Func
	// On returns the Func for the device that text names: a number, or a part of a device's name.
	On(device string) (Func, error)
}

// Accelerator is a Func that knows whether it runs on something that [Platform] "auto" prefers to this machine's
// processors, and how many work-items a workgroup has there at most.
type Accelerator interface {
	Accelerated() (workgroup int, ok bool)
}

// Remote is a Launch whose arrays live in the memory of a device.
type Remote interface {
	Launch
	// Open returns a place for arrays on the launch's device.
	Open() (Place, error)
	// RunIn is Run with the arrays that p keeps, which is of a launch on the same device. Afterwards the
	// computation's arrays are on the device only; scalars are in the frame. Where nothing of it is looked at before
	// the arrays come home, it may return before it is done: see [Place.Wait].
	RunIn(ctx context.Context, frame any, p Place) error
	// Begin is called when a run of the launch's kernel starts. What an earlier run left in p is not used any more,
	// besides inputs that cannot have changed. resident says that no input has, but for those that p.Changed was
	// called for.
	Begin(frame any, p Place, resident bool) error
}

// Place keeps arrays of frames on a device. Its methods are called by one goroutine at a time.
type Place interface {
	// Device names the device.
	Device() string
	// Wait returns when all that was begun is done. Home and Fetch wait too.
	Wait() error
	// Home copies to the frame's memory what is newer on the device: all arrays, or those that the kernel returns.
	Home(frame any, all bool) error
	// Stale says that the host may have written any of the frame's arrays but the inputs.
	Stale(frame any)
	// Fetch copies the array at this address home if it is newer on the device; all arrays if at is nil.
	Fetch(at unsafe.Pointer, bytes int) error
	// Changed says that the host has written the array at this address; all arrays if at is nil.
	Changed(at unsafe.Pointer, bytes int)
	// Close gives the memory back.
	Close()
}

// DeviceError reports that a device, its driver or its compiler failed, and not the input: there is no device, it is
// out of memory, an array is larger than it takes, its compiler refuses the code.
type DeviceError struct {
	Platform string
	Device   string // "" if there is none
	Detail   string
	Err      error // an *Error with the place if a compiler refused code, else the driver's error or nil
}

// Error returns `opencl on NAME: …`.
func (e *DeviceError) Error() string {
	if e.Device == "" {
		return e.Platform + ": " + e.Detail
	}
	return e.Platform + " on " + e.Device + ": " + e.Detail
}

// Unwrap returns the cause, or nil.
func (e *DeviceError) Unwrap() error { return e.Err }

// Memory is what a program makes to keep arrays on a device between calls: give it by [Resident] to the functions
// that bind kernels. Calls with the same Memory find each other's arrays on the device: an array is the same if it is
// the same slice, so a program that binds one kernel's result (by [Into]) as another's input transfers nothing.
//
// It may be used by one goroutine at a time. Platforms without a memory of their own ignore it.
type Memory struct {
	mu    sync.Mutex
	place Place
}

// Resident makes a call leave its results on the device, and take inputs from there that are there already. What the
// program reads it has to ask for by [Memory.Fetch], and what it writes it has to tell by [Memory.Changed]. Results
// should have destinations ([Into]): a new slice for every run would be a new array on the device for every run.
func Resident(m *Memory) Option { return func(o *Options) { o.memory = m } }

// Fetch brings slices up to date with the device; without any, all arrays that the memory holds.
func (m *Memory) Fetch(slices ...any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.place == nil {
		return nil
	}
	if len(slices) == 0 {
		return m.place.Fetch(nil, 0)
	}
	for _, s := range slices {
		at, bytes, err := extent(s)
		if err != nil {
			return err
		}
		if at == nil {
			continue
		}
		if err := m.place.Fetch(at, bytes); err != nil {
			return err
		}
	}
	return nil
}

// Changed says that the program has written to slices, all of them if none is given: they are copied to the device when
// they are used next.
func (m *Memory) Changed(slices ...any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.place == nil {
		return nil
	}
	if len(slices) == 0 {
		m.place.Changed(nil, 0)
	}
	for _, s := range slices {
		at, bytes, err := extent(s)
		if err != nil {
			return err
		}
		if at != nil {
			m.place.Changed(at, bytes)
		}
	}
	return nil
}

// Release gives up all arrays on the device without fetching them. The memory can be used again.
func (m *Memory) Release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.place != nil {
		m.place.Close()
		m.place = nil
	}
}

func extent(s any) (unsafe.Pointer, int, error) {
	v := reflect.ValueOf(s)
	if v.Kind() != reflect.Slice {
		return nil, 0, fmt.Errorf("exec: a %T is not a slice", s)
	}
	if v.Len() == 0 {
		return nil, 0, nil
	}
	return v.UnsafePointer(), v.Len() * int(v.Type().Elem().Size()), nil
}

// attach gives the call a place on the launch's device.
func (c *Call) attach(r Remote, platform string) error {
	m := c.memory
	if m == nil {
		if m = c.opts.memory; m == nil {
			m = new(Memory)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := r.Open()
	if err != nil {
		return err
	}
	if m.place == nil {
		m.place = p
	} else if m.place.Device() != p.Device() {
		p.Close()
		return &DeviceError{Platform: platform, Device: p.Device(), Detail: "the memory that the call shares is on another device: " + m.place.Device()}
	} else {
		p.Close()
	}
	c.memory = m
	return nil
}

// runPlaced is Run for a call some of whose computations run on a device.
func (c *Call) runPlaced(ctx context.Context, i int, frame any) error {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	if c.memory.place == nil { // released
		if err := c.reopen(); err != nil {
			return err
		}
	}
	p, resident := c.memory.place, c.opts.memory != nil
	var err error
	if i == 0 && !c.kernel.Tree {
		err = c.begin(frame, p, resident)
	}
	if err == nil {
		err = c.runAt(ctx, i, frame, p)
	}
	if err == nil && i == len(c.launches)-1 && !resident && !c.kernel.Tree {
		err = p.Home(frame, false)
	}
	var failed *DeviceError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return c.fallBack(ctx, i, frame, p, failed)
	}
	return err
}

// runBeside is Run for a call that runs on the processors, and shares a memory with calls that run on a device: what is
// newer there comes home before, and what the call has written has to go there again.
func (c *Call) runBeside(ctx context.Context, i int, frame any) error {
	m := c.opts.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.kernel.Tree {
		return c.launches[i].Run(ctx, frame)
	}
	if m.place != nil && i == 0 {
		if err := m.place.Fetch(nil, 0); err != nil {
			return err
		}
	}
	if m.place != nil && i == len(c.launches)-1 {
		defer m.place.Changed(nil, 0)
	}
	return c.launches[i].Run(ctx, frame)
}

func (c *Call) begin(frame any, p Place, resident bool) error {
	for _, l := range c.launches {
		if r, ok := l.(Remote); ok {
			return r.Begin(frame, p, resident)
		}
	}
	return nil
}

func (c *Call) reopen() error {
	for _, l := range c.launches {
		if r, ok := l.(Remote); ok {
			p, err := r.Open()
			if err != nil {
				return err
			}
			c.memory.place = p
			return nil
		}
	}
	return errors.New("exec: a call without a device has a memory")
}

func (c *Call) runAt(ctx context.Context, i int, frame any, p Place) error {
	if r, ok := c.launches[i].(Remote); ok {
		return r.RunIn(ctx, frame, p)
	}
	if err := p.Home(frame, true); err != nil {
		return err
	}
	err := c.launches[i].Run(ctx, frame)
	p.Stale(frame)
	return err
}

// fallBack runs computation i on this machine's processors, and the further ones of the call, if the options leave the
// choice of the platform open; otherwise it returns the error. What was only on the device is computed again, where the
// computations are a chain.
func (c *Call) fallBack(ctx context.Context, i int, frame any, p Place, failed *DeviceError) error {
	if c.platform() != "" || len(c.opts.variants) > 0 {
		return failed
	}
	home := p.Home(frame, true) == nil
	if !home && c.kernel.Tree { // what ran before depends on the turns of loops
		return failed
	}
	c.say(fmt.Sprintf("surge: %s: %v; the goroutine platform takes over\n", c.kernel.Name, failed))
	c.opts.platform = selector.Host
	for j := range c.launches {
		if c.launches[j] == nil {
			continue // not chosen yet
		}
		if err := c.Choose(j, c.decisions[j].Features...); err != nil {
			return errors.Join(failed, err)
		}
		c.decisions[j].Reason += "; the device failed: " + failed.Detail
	}
	from := i
	if !home {
		from = 0
	}
	for j := from; j <= i; j++ {
		if err := c.launches[j].Run(ctx, frame); err != nil {
			return err
		}
	}
	p.Stale(frame)
	c.memory = nil
	return nil
}

// said are the notes that were written to standard error: each once.
var said sync.Map

// say writes a note where the call explains itself, else once to standard error.
func (c *Call) say(note string) {
	if w := c.opts.explain; w != nil {
		fmt.Fprint(w, note)
	} else if _, before := said.LoadOrStore(note, true); !before {
		fmt.Fprint(os.Stderr, note)
	}
}
