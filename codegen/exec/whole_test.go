package exec

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

// TestPlaced checks where results of kernels go that run as they stand.
func TestPlaced(t *testing.T) {
	call := func(opts ...Option) *Call {
		var c Call
		c.Init(testKernel(), opts)
		return &c
	}
	own, dst := []int{1, 2}, []int{7, 7, 7}
	if got, err := Placed[int](call(), 0, own); err != nil || &got[0] != &own[0] {
		t.Errorf("without a destination: %v, %v", got, err)
	}
	if got, err := Placed[int](call(Into(dst)), 0, own); err != nil || &got[0] != &dst[0] || !slices.Equal(dst, []int{1, 2, 7}) {
		t.Errorf("with one: %v, %v, %v", got, err, dst)
	}
	if _, err := Placed[int](call(Into(dst[:1])), 0, own); err == nil {
		t.Error("a destination that is too short is taken")
	}
	rows := [][]int{{1}, {}, {2, 3}}
	got, err := PlacedRows[int](call(Into(dst)), 0, rows)
	if err != nil || !slices.Equal(dst, []int{1, 2, 3}) || len(got) != 3 || !slices.Equal(got[2], rows[2]) || cap(got[0]) != 1 {
		t.Errorf("rows: %v, %v, %v", got, err, dst)
	}
	planes := [][][]int{{{4}}, {}, {{5, 6}, nil}}
	volume, err := PlacedPlanes[int](call(Into(dst)), 0, planes)
	if err != nil || !slices.Equal(dst, []int{4, 5, 6}) || len(volume) != 3 || len(volume[2]) != 2 || &volume[2][0][0] != &dst[1] {
		t.Errorf("planes: %v, %v, %v", volume, err, dst)
	}
	if _, err := PlacedPlanes[int](call(Into(dst[:2])), 0, planes); err == nil {
		t.Error("a destination that is too short for planes is taken")
	}
	for name, opts := range map[string][]Option{"destination": {Into(dst)}, "end": {Until(t.Context())}} {
		if k := testKernel(); k.AsItStands(opts) != 0 || k.AsItStands(nil) == 0 || k.AsItStands([]Option{Threads(3)}) != 3 {
			t.Errorf("what a call with a %s does besides running the kernel", name)
		}
	}
	input := [][]int{{1}, {2}}
	apart := ApartRows([][]int{{9}, input[1]}, Ragged("input", input))
	if apart[1][0] = 5; input[1][0] != 2 {
		t.Error("a row of an input is not copied")
	}
	if whole := ApartRows(input[1:], Ragged("input", input)); &whole[0] == &input[1] {
		t.Error("an input that is a result is not copied")
	}
	flat := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	given := []Argument{Flat("flat", flat[:4]), Ragged("rows", [][]int{flat[7:], nil, flat[5:6], flat[5:7], {1}}), Flat("none", flat[9:])}
	for i := range flat {
		for j := i; j <= len(flat); j++ {
			part, want := flat[i:j], flat[i:j]
			if j > i && (i < 4 || j > 5) { // all but element 4 are given
				want = nil
			}
			got := ApartRows([][]int{part}, given...)[0]
			if len(part) > 0 && (unsafe.SliceData(got) == unsafe.SliceData(part)) != (want != nil) || !slices.Equal(got, part) {
				t.Errorf("elements %d to %d: %v", i, j, got)
			}
		}
	}
	run := func() (err error) {
		defer Panicked(testKernel(), &err)
		panic("no")
	}
	var e *Error
	if err := run(); !errors.As(err, &e) || e.Code != "panic" || e.Detail != "panic: no" {
		t.Errorf("a panic: %v", err)
	}
}
