package meaning

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// shape says what an input is like: so many elements, small numbers in sequences of one length, or odd: extremes and
// rows of other lengths, and, if numbers may be missing, infinities and what is no number.
type shape struct {
	n            int
	odd, missing bool
}

// maker makes arguments of a kernel from the types of its parameters.
type maker struct {
	r *rand.Rand
	shape
	width int // of rows
	table int // elements of arrays of the package that a kernel reads: as many as any of them has, or more
}

// made are arguments of a kernel, the same each time.
func made(k *load.Kernel, s shape) []any {
	seed := fnv.New64a()
	fmt.Fprint(seed, k.Name, s)
	g := &maker{r: rand.New(rand.NewPCG(seed.Sum64(), 1)), shape: s, width: 1 + int(seed.Sum64()%4)}
	var args []any
	for _, p := range k.Params {
		args = append(args, g.values(p.Part, 0)...)
	}
	return append(args, g.hidden(k)...)
}

// hidden makes the values of package-level variables that a kernel reads.
func (g *maker) hidden(k *load.Kernel) (args []any) {
	for _, p := range k.Hidden {
		if text, err := strconv.Unquote(p.Expr); err == nil { // a constant
			args = append(args, bytes(text))
			continue
		}
		g.table = 0
		switch of, nested := strings.CutPrefix(p.Expr, "exec.Numbers("); {
		case strings.HasSuffix(p.Expr, "[:]"):
			g.table = 1 << 10
		case nested: // an array of arrays, and how many elements it has
			_, n, _ := strings.Cut(of, ", ")
			g.table, _ = strconv.Atoi(strings.TrimSuffix(n, ")"))
		}
		args = append(args, g.values(p.Part, 0)...)
	}
	return args
}

// values makes the values of a part in the IR. depth is how many sequences are around it.
func (g *maker) values(p *load.Part, depth int) []any {
	switch p.Kind {
	case load.PartNumber:
		return []any{g.number(p.Number, depth)}
	case load.PartComplex:
		return []any{g.number(p.Number, depth), g.number(p.Number, depth)}
	case load.PartString:
		letters := "ab cde,ACGT\n0123"
		if g.odd {
			letters += "éß漢😀\x80\xff\xc3\x00"
		}
		text := make([]byte, g.length(depth))
		for i := range text {
			text[i] = letters[g.r.IntN(len(letters))]
		}
		return []any{bytes(string(text))}
	case load.PartStruct:
		var all []any
		for _, f := range p.Fields {
			all = append(all, g.values(f.Part, depth)...)
		}
		return all
	case load.PartArray:
		var all []any
		for range p.Len {
			all = append(all, g.values(p.Elem, max(depth, 1))...)
		}
		return all
	case load.PartPointer:
		return g.values(p.Elem, depth)
	case load.PartTable:
		return columns(p.Elem.Count(), p.Len, func(int) []any { return g.values(p.Elem, depth+1) })
	}
	return columns(p.Elem.Count(), g.length(depth), func(int) []any { return g.values(p.Elem, depth+1) })
}

// columns makes a sequence of each value of n elements.
func columns(values, n int, element func(i int) []any) []any {
	all := make([]any, values)
	for k := range all {
		all[k] = []any{}
	}
	for i := range n {
		for k, v := range element(i) {
			all[k] = append(all[k].([]any), v)
		}
	}
	return all
}

func bytes(text string) []any {
	all := []any{}
	for i := range len(text) {
		all = append(all, ir.IntConst(ir.Uint8, int64(text[i])))
	}
	return all
}

// length is that of a sequence, or of a row in one.
func (g *maker) length(depth int) int {
	switch {
	case depth == 0 && g.table > 0:
		return g.table
	case depth == 0:
		return g.n
	case g.odd:
		return g.r.IntN(2 * g.width)
	}
	return g.width
}

// number is small, and in odd inputs often an extreme of its type. One that stands alone may be a length or a count,
// so that it stays small.
func (g *maker) number(k ir.Kind, depth int) ir.Const {
	odd := g.odd && depth > 0
	switch {
	case k == ir.Bool:
		return ir.BoolConst(g.r.IntN(2) == 0)
	case k.IsFloat() && odd && g.missing && g.r.IntN(6) == 0:
		list := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64, 1e-40, 1e30}
		return ir.FloatConst(k, list[g.r.IntN(len(list))])
	case k.IsFloat():
		return ir.FloatConst(k, float64(g.r.IntN(65)-32)/4)
	case odd && g.r.IntN(4) == 0:
		list := []int64{math.MaxInt64, math.MinInt64, 1 << 31, -1 << 31, 1<<31 - 1, 127, -128, -1, 63, 64}
		return ir.IntConst(k, list[g.r.IntN(len(list))])
	case odd && !k.IsUnsigned():
		return ir.IntConst(k, int64(g.r.IntN(g.n+3)-2))
	}
	return ir.IntConst(k, int64(g.r.IntN(min(g.n, 60)+2)))
}

// values are those of a Go value in the IR.
func values(p *load.Part, v reflect.Value) []any {
	switch p.Kind {
	case load.PartNumber:
		return []any{number(p.Number, v)}
	case load.PartComplex:
		c := v.Complex()
		return []any{ir.FloatConst(p.Number, real(c)), ir.FloatConst(p.Number, imag(c))}
	case load.PartString:
		return []any{bytes(v.String())}
	case load.PartStruct:
		var all []any
		for _, f := range p.Fields {
			all = append(all, values(f.Part, v.FieldByName(f.Name))...)
		}
		return all
	case load.PartArray:
		var all []any
		for i := range p.Len {
			all = append(all, values(p.Elem, v.Index(i))...)
		}
		return all
	case load.PartPointer:
		return values(p.Elem, v.Elem())
	case load.PartTable:
		return columns(p.Elem.Count(), p.Len, func(i int) []any { return values(p.Elem, numbered(v, i, p.Len)) })
	}
	return columns(p.Elem.Count(), v.Len(), func(i int) []any { return values(p.Elem, v.Index(i)) })
}

// numbered is element i of the n that an array has, or the arrays in it.
func numbered(v reflect.Value, i, n int) reflect.Value {
	for n > 1 {
		n /= v.Len()
		v, i = v.Index(i/n), i%n
	}
	return v
}

func number(k ir.Kind, v reflect.Value) ir.Const {
	switch {
	case k == ir.Bool:
		return ir.BoolConst(v.Bool())
	case k.IsFloat():
		return ir.FloatConst(k, v.Float())
	case k.IsUnsigned():
		return ir.Const{Kind: k, Bits: v.Uint()}
	}
	return ir.IntConst(k, v.Int())
}

// Inputs are the arguments that a kernel is run on: those of a function if there is one for it, else made from types,
// some of them odd. Where numbers may be missing, the kernel computes the same in any order if some are no numbers.
func Inputs(k *load.Kernel, given func(n int, r *rand.Rand) []any, sizes []int, missing bool) [][]any {
	var all [][]any
	for i, n := range sizes {
		if given == nil {
			all = append(all, made(k, shape{n, i%3 == 2, missing}))
			continue
		}
		var args []any
		for j, v := range given(n, rand.New(rand.NewPCG(uint64(n), 7))) {
			args = append(args, values(k.Params[j].Part, reflect.ValueOf(v))...)
		}
		g := &maker{r: rand.New(rand.NewPCG(uint64(n), 8)), shape: shape{n: n}, width: 3}
		args = append(args, g.hidden(k)...)
		all = append(all, args)
	}
	return all
}
