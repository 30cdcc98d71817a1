package drive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
)

// Param describes the values of one parameter.
type Param struct {
	Type string
	// Role is data, index, offsets, rows, scalar, tile, special, or bound and step: a bound of a range and its
	// stride, which in bad inputs are as far apart as their type allows, infinite and so on. Special values (a
	// sequence, or a scalar without a size) are often such in every input, or of any bits. A parameter with the role
	// same is the very slice of the parameter whose number Of says, one with the role part what is behind a third of it.
	Role string
	// Size is the symbol of the length: n, m, k, r+1 or q. Of is the symbol of the length that an index or offset stays
	// within.
	Size, Of string
	// Field says that it is a field of sequences of structs: its length is that of the others, also in bad inputs.
	Field bool
}

// Spec describes the inputs of one kernel.
type Spec struct {
	Kernel string
	Params []Param
	// NaN allows NaN and infinities.
	NaN bool
	// Same demands that a run fails with the very error that plain Go panics with.
	Same bool
	// Exact demands the very floats of plain Go, signs of zeros included, but for so many units in the last place.
	Exact bool
	ULPs  int
	// Fails says that plain Go may panic for any input.
	Fails bool
	// Carries says that a loop carries sequences: where bad input changes their length, variants refuse what plain Go
	// does.
	Carries bool
	// Structs says that a result has structs, which the harness takes apart: it has no destination of its own.
	Structs bool
}

// number is any element type.
type number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// shape is the lengths of one input.
type shape struct {
	name string
	n    int
	mode string // "", "nan", "bad"
	salt uint64
}

func (s shape) String() string {
	if s.mode != "" {
		return fmt.Sprintf("%s (%s, %d)", s.name, s.mode, s.salt)
	}
	return s.name
}

// Inputs makes arguments of a kernel, of about n elements. The mode is "", "nan" or "bad", salt any number.
func (sp *Spec) Inputs(n int, mode string, salt uint64) []any {
	return sp.inputs(shape{n: n, mode: mode, salt: salt})
}

// inputs makes the arguments of a kernel.
func (sp *Spec) inputs(s shape) []any {
	r := rand.New(rand.NewPCG(uint64(s.n)*977+s.salt, uint64(len(sp.Params))))
	size := map[string]int{"n": s.n, "m": (s.n*5 + 3) % 37, "r+1": s.n/3 + 1 + r.IntN(3), "q": s.n/4 + r.IntN(3)}
	if s.n == 0 && r.IntN(2) == 0 {
		size["m"], size["q"] = 0, 0
	}
	size["k"] = (s.n*3 + 1) % 53
	for _, p := range sp.Params {
		if p.Role == "index" && size[p.Of] == 0 {
			if p.Size != "k" && size[p.Size] > 0 {
				size[p.Of] = 5
			} else if p.Size == "k" {
				size["k"] = 0
			}
		}
	}
	ragged := make([]int, size["q"])
	for i := range ragged {
		switch r.IntN(5) {
		case 0:
		case 1:
			ragged[i] = 1 + r.IntN(3)
		case 2:
			ragged[i] = []int{4, 8, 16, 17, 31, 33}[r.IntN(6)]
		default:
			ragged[i] = r.IntN(12)
		}
	}
	if len(ragged) > 0 && r.IntN(4) == 0 {
		ragged[r.IntN(len(ragged))] = s.n + 5 // one giant row
	}
	if even := r.IntN(16); r.IntN(3) == 0 { // all rows have one length
		for i := range ragged {
			ragged[i] = 1 + even
		}
	}
	args := make([]any, len(sp.Params))
	victim := -1
	if s.mode == "bad" {
		if victim = r.IntN(len(args)); sp.Params[victim].Field {
			victim = -1
		}
	}
	for i, p := range sp.Params {
		if p.Role == "same" || p.Role == "part" {
			of, err := strconv.Atoi(p.Of)
			if err != nil {
				panic(err)
			}
			whole := reflect.ValueOf(args[of])
			if args[i] = args[of]; p.Role == "part" {
				args[i] = whole.Slice(whole.Len()/3, whole.Len()).Interface()
			}
			continue
		}
		args[i] = makers[elem(p.Type)](r, p, s, size, ragged, i == victim)
	}
	return args
}

func elem(t string) string {
	for len(t) > 1 && t[:2] == "[]" {
		t = t[2:]
	}
	return t
}

var makers = map[string]func(r *rand.Rand, p Param, s shape, size map[string]int, ragged []int, spoil bool) any{
	"bool": maker(func(r *rand.Rand) bool { return r.IntN(2) == 0 }), "int": maker(integer[int]), "int16": maker(integer[int16]),
	"int32": maker(integer[int32]), "int64": maker(integer[int64]), "int8": maker(integer[int8]),
	"uint": maker(unsigned[uint]), "uint16": maker(unsigned[uint16]), "uint64": maker(unsigned[uint64]), "uint32": maker(unsigned[uint32]),
	"uint8":   maker(func(r *rand.Rand) uint8 { return uint8(r.IntN(50)) }),
	"float64": maker(float[float64]), "float32": maker(float[float32]),
}

func integer[T int | int8 | int16 | int32 | int64](r *rand.Rand) T { return T(r.IntN(100) - 40) }

func unsigned[T uint | uint16 | uint32 | uint64](r *rand.Rand) T { return T(r.IntN(100)) }

// wild is any number of a type, and often one at which something changes: an extreme, a power of two and what is next
// to it, for floats also infinities, NaN, zeros of both signs, and those that are no normal numbers.
func wild[T number](r *rand.Rand) T {
	var x T
	v := reflect.ValueOf(&x).Elem()
	bits, sign := r.Uint64(), r.IntN(2) == 0
	if r.IntN(2) == 0 {
		bits = 1<<r.IntN(64) + uint64(r.IntN(3)) - 1
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(sign)
	case reflect.Float32, reflect.Float64:
		f := []float64{0, 1, 0.5, 1.5, 2.5, 100, math.Inf(1), math.NaN(), math.SmallestNonzeroFloat32, 0x1p-130, math.SmallestNonzeroFloat64, 0x1p-1030,
			math.MaxFloat32, math.MaxFloat64, 0x1p31, 0x1p31 - 1, 0x1p32, 0x1p63, 0x1p64, 0x1p53 + 1, 1e300, r.Float64(), r.NormFloat64() * 1e5}[r.IntN(23)]
		if r.IntN(4) == 0 {
			f = float64(bits)
		}
		if sign {
			f = -f
		}
		v.SetFloat(f)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if sign {
			bits = ^bits
		}
		v.SetUint(bits)
	default:
		if sign {
			bits = -bits
		}
		v.SetInt(int64(bits))
	}
	return x
}

// float is a multiple of a quarter of at most 8 in magnitude, zero now and then.
func float[T float32 | float64](r *rand.Rand) T {
	if r.IntN(10) == 0 {
		return 0
	}
	return T(r.IntN(65)-32) / 4
}

func maker[T number](value func(*rand.Rand) T) func(*rand.Rand, Param, shape, map[string]int, []int, bool) any {
	return func(r *rand.Rand, p Param, s shape, size map[string]int, ragged []int, spoil bool) any {
		n := size[p.Size]
		special := func(xs []T) {
			if s.mode != "nan" || len(xs) == 0 {
				return
			}
			for range 1 + r.IntN(2) {
				x := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)]
				switch xs := any(xs).(type) {
				case []float64:
					xs[r.IntN(len(xs))] = x
				case []float32:
					xs[r.IntN(len(xs))] = float32(x)
				}
			}
		}
		fill := func(n int) []T {
			xs := make([]T, n)
			for i := range xs {
				xs[i] = value(r)
			}
			special(xs)
			return xs
		}
		switch p.Role {
		case "scalar":
			return value(r)
		case "special":
			if p.Size == "" {
				return specialOf[T](r, value)
			}
			xs := make([]T, n)
			for i := range xs {
				xs[i] = specialOf[T](r, value)
			}
			return xs
		case "tile":
			t := []int{1, 2, 3, 4, 7, 8, 16, 33, 100}[r.IntN(9)]
			if s.mode == "bad" && r.IntN(3) == 0 {
				t = math.MaxInt // as good as any, except for Cyclic
			}
			if spoil {
				t = []int{0, -1, math.MinInt}[r.IntN(3)]
			}
			return t
		case "bound", "step":
			return limitOf(r, p.Role == "step", s.mode == "bad", value)
		case "rows":
			rows := make([][]T, len(ragged))
			for i, l := range ragged {
				rows[i] = fill(l)
			}
			if spoil && len(rows) > 0 {
				rows[r.IntN(len(rows))] = fill(r.IntN(5))
			}
			return rows
		case "index":
			xs := make([]T, n)
			for i := range xs {
				setInt(&xs[i], r.IntN(max(size[p.Of], 1)))
			}
			if spoil && n > 0 {
				setInt(&xs[r.IntN(n)], []int{-1, size[p.Of], size[p.Of] + 1000, -1000, math.MaxInt32, math.MinInt32}[r.IntN(6)])
			}
			return xs
		case "offsets":
			xs := make([]T, n)
			rows, limit, at := n-1, size[p.Of], 0
			if r.IntN(3) == 0 && limit > 0 {
				at = r.IntN(limit)
			}
			for i := range xs {
				setInt(&xs[i], at)
				switch r.IntN(4) {
				case 0: // an empty row
				case 1:
					at += r.IntN(2*(limit/max(rows, 1)) + 1)
				case 2:
					at += limit / max(rows, 1)
				default:
					at += r.IntN(3)
				}
				at = min(at, limit)
			}
			if spoil {
				switch i := r.IntN(n); r.IntN(4) {
				case 0:
					setInt(&xs[i], -1)
				case 1:
					setInt(&xs[i], limit+1)
				case 2:
					if i > 0 {
						setInt(&xs[i], max(0, limit/2))
						setInt(&xs[i-1], limit)
					}
				case 3:
					return xs[:0]
				}
			}
			return xs
		}
		if spoil {
			n = max(0, n-1+2*r.IntN(2))
		}
		return fill(n)
	}
}

func setInt(x any, i int) { reflect.ValueOf(x).Elem().SetInt(int64(i)) }

// limitOf is a bound of a range, or its stride. The extremes are such that a range has few elements or more than memory
// could hold: the reference makes it.
func limitOf[T number](r *rand.Rand, step, extreme bool, value func(*rand.Rand) T) T {
	var x T
	v := reflect.ValueOf(&x).Elem()
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		bounds := []float64{0, 1, 1.3, -1, 1e16, 1e16 + 2, 1e16 + 40, -1e16, math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, math.NaN(), math.Inf(1), math.Inf(-1)}
		steps := []float64{0.1, -0.1, 0.5, 3, -7, 1e15, -1e15, math.MaxFloat64, -math.MaxFloat32 / 3, math.SmallestNonzeroFloat64, 0, math.NaN(), math.Inf(-1)}
		list := bounds
		if step {
			list = steps
		}
		if !extreme {
			if list = []float64{-1, 0, 0.3, 1, 1.3, 2, 10, 10.1}; step {
				list = []float64{0.1, 0.3, 1, 2.5, -0.1, -0.7}
			}
		}
		v.SetFloat(list[r.IntN(len(list))])
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16:
		bits := v.Type().Bits()
		most := int64(math.MaxInt64) >> (64 - bits)
		list := []int64{most, -most - 1, most - 3, -most + 4, 0, 5, -5}
		if step {
			list = []int64{most, -most - 1, most / 2, -most/2 - 1, most - 1, most / 5000, -most / 5000, 0}
			if bits != 32 { // a range of all int32 would be held in memory, and slowly
				list = append(list, 1, -1, 2, -2)
			}
		}
		if !extreme {
			if list = []int64{-9, 0, 1, 7, 20, 33}; step {
				list = []int64{1, -1, 2, -2, 3, 7, -9}
			}
		}
		v.SetInt(list[r.IntN(len(list))])
	default:
		return value(r)
	}
	return x
}

// specialOf is an extreme of its type, a number beside one, any bits, or an ordinary value.
func specialOf[T number](r *rand.Rand, value func(*rand.Rand) T) (x T) {
	switch r.IntN(4) {
	case 0:
		return value(r)
	case 1:
		return wild[T](r)
	}
	switch v := reflect.ValueOf(&x).Elem(); v.Kind() {
	case reflect.Float64, reflect.Float32:
		list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, -1.5, math.Inf(1), math.Inf(-1), math.NaN(), 3e9, -3e9, 1 << 31, -1 << 31, 1 << 63, -1 << 63, 1e19,
			1 << 24, 1<<53 - 1, math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32, 0x1p-126}
		if v.Kind() == reflect.Float64 {
			list = append(list, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, 1e300)
		}
		v.SetFloat(list[r.IntN(len(list))])
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16:
		bits := v.Type().Bits()
		most := int64(math.MaxInt64) >> (64 - bits)
		list := []int64{most, -most - 1, most - 1, -most, most - 5, -most + 4, most / 2, 0, 0, 1, -1, 2, 31, 32, 33, 63, 64, 65, most>>(bits/2) + 1}
		v.SetInt(list[r.IntN(len(list))])
	case reflect.Uint8, reflect.Uint32:
		list := []uint64{0, 1, 31, 32, 64, 127, 128, 255, 1<<31 - 1, 1 << 31, 1<<32 - 1}
		v.SetUint(list[r.IntN(len(list))] & (1<<v.Type().Bits() - 1))
	default:
		return value(r)
	}
	return x
}
