package input

import "fmt"

// skewedGenerators make sparse matrices whose rows differ much in length, as they are written down: nothing but columns
// and values is left to chance.
func skewedGenerators() []*generator {
	return []*generator{
		{
			GeneratorInfo: GeneratorInfo{"mixed", "random columns, short rows and among them a few long ones, at equal distances or at the end",
				[]ParameterInfo{{"rows", "1<<18", "number of rows"}, {"cols", "", "number of columns; as many as rows"},
					{"short", "1", "entries of a short row"}, {"long", "829", "entries of a long row"}, {"longs", "1", "number of long rows"},
					{"last", "0", "1: the long rows come last"}, {"seed", "31", "columns use seed+1, values seed+2"}}, "gen:mixed:rows=1<<16,short=8,long=1<<19"},
			matrix: mixed,
		},
		{
			GeneratorInfo: GeneratorInfo{"arrow", "square, with the first row, the first column and the diagonal",
				[]ParameterInfo{{"rows", "1<<18", "number of rows"}, {"seed", "31", "values use seed+2"}}, "gen:arrow:rows=1<<20"},
			matrix: arrow,
		},
	}
}

func mixed(a *arguments) *csr {
	rows, short, long, longs, last := a.dimension("rows"), a.dimension("short"), a.dimension("long"), a.dimension("longs"), a.dimension("last")
	switch {
	case a.err != nil:
		return nil
	case longs > rows:
		a.fail("bad-argument", fmt.Sprintf("longs is %d, of %d rows", longs, rows), "each row is long or short", fmt.Sprintf("give a number from 0 to %d", rows))
		return nil
	case last > 1:
		a.fail("bad-argument", fmt.Sprintf("last is %d", last), "the long rows come last or they do not", "give 0 or 1")
		return nil
	}
	if !a.entries(float64(rows-longs)*float64(short) + float64(longs)*float64(long)) {
		return nil
	}
	row, done := -1, 0
	return randomRows(a, rows, (rows-longs)*short+longs*long, func() int {
		row++
		switch {
		case last == 1 && row < rows-longs, last == 0 && (done == longs || row != place(done, longs, rows)):
			return short
		}
		done++
		return long
	})
}

// place is the middle of the k-th of so many equal parts of n things.
func place(k, parts, n int) int {
	each, extra := n/parts, n%parts
	return k*each + each/2 + (2*k+1)*extra/(2*parts)
}

func arrow(a *arguments) *csr {
	rows := a.dimension("rows")
	if !a.entries(3 * float64(rows)) {
		return nil
	}
	m := newCSR(rows, rows, 3*rows)
	for r := range rows {
		switch {
		case a.stopped(r):
			return nil
		case r == 0:
			for c := range rows {
				m.columns = append(m.columns, int32(c))
			}
		default:
			m.columns = append(m.columns, 0, int32(r))
		}
		m.offsets = append(m.offsets, int32(len(m.columns)))
	}
	m.values = uniform(len(m.columns), a.seed("seed")+2, 0, 1)
	return m
}
