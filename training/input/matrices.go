package input

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// matrixGenerators make sparse matrices by structure, and dense tables.
func matrixGenerators() []*generator {
	seed := ParameterInfo{"seed", "31", "row lengths; columns use seed+1, values seed+2"}
	rows := func(standard string) ParameterInfo { return ParameterInfo{"rows", standard, "number of rows"} }
	cols := ParameterInfo{"cols", "", "number of columns; as many as rows"}
	grid := func(axis string) ParameterInfo {
		return ParameterInfo{axis, "64", "grid points along " + axis[1:]}
	}
	return []*generator{
		{
			GeneratorInfo: GeneratorInfo{"poisson2d", "five-point Laplacian of an nx × ny grid (4 and -1)",
				[]ParameterInfo{grid("nx"), grid("ny")}, "gen:poisson2d:1000x1000"},
			positional: 2,
			matrix:     func(a *arguments) *csr { return laplacian(a, a.dimension("nx"), a.dimension("ny"), 1, 4) },
		},
		{
			GeneratorInfo: GeneratorInfo{"poisson3d", "seven-point Laplacian of an nx × ny × nz grid (6 and -1)",
				[]ParameterInfo{grid("nx"), grid("ny"), grid("nz")}, "gen:poisson3d:64x64x64"},
			positional: 3,
			matrix: func(a *arguments) *csr {
				return laplacian(a, a.dimension("nx"), a.dimension("ny"), a.dimension("nz"), 6)
			},
		},
		{
			GeneratorInfo: GeneratorInfo{"banded", "square, every column within half of the diagonal",
				[]ParameterInfo{rows("1<<18"), {"half", "13", "entries on each side of the diagonal"}, seed}, "gen:banded:rows=1<<18,half=13"},
			matrix: banded,
		},
		{
			GeneratorInfo: GeneratorInfo{"short", "random columns, short rows of equal length",
				[]ParameterInfo{rows("1<<20"), cols, {"per_row", "5", "entries of each row"}, seed}, "gen:short:rows=1<<20"},
			matrix: equalRows,
		},
		{
			GeneratorInfo: GeneratorInfo{"long", "random columns, long rows of equal length",
				[]ParameterInfo{rows("8192"), cols, {"per_row", "1000", "entries of each row"}, seed}, "gen:long:rows=8192"},
			matrix: equalRows,
		},
		{
			GeneratorInfo: GeneratorInfo{"scattered", "entries anywhere: random columns, row lengths by chance around avg (Poisson)",
				[]ParameterInfo{rows("1<<18"), cols, {"avg", "8", "mean length"}, seed}, "gen:scattered:rows=1<<18,avg=8"},
			matrix: scattered,
		},
		{
			GeneratorInfo: GeneratorInfo{"powerlaw", "random columns, heavy-tailed row lengths min(rows/4, scale/u^(1/exponent)) for u uniform in [0,1); avg asks for a mean instead of a scale",
				[]ParameterInfo{rows("1<<18"), cols, {"scale", "2", "shortest length"}, {"avg", "", "mean length, about"}, {"exponent", "1", "how fast long rows become rare: twice the length is 2^exponent times as rare"},
					{"sorted", "0", "how much the order of rows is that of their lengths: 0 by chance, 1 the longest last"}, seed}, "gen:powerlaw:rows=1<<18,avg=16"},
			aliases: []string{"power"},
			matrix:  powerLaw,
		},
		{
			GeneratorInfo: GeneratorInfo{"dense", "table of random numbers, row-major, equally likely in [lo,hi)",
				[]ParameterInfo{{"rows", "1000", "number of rows"}, {"cols", "1000", "number of columns"}, {"lo", "0", "lower end"}, {"hi", "1", "upper end, not reached"}, {"seed", "1", "start of the random numbers"}},
				"gen:dense:1000x1000"},
			positional: 2,
			table:      denseTable,
		},
	}
}

// laplacian is the standard finite-difference matrix with Dirichlet borders,
// points numbered along x first.
func laplacian(a *arguments, nx, ny, nz int, diagonal float64) *csr {
	points := float64(nx) * float64(ny) * float64(nz)
	if !a.entries(points * (diagonal + 1)) {
		return nil
	}
	m := newCSR(nx*ny*nz, nx*ny*nz, int(points*(diagonal+1)))
	m.values = make([]float64, 0, cap(m.columns))
	add := func(inside bool, column int, value float64) {
		if inside {
			m.columns, m.values = append(m.columns, int32(column)), append(m.values, value)
		}
	}
	row := 0
	for z := range nz {
		for y := range ny {
			if a.stopped(0) {
				return nil
			}
			for x := range nx {
				add(z > 0, row-nx*ny, -1)
				add(y > 0, row-nx, -1)
				add(x > 0, row-1, -1)
				add(true, row, diagonal)
				add(x < nx-1, row+1, -1)
				add(y < ny-1, row+nx, -1)
				add(z < nz-1, row+nx*ny, -1)
				row++
				m.offsets = append(m.offsets, int32(len(m.columns)))
			}
		}
	}
	return m
}

func banded(a *arguments) *csr {
	rows, half := a.dimension("rows"), a.dimension("half")
	width := min(2*float64(half)+1, float64(rows))
	if !a.entries(float64(rows) * width) {
		return nil
	}
	m := newCSR(rows, rows, rows*int(width))
	for r := range rows {
		if a.stopped(r) {
			return nil
		}
		for c := max(0, r-half); c <= min(rows-1, r+half); c++ {
			m.columns = append(m.columns, int32(c))
		}
		m.offsets = append(m.offsets, int32(len(m.columns)))
	}
	m.values = uniform(len(m.columns), a.seed("seed")+2, 0, 1)
	return m
}

func equalRows(a *arguments) *csr {
	rows, length := a.dimension("rows"), a.dimension("per_row")
	if !a.entries(float64(rows) * float64(length)) {
		return nil
	}
	return randomRows(a, rows, rows*length, func() int { return length })
}

func scattered(a *arguments) *csr {
	rows, avg := a.dimension("rows"), a.float("avg")
	if a.err == nil && !(avg >= 0 && avg <= math.MaxInt32) {
		a.fail("bad-argument", fmt.Sprintf("avg is %g", avg), "it is a mean length, and column numbers are int32", fmt.Sprintf("give a number from 0 to %d", math.MaxInt32))
	}
	if !a.entries(float64(rows) * avg) {
		return nil
	}
	draw := lcg(a.seed("seed"))
	return randomRows(a, rows, 0, func() int { return poisson(&draw, avg) })
}

// poisson draws how many things happen where mean are expected: how many random waiting times, of mean 1, fit into
// mean.
func poisson(draw *lcg, mean float64) int {
	const part = 500 // exp(-part) is a number yet
	n := 0
	for ; mean > 0; mean -= part {
		end := math.Exp(-min(mean, part))
		for left := draw.next(); left > end; left *= draw.next() {
			n++
		}
	}
	return n
}

func powerLaw(a *arguments) *csr {
	rows, sorted, exponent := a.dimension("rows"), a.float("sorted"), a.float("exponent")
	scale, most := a.float("scale"), float64(rows/4)
	if a.given["avg"] && a.given["scale"] {
		a.fail("bad-argument", "both avg and scale are given", "each determines the other", "give one of them")
	}
	switch {
	case a.err != nil:
		return nil
	case !(sorted >= 0 && sorted <= 1):
		a.fail("bad-argument", fmt.Sprintf("sorted is %g", sorted), "it goes from order by chance to order by length", "give a number from 0 to 1")
		return nil
	case !(exponent >= minExponent && exponent <= maxExponent):
		a.fail("bad-argument", fmt.Sprintf("exponent is %g", exponent), fmt.Sprintf("it is between %g and %g", minExponent, maxExponent), "give such a number")
		return nil
	case a.given["avg"] && !(a.float("avg") > 0), !a.given["avg"] && !(scale > 0):
		a.fail("bad-argument", "avg or scale is not positive", "row lengths are at least scale, and avg on average", "give a positive number")
		return nil
	}
	if a.given["avg"] {
		scale = scaleForMean(a.float("avg"), most, exponent)
	}
	draw := lcg(a.seed("seed"))
	length := func() int {
		u := draw.next()
		if exponent != 1 {
			u = math.Pow(u, 1/exponent)
		}
		return int(min(most, math.Floor(scale/u)))
	}
	if sorted == 0 {
		return randomRows(a, rows, 0, length)
	}
	if a.length("rows", 24); a.err != nil { // a length, and a place with its key
		return nil
	}
	lengths := make([]int, rows)
	for r := range lengths {
		if a.stopped(r) {
			return nil
		}
		lengths[r] = length()
	}
	longestLast(lengths, sorted, a.seed("seed")+3)
	next := -1
	return randomRows(a, rows, 0, func() int { next++; return lengths[next] })
}

// Exponents beyond these give nothing but rows of the longest and of the shortest length.
const minExponent, maxExponent = 0.1, 100.0

// longestLast orders lengths by their rank as far as share says, and by chance for the rest, as both are in matrices
// whose rows were numbered as they came up: 0 is chance alone, 1 the order of the lengths.
func longestLast(lengths []int, share float64, seed uint64) {
	type place struct {
		length int
		key    float64
	}
	slices.Sort(lengths)
	draw := lcg(seed)
	places := make([]place, len(lengths))
	for i, n := range lengths {
		places[i] = place{n, share*float64(i)/float64(len(lengths)) + (1-share)*draw.next()}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.key, b.key) })
	for i, p := range places {
		lengths[i] = p.length
	}
}

// scaleForMean solves, for s, that the mean of min(most, s/u^(1/exponent)) for uniform u is mean + ½; the half makes
// up for rounding down.
func scaleForMean(mean, most, exponent float64) float64 {
	low, high := 0.0, most
	for range 100 {
		s := (low + high) / 2
		// With q = (s/most)^exponent of the lengths cut off at most: most·q, and the integral of s·u^(-1/exponent)
		// from q to 1.
		q := math.Pow(s/most, exponent)
		of := most*q + s*(1-math.Pow(q, 1-1/exponent))/(1-1/exponent)
		if exponent == 1 {
			of = s * (1 + math.Log(most/s))
		}
		if s > 0 && of < mean+0.5 {
			low = s
		} else {
			high = s
		}
	}
	return high
}

// randomRows draws the columns of each row, sorts them (duplicates stay), and
// draws the values in their final order.
func randomRows(a *arguments, rows, capacity int, length func() int) *csr {
	cols := rows
	if a.given["cols"] {
		cols = a.dimension("cols")
	}
	seed := a.seed("seed")
	if a.generator.Name == "uniform" && !a.given["seed"] {
		seed = 31 // what the other matrices start from
	}
	if a.err != nil {
		return nil
	}
	m, columns := newCSR(rows, cols, capacity), lcg(seed+1)
	for r := range rows {
		if a.stopped(r) {
			return nil
		}
		start, n := len(m.columns), length()
		if cols == 0 {
			n = 0
		}
		if start+n > math.MaxInt32 && !a.entries(float64(start)+float64(n)) {
			return nil
		}
		for range n {
			m.columns = append(m.columns, int32(columns.next()*float64(cols)))
		}
		slices.Sort(m.columns[start:])
		m.offsets = append(m.offsets, int32(len(m.columns)))
	}
	if !a.entries(float64(len(m.columns))) {
		return nil
	}
	m.values = uniform(len(m.columns), seed+2, 0, 1)
	return m
}

func newCSR(rows, cols, capacity int) *csr {
	return &csr{rows: rows, cols: cols, offsets: make([]int32, 1, rows+1), columns: make([]int32, 0, capacity)}
}

func denseTable(a *arguments) Value {
	rows, cols := a.dimension("rows"), a.dimension("cols")
	if a.err == nil {
		if err := checkSize(int64(rows)*int64(cols), 8, a.limit); err != nil {
			e := err.(*Error)
			a.fail(e.Code, e.What, e.Why, e.Do)
		}
	}
	if a.err != nil {
		return Value{}
	}
	data := uniform(rows*cols, a.seed("seed"), a.float("lo"), a.float("hi"))
	return Value{Kind: Float64, Dims: []int{rows, cols}, Data: data}
}
