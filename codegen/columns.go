package codegen

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// columns lists which parameters of the IR are of one shape, as they come from one slice.
func (k *Kernel) columns() (all []target.Columns) {
	vars := k.Fused.Func.Params
	for _, q := range slices.Concat(k.Source.Params, k.Source.Hidden) {
		n := q.Part.Count()
		all = append(all, columnsIn(q.Part, vars[:n], -1)...)
		vars = vars[n:]
	}
	return all
}

// columnsIn lists them for a part, which is vars in the IR. level is that of the rows which it is if it is a slice: -1
// outside of slices.
func columnsIn(p *load.Part, vars []*ir.Var, level int) (all []target.Columns) {
	take := func(elem *load.Part) {
		n := elem.Count()
		all = append(all, columnsIn(elem, vars[:n], level)...)
		vars = vars[n:]
	}
	switch p.Kind {
	case load.PartStruct:
		for _, f := range p.Fields {
			take(f.Part)
		}
	case load.PartArray:
		for range p.Len {
			take(p.Elem)
		}
	case load.PartPointer:
		take(p.Elem)
	case load.PartSlice, load.PartTable:
		if len(vars) > 1 {
			all = append(all, target.Columns{Vars: vars, Level: level})
		}
		level++
		take(p.Elem)
	}
	return all
}
