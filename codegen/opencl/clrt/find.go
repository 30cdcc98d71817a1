package clrt

import (
	"slices"
	"unsafe"
)

// find runs the steps that find something out for those behind them, and returns how many there are. What a step is to
// take as memory is known when those before it have run.
func (l *launch) find(frame any, a *arrays) (steps int, err error) {
	c, d := l.code, l.device
	l.found = l.found[:0]
	for ; c.Steps[steps].Finds; steps++ {
		if err := l.shape(frame, steps, steps+1); err != nil {
			return 0, err
		}
		most := 0
		if l.runs(steps) {
			if err := l.start(frame, a, steps, 0); err != nil {
				return 0, err
			}
			items := l.shapes[steps].Groups * l.shapes[steps].Block()
			l.left = slices.Grow(l.left[:0], items)[:items]
			at := slices.IndexFunc(c.Temps, func(t Temp) bool { return t.Step == steps })
			if st := d.lib.read(d.queue, l.temps[at].h, 8*items, unsafe.Pointer(&l.left[0])); st != 0 {
				return 0, d.failure("clEnqueueReadBuffer after "+c.Steps[steps].Kernel, st)
			}
			if l.status != 0 { // what has failed has not found what those behind it need
				if st := d.lib.read(d.queue, l.status, statusBytes, unsafe.Pointer(&l.inbox.report)); st != 0 {
					return 0, d.failure("clEnqueueReadBuffer after "+c.Steps[steps].Kernel, st)
				}
				if err := l.verdict(); err != nil {
					return 0, err
				}
			}
			most = int(slices.Max(l.left))
		}
		l.found = append(l.found, most)
	}
	return steps, nil
}
