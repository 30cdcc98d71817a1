package drive

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
)

// shape says what an input is like.
type shape struct {
	n    int
	mode string // usual: small numbers, sequences of one length; odd: extremes, infinities and rows of other lengths; uneven: sequences of other lengths too
}

func (s shape) String() string { return fmt.Sprintf("%d elements, %s", s.n, s.mode) }

// arguments makes the arguments of a kernel, the same each time.
func (k *Kernel) arguments(s shape) (args []reflect.Value, err error) {
	seed := fnv.New64a()
	fmt.Fprint(seed, k.Name, s)
	r := rand.New(rand.NewPCG(seed.Sum64(), 1))
	params := k.params()
	if k.Inputs == nil {
		g := &maker{r: r, shape: s, width: 1 + r.IntN(6)}
		for _, t := range params {
			v, err := g.value(t, 0)
			if err != nil {
				return nil, err
			}
			args = append(args, v)
		}
		return args, nil
	}
	f, ok := k.Inputs.(func(int, *rand.Rand) []any)
	if !ok {
		return nil, fmt.Errorf("the function Inputs%s is a %T: write func(n int, r *rand.Rand) []any", k.Name, k.Inputs)
	}
	given := f(s.n, r)
	if len(given) != len(params) {
		return nil, fmt.Errorf("the function Inputs%s makes %d values for %d parameters", k.Name, len(given), len(params))
	}
	for i, t := range params {
		v := reflect.ValueOf(given[i])
		if !v.IsValid() || v.Type() != t {
			return nil, fmt.Errorf("the function Inputs%s makes a %T for the parameter of type %v", k.Name, given[i], t)
		}
		args = append(args, v)
	}
	return args, nil
}

// maker makes values of any type.
type maker struct {
	r     *rand.Rand
	shape shape
	width int // of rows
}

// value makes a value. depth is how many sequences are around it.
func (g *maker) value(t reflect.Type, depth int) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.integer(t.Bits(), depth))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(g.integer(t.Bits()+1, depth)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float(t.Bits()))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(g.float(t.Bits()/2), g.float(t.Bits()/2)))
	case reflect.String:
		v.SetString(g.text(depth))
	case reflect.Struct:
		for i := range t.NumField() {
			f, err := g.value(t.Field(i).Type, depth)
			if err != nil {
				return v, err
			}
			if !v.Field(i).CanSet() {
				return v, fmt.Errorf("the field %s of %v is not exported: write a function Inputs for the kernel", t.Field(i).Name, t)
			}
			v.Field(i).Set(f)
		}
	case reflect.Pointer:
		x, err := g.value(t.Elem(), depth)
		if err != nil {
			return v, err
		}
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(x)
	case reflect.Array, reflect.Slice:
		if t.Kind() == reflect.Slice {
			n := g.length(depth)
			v.Set(reflect.MakeSlice(t, n, n))
		}
		in := depth
		if t.Kind() == reflect.Slice {
			in++
		}
		for i := range v.Len() {
			x, err := g.value(t.Elem(), max(in, 1))
			if err != nil {
				return v, err
			}
			v.Index(i).Set(x)
		}
	default:
		return v, fmt.Errorf("no value of type %v can be made: write a function Inputs for the kernel", t)
	}
	return v, nil
}

// length is that of a sequence, or of a row in one.
func (g *maker) length(depth int) int {
	n := g.shape.n
	if depth > 0 {
		n = g.width
		if g.shape.mode != "usual" {
			n = g.r.IntN(2 * g.width)
		}
	} else if g.shape.mode == "uneven" {
		n = max(0, n-1+g.r.IntN(3))
	}
	return n
}

// integer is a small number, and in odd inputs often an extreme of its type. A number that stands alone may be a
// length or a count, so that it stays small.
func (g *maker) integer(bits, depth int) int64 {
	if depth == 0 || g.shape.mode == "usual" || g.r.IntN(2) == 0 {
		low := -2
		if g.shape.mode == "usual" || bits%2 == 1 {
			low = 0
		}
		high := int64(min(g.shape.n, 60) + 1)
		return min(int64(low)+g.r.Int64N(high+3), 1<<(bits-1)-1)
	}
	most := int64(math.MaxInt64) >> (64 - min(bits, 64))
	list := []int64{most, -most - 1, most - 1, -most, 0, 1, -1, 31, 32, 63, 64, most / 3}
	x := list[g.r.IntN(len(list))]
	if bits%2 == 1 { // unsigned: any bits
		if bits > 64 {
			return x
		}
		return x & most
	}
	return x
}

// float is a multiple of a quarter, and in odd inputs sometimes infinite, no number, or a zero with a sign.
func (g *maker) float(bits int) float64 {
	if g.shape.mode != "usual" && g.r.IntN(6) == 0 {
		list := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64, 1e-310, 1e-40, 1e30}
		x := list[g.r.IntN(len(list))]
		if bits == 32 {
			return float64(float32(x))
		}
		return x
	}
	return float64(g.r.IntN(65)-32) / 4
}

// text is letters, and in odd inputs also what is no letter and no valid UTF-8.
func (g *maker) text(depth int) string {
	letters := "ab cde,ACGT\n0123"
	if g.shape.mode != "usual" {
		letters += "éß漢😀\x80\xff\xc3\x00"
	}
	b := make([]byte, g.length(depth))
	for i := range b {
		b[i] = letters[g.r.IntN(len(letters))]
	}
	return string(b)
}
