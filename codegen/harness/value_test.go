package harness

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
)

type (
	side  int32
	point struct{ X, Y float64 }
	table struct {
		data []side
		rows [][]point
		name string
		unit [2]point
		z    complex64
	}
	turn [2][2]float32
)

// TestLeaves takes values apart and puts them together again.
func TestLeaves(t *testing.T) {
	both(t, []side{1, -2, 3}, "x []int32")
	both(t, table{[]side{1, 2}, [][]point{{{1, 2}}, {}, {{3, 4}, {5, 6}}}, "äb", [2]point{{7, 8}, {9, 10}}, complex(1, -1)},
		"x.data []int32, x.rows.X [][]float64, x.rows.Y [][]float64, x.name []uint8, x.unit.X []float64, x.unit.Y []float64, x.z.real float32, x.z.imag float32")
	both(t, []string{"", "abc", "d"}, "x [][]uint8")
	both(t, "abc", "x []uint8")
	both(t, [3]float64{1, 2, 3}, "x []float64")
	both(t, []turn{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, "x [][]float32")
	both(t, turn{{1, 2}, {3, 4}}, "x []float32")
	both(t, [][]turn{{{{1, 2}, {3, 4}}}, {}}, "x[0][0] [][]float32, x[0][1] [][]float32, x[1][0] [][]float32, x[1][1] [][]float32")
	both(t, []complex128{1i, 2}, "x.real []float64, x.imag []float64")
	both(t, [2][]int8{{1}, {2, 3}}, "x [][]int8")
	both(t, []struct {
		id   int
		name string
		at   []point
	}{{1, "a", []point{{1, 2}}}, {2, "", []point{}}}, "x.id []int, x.name [][]uint8, x.at.X [][]float64, x.at.Y [][]float64")
	if _, err := Of[map[int]int]("x").Leaves(); err == nil {
		t.Error("a map has leaves")
	}
	if own, err := Of[[][][][2]int]("x").Leaves(); err != nil || len(own) != 2 || own[1] != (Param{"x[1]", "[][][]int", 0}) {
		t.Errorf("%v, %v", own, err)
	}
}

func both[T any](t *testing.T, x T, want string) {
	t.Helper()
	v := Of[T]("x")
	own, err := v.Leaves()
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, p := range own {
		names += ", " + p.Name + " " + p.Type
	}
	if names = names[2:]; names != want {
		t.Errorf("%T has the leaves\n%s, want\n%s", x, names, want)
	}
	apart, err := dismantle([]Value{v}, []any{x})
	if err != nil {
		t.Fatal(err)
	}
	if len(apart) != len(own) {
		t.Fatalf("%T: %d leaves, want %d", x, len(apart), len(own))
	}
	for i, a := range apart {
		if got := a.argument().Type; got != own[i].Type {
			t.Errorf("%s is a %s, want %s", own[i].Name, got, own[i].Type)
		}
	}
	back, err := assemble([]Value{v}, apart)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back[0], any(x)) {
		t.Errorf("%+v became %+v", x, back[0])
	}
}

// TestLeavesThatDiffer binds parts of one slice that have different lengths.
func TestLeavesThatDiffer(t *testing.T) {
	leaves := func(xs ...any) []array {
		var all []array
		for _, x := range xs {
			a, err := view(x)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
		return all
	}
	for i, c := range []struct {
		v  Value
		xs []array
	}{
		{Of[[]point]("p"), leaves([]float64{1, 2}, []float64{1})},
		{Of[[][]point]("p"), leaves([][]float64{{1}, {2}}, [][]float64{{1, 2}, {}})},
		{Of[[3]int]("p"), leaves([]int{1, 2})},
		{Of[[][2]int]("p"), leaves([][]int{{1, 2}, {3}, {4}})},
		{Of[[2][]int]("p"), leaves([][]int{{1, 2}, {3}, {4}})},
	} {
		_, err := assemble([]Value{c.v}, c.xs)
		var e *exec.Error
		if !errors.As(err, &e) || e.Code != "length" {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, test := range []struct {
		err   error
		makes bool
		want  bool
	}{
		{errors.New("a"), false, false}, // errors of the same text are not the same
		{errors.New("b"), true, true},
		{&exec.Error{Code: "division"}, true, false},
		{fmt.Errorf("stopped: %w", context.Canceled), true, false},
	} {
		if got := Own(test.err, []error{errors.New("a")}, test.makes); got != test.want {
			t.Errorf("%v: %t, want %t", test.err, got, test.want)
		}
	}
}
