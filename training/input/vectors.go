package input

import (
	"fmt"
	"math"
)

// vectorGenerators make one dense vector of n elements. Binding expressions
// have them as functions whose first argument is n.
func vectorGenerators() []*generator {
	n := ParameterInfo{"n", "1<<20", "number of elements"}
	seed := ParameterInfo{"seed", "1", "start of the random numbers"}
	lo, hi := ParameterInfo{"lo", "0", "lower end"}, ParameterInfo{"hi", "1", "upper end, not reached"}
	return []*generator{
		{
			GeneratorInfo: GeneratorInfo{"uniform", "random numbers, equally likely in [lo,hi); with rows instead of n a matrix with random columns, all rows of per_row entries (seed 31 unless given)",
				[]ParameterInfo{n, seed, lo, hi, {"rows", "", "rows of the matrix"}, {"cols", "", "its columns; as many as rows"}, {"per_row", "5", "entries of each row"}},
				"gen:uniform:n=1e6,seed=7,lo=-1,hi=1"},
			aliases: []string{"random", "lcg"},
			vector: func(a *arguments, n int) Value {
				return Vector(uniform(n, a.seed("seed"), a.float("lo"), a.float("hi")))
			},
			matrix: func(a *arguments) *csr { return equalRows(a) },
		},
		{
			GeneratorInfo: GeneratorInfo{"normal", "normally distributed random numbers",
				[]ParameterInfo{n, seed, {"mean", "0", "mean"}, {"sd", "1", "standard deviation"}}, "gen:normal:n=1e6,seed=7"},
			vector: func(a *arguments, n int) Value {
				return Vector(normal(n, a.seed("seed"), a.float("mean"), a.float("sd")))
			},
		},
		{
			GeneratorInfo: GeneratorInfo{"integers", "random integers, equally likely from lo up to but without hi",
				[]ParameterInfo{n, seed, lo, {"hi", "100", "upper end, not reached"}}, "gen:integers:n=1e6,hi=1000"},
			vector: func(a *arguments, n int) Value {
				lo, hi := a.float("lo"), a.float("hi")
				if math.Abs(lo) > 1<<53 || math.Abs(hi) > 1<<53 {
					a.fail("bad-argument", "lo or hi is too large", "random integers have at most 53 bits", "narrow the range")
					return Value{}
				}
				return Vector(integers(n, a.seed("seed"), lo, hi))
			},
		},
		{
			GeneratorInfo: GeneratorInfo{"ones", "1, 1, 1, …", []ParameterInfo{n}, "gen:ones:n=1e6"},
			vector: func(a *arguments, n int) Value {
				ones := make([]float64, n)
				for i := range ones {
					ones[i] = 1
				}
				return Vector(ones)
			},
		},
		{
			GeneratorInfo: GeneratorInfo{"zeros", "0, 0, 0, …", []ParameterInfo{n}, "gen:zeros:n=1e6"},
			vector:        func(a *arguments, n int) Value { return Vector(make([]float64, n)) },
		},
		{
			GeneratorInfo: GeneratorInfo{"range", "start, start+step, start+2·step, …",
				[]ParameterInfo{n, {"start", "0", "first element"}, {"step", "1", "difference of neighbours"}, {"each", "1", "how often each number comes"}}, "gen:range:n=1e6"},
			vector: func(a *arguments, n int) Value {
				each := a.length("each", 1)
				if each < 1 {
					a.fail("bad-argument", fmt.Sprintf("each is %d", each), "a number comes once or more often", "write a positive number")
					return Value{}
				}
				return arithmetic(n, a.float("start"), a.float("step"), each)
			},
		},
	}
}

func uniform(n int, seed uint64, lo, hi float64) []float64 {
	g, out := lcg(seed), make([]float64, n)
	for i := range out {
		out[i] = g.between(lo, hi)
	}
	return out
}

// integers is the floor of uniform: exact, because floats below 2^53 are.
func integers(n int, seed uint64, lo, hi float64) []int64 {
	g, out := lcg(seed), make([]int64, n)
	for i := range out {
		out[i] = int64(math.Floor(g.between(lo, hi)))
	}
	return out
}

// normal inverts the distribution function, one random number an element, taken
// at the middle of its interval so that it is never 0.
func normal(n int, seed uint64, mean, sd float64) []float64 {
	g, out := lcg(seed), make([]float64, n)
	for i := range out {
		u := g.next() + 0x1p-54
		out[i] = mean + float64(sd*float64(math.Sqrt2*math.Erfinv(2*u-1)))
	}
	return out
}

// arithmetic gives int64 where start and step are integers.
func arithmetic(n int, start, step float64, each int) Value {
	const exact = 1 << 53
	last := math.Abs(start) + math.Abs(step)*float64(n)
	if start == math.Trunc(start) && step == math.Trunc(step) && last < exact {
		out := make([]int64, n)
		for i := range out {
			out[i] = int64(start) + int64(i/each)*int64(step)
		}
		return Vector(out)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = start + float64(step*float64(i/each))
	}
	return Vector(out)
}
