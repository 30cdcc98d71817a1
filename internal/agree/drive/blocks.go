package drive

import (
	"context"
	"fmt"
	"reflect"

	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// runBlocks runs the kernel in blocks of one element, of seven and of all.
func (d *driver) runBlocks() {
	if d.k.Blocks == nil {
		return
	}
	for _, n := range []int{0, 1, 3, 64, 300} {
		for _, mode := range []string{"usual", "odd", "uneven"} {
			if d.k.Inputs != nil && mode != "usual" {
				continue
			}
			for _, size := range []int{1, 7, 1 << 40} {
				if n > 64 && size == 1 {
					continue
				}
				d.blocks(shape{n, mode}, size)
			}
		}
	}
	clustertest.Flush(context.Background())
}

// blocks runs the kernel on one input, and compares the columns of the results with those of plain Go.
func (d *driver) blocks(s shape, size int) {
	args, err := d.k.arguments(s)
	if err != nil {
		d.fail("%v", err)
		return
	}
	want := d.k.plain(args)
	args, _ = d.k.arguments(s)
	var values []any
	for _, a := range args {
		values = append(values, a.Interface())
	}
	k, src := d.k.Blocks(values)
	d.report.Runs++
	clustertest.Submit(context.Background(), clustertest.Job{Kernel: k, Inputs: src, Size: size, Fails: want.fault != nil || want.err != nil,
		Done: func(got []cluster.Value, err error) {
			d.compareBlocks(fmt.Sprintf("%v, in blocks of %d", s, size), k, got, err, want, elements(args))
		}})
}

// compareBlocks compares what came of blocks with what came of plain Go.
func (d *driver) compareBlocks(what string, k *cluster.Kernel, got []cluster.Value, err error, want outcome, largest int) {
	switch {
	case want.fault != nil || want.err != nil:
		d.report.Refused++
		if err == nil {
			d.fail("%s: %v; plain Go: %v", what, got, want)
		}
		return
	case err != nil:
		d.fail("%s: %v", what, err)
		return
	}
	var results []any
	for _, v := range want.values {
		results = append(results, v.Interface())
	}
	for i, column := range cluster.Columns(results...) {
		if diff := difference(reflect.ValueOf(got[i]), reflect.ValueOf(column), largest); diff != "" {
			d.fail("%s: result %s: %s", what, k.Results[i].Name, diff)
			return
		}
	}
}
