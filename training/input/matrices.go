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
			GeneratorInfo: GeneratorInfo{"powerlaw", "random columns, heavy-tailed row lengths min(rows/4, scale/u) for u uniform in [0,1); avg asks for a mean instead of a scale",
				[]ParameterInfo{rows("1<<18"), cols, {"scale", "2", "shortest length"}, {"avg", "", "mean length, about"}, {"sorted", "0", "share of the rows, the longest, that come last, in order of their lengths"}, seed}, "gen:powerlaw:rows=1<<18,avg=16"},
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

func powerLaw(a *arguments) *csr {
	rows, share := a.dimension("rows"), a.float("sorted")
	scale, most := a.float("scale"), float64(rows/4)
	if a.given["avg"] {
		if a.given["scale"] {
			a.fail("bad-argument", "both avg and scale are given", "each determines the other", "give one of them")
		}
		if scale = 0; a.float("avg") > 0 {
			scale = scaleForMean(a.float("avg"), most)
		}
	}
	switch {
	case a.err != nil:
		return nil
	case !(share >= 0 && share <= 1):
		a.fail("bad-argument", fmt.Sprintf("sorted is %g", share), "it is a share of the rows", "give a number from 0 to 1")
		return nil
	case !(scale > 0):
		a.fail("bad-argument", "avg or scale is not positive", "row lengths are at least scale, and avg on average", "give a positive number")
		return nil
	}
	draw := lcg(a.seed("seed"))
	length := func() int { return int(min(most, math.Floor(scale/draw.next()))) }
	if share == 0 {
		return randomRows(a, rows, 0, length)
	}
	if !a.entries(float64(rows)) { // before there are as many lengths
		return nil
	}
	lengths, next := make([]int, rows), -1
	for r := range lengths {
		lengths[r] = length()
	}
	longestLast(lengths, int(share*float64(rows)+0.5))
	return randomRows(a, rows, 0, func() int { next++; return lengths[next] })
}

// longestLast moves the n longest of some lengths to the end, in order; the others stay in theirs.
func longestLast(lengths []int, n int) {
	order := make([]int, len(lengths))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lengths[a], lengths[b]) })
	slices.Sort(order[:len(order)-n])
	moved := make([]int, 0, len(lengths))
	for _, r := range order {
		moved = append(moved, lengths[r])
	}
	copy(lengths, moved)
}

// scaleForMean solves s·(1 + ln(most/s)) = mean + ½ for s, which is the mean of
// min(most, s/u) for uniform u; the half makes up for rounding down.
func scaleForMean(mean, most float64) float64 {
	low, high := 0.0, most
	for range 100 {
		s := (low + high) / 2
		if s > 0 && s*(1+math.Log(most/s)) < mean+0.5 {
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
