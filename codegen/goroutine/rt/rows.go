package rt

const (
	// rowShare is the number of chunks a thread of rows that are shared by elements.
	rowShare = 8
	// longRow is how many elements a row has at least that is left out of the chunks, so that a region of its own pays.
	longRow = 1 << 15
)

// Offset is the type of row offsets.
type Offset interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Rows is how irregular rows are shared by what they hold: chunks of rows that have about as many elements and rows
// together (merge path), without the rows that are longer than a chunk should be. Its memory is used again.
type Rows struct {
	n      int
	rest   int   // parts that no chunk has been made for
	bounds []int // of chunk i: [2i], [2i+1]
	long   []int
}

// Long returns the rows that are in no chunk, in order.
func (r *Rows) Long() []int { return r.long }

// Cut divides rows [0,n), which begin at the first n of n+1 offsets, for a loop with parameters l. Chunks and long rows
// together are all rows, whatever the offsets say; with ascending ones none of them is much more than the others. They
// depend on the arguments only. Without leave no row is left out.
func Cut[T Offset](r *Rows, n int, offsets []T, l Loop, leave bool) {
	r.n, r.bounds, r.long = n, r.bounds[:0], r.long[:0]
	if n <= 0 {
		return
	}
	c := cutter[T]{r, offsets}
	elements := max(c.weight(0, n)-n, 0)
	parts := min(clampThreads(l.Threads)*rowShare, MaxChunks/2)
	lo := 0
	r.rest = parts
	if most := max(elements/parts, longRow); leave && elements > most {
		for k := range parts { // a row of more elements has one of these
			at := int(offsets[0]) + elements/parts*k + elements/parts/2
			row := c.rowOf(lo, at)
			if row >= lo && c.weight(row, row+1)-1 > most {
				c.pieces(lo, row, parts, elements)
				r.long = append(r.long, row)
				if lo = row + 1; lo == n {
					return
				}
			}
		}
	}
	c.pieces(lo, n, parts, elements)
}

type cutter[T Offset] struct {
	*Rows
	offsets []T
}

// weight is how many rows and elements there are in rows [lo,hi).
func (c *cutter[T]) weight(lo, hi int) int {
	return hi - lo + int(c.offsets[hi]) - int(c.offsets[lo])
}

// rowOf returns the last row from lo on that begins at an element or before it, lo if none does.
func (c *cutter[T]) rowOf(lo, at int) int {
	hi := c.n
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; int(c.offsets[mid]) <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// pieces makes chunks of rows [lo,hi), as many as their part of all rows and elements is.
func (c *cutter[T]) pieces(lo, hi, parts, elements int) {
	if lo == hi {
		return
	}
	total := max(c.weight(lo, hi), 1)
	n := max(min((total*parts+(c.n+elements)/2)/max(c.n+elements, 1), c.rest), 1)
	c.rest = max(c.rest-n, 0)
	first, at := lo, lo
	for k := 1; k <= n; k++ {
		end := hi
		if k < n {
			end = c.search(at, hi, first, total/n*k+total%n*k/n)
		}
		if end > at {
			c.bounds = append(c.bounds, at, end)
		}
		at = end
	}
}

// search returns the first row in [lo,hi] before which there are so many rows and elements from row first on.
func (c *cutter[T]) search(lo, hi, first, weight int) int {
	for lo < hi {
		if mid := lo + (hi-lo)/2; c.weight(first, mid) < weight {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// ForRows is [Worker.For] over rows that were cut for a loop with parameters l. Chunks start in increasing order.
func (w *Worker) ForRows(r *Rows, l Loop, body Body, env any) {
	w.loop(r.n, l, r, body, env)
}
