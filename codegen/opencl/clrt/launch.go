package clrt

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// on is a variant on a device that a call asks for.
type on struct {
	*Code
	device *Device
	err    error
}

// Available implements [exec.Func] for the device that is used where none is asked for.
func (c *Code) Available(int) string {
	d, err := Find("")
	if err != nil {
		return strings.TrimPrefix(err.Error(), platformLabel+": ")
	}
	return c.missing(d)
}

func (c *Code) missing(d *Device) string {
	switch {
	case d.Missing != "":
		return d.Name + ": " + d.Missing
	case c.Doubles && !d.Doubles:
		return d.Name + " has no double precision (cl_khr_fp64)"
	case c.Subgroups && !d.Subgroups:
		return d.Name + " has no subgroups (cl_khr_subgroups)"
	case c.Shuffles && !d.Shuffles:
		return d.Name + " has no shuffles within subgroups (cl_khr_subgroup_shuffle)"
	}
	return ""
}

// Device implements [exec.Identified].
func (c *Code) Device() string {
	d, err := Find("")
	if err != nil {
		return ""
	}
	return d.Fingerprint()
}

// Accelerated implements [exec.Accelerator].
func (c *Code) Accelerated() bool {
	d, err := Find("")
	return err == nil && d.Kind == "GPU" && d.Missing == ""
}

// On implements [exec.Placer].
func (c *Code) On(device string) (exec.Func, error) {
	d, err := Find(device)
	if err != nil {
		return nil, err
	}
	if why := c.missing(d); why != "" {
		return nil, d.fail(why, nil)
	}
	return on{c, d, nil}, nil
}

// Prepare implements [exec.Func].
func (c *Code) Prepare(v selector.Variant) (exec.Launch, error) {
	d, err := Find("")
	if err != nil {
		return nil, err
	}
	return c.prepare(d, v)
}

// Prepare implements [exec.Func].
func (o on) Prepare(v selector.Variant) (exec.Launch, error) { return o.Code.prepare(o.device, v) }

// launch is a variant that is ready to run on a device. It implements [exec.Remote].
type launch struct {
	code   *Code
	device *Device
	block  [2]int
	warp   int
	grains map[int]int // by level
	*objects
}

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

// prepare builds the program and checks the launch parameters against the device's limits.
func (c *Code) prepare(d *Device, v selector.Variant) (exec.Launch, error) {
	l := &launch{code: c, device: d, block: [2]int{param.BlockSizeX.Or(v.Policy, 0, 1), BlockSizeY.Or(v.Policy, 0, 1)}, warp: param.LogicalWarpSize.Or(v.Policy, 0, 1),
		grains: map[int]int{}}
	if err := l.fits(d.MaxWorkGroup, "a workgroup"); err != nil {
		return nil, err
	}
	for i, p := range []*param.Of[int]{param.BlockSizeX, BlockSizeY} {
		if l.block[i] < 1 || l.block[i] > d.MaxItemSizes[i] {
			return nil, d.fail(fmt.Sprintf("%s = %d is not between 1 and the device's limit of %d", p.Name(), l.block[i], d.MaxItemSizes[i]), nil)
		}
	}
	if l.warp < 1 || l.block[0]%l.warp != 0 {
		return nil, d.fail(fmt.Sprintf("%s = %d does not divide %s = %d", param.LogicalWarpSize.Name(), l.warp, param.BlockSizeX.Name(), l.block[0]), nil)
	}
	options := "-cl-std=CL1.2"
	if c.Subgroups {
		options = d.subgroupOptions
		if n := os.Getenv(subgroupVariable); n != "" && d.subgroupSizes {
			options += " -DSUBGROUP_SIZE=" + n
		}
	}
	options += d.divideOptions
	if d.Kind == "CPU" {
		options += " -DSURGE_BLOCKWISE=1"
	}
	options += fmt.Sprintf(" -DBLOCK_SIZE_X=%d -DBLOCK_SIZE_Y=%d -DLOGICAL_WARP_SIZE=%d", l.block[0], l.block[1], l.warp)
	for level := 1; level <= strings.Count(v.Schedule, ">")+1; level++ {
		if n := GrainSize.At(v.Policy, level); n > 0 {
			l.grains[level] = n
			if name := fmt.Sprintf("GRAIN_SIZE_%d", level); strings.Contains(c.Source, name) { // else launches share the program
				options += fmt.Sprintf(" -D%s=%d", name, n)
			}
		}
	}
	names := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		names[i] = s.Kernel
	}
	p, err := d.program(c.Source, options, names)
	if err != nil {
		return nil, err
	}
	o := &objects{device: d, program: p, names: names, temps: make([]buffer, len(c.Temps)), results: map[int]handle{},
		inbox: &inbox{scalars: make([]uint64, len(c.Results)+1)}, counts: make([]int, len(c.Steps)), shapes: make([]Geometry, len(c.Steps))}
	o.pins.Pin(o.inbox)
	o.pins.Pin(&o.inbox.scalars[0])
	l.objects = o
	runtime.AddCleanup(l, func(o *objects) { o.device.discard(o.release) }, o)
	for i, s := range c.Steps {
		k, err := d.kernel(p, s.Kernel)
		if err != nil {
			return nil, err
		}
		o.kernels = append(o.kernels, k)
		limit, st := d.lib.kernelInfo(k, d.id, kernelWorkGroupSize)
		if err := d.failure("clGetKernelWorkGroupInfo", st); err != nil {
			return nil, err
		}
		if n := int(number(limit)); n > 0 {
			if err := l.fits(n, "a workgroup of "+s.Kernel); err != nil {
				return nil, err
			}
		}
		local, _ := d.lib.kernelInfo(k, d.id, kernelLocalMemory)
		bytes := int(number(local))
		for j, a := range s.Args {
			switch a.Kind {
			case Status:
				if err := o.needStatus(); err != nil {
					return nil, err
				}
			case Result:
				if o.results[a.Index] == 0 {
					if o.results[a.Index], err = d.pool.take(8); err != nil {
						return nil, err
					}
				}
			case Local:
				n := a.Bytes(l.geometry(&c.Steps[i], 1))
				bytes += n
				if st := d.lib.setArg(k, j, max(n, 1), nil); st != 0 {
					return nil, d.failure("clSetKernelArg", st)
				}
			}
		}
		if bytes > d.LocalMemory {
			return nil, d.fail(fmt.Sprintf("%s needs %d bytes of local memory, and a workgroup has %d", s.Kernel, bytes, d.LocalMemory), nil)
		}
	}
	return l, nil
}

func (l *launch) fits(limit int, what string) error {
	if n := l.block[0] * l.block[1]; n > limit {
		return l.device.fail(fmt.Sprintf("%s × %s = %d is more than the %d work-items that %s can have", param.BlockSizeX.Name(), BlockSizeY.Name(), n, limit, what), nil)
	}
	return nil
}

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

// geometry says how a step over so many elements is launched.
func (l *launch) geometry(s *Step, count int) Geometry {
	g := Geometry{BlockX: l.block[0], BlockY: l.block[1], Warp: l.warp, Grain: max(l.grains[s.Grain], 1), Groups: 1}
	resources := 1 // of a workgroup
	switch s.Per {
	case PerItem:
		resources = g.Block()
	case PerWarp:
		resources = g.Block() / g.Warp
	case OneGroup:
		return g
	}
	g.Groups = max(ceil(ceil(count, g.Grain), resources), 1)
	if s.MaxGroups > 0 {
		g.Groups = min(g.Groups, s.MaxGroups, l.device.maxGroups())
	}
	return g
}

func ceil(a, b int) int { return (a + b - 1) / b }

// Open implements [exec.Remote].
func (l *launch) Open() (exec.Place, error) {
	if err := l.device.open(); err != nil {
		return nil, err
	}
	return newPlace(l.device), nil
}

// Run implements [exec.Launch], with arrays that are copied to the device and back.
func (l *launch) Run(ctx context.Context, frame any) error {
	p := newPlace(l.device)
	defer p.Close()
	if err := l.RunIn(ctx, frame, p); err != nil {
		return err
	}
	return p.Home(frame, true)
}

// Begin implements [exec.Remote].
func (l *launch) Begin(frame any, p exec.Place, resident bool) error {
	return p.(*place).begin(l.code.Frame, frame, resident)
}

// RunIn implements [exec.Remote].
func (l *launch) RunIn(ctx context.Context, frame any, p exec.Place) error {
	a := p.(*place).arrays
	if err := ctx.Err(); err != nil {
		a.Wait() // nothing runs on behind the caller's back
		return err
	}
	l.device.collect()
	a.frame = l.code.Frame
	defer runtime.KeepAlive(p)
	defer runtime.KeepAlive(l)
	if err := l.steps(ctx, frame, a); err != nil {
		l.device.lib.finish(l.device.queue) // nothing runs on behind the caller's back
		return err
	}
	// All that the host wants to see is asked for, and then waited for at once.
	d, wanted := l.device, !a.lazy
	a.pending = true
	if l.status != 0 {
		wanted = true
		if st := d.lib.fetch(d.queue, l.status, statusBytes, unsafe.Pointer(&l.inbox.report)); st != 0 {
			return d.failure("clEnqueueReadBuffer", st)
		}
	}
	for at, i := range l.code.Results {
		v := l.code.Frame.Get(frame, i)
		if v.IsArray {
			a.wrote(v)
			continue
		}
		wanted = true
		if st := d.lib.fetch(d.queue, l.results[i], v.Elem, unsafe.Pointer(&l.inbox.scalars[at])); st != 0 {
			return d.failure("clEnqueueReadBuffer", st)
		}
	}
	if !wanted && len(l.code.Reads) == 0 && ctx.Err() == nil {
		return nil
	}
	if err := l.early(frame, a); err != nil {
		return err
	}
	if err := a.Wait(); err != nil {
		return err
	}
	if l.status != 0 {
		if err := l.verdict(); err != nil {
			return err
		}
	}
	for at, i := range l.code.Results {
		if v := l.code.Frame.Get(frame, i); !v.IsArray {
			l.code.Frame.Set(frame, i, l.inbox.scalars[at]&(1<<(8*v.Elem)-1))
		}
	}
	for _, i := range l.code.Reads {
		if err := a.field(frame, i); err != nil {
			return err
		}
	}
	if err := a.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// early asks for arrays of the host that a further computation is unlikely to use on the device, so that one wait
// serves for them too.
func (l *launch) early(frame any, a *arrays) error {
	if !a.lazy || !l.device.shared {
		return nil
	}
	f := l.code.Frame
	for s := range l.code.Steps {
		for _, arg := range l.code.Steps[s].Args {
			if arg.Kind != Field || f.IsFixed(arg.Index) || arg.Index >= f.Inputs && !slices.Contains(f.Outputs, arg.Index) {
				continue
			}
			if err := a.field(frame, arg.Index); err != nil {
				return err
			}
		}
	}
	return nil
}

// steps launches the steps.
func (l *launch) steps(ctx context.Context, frame any, a *arrays) error {
	c, d := l.code, l.device
	counts, shapes := l.counts, l.shapes
	for i := range c.Steps {
		s := &c.Steps[i]
		counts[i] = 1
		if s.Count != nil {
			counts[i] = s.Count(frame)
		}
		shapes[i] = l.geometry(s, counts[i])
		if err := l.shrink(frame, i, &shapes[i]); err != nil {
			return err
		}
	}
	for i := range c.Temps {
		if err := l.temp(frame, i, shapes[c.Temps[i].Step]); err != nil {
			return err
		}
	}
	for n := range c.turns() {
		i, round := c.turn(n)
		s, g := &c.Steps[i], shapes[i]
		if counts[i] <= 0 && !s.Always {
			continue
		}
		for j := range s.Args {
			if err := l.argument(frame, a, i, round, &s.Args[j], j); err != nil {
				return err
			}
		}
		global := [2]uintptr{uintptr(g.BlockX) * uintptr(g.Groups), uintptr(g.BlockY)}
		if st := d.lib.launch(d.queue, l.kernels[i], global, [2]uintptr{uintptr(g.BlockX), uintptr(g.BlockY)}); st != 0 {
			return d.failure("clEnqueueNDRangeKernel "+s.Kernel, st)
		}
		if ctx.Done() != nil && n+1 < c.turns() {
			if st := d.lib.finish(d.queue); st != 0 {
				return d.failure("clFinish after "+s.Kernel, st)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// turns is the number of launches of a run.
func (c *Code) turns() int { return len(c.Steps) + max(c.Rounds-1, 0)*(len(c.Steps)-c.Round) }

// turn returns the step of launch n of a run, and its round.
func (c *Code) turn(n int) (step, round int) {
	if n < len(c.Steps) {
		return n, 0
	}
	n -= c.Round
	repeated := len(c.Steps) - c.Round
	return c.Round + n%repeated, n / repeated
}

// A launch's own buffers may take a part of the device's memory: above the first, there are fewer workgroups, where a
// step strides over what lies beyond, above the second the launch is refused.
const (
	usualTemps = 16
	mostTemps  = 2
)

// shrink gives step i fewer workgroups if the buffers that grow with them would take too much memory.
func (l *launch) shrink(frame any, i int, g *Geometry) error {
	for {
		var bytes int64
		for k := range l.code.Temps {
			if t := &l.code.Temps[k]; t.Step == i {
				bytes += int64(t.Count(frame, *g)) * int64(t.Elem)
			}
		}
		switch {
		case bytes <= l.device.Memory/usualTemps:
			return nil
		case g.Groups > 1 && l.code.Steps[i].MaxGroups > 0:
			g.Groups = (g.Groups + 1) / 2
		case bytes > l.device.Memory/mostTemps:
			return l.device.fail(fmt.Sprintf("%s needs %d bytes for what its work-items find, and the device has %d", l.code.Steps[i].Kernel, bytes, l.device.Memory), nil)
		default:
			return nil
		}
	}
}

// poison makes tests see what was not written: buffers of the device begin with all bits set, which are no numbers.
var poison bool

// temp makes a buffer of the device large enough.
func (l *launch) temp(frame any, i int, g Geometry) error {
	t, b := &l.code.Temps[i], &l.temps[i]
	bytes := max(t.Count(frame, g)*t.Elem, 1)
	if bytes > b.bytes {
		l.device.pool.give(b.h, b.bytes)
		*b = buffer{}
		h, err := l.device.pool.take(bytes)
		if err != nil {
			return err
		}
		*b = buffer{h, bytes}
	}
	if !t.Zero && !poison {
		return nil
	}
	value := byte(0)
	if !t.Zero {
		value = 0xFF
	}
	return l.device.failure("clEnqueueFillBuffer", l.device.lib.fill(l.device.queue, b.h, b.bytes, value))
}

// argument sets argument j of the kernel of a step.
func (l *launch) argument(frame any, a *arrays, step, round int, arg *Arg, j int) error {
	var bits uint64
	bytes := 8
	object := func(h handle) { bits = uint64(h) }
	switch arg.Kind {
	case Field:
		v := l.code.Frame.Get(frame, arg.Index)
		if !v.IsArray {
			bits, bytes = v.Bits, v.Elem
			break
		}
		h, err := a.use(v, l.writes(arg.Index))
		if err != nil {
			return fmt.Errorf("%s: %w", l.code.Frame.Names[arg.Index], err)
		}
		object(h)
	case Length:
		bits = uint64(l.code.Frame.Get(frame, arg.Index).Len)
	case Result:
		object(l.results[arg.Index])
	case Temporary:
		object(l.temps[arg.Index].h)
	case Status:
		object(l.status)
	case Count:
		bits = uint64(l.counts[step])
	case Round:
		bits = uint64(round)
	case Groups:
		bits = uint64(l.shapes[arg.Index].Groups)
	case Local:
		return nil // set when the launch was prepared
	}
	l.inbox.word = bits
	return l.device.failure("clSetKernelArg", l.device.lib.setArg(l.kernels[step], j, bytes, unsafe.Pointer(&l.inbox.word)))
}

func (l *launch) writes(field int) bool {
	for _, i := range l.code.Results {
		if i == field {
			return true
		}
	}
	return false
}

// verdict returns the error that a kernel has reported.
func (l *launch) verdict() error {
	report := &l.inbox.report
	if report.site == 0 {
		return nil
	}
	if err := l.clearStatus(); err != nil {
		return err
	}
	site := int(report.site) - 1
	if site < 0 || site >= len(l.code.Sites) {
		return l.device.fail(fmt.Sprintf("a kernel reports check %d, which does not exist: memory of the device was overwritten", site), nil)
	}
	return l.code.Sites[site].Fail(report.at)
}

// empty is the buffer of arrays without elements.
func (d *Device) empty() (handle, error) {
	d.emptyOnce.Do(func() { d.emptyBuffer, d.emptyErr = d.pool.take(8) })
	return d.emptyBuffer, d.emptyErr
}
