package clrt

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/exec"
)

// A launch's own buffers may take a part of the device's memory: above the first, there are fewer workgroups, where a
// step strides over what lies beyond, above the second the launch is refused.
const (
	usualTemps = 16
	mostTemps  = 2
)

// shrink gives step i fewer workgroups if the buffers that grow with them would take too much memory.
func (l *launch) shrink(frame any, i int, g *Geometry) error {
	for {
		bytes := 0
		for k := range l.code.Temps {
			if t := &l.code.Temps[k]; t.Step == i {
				bytes = min(bytes+t.bytes(frame, *g), exec.AnyMemory)
			}
		}
		switch {
		case int64(bytes) <= l.device.Memory/usualTemps || !l.runs(i):
			return nil
		case g.Groups > 1 && l.code.Steps[i].MaxGroups > 0:
			g.Groups = (g.Groups + 1) / 2
		case int64(bytes) > l.device.Memory/mostTemps:
			return l.device.fail(fmt.Sprintf("%s needs %s bytes for what its work-items find, and the device has %d", l.code.Steps[i].Kernel, inBytes(bytes), l.device.Memory), nil)
		default:
			return nil
		}
	}
}

// bytes is the size of a buffer.
func (t *Temp) bytes(frame any, g Geometry) int { return exec.Times(t.Count(frame, g), t.Elem) }

// inBytes is a number of bytes in an error.
func inBytes(bytes int) string {
	if bytes >= exec.AnyMemory {
		return fmt.Sprintf("%d or more", exec.AnyMemory)
	}
	return fmt.Sprint(bytes)
}

// poison makes tests see what was not written: buffers of the device begin with all bits set, which are no numbers.
var poison bool

// temp makes a buffer of the device large enough.
func (l *launch) temp(frame any, i int, g Geometry) error {
	t, b := &l.code.Temps[i], &l.temps[i]
	bytes := max(t.bytes(frame, g), 1)
	if !l.runs(t.Step) { // how long something gets in elements that do not exist may be any number
		bytes = min(bytes, int(l.device.Memory/usualTemps))
	}
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
