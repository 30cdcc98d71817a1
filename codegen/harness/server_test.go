package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops"
)

// client talks to a server in this process.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan error
}

func start(t *testing.T) *client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), ended: make(chan error, 1)}
	go func() {
		err := serve(inR, outW, []*Kernel{fakeKernel(), rowsKernel()}, func() {})
		outW.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { inW.Close() })
	return c
}

func (c *client) send(req Request, args ...any) {
	c.t.Helper()
	line, err := json.Marshal(req)
	if err != nil {
		c.t.Fatal(err)
	}
	var buf bytes.Buffer
	buf.Write(append(line, '\n'))
	for _, a := range args {
		x, err := view(a)
		if err != nil {
			c.t.Fatal(err)
		}
		if err := writeArray(&buf, x); err != nil {
			c.t.Fatal(err)
		}
	}
	if _, err := c.in.Write(buf.Bytes()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) call(req Request, args ...any) Response {
	c.t.Helper()
	c.send(req, args...)
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var resp Response
	if err := json.Unmarshal(line, &resp); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return resp
}

func (c *client) bind(kernel string, req BindRequest, args ...any) Response {
	c.t.Helper()
	req.Kernel = kernel
	for _, a := range args {
		x, err := view(a)
		if err != nil {
			c.t.Fatal(err)
		}
		req.Args = append(req.Args, x.argument())
	}
	return c.call(Request{Op: OpBind, Bind: &req}, args...)
}

func (c *client) pick(at ...int32) int {
	c.t.Helper()
	resp := c.bind("Pick", BindRequest{}, []float64{1, 2, 4, 8}, at, 0.5)
	if resp.Fault != nil {
		c.t.Fatal(resp.Fault)
	}
	return resp.Bound.Bound
}

func (c *client) run(req RunRequest) Response {
	c.t.Helper()
	return c.call(Request{Op: OpRun, Run: &req})
}

func TestDescribe(t *testing.T) {
	d := start(t).call(Request{Op: OpDescribe}).Description
	if d == nil || d.Protocol != ProtocolVersion || len(d.Kernels) != 2 {
		t.Fatalf("%+v", d)
	}
	k := d.Kernels[0]
	if k.Name != "Pick" || k.Pos != "pick.go:7" || len(k.Params) != 3 || k.Params[1].Type != "[]int32" || k.Computations[0].Sequence != "map" {
		t.Errorf("%+v", k)
	}
	codes := k.Computations[0].Codes
	if len(codes) != 4 || codes[0].Missing != "" || codes[3].Missing != "this machine has no vectors" {
		t.Errorf("%+v", codes)
	}
}

// TestCompareElsewhere compares results that the server did not compute.
func TestCompareElsewhere(t *testing.T) {
	c := start(t)
	n := c.pick(3, 0, 0, 2)
	compare := func(results ...any) Response {
		req := &CompareRequest{Bound: n}
		for _, r := range results {
			x, err := view(r)
			if err != nil {
				t.Fatal(err)
			}
			req.Results = append(req.Results, x.argument())
		}
		return c.call(Request{Op: OpCompare, Compare: req}, results...)
	}
	got := compare([]float64{4, 0.5, 0.5, 2}, 7.0)
	if got.Fault != nil || len(got.Compared) != 2 || !got.Compared[0].OK || !got.Compared[1].OK || got.Compared[0].Count != 4 {
		t.Errorf("%+v", got)
	}
	got = compare([]float64{4, 0.5, 0.25, 2}, 7.0)
	if got.Fault != nil || got.Compared[0].OK || got.Compared[0].First != 2 || got.Compared[0].Bad != 1 || !got.Compared[1].OK {
		t.Errorf("%+v", got)
	}
	if got = compare([]float64{4, 0.5, 0.5}, 7.0); got.Fault != nil || got.Compared[0].OK {
		t.Errorf("a result that is too short: %+v", got)
	}
	if got = compare([]float64{4, 0.5, 0.5, 2}); got.Fault == nil || !strings.Contains(got.Fault.Detail, "2 results, not 1") {
		t.Errorf("too few results: %+v", got)
	}
	if got = compare([]float32{4, 0.5, 0.5, 2}, 7.0); got.Fault == nil || !strings.Contains(got.Fault.Detail, "not a []float32") {
		t.Errorf("a result of another type: %+v", got)
	}
}

func TestRun(t *testing.T) {
	c := start(t)
	n := c.pick(3, 0, 0, 2)
	for _, verify := range []bool{true, false} { // with and without common results beforehand
		resp := c.run(RunRequest{Bound: n, Variants: []string{"sequential"}, Warmup: 1, Repeat: 3, Verify: verify, Values: true})
		if resp.Fault != nil {
			t.Fatal(resp.Fault)
		}
		r := resp.Ran
		if len(r.Nanoseconds) != 3 || r.Batch < 2 || r.Nanoseconds[0] <= 0 {
			t.Errorf("times %v in batches of %d", r.Nanoseconds, r.Batch)
		}
		if len(r.Checksums) != 2 || r.Checksums[0] != 4+0.5*1.125+0.5*1.25+2*1.375 || r.Checksums[1] != 7 || r.Bytes != 4*8+8 {
			t.Errorf("checksums %v of %d bytes", r.Checksums, r.Bytes)
		}
		if r.Decisions[0].Selector != "forced" || r.Decisions[0].Features[0].Value != 4 {
			t.Errorf("%+v", r.Decisions)
		}
		if len(r.Results) != 2 || !reflect.DeepEqual(r.Results, []Argument{{Type: "[]float64", Count: 4}, {Type: "float64", Count: 1}}) {
			t.Fatalf("%+v", r.Results)
		}
		y, err := readArray(c.out, r.Results[0])
		if err != nil || y.value().([]float64)[0] != 4 {
			t.Error(y, err)
		}
		if sum, err := readArray(c.out, r.Results[1]); err != nil || sum.value() != 7.0 {
			t.Error(sum, err)
		}
		if verify != (len(r.Comparisons) == 2) || verify && (!r.Comparisons[0].OK || !r.Comparisons[1].OK || r.Plain <= 0) {
			t.Errorf("%+v", r.Comparisons)
		}
	}
	one := c.run(RunRequest{Bound: n, Repeat: 100, Hopeless: 1, TimesOnly: true}).Ran
	if one == nil || len(one.Nanoseconds) != 1 || one.Checksums != nil {
		t.Errorf("a hopeless run gave %+v", one)
	}
}

func TestStopwatch(t *testing.T) {
	k := fakeKernel()
	if equip(k.Exec) != nil {
		t.Error("the only computation has a stopwatch")
	}
	k.Exec.Computations = append(k.Exec.Computations, &exec.Computation{Name: "Pick.2"})
	k.watches = equip(k.Exec)
	x, _ := view([]float64{1, 2})
	at, _ := view([]int32{0, 1, 1})
	scale, _ := view(2.0)
	b, err := newBinding(k, &BindRequest{Variants: []string{"Pick.1/sequential"}}, []array{x, at, scale})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := b.run(t.Context(), &RunRequest{Repeat: 3})
	if err != nil || len(r.Parts) != 2 || len(r.Parts[0]) != 3 || r.Parts[0][2] <= 0 || r.Parts[0][2] > r.Nanoseconds[2] || r.Parts[1][2] != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// doubled is a kernel without computations.
type doubled float64

func (d doubled) Run(context.Context) ([]any, error) { return []any{float64(d)}, nil }
func (d doubled) Decisions() []exec.Decision         { return nil }

// A kernel without computations does all when it is bound: what is timed binds it.
func TestBoundOnly(t *testing.T) {
	binds := 0
	k := listed(&Kernel{
		Exec: &exec.Kernel{Name: "Double"}, Params: []Value{Of[float64]("x")}, Results: []Value{Of[float64]("result")},
		Bind: func(args []any, _ ...exec.Option) (Bound, error) {
			binds++
			return doubled(2 * args[0].(float64)), nil
		},
		Reference: func(args []any) []any { return []any{2 * args[0].(float64)} },
	})
	x, _ := view(2.5)
	b, err := newBinding(k, &BindRequest{}, []array{x})
	if err != nil {
		t.Fatal(err)
	}
	before := binds
	r, arrays, err := b.run(t.Context(), &RunRequest{Repeat: 5})
	if err != nil || binds-before < 5 || len(r.Nanoseconds) != 5 || arrays[0].checksum() != 5 {
		t.Errorf("%d calls of Bind: %+v, %v, %v", binds-before, r, arrays, err)
	}
}

// A variant that leaves an element out is found even where an earlier run wrote it: results are spoilt in between.
func TestWrongVariant(t *testing.T) {
	c := start(t)
	n := c.pick(0, 1, 2, 3, 0)
	if r := c.run(RunRequest{Bound: n, Variants: []string{"sequential"}, Verify: true}); r.Fault != nil || !r.Ran.Comparisons[0].OK {
		t.Fatalf("%+v", r)
	}
	r := c.run(RunRequest{Bound: n, Variants: []string{"independent"}, Verify: true})
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	if y := r.Ran.Comparisons[0]; y.OK || y.Bad != 1 || y.First != 3 || y.Got != "NaN" || y.Want != "4" {
		t.Errorf("%+v", y)
	}
	if sum := r.Ran.Comparisons[1]; sum.OK || sum.MaxAbsolute != 4 || sum.Got != "4" || sum.Want != "8" {
		t.Errorf("%+v", sum)
	}
}

func TestRows(t *testing.T) {
	c := start(t)
	rows := [][]int32{{1, 2}, {}, {3}}
	bound := c.bind("Rows", BindRequest{}, rows, []bool{true, false})
	if bound.Fault != nil || bound.Bound.Bytes != 3*4+4*8+2 {
		t.Fatalf("%+v", bound)
	}
	r := c.run(RunRequest{Bound: bound.Bound.Bound, Repeat: 2, Verify: true, Values: true})
	if r.Fault != nil || !r.Ran.Comparisons[0].OK || !r.Ran.Comparisons[1].OK || r.Ran.Checksums[1] != 1 {
		t.Fatalf("%+v", r)
	}
	x, err := readArray(c.out, r.Ran.Results[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := x.value().([][]int32); len(got) != 3 || len(got[0]) != 2 || got[0][1] != 2 || len(got[1]) != 0 || got[2][0] != 3 {
		t.Errorf("%v", got)
	}
	readArray(c.out, r.Ran.Results[1])
	if r := c.call(Request{Op: OpRelease, Release: bound.Bound.Bound}); r.Fault != nil {
		t.Error(r.Fault)
	}
	if r := c.run(RunRequest{Bound: bound.Bound.Bound}); r.Fault == nil || r.Fault.Kind != FaultRequest {
		t.Errorf("%+v", r)
	}
}

func TestPrepare(t *testing.T) {
	c := start(t)
	n := c.pick(1)
	texts := []string{"nonsense", "Pick.1/nest/nothing/goroutine"}
	for _, code := range c.call(Request{Op: OpDescribe}).Description.Kernels[0].Computations[0].Codes {
		texts = append(texts, code.Text)
	}
	if r := c.call(Request{Op: OpPrepare, Run: &RunRequest{Bound: n, Variants: texts}}); r.Fault != nil {
		t.Error(r.Fault)
	}
	if r := c.call(Request{Op: OpPrepare, Run: &RunRequest{Bound: n + 1}}); r.Fault == nil || r.Fault.Kind != FaultRequest {
		t.Errorf("%+v", r)
	}
	if r := c.run(RunRequest{Bound: n}); r.Fault != nil {
		t.Error(r.Fault)
	}
}

// Timed runs write rows to the same memory, run after run.
func TestRowsShareMemory(t *testing.T) {
	k := rowsKernel()
	b := &binding{kernel: k, args: []any{[][]int32{{1, 2}, {}, {3}}, []bool{true, false}}}
	if err := b.choose(nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.run(t.Context(), &RunRequest{Repeat: 2}); err != nil {
		t.Fatal(err)
	}
	row := func() *int32 {
		results, _, err := b.repeat(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return &results[0].([][]int32)[0][0]
	}
	if one, other := row(), row(); one != other {
		t.Errorf("rows at %p and at %p", one, other)
	}
}

func TestFaults(t *testing.T) {
	c := start(t)
	x := []float64{1, 2, 4, 8}
	n := c.pick(1)
	unchecked := c.bind("Pick", BindRequest{Unchecked: true}, x, []int32{7}, 1.0).Bound.Bound
	oneRow := c.bind("Rows", BindRequest{}, [][]int32{{1}}, []bool{true}).Bound.Bound
	negative := c.bind("Rows", BindRequest{}, [][]int32{{-1}}, []bool{true}).Bound.Bound
	for name, f := range map[string]struct {
		got  Response
		want Fault
	}{
		"input": {c.bind("Pick", BindRequest{}, x, []int32{0, 4}, 1.0),
			Fault{Kind: FaultInput, Kernel: "Pick", Pos: "pick.go:9:2", Code: ops.CodeIndex, Op: "Gather", Detail: "at[1] = 4 is outside of [0, 4)"}},
		"plain go": {c.run(RunRequest{Bound: unchecked, Verify: true}),
			Fault{Kind: FaultInput, Kernel: "Pick", Code: ops.CodeIndex, Op: "Gather", Detail: "idx[0] = 7 is outside s, which has 4 elements"}},
		"plain panic": {c.run(RunRequest{Bound: oneRow, Verify: true}),
			Fault{Kind: FaultBug, Kernel: "Rows", Code: CodePlain,
				Detail: "the compiled kernel succeeds where plain Go fails: plain Go execution panics: no kernel of one row"}},
		"both fail": {c.run(RunRequest{Bound: negative, Verify: true}),
			Fault{Kind: FaultInput, Kernel: "Rows", Pos: "rows.go:3:1", Code: CodePlain,
				Detail: "plain Go execution panics: no kernel of one row; the compiled kernel fails as well: no kernel of one row"}},
		"variant":  {c.run(RunRequest{Bound: n, Variants: []string{"sequentail"}}), Fault{Kind: FaultInput, Kernel: "Pick", Pos: "pick.go:7", Code: "variant", Detail: "…sequential"}},
		"missing":  {c.run(RunRequest{Bound: n, Variants: []string{"Pick.1/nest/independent/goroutine/unroll_1=512"}}), Fault{Kind: FaultInput, Kernel: "Pick", Pos: "pick.go:7", Code: "variant", Detail: "…no vectors"}},
		"panic":    {c.run(RunRequest{Bound: n, Variants: []string{"cooperative"}}), Fault{Kind: FaultBug, Kernel: "Pick", Detail: "panic: not a good variant"}},
		"kernel":   {c.bind("Pack", BindRequest{}), Fault{Kind: FaultRequest, Detail: `unknown kernel "Pack"`}},
		"type":     {c.bind("Pick", BindRequest{}, x, []int64{1}, 1.0), Fault{Kind: FaultRequest, Detail: "Pick: at is a []int32, not a []int64"}},
		"op":       {c.call(Request{Op: "sing"}), Fault{Kind: FaultRequest, Detail: `unknown operation "sing"`}},
		"no bound": {c.run(RunRequest{Bound: 77}), Fault{Kind: FaultRequest, Detail: "there is no binding 77"}},
	} {
		if f.got.Fault == nil {
			t.Errorf("%s: no fault", name)
			continue
		}
		got := *f.got.Fault
		got.Stack = ""
		if tail, ok := strings.CutPrefix(f.want.Detail, "…"); ok && strings.Contains(got.Detail, tail) {
			got.Detail = f.want.Detail
		}
		if got != f.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, f.want)
		}
	}
	if r := c.run(RunRequest{Bound: n}); r.Fault != nil {
		t.Errorf("after all faults: %v", r.Fault)
	}
	var misuse *ops.Error
	if e := (&Fault{Kernel: "K", Code: "index", Op: "Gather", Detail: "d"}).Exec(); !errors.As(error(e), &misuse) || e.Error() != "K: ops.Gather: d [index]" {
		t.Error(e)
	}
	if f := faultOf("K", &exec.Error{Code: "destination"}); f.Kind != FaultBug {
		t.Error("a destination of the harness's own is not the user's fault")
	}
}

func TestEndsPromptly(t *testing.T) {
	c := start(t)
	bound := c.bind("Rows", BindRequest{}, [][]int32{}, []bool{})
	c.send(Request{Op: OpRun, Run: &RunRequest{Bound: bound.Bound.Bound}})
	go c.out.ReadBytes('\n')
	c.in.Close()
	select {
	case err := <-c.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("a run outlives its client")
	}
}

func TestGarbage(t *testing.T) {
	for name, text := range map[string]string{
		"no json":         "hello\n",
		"half a line":     `{"op":`,
		"too few bytes":   `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"[]float64","count":9}]}}` + "\n123",
		"no bytes":        `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"[]float64","count":9}]}}` + "\n",
		"unknown type":    `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"[]complex128","count":1}]}}` + "\n",
		"deep type":       `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"[][][]int","count":1,"rows":[1]}]}}` + "\n",
		"two scalars":     `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"int","count":2}]}}` + "\n",
		"negative count":  `{"op":"bind","bind":{"kernel":"Pick","args":[{"type":"[]int","count":-1}]}}` + "\n",
		"wrong row bound": `{"op":"bind","bind":{"kernel":"Rows","args":[{"type":"[][]int32","count":0,"rows":[1]}]}}` + "\n\x01234567812345678",
	} {
		if err := serve(strings.NewReader(text), io.Discard, nil, func() {}); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
