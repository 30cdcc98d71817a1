package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/selector"
)

// The fake kernel is Pick(x []float64, at []int32, scale float64) (y []float64, sum float64) with y = scale·x[at], and
// variants that are right, late, wrong, lazy, or panic, by their schedule.

type frame struct {
	x     []float64
	at    []int32
	scale float64
	y     []float64
	sum   float64
}

type fakeFunc struct{ schedule string }

func (f fakeFunc) Available(vectorBits int) string {
	if vectorBits > 0 {
		return "this machine has no vectors"
	}
	return ""
}

func (f fakeFunc) Prepare(selector.Variant) (exec.Launch, error) { return f, nil }

func (f fakeFunc) Run(ctx context.Context, p any) error {
	fr := p.(*frame)
	if f.schedule == "cooperative" {
		panic("not a good variant")
	}
	fr.sum = 0
	for i, j := range fr.at {
		if f.schedule == "independent" && i == 3 {
			continue // forgotten
		}
		fr.y[i] = fr.scale * fr.x[j]
		fr.sum += fr.y[i]
	}
	return ctx.Err()
}

func fakeKernel() *Kernel { return listed(fakePick()) }

func listed(k *Kernel) *Kernel {
	if err := k.list(); err != nil {
		panic(err)
	}
	return k
}

func fakePick() *Kernel {
	code := func(schedule string, bits int) exec.Code {
		return exec.Code{Text: fmt.Sprintf("Pick.1/nest/%s/goroutine/unroll_1=%d", schedule, max(bits, 1)), Launch: "num_threads=", VectorBits: bits, Func: fakeFunc{schedule}}
	}
	k := &exec.Kernel{Name: "Pick", Pos: "pick.go:7", Hash: "h", Computations: []*exec.Computation{{
		Name: "Pick.1", Sequence: "map",
		Codes: []exec.Code{code("sequential", 0), code("independent", 0), code("cooperative", 0), code("independent", 512)},
	}}}
	return &Kernel{
		Exec:    k,
		Params:  []Value{Of[[]float64]("x"), Of[[]int32]("at"), Of[float64]("scale")},
		Results: []Value{Into[[]float64, float64]("y"), Of[float64]("sum")},
		Bind: func(args []any, opts ...exec.Option) (Bound, error) {
			b := &fakeBound{fr: frame{x: args[0].([]float64), at: args[1].([]int32), scale: args[2].(float64)}}
			b.call.Init(k, opts)
			if !b.call.Unchecked() {
				for i, j := range b.fr.at {
					if int(j) >= len(b.fr.x) {
						return nil, exec.Site{Kernel: "Pick", Pos: "pick.go:9:2", Op: "Gather", Arg: "at"}.Index(i, int(j), len(b.fr.x))
					}
				}
			}
			if err := b.call.Choose(0, selector.Feature{Name: selector.Length, Unit: "elements", Value: float64(len(b.fr.at))}); err != nil {
				return nil, err
			}
			var err error
			b.fr.y, err = exec.Result[float64](&b.call, 0, len(b.fr.at))
			return b, err
		},
		Reference: func(args []any) []any {
			scale, sum := args[2].(float64), 0.0
			y := ops.Map(func(v float64) float64 { return scale * v }, ops.Gather(args[0].([]float64), args[1].([]int32)))
			for _, v := range y {
				sum += v
			}
			return []any{y, sum}
		},
	}
}

type fakeBound struct {
	call exec.Call
	fr   frame
}

func (b *fakeBound) Run(ctx context.Context) ([]any, error) {
	if err := b.call.Run(ctx, 0, &b.fr); err != nil {
		return nil, err
	}
	return []any{b.fr.y, b.fr.sum}, nil
}

func (b *fakeBound) Decisions() []exec.Decision { return b.call.Decisions() }

// rowsKernel returns its rows as they are, in the memory for results, and waits for the end of its context if there
// are none.
func rowsKernel() *Kernel {
	code := exec.Code{Text: "Rows.1/nest/sequential/goroutine/unroll_1=1", Func: fakeFunc{"sequential"}}
	k := &exec.Kernel{Name: "Rows", Computations: []*exec.Computation{{Name: "Rows.1", Codes: []exec.Code{code}}}}
	return listed(&Kernel{
		Exec: k, Params: []Value{Of[[][]int32]("r"), Of[[]bool]("b")}, Results: []Value{Into[[][]int32, int32]("r"), Into[[]bool, bool]("b")},
		Bind: func(args []any, opts ...exec.Option) (Bound, error) {
			b := &rowsBound{args: args}
			b.call.Init(k, opts)
			return b, b.call.Choose(0)
		},
		Reference: func(args []any) []any {
			if len(args[0].([][]int32)) == 1 {
				panic(errors.New("no kernel of one row"))
			}
			return args
		},
	})
}

type rowsBound struct {
	call exec.Call
	args []any
}

func (b *rowsBound) Run(ctx context.Context) ([]any, error) {
	if rows := b.args[0].([][]int32); len(rows) == 1 && rows[0][0] < 0 {
		return nil, &exec.Error{Kernel: "Rows", Pos: "rows.go:3:1", Code: "panic", Detail: "no kernel of one row"}
	}
	if len(b.args[0].([][]int32)) == 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	data, offsets := exec.Pack(b.args[0].([][]int32))
	r, err := exec.Result[int32](&b.call, 0, len(data))
	if err != nil {
		return nil, err
	}
	copy(r, data)
	flags := b.args[1].([]bool)
	f, err := exec.Result[bool](&b.call, 1, len(flags))
	if err != nil {
		return nil, err
	}
	copy(f, flags)
	return []any{exec.Rows(r, offsets), f}, nil
}

func (b *rowsBound) Decisions() []exec.Decision { return b.call.Decisions() }
