package load

import (
	"go/ast"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// TestPointersBehindCopies has a function in front of a kernel of which rewritings make a copy, which stands last,
// though its places in the source are the first: what the kernel assigns through a pointer is found all the same.
func TestPointersBehindCopies(t *testing.T) {
	const text = `package p

import "slices"

type point struct{ x, y int32 }

func cross(o, a, b point) int64 {
	return int64(a.x-o.x)*int64(b.y-o.y) - int64(a.y-o.y)*int64(b.x-o.x)
}

func hullOf(pts, hull []point) []point {
	hull = hull[:0]
	for _, p := range pts {
		for len(hull) >= 2 && cross(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	lower := len(hull) + 1
	for i := len(pts) - 2; i >= 0; i-- {
		for len(hull) >= lower && cross(hull[len(hull)-2], hull[len(hull)-1], pts[i]) <= 0 {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, pts[i])
	}
	return hull
}

//surge:kernel
func Hulls(points []point, offsets []int32) []int {
	var out []int
	var pts, hull []point
	for c := 0; c+1 < len(offsets); c++ {
		pts = append(pts[:0], points[offsets[c]:offsets[c+1]]...)
		slices.SortFunc(pts, func(a, b point) int { return int(a.x - b.x) })
		pts = slices.Compact(pts)
		hull = hullOf(pts, hull)
		out = append(out, len(hull))
	}
	return out
}

type bin struct {
	sum   float64
	count int
}

//surge:kernel
func Bins(x []float64) float64 {
	var bins [64]bin
	for i, v := range x {
		b := &bins[i&3]
		b.sum += v
		b.count++
	}
	return bins[1].sum + float64(bins[2].count)
}
`
	p, err := programOf("k.go", text, true)
	if err != nil {
		t.Fatal(err)
	}
	file := p.root.files[0]
	if end := file.End(); !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool { return d.Pos() > end }) {
		t.Fatal("no copy of a function stands last")
	}
	for _, k := range p.compile("") {
		if k.Name != "Bins" {
			continue
		}
		if err := ir.Verify(k.Func); err != nil { // the loop does not carry what it updates
			t.Fatalf("%v\n%s", err, k.Func)
		}
		x := []any{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}
		for i, v := range x {
			x[i] = ir.FloatConst(ir.Float64, v.(float64))
		}
		out, err := eval.Run(k.Func, []any{x}, eval.Options{})
		if err != nil || len(out) != 1 || out[0].(ir.Const).Float() != 36 {
			t.Fatalf("%v, %v; want 36\n%s", out, err, k.Func)
		}
		return
	}
	t.Fatal("there is no kernel Bins")
}
