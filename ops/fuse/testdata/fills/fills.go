// Package fills has loops that fill slices. The comment of each kernel says how many of its loops stay loops: those
// that become Maps do not.
package fills

// Loops: 0
//
//surge:kernel
func Own(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v * 2
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Part(x []float64, from, to int) []float64 {
	y := make([]float64, len(x))
	for i := from; i < to; i++ {
		y[i] = x[i] + 1
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Offset(x []float64, by int) []float64 {
	y := make([]float64, len(x)+1)
	for i := range x {
		y[i+by] = x[i]
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Backwards(x []float64, last int) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[last-i] = v
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Two(x []float64, n, m int) ([]float64, []float64) {
	y := make([]float64, n)
	z := make([]float64, m)
	for i, v := range x {
		y[i] += v
		z[i+1] = y[i] + z[i+1]
	}
	return y, z
}

// Loops: 0
//
//surge:kernel
func Single(x []float64, at int) []float64 {
	y := make([]float64, len(x))
	y[at] = 3
	for i, v := range x {
		y[i] += v
	}
	y[0] = y[at] + 1
	return y
}

// Loops: 0
//
//surge:kernel
func Branches(x []float64, at int) []float64 {
	y := make([]float64, len(x))
	if at > 2 {
		for i, v := range x {
			y[i] = v
		}
		y[at] = 1
	} else {
		for i := at; i < len(x); i++ {
			y[i] = 5
		}
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Rows(h, w int) []int {
	y := make([]int, h*w)
	for i := 0; i < h; i++ {
		for j := 0; j < w; j++ {
			y[i*w+j] = i*10 + j
		}
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Inner(x []int, h, w int) []int {
	y := make([]int, len(x))
	for i := 1; i < h-1; i++ {
		for j := 1; j < w-1; j++ {
			y[i*w+j] = x[(i-1)*w+j] + x[(i+1)*w+j]
		}
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Shifted(x []int, h, w int) []int {
	y := make([]int, h*w)
	for i := 1; i <= h; i++ {
		for j := 2; j < w+2; j++ {
			y[(i-1)*w+j-2] = x[i] * j
		}
	}
	return y
}

// RowCode has one loop left, which goes through the rows that do not exist, where the width is 0.
//
// Loops: 0
//
//surge:kernel
func RowCode(x, s []int, w int) []int {
	y := make([]int, len(s)*w)
	for i := 0; i < len(s); i++ {
		f := x[i]
		for j := 0; j < w; j++ {
			y[i*w+j] = f + s[i]*j
		}
	}
	return y
}

// Loops: 0
//
//surge:kernel
func TwoAlong(x []int, h, w int) []int {
	y := make([]int, h*w)
	for i := 0; i < h; i++ {
		for j := 0; j < w; j++ {
			y[i*w+j] = x[j]
		}
		for k := 0; k < 3; k++ {
			for j := 1; j < w; j++ {
				y[i*w+j] += k * j
			}
		}
	}
	return y
}

// Loops: 0
//
//surge:kernel
func Conditional(x []int, n int) []int {
	y := make([]int, len(x))
	for i := 0; i < len(x)-1; i++ {
		if x[i] > n {
			y[i+1] = x[i]
		}
	}
	return y
}

// Outside may fail in a turn or not, as the condition says.
//
// Loops: 1
//
//surge:kernel
func Outside(x []int, n int) []int {
	y := make([]int, n)
	for i := range x {
		if x[i] > 0 {
			y[i] = x[i]
		}
	}
	return y
}

// Loops: 1
//
//surge:kernel
func Recurrence(x []int) []int {
	y := make([]int, len(x))
	for i := range x {
		if i > 0 {
			y[i] = x[i] + y[i-1]
		}
	}
	return y
}

// Loops: 1
//
//surge:kernel
func Scattered(x []int) []int {
	y := make([]int, len(x))
	for i := range x {
		y[x[i]] = i
	}
	return y
}

// Loops: 1
//
//surge:kernel
func Carried(x []int) []int {
	y := make([]int, len(x))
	s := 0
	for i := range x {
		s += x[i]
		y[i] = s
	}
	return y
}

// Loops: 1
//
//surge:kernel
func SameForAll(x []int, at int) []int {
	y := make([]int, len(x)+1)
	for i := range x {
		y[at] += x[i]
	}
	return y
}

// Overlapping has rows that are longer than their distance.
//
// Loops: 2
//
//surge:kernel
func Overlapping(x []int, h, w, d int) []int {
	y := make([]int, len(x))
	for i := 0; i < h; i++ {
		for j := 0; j < w; j++ {
			y[i*d+j] += x[j]
		}
	}
	return y
}

// Later changes the array again, in another order.
//
// Loops: 3
//
//surge:kernel
func Later(x []int) []int {
	y := make([]int, len(x))
	for i := range x {
		y[i] = x[i]
	}
	for i := 1; i < len(y); i++ {
		for j := i; j > 0 && y[j] < y[j-1]; j-- {
			y[j], y[j-1] = y[j-1], y[j]
		}
	}
	return y
}

// Reads fills one array from another one, which is updated later.
//
// Loops: 2
//
//surge:kernel
func Reads(x []int) ([]int, []int) {
	y := make([]int, len(x))
	for i := range x {
		if i > 0 {
			y[i] = y[i-1] + x[i]
		}
	}
	z := make([]int, len(x))
	for i := range x {
		z[i] = y[i] * 2
	}
	if len(y) > 0 {
		y[0] = 7
	}
	return y, z
}

// Steps keeps the loop over the steps; each turn is a Map.
//
// Loops: 1
//
//surge:kernel
func Steps(u []int, steps int) []int {
	now, next := make([]int, len(u)), make([]int, len(u))
	copy(now, u)
	for range steps {
		for i := 1; i < len(u)-1; i++ {
			next[i] = now[i-1] + now[i+1]
		}
		now, next = next, now
	}
	return now
}

// CopiedBack has a step that reads all of what the one before has computed.
//
// Loops: 1
//
//surge:kernel
func CopiedBack(u []int, steps int) []int {
	now, next := make([]int, len(u)), make([]int, len(u))
	copy(now, u)
	for t := 0; t < steps; t++ {
		for i := range next {
			next[i] = now[(i+1)%len(now)] + t
		}
		if t == 1 {
			next[0] = 9
		}
		copy(now, next)
	}
	return now
}

// Columns adds to the same few elements in each turn: the loop over them goes out of that over turns.
//
// Loops: 0
//
//surge:kernel
func Columns(x []int, d int) []int {
	sums := make([]int, d)
	for i := 0; i < len(x)/max(d, 1); i++ {
		for j := 0; j < d; j++ {
			sums[j] += x[i*d+j]
		}
	}
	return sums
}

// Few computes some elements of a long array in each turn.
//
// Loops: 3
//
//surge:kernel
func Few(x []int, steps int) []int {
	now, next := make([]int, len(x)+3), make([]int, len(x)+3)
	for range steps {
		for i := 0; i < 3; i++ {
			next[i] = now[(i+1)%3] + 1
		}
		for i := 0; i < 3; i++ {
			now[i] = next[i]
		}
	}
	return now
}

// RowsAndSums fills rows, and in the same loop along them an array with an element for each row.
//
// Loops: 2
//
//surge:kernel
func RowsAndSums(x []int, w, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, h)
	for y := 0; y < h; y++ {
		for i := 0; i < w; i++ {
			s[y] += x[(y+i)%len(x)]
			z[y*w+i] = s[y]
		}
	}
	return z, s
}

// RowsBesideMeans fills rows, and before that an element for each row.
//
// Loops: 0
//
//surge:kernel
func RowsBesideMeans(x []int, w, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, h)
	for y := 0; y < h; y++ {
		s[y] = y * x[y%len(x)]
		for i := 0; i < w; i++ {
			z[y*w+i] = s[y] + i
		}
	}
	return z, s
}

// SumsBehindRows fills rows, and behind them an element for each row.
//
// Loops: 0
//
//surge:kernel
func SumsBehindRows(x []int, w, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, h)
	for y := 0; y < h; y++ {
		for i := 0; i < w; i++ {
			z[y*w+i] = x[(y+i)%len(x)]
		}
		s[y] = y * y
	}
	return z, s
}

// TwoWidths fills rows of two arrays in one loop, which have different lengths.
//
// Loops: 2
//
//surge:kernel
func TwoWidths(x []int, w, v, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, v*h)
	for y := 0; y < h; y++ {
		for i := 0; i < min(v, w); i++ {
			z[y*w+i] = x[(y+i)%len(x)]
			s[y*v+i] = x[i%len(x)] - y
		}
	}
	return z, s
}

// TwoLoopsTwoWidths fills rows of two arrays in two loops.
//
// Loops: 3
//
//surge:kernel
func TwoLoopsTwoWidths(x []int, w, v, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, v*h)
	for y := 0; y < h; y++ {
		for i := 0; i < w; i++ {
			z[y*w+i] = x[(y+i)%len(x)]
		}
		for i := 0; i < v; i++ {
			s[y*v+i] = x[i%len(x)] - y
		}
	}
	return z, s
}

// TwoRows fills rows of two arrays of which one is a row further.
//
// Loops: 2
//
//surge:kernel
func TwoRows(x []int, w, h int) ([]int, []int) {
	z, s := make([]int, w*h), make([]int, w*h+w)
	for y := 0; y < h; y++ {
		for i := 0; i < w; i++ {
			z[y*w+i] = x[(y+i)%len(x)]
			s[(y+1)*w+i] = x[i%len(x)] - y
		}
	}
	return z, s
}

// Grid takes steps on a grid of which the edge stays.
//
// Loops: 1
//
//surge:kernel
func Grid(u []int, w, h, steps int) []int {
	now, next := make([]int, w*h), make([]int, w*h)
	copy(now, u)
	copy(next, u)
	for range steps {
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				i := y*w + x
				next[i] = now[i-1] + now[i+1] + now[i-w] - now[i+w]
			}
		}
		now, next = next, now
	}
	return now
}

// Torus takes steps on a grid without an edge, and keeps what was two steps before.
//
// Loops: 1
//
//surge:kernel
func Torus(u []int, w, h, steps int) ([]int, []int) {
	old, now, next := make([]int, w*h), make([]int, w*h), make([]int, w*h)
	copy(now, u)
	for range steps {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				next[y*w+x] = now[(y+1)%h*w+x] + now[y*w+(x+w-1)%w] - old[y*w+x]
			}
		}
		old, now, next = now, next, old
	}
	return now, old
}

// Loops: 0
//
//surge:kernel
func RowsFrom(x []float64, w, h, from int) []float64 {
	z := make([]float64, w*h)
	for i := from; i < h; i++ {
		for j := 0; j < w; j++ {
			z[i*w+j] = x[0] + 1
		}
	}
	return z
}

// Loops: 0
//
//surge:kernel
func Framed(x []float64, w, h, r int) []float64 {
	if w < 0 {
		panic("w < 0")
	}
	z := make([]float64, w*h)
	for i := r; i < h-r; i++ {
		for j := r; j < w-r; j++ {
			z[i*w+j] = x[0] + 1
		}
	}
	return z
}

// Loops: 2
//
//surge:kernel
func FramedTwice(x []float64, w, h, r, q int) []float64 {
	z := make([]float64, w*h)
	for i := r; i < h-r; i++ {
		for j := q; j < w-q; j++ {
			z[i*w+j] = x[0] + 1
		}
	}
	return z
}

// Loops: 0
//
//surge:kernel
func Sliced(x []float64, w, h, from int) []float64 {
	if w < 0 {
		panic("w < 0")
	}
	z := make([]float64, w*h)
	for i := from; i < h; i++ {
		row := x[i*w : (i+1)*w]
		for j := range row {
			z[i*w+j] = row[j] + row[0]
		}
	}
	return z
}

// Loops: 0
//
//surge:kernel
func Normed(x []float64, w, h int) []float64 {
	if w < 0 {
		panic("w < 0")
	}
	z := make([]float64, w*h)
	for i := 0; i < h; i++ {
		row := x[i*w : (i+1)*w]
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		for j, v := range row {
			z[i*w+j] = v - sum
		}
	}
	return z
}

// Loops: 2
//
//surge:kernel
func Padded(x []float64, w, h, from int) []float64 {
	z := make([]float64, w*h)
	for i := from; i < h; i++ {
		row := make([]float64, 3)
		row[2] = x[i]
		for j := 0; j < w; j++ {
			z[i*w+j] = row[j]
		}
	}
	return z
}

// Loops: 0
//
//surge:kernel
func Scaled(x []float64, w, h, f int) []float64 {
	if w < 0 || h < 0 || f < 0 {
		panic("a negative size")
	}
	z := make([]float64, w*f*h*f)
	for i := 0; i < h*f; i++ {
		for j := 0; j < w*f; j++ {
			z[i*w*f+j] = x[(i/f)*w+j/f]
		}
	}
	return z
}

// Staged makes arrays in the turns of its loops; each stage computes all of what the steps carry.
//
// Loops: 2
//
//surge:kernel
func Staged(u, scale []int, steps int) []int {
	now := make([]int, len(u))
	copy(now, u)
	for range steps {
		old := make([]int, len(now))
		copy(old, now)
		for stage := range 3 {
			fluxes := make([]int, len(now))
			for i, v := range now {
				fluxes[i] = v*scale[i] - now[(i+1)%len(now)]
			}
			for i, f := range fluxes {
				now[i] = old[i] + f*(3-stage)
			}
		}
	}
	return now
}

// StagedInPart has stages that compute some elements only: an operator cannot read an array that is updated
// behind it.
//
// Loops: 4
//
//surge:kernel
func StagedInPart(u []int, steps int) []int {
	now := make([]int, len(u)+3)
	for range steps {
		old := make([]int, len(now))
		copy(old, now)
		for stage := range 3 {
			for i := 0; i < 3; i++ {
				now[i] = old[len(u)-i+2] + now[i] + stage
			}
		}
	}
	return now
}

// Tables fills an array in each turn and sums it up.
//
// Loops: 0
//
//surge:kernel
func Tables(x []int, steps int) int {
	sum := 0
	for t := range steps {
		table := make([]int, len(x))
		for i, v := range x {
			table[i] = v*t + sum
		}
		for i := range table {
			sum ^= table[len(table)-1-i] + i
		}
	}
	return sum
}

// Transposed assigns column by column.
//
// Loops: 0
//
//surge:kernel
func Transposed(a []float64, rows, cols int) []float64 {
	t := make([]float64, rows*cols)
	for i := 0; i < rows; i++ {
		for j := 0; j < cols; j++ {
			t[j*rows+i] = a[i*cols+j] * float64(j)
		}
	}
	return t
}

// ColumnsMeet assigns to columns that are not as far apart as there are turns.
//
// Loops: 2
//
//surge:kernel
func ColumnsMeet(a []float64, rows, cols, stride int) []float64 {
	t := make([]float64, rows*cols)
	for i := 0; i < rows; i++ {
		for j := 0; j < cols; j++ {
			t[j*stride+i] = a[i*cols+j]
		}
	}
	return t
}

// ColumnsDepend reads what the turn before has assigned.
//
// Loops: 2
//
//surge:kernel
func ColumnsDepend(a []float64, rows, cols int) []float64 {
	t := make([]float64, rows*cols)
	for i := 0; i < rows; i++ {
		for j := 1; j < cols; j++ {
			t[j*rows+i] = a[i*cols+j] + t[(j-1)*rows+i]/2
		}
	}
	return t
}

// ColumnsShrink makes more turns inside the later the turn outside is.
//
// Loops: 2
//
//surge:kernel
func ColumnsShrink(a []float64, rows int) []float64 {
	t := make([]float64, rows*rows)
	for i := 0; i < rows; i++ {
		for j := 0; j < i/2; j++ {
			t[j*rows+i] = a[i*rows+j]
		}
	}
	return t
}

// The loop over x stays, in the rows and where there is none. Loops: 2
//
//surge:kernel
func Blocks(x []float64, h, from int) []float64 {
	z := make([]float64, len(x))
	for i := from; i < h; i++ {
		var row [40]float64
		for j := 0; j < len(x); j++ {
			row[j%3] += x[j] * x[i]
		}
		for j := 0; j < 4; j++ {
			z[i*4+j] = row[j]
		}
	}
	return z
}
