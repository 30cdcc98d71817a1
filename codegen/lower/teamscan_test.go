package lower_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/lower"
	"github.com/surge-ndp/surge/ops/ir"
)

// hashes scans by a function whose result tells every order and every choice of elements apart, and that has no neutral
// element that the lowering knows: a hash of the elements so far, and the weight of the next one.
const hashes = `func Hashes (x: []int) {
  n: int = len x
  w: []int, h: []int = KIND i < n init 31:int 7:int {
    v: int = index x i
    yield 31:int v
  } comb p: int, q: int, r: int, s: int {
    t: int = mul p r
    u: int = mul q r
    v2: int = add u s
    yield t v2
  }
  yield w h
}
`

// TestTeamScan runs scans of a workgroup in an interpreter, for workgroups of every size and inputs that fill tiles or not.
func TestTeamScan(t *testing.T) {
	for _, kind := range []string{"scan", "inclusive_scan"} {
		k := compile(t, strings.ReplaceAll(hashes, "KIND", kind))
		for _, policy := range []string{"raking,block_scan_grain_size_1=1,in_flight_1=1", "raking,block_scan_grain_size_1=1,in_flight_1=8",
			"hillis_steele,block_scan_grain_size_1=1,in_flight_1=1", "hillis_steele,block_scan_grain_size_1=4,in_flight_1=1",
			"blelloch,block_scan_grain_size_1=1,in_flight_1=1", "blelloch,block_scan_grain_size_1=4,in_flight_1=1"} {
			t.Run(kind+" "+policy, func(t *testing.T) {
				d, err := lower.Device(k, k.Computations[0], variant(t, "Hashes.1/nest/cooperative/opencl/execution_resource_1=group,block_scan_algo_1="+policy), "f")
				if err != nil {
					t.Fatal(err)
				}
				for items := 1; items <= 35; items++ {
					for _, n := range []int{0, 1, 2, items - 1, items, items + 1, 3 * items, 4*items + 3, 9*items - 2} {
						x := make([]int64, n)
						var want []int64
						h := int64(7)
						for i := range x {
							x[i] = int64(i*i%101 + 1)
							next := h*31 + x[i]
							if kind == "scan" {
								want = append(want, h)
							} else {
								want = append(want, next)
							}
							h = next
						}
						g := &group{items: int64(items), memory: map[string][]int64{"x": x}, cells: map[cell]*access{}}
						if err := g.run(d.Launches[0].Body, map[string]int64{"n": int64(n)}, n); err != nil {
							t.Fatalf("%d work-items, %d elements: %v\n%s", items, n, err, d)
						}
						if got := g.memory["h"]; !slices.Equal(got, want) {
							t.Fatalf("%d work-items, %d elements: %v, want %v\n%s", items, n, got, want, d)
						}
					}
				}
			})
		}
	}
}

// group runs the work-items of one workgroup on ints, one after the other from barrier to barrier. It finds barriers that not
// all of them come to, and accesses to local memory between two barriers that depend on who comes first.
type group struct {
	items  int64
	memory map[string][]int64
	cells  map[cell]*access
	turn   int // barriers so far
}

type cell struct {
	array string
	at    int64
}

// access is who used a cell since the last barrier; work-items count from 1, and several are -1.
type access struct{ turn, reader, writer int }

func (g *group) run(body []kir.Stmt, host map[string]int64, n int) (err error) {
	kir.Walk(body, func(s kir.Stmt) {
		if st, ok := s.(*kir.Store); ok {
			size := n
			if st.A.Space == kir.Local {
				size = int(g.items)
			}
			g.memory[st.A.Name] = make([]int64, size)
		}
	}, nil)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	var next []func() (*kir.Barrier, bool)
	for i := range g.items {
		it := &item{group: g, number: i, vars: map[*kir.Var]int64{}, host: host}
		step, stop := iter.Pull(func(yield func(*kir.Barrier) bool) {
			it.yield = yield
			it.block(body)
		})
		defer stop()
		next = append(next, step)
	}
	for {
		var at *kir.Barrier
		more := false
		for i, step := range next {
			b, ok := step()
			if i > 0 && (b != at || ok != more) {
				return fmt.Errorf("work-item %d does not come to the barrier that others come to", i)
			}
			at, more = b, ok
		}
		if !more {
			return nil
		}
		g.turn++
	}
}

// item is one work-item.
type item struct {
	*group
	number int64
	vars   map[*kir.Var]int64
	host   map[string]int64
	yield  func(*kir.Barrier) bool
}

func (it *item) block(body []kir.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Let:
			it.vars[s.V] = it.eval(s.X)
		case *kir.Set:
			it.vars[s.V] = it.eval(s.X)
		case *kir.Store:
			*it.use(s.A, it.eval(s.I), true) = it.eval(s.X)
		case *kir.If:
			if it.eval(s.Cond) != 0 {
				it.block(s.Then)
			} else {
				it.block(s.Else)
			}
		case *kir.Scoped:
			it.block(s.Body)
		case *kir.While:
			for it.block(s.Cond); it.eval(s.Test) != 0; it.block(s.Cond) {
				it.block(s.Body)
			}
		case *kir.Stride:
			for i := it.eval(s.Lo); i < it.eval(s.Hi); i += it.eval(s.Step) {
				it.vars[s.V] = i
				it.block(s.Body)
			}
		case *kir.Barrier:
			it.yield(s)
		case *kir.Label:
		default:
			panic(fmt.Sprintf("no statement %T", s))
		}
	}
}

// use returns the memory of an element, and panics if another work-item may use it at the same time.
func (it *item) use(a *kir.Array, at int64, writes bool) *int64 {
	me := int(it.number) + 1
	c := it.cells[cell{a.Name, at}]
	if c == nil || c.turn != it.turn {
		c = &access{turn: it.turn}
		it.cells[cell{a.Name, at}] = c
	}
	if c.writer != 0 && c.writer != me || writes && c.reader != 0 && c.reader != me {
		panic(fmt.Sprintf("%s[%d] is used by several work-items between two barriers, one of which writes", a.Name, at))
	}
	switch {
	case writes:
		c.writer = me
	case c.reader != 0 && c.reader != me:
		c.reader = -1
	default:
		c.reader = me
	}
	return &it.memory[a.Name][at]
}

func (it *item) eval(x kir.Expr) int64 {
	switch x := x.(type) {
	case *kir.Const:
		return x.C.Int()
	case *kir.Ref:
		if v, ok := it.host[x.V.Name]; ok && x.V.Host {
			return v
		}
		v, ok := it.vars[x.V]
		if !ok {
			panic(x.V.Name + " has no value")
		}
		return v
	case *kir.Length:
		return int64(len(it.memory[x.A.Name]))
	case *kir.Load:
		return *it.use(x.A, it.eval(x.I), false)
	case *kir.Select:
		if it.eval(x.C) != 0 {
			return it.eval(x.X)
		}
		return it.eval(x.Y)
	case *kir.Place:
		switch x.What {
		case kir.ItemOf:
			return it.number
		case kir.Items:
			return it.items
		}
	case *kir.Routine:
		lo, hi := it.eval(x.Args[0].X), it.eval(x.Args[1].X)
		n := it.eval(x.Args[len(x.Args)-1].X)
		run := max((hi-lo+n-1)/n, 1)
		switch x.Name {
		case "run_lo":
			return min(hi, lo+it.eval(x.Args[2].X)*run)
		case "run_hi":
			return min(hi, lo+(it.eval(x.Args[2].X)+1)*run)
		case "run_count":
			return (hi - lo + run - 1) / run
		}
	case *kir.Bin:
		a, b := it.eval(x.X), it.eval(x.Y)
		truth := func(t bool) int64 {
			if t {
				return 1
			}
			return 0
		}
		switch x.Fn {
		case ir.Add:
			return a + b
		case ir.Sub:
			return a - b
		case ir.Mul:
			return a * b
		case ir.Div:
			return a / b
		case ir.Min:
			return min(a, b)
		case ir.And:
			return a & b
		case ir.Lt:
			return truth(a < b)
		case ir.Le:
			return truth(a <= b)
		case ir.Gt:
			return truth(a > b)
		case ir.Eq:
			return truth(a == b)
		}
	}
	panic("no expression " + kir.Text(x))
}
