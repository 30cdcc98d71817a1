// Package updates has loops that update arrays where they lie. The comment of each kernel says how many loops of
// independent turns there are behind the pass.
package updates

// Loops: 2
//
//surge:kernel
func LU(a []float64, n int) []float64 {
	b := make([]float64, len(a))
	copy(b, a)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			b[i*n+k] /= b[k*n+k]
			for j := k + 1; j < n; j++ {
				b[i*n+j] -= b[i*n+k] * b[k*n+j]
			}
		}
	}
	return b
}

// Row k and column k may change in turn k, so that its row, and its element of each row, are by themselves.
//
// Loops: 2
//
//surge:kernel
func Floyd(w []int, n int) []int {
	d := make([]int, len(w))
	copy(d, w)
	for k := 0; k < n; k++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				if t := d[i*n+k] + d[k*n+j]; t < d[i*n+j] {
					d[i*n+j] = t
				}
			}
		}
	}
	return d
}

// A loop of a turn that only sums up is a part of it.
//
// Loops: 2
//
//surge:kernel
func Products(a, b []int, batch, n int) []int {
	c := make([]int, batch*n*n)
	for l := 1; l < batch; l++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				s := 0
				for k := 0; k < n; k++ {
					s += a[(l*n+i)*n+k] * b[(l*n+k)*n+j]
				}
				c[(l*n+i)*n+j] = s
			}
		}
	}
	return c
}

// A sum that reads what other turns have updated keeps them in order.
//
// Loops: 0
//
//surge:kernel
func Triangle(a []int, n int) []int {
	x := make([]int, len(a))
	copy(x, a)
	for i := 0; i < n; i++ {
		s := 0
		for j := 0; j < i; j++ {
			s += x[j]
		}
		x[i] -= s
	}
	return x
}

// Two colours that constants say are two pairs of loops.
//
// Loops: 4
//
//surge:kernel
func RedBlack(a []int, w, h, sweeps int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for range sweeps {
		for color := 0; color < 2; color++ {
			for y := 1; y < h-1; y++ {
				for x := 1 + (y+color)%2; x < w-1; x += 2 {
					g[y*w+x] += g[y*w+x-1] + 2*g[y*w+x+1] - g[(y-1)*w+x] - g[(y+1)*w+x]
				}
			}
		}
	}
	return g
}

// Rows are longer than the grid is wide where m is greater than w: they overlap.
//
// Loops: 2
//
//surge:kernel
func RedBlackOverlapping(a []int, w, m, h int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for y := 1; y < h-1; y++ {
		for x := 1 + y%2; x < m-1; x += 2 {
			g[y*w+x] += g[y*w+x-1] + 2*g[y*w+x+1] - g[(y-1)*w+x] - g[(y+1)*w+x]
		}
	}
	return g
}

// Neighbours along a diagonal are of the same colour: only the cells of a row are independent.
//
// Loops: 2
//
//surge:kernel
func RedBlackDiagonal(a []int, w, h, sweeps int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for range sweeps {
		for color := 0; color < 2; color++ {
			for y := 1; y < h-1; y++ {
				for x := 1 + (y+color)%2; x < w-1; x += 2 {
					g[y*w+x] += g[(y-1)*w+x-1] - g[(y+1)*w+x+1]
				}
			}
		}
	}
	return g
}

// A row needs the one before it: the elements of a row are independent.
//
// Loops: 1
//
//surge:kernel
func Down(a []int, w, h int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			g[y*w+x] += g[(y-1)*w+x]
		}
	}
	return g
}

// An element needs the one before it: the rows are independent.
//
// Loops: 1
//
//surge:kernel
func Along(a []int, w, h int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for y := 0; y < h; y++ {
		for x := 1; x < w; x++ {
			g[y*w+x] += g[y*w+x-1]
		}
	}
	return g
}

// Both needs the element before and the one above: the blocks of a diagonal are independent.
//
// Loops: 1
//
//surge:kernel
func Both(a []int, w, h int) []int {
	g := make([]int, len(a))
	copy(g, a)
	for y := 1; y < h; y++ {
		for x := 1; x < w; x++ {
			g[y*w+x] += max(g[y*w+x-1], g[(y-1)*w+x])
		}
	}
	return g
}

// Loops: 2
//
//surge:kernel
func Cholesky(a []int, n int) []int {
	b := make([]int, len(a))
	copy(b, a)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			for j := k + 1; j <= i; j++ {
				b[i*n+j] -= b[i*n+k] * b[j*n+k]
			}
		}
	}
	return b
}

// Elements are swapped; there are two arrays.
//
// Loops: 1
//
//surge:kernel
func Swap(a, b []int, turns int) ([]int, []int) {
	x, y := make([]int, len(a)), make([]int, len(a))
	copy(x, a)
	copy(y, b)
	for t := range turns {
		for i := range x {
			if x[i] > y[i]+t {
				x[i], y[i] = y[i], x[i]
			}
		}
	}
	return x, y
}

// Pairs at a distance: what the turns read is what they write.
//
// Loops: 2
//
//surge:kernel
func Pairs(a []int, turns, h int) []int {
	x := make([]int, len(a))
	copy(x, a)
	for range turns {
		for b := 0; b < len(a)/(2*h); b++ {
			for j := 0; j < h; j++ {
				p, q := x[2*b*h+j], x[2*b*h+h+j]
				x[2*b*h+j], x[2*b*h+h+j] = p+q, p-q
			}
		}
	}
	return x
}

// All turns of the inner loop update one element, which is that of one turn of the outer one.
//
// Loops: 1
//
//surge:kernel
func Sums(a []int, turns int) []int {
	x := make([]int, len(a))
	copy(x, a)
	for t := range turns {
		for i := range a {
			x[t] += a[i]
		}
	}
	return x
}

// Every turn updates one element.
//
// Loops: 0
//
//surge:kernel
func Sum(a []int, turns, at int) []int {
	x := make([]int, len(a))
	for t := range turns {
		for i := range a {
			x[at] += a[i] * t
		}
	}
	return x
}

// Places that the data say may be the same.
//
// Loops: 0
//
//surge:kernel
func Indexed(a []int, turns int) []int {
	x := make([]int, 8)
	for t := range turns {
		for i := range a {
			x[a[i]&7] = i + t
		}
	}
	return x
}

// A column is scaled, from the last row up.
//
// Loops: 1
//
//surge:kernel
func Column(a []int, w, h int) []int {
	x := make([]int, len(a))
	copy(x, a)
	for c := 0; c < w; c++ {
		for r := 0; r < h; r++ {
			x[(h-1-r)*w+c] = x[(h-1-r)*w+c]*2 + x[(h-1-r)*w]
		}
	}
	return x
}

// Three dimensions.
//
// Loops: 2
//
//surge:kernel
func Volume(a []int, n, m, l, turns int) []int {
	x := make([]int, len(a))
	copy(x, a)
	for range turns {
		for z := 0; z < l; z++ {
			for y := 0; y < m; y++ {
				for c := 0; c < n; c++ {
					x[(z*m+y)*n+c] += z - y
				}
			}
		}
	}
	return x
}

// Rows that the kernel made of one length: where they begin is known.
//
// Loops: 2
//
//surge:kernel
func LURows(a []int, n int) []int {
	b := make([][]int, n)
	for i := range b {
		b[i] = make([]int, n)
		for j := range b[i] {
			b[i][j] = a[i*n+j]
		}
	}
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			row := b[i]
			row[k] *= b[k][k]
			for j := k + 1; j < n; j++ {
				row[j] -= row[k] * b[k][j]
			}
		}
	}
	return b[n-1]
}

// The row that is read is computed in the loop, by a remainder, and nothing is known of it before the loop.
//
// Loops: 0
//
//surge:kernel
func NextRows(x []int, wide int) [][]int {
	high := len(x)
	z := make([][]int, high)
	for i := range z {
		z[i] = make([]int, max(wide, 0))
		for j := range z[i] {
			z[i][j] = i ^ j
		}
	}
	for i := range high {
		row := z[i]
		for j := range row {
			row[j] += z[(i+1)%high][j]
		}
	}
	return z
}

// Align fills a table in which each element needs the three before it: the blocks of a diagonal are independent.
//
// Loops: 1
//
//surge:kernel
func Align(similarity []int, n, penalty int) []int {
	w := n + 1
	if w < 1 {
		panic("w < 1")
	}
	score := make([]int, w*w)
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			diagonal := score[(i-1)*w+j-1] + similarity[(i-1)*n+j-1]
			score[i*w+j] = max(diagonal, score[i*w+j-1]-penalty, score[(i-1)*w+j]-penalty)
		}
	}
	return score
}

// Edits is the table of the distances of two words, in rows. One more loop of independent turns fills its border.
//
// Loops: 1
//
//surge:kernel
func Edits(a, b []int) [][]int {
	wide := len(b) + 1
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, wide)
		d[i][0] = i
	}
	for j := range wide {
		d[0][j] = j
	}
	for i := 1; i < len(d); i++ {
		for j := 1; j < wide; j++ {
			if a[i-1] == b[j-1] {
				d[i][j] = d[i-1][j-1]
			} else {
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
		}
	}
	return d
}

// Relax sweeps over a grid in place: each element needs two that the sweep has reached, and two that it has not.
//
// Loops: 1
//
//surge:kernel
func Relax(in []float64, w, h, sweeps int) []float64 {
	a := make([]float64, w*h)
	copy(a, in)
	for range sweeps {
		for i := 1; i < h-1; i++ {
			for j := 1; j < w-1; j++ {
				a[i*w+j] = 0.25 * (a[(i-1)*w+j] + a[i*w+j-1] + a[i*w+j+1] + a[(i+1)*w+j])
			}
		}
	}
	return a
}

// Corners needs an element of the row before that is farther than its own place in the row, in the block right of it.
//
// Loops: 0
//
//surge:kernel
func Corners(in []int, w, h int) []int {
	a := make([]int, w*h)
	copy(a, in)
	for i := 1; i < h; i++ {
		for j := 1; j < w-1; j++ {
			a[i*w+j] += a[(i-1)*w+j+1] ^ a[i*w+j-1]
		}
	}
	return a
}

// Wide has rows that reach into the next ones where the width says so.
//
// Loops: 1
//
//surge:kernel
func Wide(in []int, w, h, stride int) []int {
	a := make([]int, len(in))
	copy(a, in)
	for i := 1; i < h; i++ {
		for j := 1; j < w; j++ {
			a[i*stride+j] += a[(i-1)*stride+j] ^ a[i*stride+j-1]
		}
	}
	return a
}

// Fixed has rows of forty.
//
// Loops: 1
//
//surge:kernel
func Fixed(in []int, h int) []int {
	a := make([]int, len(in))
	copy(a, in)
	for i := 1; i < h; i++ {
		for j := 1; j < 40; j++ {
			a[i*40+j] += a[(i-1)*40+j] - a[i*40+j-1]
		}
	}
	return a
}

// Running carries a number along a row, which no block hands to the next.
//
// Loops: 0
//
//surge:kernel
func Running(in []int, w, h int) []int {
	a := make([]int, w*h)
	copy(a, in)
	for i := 1; i < h; i++ {
		left := i
		for j := 0; j < w; j++ {
			left = a[(i-1)*w+j] - left
			a[i*w+j] = left
		}
	}
	return a
}

// Windows has the places of a window around each block, whose side is computed: four values are multiplied.
//
// Loops: 2
//
//surge:kernel
func Windows(a []int, w, h, radius int) []int {
	side := 2*radius + 1
	out := make([]int, w*h*side*side)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			for dy := -radius; dy <= radius; dy++ {
				for dx := -radius; dx <= radius; dx++ {
					out[((y*w+x)*side+dy+radius)*side+dx+radius] = a[(x+dx+side)%len(a)] - a[(y+dy+side)%len(a)]
				}
			}
		}
	}
	return out
}

// Colours has three elements a turn, behind a loop that nobody can tell the turns of.
//
// Loops: 2
//
//surge:kernel
func Colours(a []int, w, h, limit int) []int {
	out := make([]int, w*h*3)
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			v, n := x+y, 0
			for n < limit {
				v = v*v%1000 + x
				if v > 900 {
					break
				}
				for _, s := range a {
					v += s & n
				}
				n++
			}
			out[(y*w+x)*3] = v
			out[(y*w+x)*3+1] = n
			out[(y*w+x)*3+2] = v - n
		}
	}
	return out
}

// Hopping updates where a loop has ended, which nobody can tell.
//
// Loops: 0
//
//surge:kernel
func Hopping(a []int, w, h int) []int {
	out := make([]int, w*h)
	for y := 0; y < h; y++ {
		at := y
		for n := 0; at < len(out); n++ {
			if at%7 == 3 {
				break
			}
			at += n + 1
		}
		for x := 0; x < w; x++ {
			out[(at+x)%len(out)] += x - out[(at+3*x)%len(out)]
		}
	}
	return out
}

// Sparse adds to each element what a row of a table says, as long as it is.
//
// Loops: 1
//
//surge:kernel
func Sparse(first, columns, in []int, turns int) []int {
	a := make([]int, len(in))
	copy(a, in)
	b := make([]int, len(in))
	for range turns {
		for i := 0; i < len(first)-1; i++ {
			sum := a[i]
			for e := first[i]; e < first[i+1]; e++ {
				sum += in[columns[e]%len(in)]
			}
			b[i] = sum
			a[i] = sum ^ b[i]
		}
		for i := 1; i < len(a); i++ {
			a[i] += a[i-1]
		}
	}
	return b
}

// Rays walks from each cell of a grid until something is in the way: a loop inside that a break leaves, and whose
// bound is computed in the turn, uses no element of what is filled.
//
// Loops: 2
//
//surge:kernel
func Rays(in []int, w, h, reach int) []int {
	if w <= 0 || reach > w {
		return nil
	}
	a := make([]int, w*h)
	for y := 1; y < h; y++ {
		for x := reach; x < w; x++ {
			steps := in[y*w+x] % 16
			if steps < 2 {
				a[y*w+x] = -1
				continue
			}
			free := 0
			for s := 1; s < steps; s++ {
				if in[(y*s/steps)*w+x] > 9 {
					break
				}
				free++
			}
			a[y*w+x] = free
		}
	}
	return a
}

// Prefixes updates rows up to the first element that is too great: a break leaves the loop that updates.
//
// Loops: 1
//
//surge:kernel
func Prefixes(in []int, w, h int) []int {
	a := make([]int, w*h)
	copy(a, in)
	for y := 1; y < h; y++ {
		for x := 1; x < w; x++ {
			if in[y*w+x] > 9 {
				break
			}
			a[y*w+x] += a[y*w+x-1]
		}
	}
	return a
}

// Spill updates at a place that a loop has found: nothing is known of it.
//
// Loops: 0
//
//surge:kernel
func Spill(in []int, w, h int) []int {
	a := make([]int, w*h)
	for y := 1; y < h; y++ {
		at := 0
		for in[at]%16 > y {
			at++
		}
		a[at] = y
	}
	return a
}

// Grouped gives each point its group and counts those that change theirs, in turns until few do: the count is left to a
// loop of its own.
//
// Loops: 1
//
//surge:kernel
func Grouped(points []float64, order []int, k, most int) ([]int32, []float64, int) {
	labels := make([]int32, len(points))
	centers := make([]float64, k)
	copy(centers, points)
	turns := 0
	for turns < most {
		changed := 0
		for i, p := range points {
			best, least := int32(0), 1e300
			for c, center := range centers {
				if d := (p - center) * (p - center); d < least {
					best, least = int32(c), d
				}
			}
			if labels[i] != best {
				labels[i] = best
				changed++
			}
		}
		sums, counts := make([]float64, k), make([]int, k)
		for i, p := range points {
			sums[labels[i]] += p
			counts[labels[i]]++
		}
		for c := range centers {
			if counts[c] > 0 {
				centers[order[c]] = sums[c] / float64(counts[c])
			}
		}
		turns++
		if changed == 0 {
			break
		}
	}
	return labels, centers, turns
}

// Weighted rows are added up for each group of them: the turns of the innermost loop are independent, and so are the
// groups.
//
// Loops: 1
//
//surge:kernel
func Weighted(table []float64, ids []int, weights []float64, group, width int) [][]float64 {
	out := make([][]float64, max(len(ids)-group, 0))
	for b := range out {
		sum := make([]float64, len(weights))
		for k := b; k < b+group; k++ {
			w := weights[k-b]
			for d := range width {
				sum[d] += w * table[ids[k]*width+d]
			}
		}
		out[b] = sum
	}
	return out
}

// Running sums of each row need the element before.
//
// Loops: 0
//
//surge:kernel
func Accumulated(xs []float64, width int) [][]float64 {
	out := make([][]float64, len(xs)/max(width, 1))
	for r := range out {
		sums := make([]float64, width+1)
		for i := range width {
			sums[i+1] = sums[i] + xs[r*width+i]
		}
		out[r] = sums
	}
	return out
}

// Seams reads the row above, where conditions keep all reads within it.
//
// Loops: 1
//
//surge:kernel
func Seams(energy []float64, w, h int) []float64 {
	m := make([]float64, len(energy))
	copy(m, energy)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			best := m[(y-1)*w+x]
			if x > 0 {
				best = min(best, m[(y-1)*w+x-1])
			}
			if x+1 < w {
				best = min(best, m[(y-1)*w+x+1])
			}
			m[y*w+x] += best
		}
	}
	return m
}

// SeamsPast reads the row above, and one turn the first element of the row at hand, which the turns before have made:
// its condition keeps all others away.
//
// Loops: 0
//
//surge:kernel
func SeamsPast(energy []float64, w, h int) []float64 {
	m := make([]float64, len(energy))
	copy(m, energy)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			best := m[(y-1)*w+x]
			if x < w {
				best = min(best, m[(y-1)*w+x+1])
			}
			m[y*w+x] += best
		}
	}
	return m
}

// SeamsElse has the condition the other way round, in an else, and one of two.
//
// Loops: 1
//
//surge:kernel
func SeamsElse(energy []float64, w, h, limit int) []float64 {
	m := make([]float64, len(energy))
	copy(m, energy)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			best := m[(y-1)*w+x]
			if w-1 <= x {
				best++
			} else {
				best = min(best, m[(y-1)*w+x+1])
			}
			if 0 < x && x < limit {
				best = min(best, m[(y-1)*w+x-1])
			}
			m[y*w+x] += best
		}
	}
	return m
}

// SeamsWrapped has a condition whose sum wraps around: it holds where it seems not to.
//
// Loops: 0
//
//surge:kernel
func SeamsWrapped(energy []float64, w, h int) []float64 {
	m := make([]float64, len(energy))
	copy(m, energy)
	for y := 1; y < h; y++ {
		for x := 0; x < w; x++ {
			best := m[(y-1)*w+x]
			if x+(1<<63-1) < 5 {
				best = min(best, m[(y-1)*w+x+1])
			}
			m[y*w+x] += best
		}
	}
	return m
}
