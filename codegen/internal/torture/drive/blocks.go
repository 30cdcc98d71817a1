package drive

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
)

// cuts are the kernels that run block by block, by name.
var cuts = map[string]cutKernel{}

type cutKernel struct {
	kernel *cluster.Kernel
	blocks reflect.Value // the generated function that takes the kernel's arguments
}

// Cut makes a kernel known that runs block by block. Main then runs those alone, in blocks and not by variants.
func Cut(k *cluster.Kernel, blocks any) { cuts[k.Name] = cutKernel{k, reflect.ValueOf(blocks)} }

// blocks runs a kernel on one input in blocks of one element, of a prime, and of all.
func (d *driver) blocks(s shape) {
	leaves := d.sp.inputs(s)
	keep := deepCopy(leaves)
	args, err := d.k.Assemble(leaves)
	if err != nil {
		d.fail("generator", "", s, "%v", err)
		return
	}
	want, fault := d.reference(args)
	largest := 1
	for _, x := range append(leaves[:len(leaves):len(leaves)], want...) {
		largest = max(largest, count(x))
	}
	values, err := d.blockInputs(args)
	if err != nil {
		d.fail("panic", "", s, "%v", err)
		return
	}
	ctx := cluster.WithOptions(context.Background(), exec.Threads(3))
	outcome := ""
	for _, size := range []int{1, 7, 1 << 40} {
		if size == 1 && s.n > 70 {
			continue
		}
		name := fmt.Sprintf("blocks of %d", size)
		d.totals.Runs++
		done := func(got []cluster.Value, err error) {
			if d.found > maxFailures {
				return
			}
			o := "succeeds"
			if err != nil {
				o = "fails"
			}
			var e *cluster.Error
			var restricted *exec.Error
			switch {
			case err != nil && !errors.As(err, &e):
				d.fail("error", name, s, "not a *cluster.Error but %T: %v", err, err)
			case err != nil && fault == nil && s.mode == "bad" && d.sp.Carries && errors.As(err, &restricted):
				d.totals.Restricted++
			case err != nil && fault == nil:
				d.fail("error", name, s, "plain Go succeeds, and this fails: %v", err)
			case err != nil:
				d.totals.Refused++
			case fault != nil:
				d.totals.Lenient++
			default:
				d.sameBlocks(s, name, got, want, largest)
			}
			if outcome == "" {
				outcome = o
			} else if fault != nil && o != outcome {
				d.fail("disagree", name, s, "plain Go panics (%v); these blocks: %s (%v), others do not", fault, o, err)
			}
			if fmt.Sprint(leaves...) != fmt.Sprint(keep...) { // as text: NaN differs from itself
				d.fail("input", "", s, "the inputs were modified")
			}
		}
		fails := fault != nil || s.mode == "bad" && d.sp.Carries
		clustertest.Submit(ctx, clustertest.Job{Kernel: cuts[d.sp.Kernel].kernel, Inputs: values, Size: size, Fails: fails, Done: done})
	}
}

// blockInputs are the arguments of the kernel as blocks are cut from them.
func (d *driver) blockInputs(args []any) (values cluster.Slices, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	return cuts[d.sp.Kernel].blocks.Call(in)[0].Interface().(cluster.Slices), nil
}

// sameBlocks compares the results with those of plain Go. Blocks add floats in another order.
func (d *driver) sameBlocks(s shape, name string, got []cluster.Value, want []any, largest int) {
	if len(got) != len(want) {
		d.fail("mismatch", name, s, "%d results, want %d", len(got), len(want))
		return
	}
	for i, w := range want {
		if c := harness.Compare(nested(got[i]), w, d.k.Outs()[i], largest); !c.OK {
			d.fail("mismatch", name, s, "result %d: element %d is %s, want %s; %d of %d differ (%s)", i+1, c.First, c.Got, c.Want, c.Bad, c.Count, c.Rule)
			return
		}
	}
}

// nested makes a slice of slices of rows.
func nested(v cluster.Value) any {
	rows, ok := v.(cluster.Rows)
	if !ok {
		return v
	}
	data := reflect.ValueOf(rows.Data)
	out := reflect.MakeSlice(reflect.SliceOf(data.Type()), 0, len(rows.Offsets)-1)
	for i := range len(rows.Offsets) - 1 {
		out = reflect.Append(out, data.Slice(rows.Offsets[i], rows.Offsets[i+1]))
	}
	return out.Interface()
}
