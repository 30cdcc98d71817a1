package clrt

import (
	"fmt"
	"os"
	"runtime"
	"strings"

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
func (c *Code) Accelerated() (workgroup int, ok bool) {
	d, err := Find("")
	if err != nil || d.Kind != "GPU" || d.Missing != "" {
		return 0, false
	}
	return d.MaxWorkGroup, true
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
	if d.shared {
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
		// NVIDIA's driver (580) says 256 of kernels that it has built for larger workgroups: then the launch says whether
		// they are too large.
		if n := int(number(limit)); n > 0 && !(strings.HasPrefix(d.Platform, "NVIDIA") && o.builtFor(k, l.block)) {
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

// builtFor reports whether the driver says that it has built a kernel for workgroups of so many work-items.
func (o *objects) builtFor(k handle, block [2]int) bool {
	size, st := o.device.lib.kernelInfo(k, o.device.id, kernelCompileSize)
	return st == 0 && len(size) == 24 && number(size[:8]) == uint64(block[0]) && number(size[8:16]) == uint64(block[1])
}
