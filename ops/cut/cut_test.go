package cut_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestKernels cuts the kernels of the examples, of the corpus and of the platforms' tests, and runs blocks of them, of
// one element, of three and of all, in the interpreter of the IR: together they have to give what the kernel gives.
func TestKernels(t *testing.T) {
	for _, dir := range []string{"../../examples/spmv", "../../examples/kmeans", "../../examples/reduction", "../../examples/scan", "../../examples/comd",
		"../../internal/corpus", "../../internal/kernels", "../../codegen/internal/keyed", "testdata/scans"} {
		pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range pkg.Kernels {
			if len(src.Whole) > 0 { // a call of what Go compiles
				continue
			}
			t.Run(src.Name, func(t *testing.T) {
				k, err := fuse.Compile(src.Func, nil)
				if err != nil {
					t.Skip(err)
				}
				plan, err := cut.Divide(fuse.Prefixes(k.Func))
				if errors.As(err, new(*cut.Refused)) && !slices.Contains(elsewhere, src.Name) {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
				verify(t, plan)
				if why := unordered[src.Name]; why != "" {
					t.Skip(why)
				}
				runs := 12
				if !testing.Short() {
					runs = 600
				}
				sameMeaning(t, k.Func, plan, runs, slices.Contains(singular, src.Name))
			})
		}
	}
}

// elsewhere are kernels that read what other blocks compute, or of which one worker moves what blocks compute.
var elsewhere = []string{"EAM", "EAMRedistributed", "Oriented", "Ranked", "Damped", "FirstRow", "LoopGrid", "LoopTorus", "LURows", "PathsRows",
	"Sums", "Offsets", "Written", "Most", "Several", "Bits", "Twice", "Equals", "Places", "Early", "Candidates", "Tridag", "Kept", "Halves", "Ordered", "Routed", "Composed",
	"Inverse", "Shifted", "Routes", "Left", "Last", "Unique", "Runs", "RunMax", "FloatRuns", "RowRuns", "Balances", "Grouped", "Means", "Longest", "Pairs", "Within", "Latest", "Counted"}

// unordered are the kernels whose functions are not associative on random inputs, and why.
var unordered = map[string]string{
	"Bounds": "a union of boxes is not associative where EmptyBox, a random input here, holds points",
}

// singular are the kernels whose scans divide by a number that is 0 on some random inputs in one order and not in
// another: inputs on which either order gives no number are passed over.
var singular = []string{"Tridag"}

// named matches what the namer of the IR gives: a name, and perhaps a number behind a dot.
var named = regexp.MustCompile(`^\w+(\.\d+)?$`)

func verify(t *testing.T, plan *cut.Plan) {
	t.Helper()
	for _, s := range plan.Stages {
		for _, step := range []*cut.Step{s.Whole, s.Block, {Func: s.Combine}} {
			if step == nil || step.Func == nil {
				continue
			}
			for _, p := range step.Func.Params {
				if !named.MatchString(p.Name) {
					t.Errorf("generated code has no name for %s\n%s", p.Name, step.Func)
				}
			}
			if err := ir.Verify(step.Func); err != nil {
				t.Fatalf("%v\n%s", err, step.Func)
			}
		}
	}
}

// sameMeaning runs a kernel and its blocks on random inputs, where numbers are wanted on those alone that give numbers.
func sameMeaning(t *testing.T, f *ir.Func, plan *cut.Plan, runs int, numbers bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	fails, passed := 0, 0
	for range runs {
		args := arguments(r, f)
		want, wantErr := eval.Run(f, args, eval.Options{Steps: 1e5})
		if wantErr != nil {
			fails++
		}
		for _, size := range []int{1, 3, 1 << 30} {
			got, err := blocks(plan, args, size)
			if errors.Is(err, eval.ErrSteps) || errors.Is(wantErr, eval.ErrSteps) {
				continue
			}
			if numbers && err == nil && wantErr == nil && (!finite(got) || !finite(want)) {
				passed++
				continue
			}
			if (err != nil) != (wantErr != nil) || err == nil && !alike(got, want) {
				t.Fatalf("blocks of %d: %v: %v, %v; as a whole %v, %v\n%s\n%s", size, args, got, err, want, wantErr, f, describe(plan))
			}
		}
	}
	if passed > 2*runs {
		t.Errorf("%d of %d runs give no numbers", passed, 3*runs)
	}
	t.Logf("%d of %d inputs fail; %s", fails, runs, summary(plan))
}

// finite reports whether there is no infinity and no NaN in a value.
func finite(x any) bool {
	switch x := x.(type) {
	case []any:
		return !slices.ContainsFunc(x, func(e any) bool { return !finite(e) })
	case ir.Const:
		return !x.Kind.IsFloat() || !math.IsNaN(x.Float()) && !math.IsInf(x.Float(), 0)
	}
	return true
}

// alike compares values; blocks may add floats in another order than the kernel.
func alike(x, y any) bool {
	switch x := x.(type) {
	case []any:
		y := y.([]any)
		return slices.EqualFunc(x, y, alike)
	case ir.Const:
		y := y.(ir.Const)
		a, b := x.Float(), y.Float()
		return x == y || x.Kind.IsFloat() && (math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b)) || a != a && b != b)
	}
	return false
}

func summary(plan *cut.Plan) (s string) {
	for _, p := range plan.Params {
		switch {
		case p.Cut:
			s += p.Var.Name + " is cut; "
		case p.Why != "":
			s += p.Var.Name + ": " + p.Why + "; "
		}
	}
	return fmt.Sprintf("%s%d stages", s, len(plan.Stages))
}

func describe(plan *cut.Plan) (s string) {
	s = fmt.Sprintf("%+v\n", plan.Cuts)
	for _, st := range plan.Stages {
		for _, step := range []*cut.Step{st.Whole, st.Block, {Func: st.Combine}} {
			if step != nil && step.Func != nil {
				s += fmt.Sprint(step.Func, step.Wholes, step.Parts, step.Out, "\n")
			}
		}
	}
	return s
}

// arguments makes inputs that kernels have a use for now and then: sequences of like lengths, ascending integers.
func arguments(r *rand.Rand, f *ir.Func) (args []any) {
	n := r.IntN(8)
	length := func() int {
		if r.IntN(6) == 0 {
			return r.IntN(14)
		}
		return n
	}
	numbers := 9
	if r.IntN(3) == 0 { // places of elements
		numbers = max(n, 1)
	}
	for _, p := range f.Params {
		args = append(args, argument(r, p.T, length, numbers))
	}
	return args
}

// argument makes numbers below one, and, if that is large, a negative one now and then.
func argument(r *rand.Rand, t ir.Type, length func() int, numbers int) any {
	if t.Rank == 0 {
		return number(r, t.Kind, numbers)
	}
	n := length()
	if t.Rank == 1 && t.Kind.IsInteger() && r.IntN(2) == 0 {
		n++ // offsets
	}
	xs := make([]any, n)
	for i := range xs {
		xs[i] = argument(r, ir.Type{Kind: t.Kind, Rank: t.Rank - 1}, length, numbers)
	}
	if t.Rank == 1 && t.Kind.IsInteger() && r.IntN(2) == 0 {
		slices.SortFunc(xs, func(a, b any) int { return int(a.(ir.Const).Int() - b.(ir.Const).Int()) })
	}
	return xs
}

func number(r *rand.Rand, k ir.Kind, below int) any {
	switch v := r.IntN(below) - r.IntN(2)*(below/9); {
	case k == ir.Bool:
		return ir.BoolConst(v > 2)
	case k.IsFloat():
		return ir.FloatConst(k, float64(v))
	case k.IsUnsigned() && v < 0:
		return ir.IntConst(k, 1)
	default:
		return ir.IntConst(k, int64(v))
	}
}

// blocks runs a plan with blocks of a size.
func blocks(plan *cut.Plan, args []any, size int) ([]any, error) {
	wholes := make([]any, plan.Wholes)
	for i, p := range plan.Params {
		if wholes[i] = args[i]; p.Cut {
			wholes[i] = eval.Int(len(args[i].([]any)))
		}
	}
	run := func(s *cut.Step, more []any, parts []any) ([]any, error) {
		in := slices.Clone(more)
		for _, w := range s.Wholes {
			in = append(in, wholes[w])
		}
		for _, p := range s.Parts {
			in = append(in, parts[p])
		}
		return eval.Run(s.Func, in, eval.Options{Steps: 1e6})
	}
	var parts [][]any
	var firsts, counts []int
	for i, st := range plan.Stages {
		if st.Whole != nil {
			out, err := run(st.Whole, nil, nil)
			if err != nil {
				return nil, err
			}
			for k, w := range st.Whole.Out {
				wholes[w] = out[k]
			}
		}
		if i == 0 {
			n := asInt(wholes[plan.Length])
			for first := 0; first < n || first == 0; first += size {
				firsts, counts = append(firsts, first), append(counts, max(min(size, n-first), 0))
				parts = append(parts, readParts(plan, args, wholes, first, counts[len(counts)-1]))
			}
		}
		if st.Block == nil {
			continue
		}
		var partial []any
		lists := make([][]any, len(st.Partials))
		for b := range parts {
			out, err := run(st.Block, []any{eval.Int(firsts[b]), eval.Int(counts[b]), eval.Int(b)}, parts[b])
			if err != nil {
				return nil, err
			}
			for k, p := range st.Block.Out {
				parts[b][p] = out[k]
			}
			var own []any
			if st.Sort != nil && !st.Sort.Placed { // samples: all keys, which only say how many there are
				out = append(out, parts[b][st.Sort.Keys], []any{})
			}
			for k, p := range out[len(st.Block.Out):] {
				if elements, sequence := p.([]any); st.Partials[k].Listed && sequence {
					lists[k] = append(lists[k], elements...)
				} else if st.Partials[k].Listed {
					lists[k] = append(lists[k], p)
				} else {
					own = append(own, p)
				}
			}
			if b == 0 || st.Combine == nil {
				partial = own
			} else if partial, err = eval.Run(st.Combine, slices.Concat(partial, own), eval.Options{Steps: 1e6}); err != nil {
				return nil, err
			}
		}
		for k, p := range st.Partials {
			if p.Listed {
				wholes[p.Whole] = lists[k]
			} else {
				wholes[p.Whole], partial = partial[0], partial[1:]
			}
		}
		if st.Sort != nil {
			var moved [][]any
			width := 0
			if st.Sort.Placed {
				width = asInt(wholes[st.Sort.Width])
			}
			moved, firsts, counts = moveElements(st.Sort, width, parts, firsts)
			for b := range moved { // nothing else stays where it was
				parts[b] = readParts(plan, args, wholes, firsts[b], counts[b])
				for k, slot := range append([]int{st.Sort.From}, st.Sort.Out...) {
					parts[b][slot] = moved[b][k]
				}
			}
		}
	}
	var results []any
	for _, r := range plan.Results {
		if !r.Block {
			results = append(results, wholes[r.Slot])
			continue
		}
		joined := []any{}
		for _, p := range parts {
			joined = append(joined, p[r.Slot].([]any)...)
		}
		results = append(results, joined)
	}
	return results, nil
}

// moveElements sorts the elements of all blocks, and gives blocks of other sizes each their part: where elements were,
// and what moves with them.
func moveElements(s *cut.Sort, width int, parts [][]any, firsts []int) (moved [][]any, newFirsts, counts []int) {
	var order [][2]int // a block, and a place in it
	for b, p := range parts {
		for i, key := range p[s.Keys].([]any) {
			if !s.Placed || asInt(key) >= 0 {
				order = append(order, [2]int{b, i})
			}
		}
	}
	key := func(at [2]int) ir.Const { return parts[at[0]][s.Keys].([]any)[at[1]].(ir.Const) }
	slices.SortStableFunc(order, func(a, b [2]int) int {
		switch x, y := key(a), key(b); {
		case x.Kind.IsFloat():
			return cmp.Compare(x.Float(), y.Float())
		case x.Kind.IsUnsigned():
			return cmp.Compare(x.Bits, y.Bits)
		default:
			return cmp.Compare(x.Int(), y.Int())
		}
	})
	if s.Sparse {
		last := slices.Repeat([][2]int{{-1, -1}}, width)
		for _, at := range order {
			last[asInt(key(at))] = at
		}
		order = last
	}
	for b := range parts {
		n := len(parts) * len(parts)
		lo, hi := len(order)*b*b/n, len(order)*(b+1)*(b+1)/n
		newFirsts, counts = append(newFirsts, lo), append(counts, hi-lo)
		lists := make([]any, 1+len(s.Out))
		for k := range lists {
			list := []any{}
			for _, at := range order[lo:hi] {
				if at[0] < 0 && k > 0 { // nobody reads it
					list = append(list, nil)
				} else if at[0] < 0 {
					list = append(list, eval.Int(-1))
				} else if k == 0 {
					list = append(list, eval.Int(firsts[at[0]]+at[1]))
				} else {
					list = append(list, parts[at[0]][s.Moved[k-1]].([]any)[at[1]])
				}
			}
			lists[k] = list
		}
		moved = append(moved, lists)
	}
	return moved, newFirsts, counts
}

func asInt(x any) int { return int(x.(ir.Const).Int()) }

// readParts cuts the parts of a block.
func readParts(plan *cut.Plan, args, wholes []any, first, count int) []any {
	parts := make([]any, plan.Parts)
	slot := map[int]int{} // of a parameter
	n := len(plan.Cuts)
	for i, c := range plan.Cuts {
		slot[c.Param] = i
	}
	term := func(t cut.Term) int {
		if t.Slot >= 0 {
			return asInt(wholes[t.Slot]) + t.Const
		}
		return t.Const
	}
	for _, c := range plan.Cuts {
		xs := args[c.Param].([]any)
		lo, hi := len(xs), 0
		for k := first + c.From; k < first+count+c.To; k++ {
			v := k
			if c.By >= 0 {
				at := k - asInt(parts[slot[c.By]+n])
				offsets := parts[slot[c.By]].([]any)
				if at < 0 || at >= len(offsets) {
					continue
				}
				v = asInt(offsets[at])
			}
			lo, hi = min(lo, term(c.Times)*v+term(c.Lo)), max(hi, term(c.Times)*v+term(c.Hi))
		}
		hi = max(0, min(hi, len(xs)))
		lo = min(max(lo, 0), hi)
		parts[slot[c.Param]] = xs[lo:hi:hi]
		parts[slot[c.Param]+n] = eval.Int(lo)
	}
	return parts
}
