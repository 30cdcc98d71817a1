package drive

import (
	"context"
	"reflect"
	"slices"
	"strings"
)

// changed binds the kernel, and runs what is bound again when the floats of its inputs have changed: no run may use
// what an earlier one, or binding, has computed of elements. Only parameters that are slices of floats change; what
// else there is may say where elements are, or be copied when it is bound.
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
	for turn, what := range []string{"bound", "bound, with floats in other places", "bound, with negative floats"} {
		what = strings.TrimSpace(c.name) + ", " + what
		want := d.k.plain(args)
		if _, ours := want.fault.(string); want.fault != nil && !ours { // an index or a length is wrong, which may not change
			return
		}
		got := run()
		d.report.Runs++
		if got.err != nil || want.err != nil || want.fault != nil {
			if !agreed(got.err, want) {
				d.fail("%s: %v; plain Go: %v", what, got, want)
				return
			}
			got, want = outcome{}, outcome{}
		}
		for i := range want.values {
			if diff := difference(got.values[i], want.values[i], elements(args)); diff != "" {
				d.fail("%s: result %d: %s", what, i+1, diff)
				return
			}
		}
		for _, a := range args {
			if isFloats(a) {
				change(a, turn == 0)
			}
		}
	}
}

// change exchanges the floats at the ends, and so on, or makes them negative.
func change(a reflect.Value, places bool) {
	for i, n := 0, a.Len(); i < n; i++ {
		x, y := a.Index(i), a.Index(n-1-i)
		switch {
		case !places:
			x.SetFloat(-x.Float())
		case i < n/2:
			first := x.Float()
			x.SetFloat(y.Float())
			y.SetFloat(first)
		}
	}
}

// isFloats reports whether a value is a slice of floats.
func isFloats(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && (v.Type().Elem().Kind() == reflect.Float64 || v.Type().Elem().Kind() == reflect.Float32)
}
