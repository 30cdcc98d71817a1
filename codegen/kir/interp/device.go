package interp

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Device runs the launches of a computation. See the package comment for its errors.
func Device(d *kir.Device, f *Frame, opt Options) (err error) {
	c := newCode(true)
	bodies := make([]*block, len(d.Launches))
	counts := make([]func(*thread) int64, len(d.Launches))
	for i, l := range d.Launches {
		bodies[i] = c.block(l.Body)
		if l.Count != nil {
			counts[i] = c.integer(l.Count)
		}
	}
	sizes := make([]func(*thread) int64, len(d.Temps))
	for i, t := range d.Temps {
		sizes[i] = c.integer(t.N)
		c.array(t.A)
	}
	r := newRun(f, opt, c)
	defer r.recover(d.Text, &err)
	host := r.thread()
	elements := make([]int64, len(d.Launches))
	for i, l := range d.Launches {
		elements[i] = 1
		if counts[i] != nil {
			elements[i] = counts[i](host)
		}
		r.groups = append(r.groups, r.groupsOf(l, elements[i]))
	}
	mem := r.globals()
	take := func(from, to int) { // memory of these launches
		for i, t := range d.Temps {
			if t.Step >= from && t.Step < to {
				mem[c.array(t.A)] = NewArray(t.A.Kind, r.sizeOf(t, int(sizes[i](host)))).memory(t.A, true, 0)
			}
		}
	}
	finding := 0
	for ; d.Launches[finding].Finds != nil; finding++ {
		take(finding, finding+1)
		most := 0
		if elements[finding] > 0 {
			r.launch(d.Launches[finding], bodies[finding], r.groups[finding], mem)
			if r.failure != nil { // it has not found what those behind it need
				return r.failure
			}
			most = greatest(mem[c.array(d.Launches[finding].Finds)])
		}
		r.found = append(r.found, most)
	}
	take(finding, len(d.Launches))
	turns := len(d.Launches) + max(d.Rounds-1, 0)*(len(d.Launches)-d.Round)
	for n := finding; n < turns; n++ {
		i := n
		if n >= len(d.Launches) {
			again := len(d.Launches) - d.Round
			i, r.round = d.Round+(n-d.Round)%again, (n-d.Round)/again
		}
		if l := d.Launches[i]; elements[i] > 0 || l.Always {
			r.launch(l, bodies[i], r.groups[i], mem)
		}
	}
	if r.failure != nil {
		return r.failure
	}
	return nil
}

// greatest is the greatest number that work-items have left in m.
func greatest(m *memory) int {
	most := int64(0)
	for i := range m.Data {
		most = max(most, m.Data[i].Int())
	}
	return int(most)
}

// thread returns a thread without work.
func (r *run) thread() *thread {
	root := r.root
	return &thread{run: r, vars: make([]ir.Const, len(r.code.vars)), vecs: make([][]ir.Const, len(r.code.vars)), mem: make([]*memory, len(r.code.arrays)), near: root, far: root}
}

// globals are the arrays of the frame, and no others. Those that the code does not write are not watched.
func (r *run) globals() []*memory {
	mem := make([]*memory, len(r.code.arrays))
	for i, a := range r.code.arrays {
		if a.Space != kir.Global || r.frame.Arrays[a.Name] == nil {
			continue
		}
		base := r.rng.IntN(16) * a.Kind.Bytes()
		mem[i] = r.frame.Arrays[a.Name].memory(a, r.code.written[i], base)
	}
	return mem
}

// groupsOf is the number of workgroups of a launch over so many elements.
func (r *run) groupsOf(l *kir.Launch, elements int64) int {
	if l.Per == kir.OneGroup {
		return 1
	}
	ceil := func(a, b int) int { return (a + b - 1) / b }
	n := int(elements)
	if l.Grain > 0 {
		n = ceil(n, max(r.opt.Grain, 1))
	}
	switch l.Per {
	case kir.Item:
		n = ceil(n, r.opt.items())
	case kir.Warp:
		n = ceil(n, r.opt.items()/r.opt.warp())
	}
	n = max(n, 1)
	if l.MaxGroups > 0 {
		n = min(n, l.MaxGroups)
		if r.opt.Groups > 0 {
			n = min(n, r.opt.Groups)
		}
	}
	return n
}

// sizeOf is the number of elements of a buffer of n elements for each of its resources.
func (r *run) sizeOf(t *kir.Temp, n int) int {
	n = max(n, 1)
	if t.A.Space == kir.Own {
		return n
	}
	switch t.Per {
	case kir.OneGroup:
		return n
	case kir.Group:
		return n * r.groups[t.Step]
	case kir.Warp:
		return n * r.groups[t.Step] * (r.opt.items() / r.opt.warp())
	}
	return n * r.groups[t.Step] * r.opt.items()
}

// launch runs the workgroups of a launch, each to its end.
func (r *run) launch(l *kir.Launch, body *block, groups int, mem []*memory) {
	region := r.region()
	waits := meets(l.Body)
	for _, number := range r.order(groups) {
		g := &group{run: r, number: number, groups: groups, stand: r.root.inside(region, number, "workgroup")}
		local := make([]*memory, len(mem))
		copy(local, mem)
		for i, a := range r.code.arrays {
			if a.Space == kir.Local {
				local[i] = NewArray(a.Kind, max(a.Size, 1)*r.opt.items()).memory(a, true, 0)
			}
		}
		for n := range r.opt.items() {
			t := r.thread()
			copy(t.mem, local)
			for i, a := range r.code.arrays {
				switch {
				case a.Space == kir.Private:
					t.mem[i] = NewArray(a.Kind, a.Size).memory(a, t.code.lanes, 0)
				case a.Space == kir.Own && mem[i] != nil: // which says how long each is
					t.mem[i] = NewArray(a.Kind, len(mem[i].Data)).memory(a, false, 0)
				}
			}
			t.item = &item{thread: t, group: g, number: n}
			g.items = append(g.items, t.item)
		}
		if waits {
			g.runMeeting(body)
		} else {
			g.runApart(body)
		}
	}
}

// recover makes the error of a fault, with its place in the text of the code.
func (r *run) recover(text func() (string, map[kir.Stmt]int), err *error) {
	switch h := recover().(type) {
	case nil:
	case *halt:
		all, lines := text()
		h.fault.at(all, lines[h.stmt])
		*err = h.fault
	default:
		panic(h)
	}
}
