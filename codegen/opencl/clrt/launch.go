package clrt

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector/param"
)

// launch is a variant that is ready to run on a device. It implements [exec.Remote].
type launch struct {
	code   *Code
	device *Device
	block  [2]int
	warp   int
	grains map[int]int // by level
	pace   pace
	*objects
}

// pace says whether a run waits between its launches, so that a context that has ended is seen in time. A wait costs
// about what a launch does, so a run that is as short as all of it that nobody could end is not worth one.
type pace struct {
	known bool // how long so many elements take
	count int
	quick bool
}

// quickRun is how long the launches of a run take at most that does not wait between them.
const quickRun = 10 * time.Millisecond

// waits reports whether a run over so many elements is to wait.
func (p *pace) waits(count int) bool { return !p.known || !p.quick || count > p.count }

// took is told how long a run took that waited.
func (p *pace) took(count int, d time.Duration) { *p = pace{true, count, d <= quickRun} }

func (l *launch) fits(limit int, what string) error {
	if n := l.block[0] * l.block[1]; n > limit {
		return l.device.fail(fmt.Sprintf("%s × %s = %d is more than the %d work-items that %s can have", param.BlockSizeX.Name(), BlockSizeY.Name(), n, limit, what), nil)
	}
	return nil
}

// geometry says how a step over so many elements is launched.
func (l *launch) geometry(s *Step, count int) Geometry {
	g := Geometry{BlockX: l.block[0], BlockY: l.block[1], Warp: l.warp, Grain: max(l.grains[s.Grain], 1), Groups: 1, Found: l.found}
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
	finding, err := l.find(frame, a)
	if err != nil {
		return err
	}
	if err := l.shape(frame, finding, len(c.Steps)); err != nil {
		return err
	}
	elements := 0
	for _, n := range l.counts {
		elements = max(elements, n)
	}
	waits := ctx.Done() != nil && l.pace.waits(elements)
	began := time.Now()
	for n := finding; n < c.turns(); n++ {
		i, round := c.turn(n)
		if !l.runs(i) {
			continue
		}
		if err := l.start(frame, a, i, round); err != nil {
			return err
		}
		if waits && n+1 < c.turns() {
			if st := d.lib.finish(d.queue); st != 0 {
				return d.failure("clFinish after "+c.Steps[i].Kernel, st)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if waits && c.turns() > 1 {
		l.pace.took(elements, time.Since(began))
	}
	return nil
}

// shape says how the steps from one on up to another one are launched, and takes their buffers.
func (l *launch) shape(frame any, from, to int) error {
	c := l.code
	if err := l.geometries(frame, from, to); err != nil {
		return err
	}
	for i := range c.Temps {
		if step := c.Temps[i].Step; step >= from && step < to {
			if err := l.temp(frame, i, l.shapes[step]); err != nil {
				return err
			}
		}
	}
	return nil
}

// geometries says how many workgroups steps have. Those that go over the same number of elements alike have the same
// number, also where there is no memory for more of one of them: each workgroup of a scan's last pass begins with what
// that of the first pass left.
func (l *launch) geometries(frame any, from, to int) error {
	fewer := false
	for i := from; i < to; i++ {
		s, g := &l.code.Steps[i], &l.shapes[i]
		l.counts[i] = 1
		if s.Count != nil {
			l.counts[i] = s.Count(frame)
		}
		*g = l.geometry(s, l.counts[i])
		groups := g.Groups
		if err := l.shrink(frame, i, g); err != nil {
			return err
		}
		fewer = fewer || g.Groups < groups
	}
	for i := from; i < to && fewer; i++ {
		for j := from; j < to; j++ {
			a, b := &l.code.Steps[i], &l.code.Steps[j]
			if a.MaxGroups > 0 && a.MaxGroups == b.MaxGroups && a.Per == b.Per && a.Grain == b.Grain && l.counts[i] == l.counts[j] {
				l.shapes[i].Groups = min(l.shapes[i].Groups, l.shapes[j].Groups)
			}
		}
	}
	return nil
}

// runs reports whether step i has something to do.
func (l *launch) runs(i int) bool { return l.counts[i] > 0 || l.code.Steps[i].Always }

// start launches step i.
func (l *launch) start(frame any, a *arrays, i, round int) error {
	s, g, d := &l.code.Steps[i], l.shapes[i], l.device
	for j := range s.Args {
		if err := l.argument(frame, a, i, round, &s.Args[j], j); err != nil {
			return err
		}
	}
	global := [2]uintptr{uintptr(g.BlockX) * uintptr(g.Groups), uintptr(g.BlockY)}
	if st := d.lib.launch(d.queue, l.kernels[i], global, [2]uintptr{uintptr(g.BlockX), uintptr(g.BlockY)}); st != 0 {
		return d.failure("clEnqueueNDRangeKernel "+s.Kernel, st)
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
	case Found:
		bits = uint64(l.found[arg.Index])
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
