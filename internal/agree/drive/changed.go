package drive

import (
	"context"
	"reflect"
	"slices"
	"strings"
)

// changed binds the kernel, and runs what is bound before and after the floats of its inputs have changed places: no
// run may use what an earlier one, or binding, has computed of elements. Only parameters that are slices of floats
// change; what else there is may say where elements are, or be copied when it is bound.
func (d *driver) changed(c choice) {
	s := shape{64, "usual"}
	args, err := d.k.arguments(s)
	if err != nil || d.k.Bind == nil || !slices.ContainsFunc(args, isFloats) {
		return
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Interface()
	}
	b, err := d.k.Bind(values, c.opts...)
	if err != nil {
		return // once tells whether it should
	}
	run := func() outcome {
		return split(reflect.ValueOf(b.Of).MethodByName("Run").Call([]reflect.Value{reflect.ValueOf(context.Background())}))
	}
	for turn := range 2 {
		want := d.k.plain(args)
		if want.fault != nil || want.err != nil {
			return
		}
		got := run()
		d.report.Runs++
		what := strings.TrimSpace(c.name) + []string{", bound", ", bound, with floats in other places"}[turn]
		if got.err != nil {
			d.fail("%s: %v; plain Go: %v", what, got, want)
			return
		}
		for i := range want.values {
			if diff := difference(got.values[i], want.values[i], elements(args)); diff != "" {
				d.fail("%s: result %d: %s", what, i+1, diff)
				return
			}
		}
		for _, a := range args {
			if isFloats(a) {
				for i, n := 0, a.Len(); i < n/2; i++ {
					x := a.Index(i).Float()
					a.Index(i).SetFloat(a.Index(n - 1 - i).Float())
					a.Index(n - 1 - i).SetFloat(x)
				}
			}
		}
	}
}

// isFloats reports whether a value is a slice of floats.
func isFloats(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && (v.Type().Elem().Kind() == reflect.Float64 || v.Type().Elem().Kind() == reflect.Float32)
}
