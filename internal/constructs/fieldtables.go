// Structs

package constructs

// Tables are counts, and the least and the greatest byte.
type Tables struct {
	Counts   [256]int32
	Min, Max byte
}

func (t *Tables) add(b byte) {
	t.Counts[b]++
	t.Min, t.Max = min(t.Min, b), max(t.Max, b)
}

func (t Tables) without(b byte) Tables {
	t.Counts[b] = 0
	return t
}

func (t Tables) most() (best int) {
	for i, n := range t.Counts {
		if n > t.Counts[best] {
			best = i
		}
	}
	return best
}

// Gathered fills tables, copies them, and starts anew.
//
// Construct: arrays of more than 127 numbers in structs that the function makes: assigned by methods, copied with the
// struct, passed by value, replaced as a whole
//
//surge:kernel
func Gathered(text []byte, size uint8) (all, last, longest Tables, most int) {
	part := Tables{Min: 255}
	n := int32(0)
	for i, b := range text {
		if i%(int(size)+1) == 0 {
			part = Tables{Min: 255}
		}
		part.add(b)
		all.add(b)
		if part.Counts[b] > n {
			n = part.Counts[b]
			longest = part
		}
	}
	most = part.without('e').most()
	part.Counts['e']++
	return all, part, longest, most
}

// Stream is the state of a stream of numbers.
type Stream struct {
	S    [256]byte
	I, J byte
}

// Stretched draws from a copy of a stream.
//
// Construct: arrays of more than 127 numbers in structs that are parameters, which the kernel assigns
//
//surge:kernel
func (s Stream) Stretched(n uint16) ([]byte, Stream) {
	out := make([]byte, n)
	for k := range out {
		s.I++
		s.J += s.S[s.I]
		s.S[s.I], s.S[s.J] = s.S[s.J], s.S[s.I]
		out[k] = s.S[s.S[s.I]+s.S[s.J]]
	}
	return out, s
}

// Layers are weights.
type Layers struct {
	First  [16][16]float32
	Bias   [16]float32
	Second struct{ Weights [16][16]float32 }
}

// Outputs runs a network.
//
// Construct: arrays of arrays, of more than 127 numbers, in structs in structs behind pointers
//
//surge:kernel
func (l *Layers) Outputs(xs [][16]float32) []float32 {
	out := make([]float32, len(xs))
	for i, x := range xs {
		var h [16]float32
		for r := range l.First {
			h[r] = l.Bias[r]
			for c, w := range l.First[r] {
				h[r] += w * x[c]
			}
		}
		for r, row := range l.Second.Weights {
			for c := range row {
				out[i] += row[c] * h[c] * x[r]
			}
		}
	}
	return out
}

// Named is compared as a whole.
type Named struct {
	Name string
	Side int16
}

// Likened compares arrays, and structs with strings.
//
// Construct: == and != of arrays of more than 127 numbers, and of structs with strings
//
//surge:kernel
func Likened(x, y *Tables, names []Named, name Named) (same, different bool, n int) {
	for _, k := range names {
		if k == name {
			n++
		}
		if k != (Named{"north", 3}) {
			n += 100
		}
	}
	return *x == *y, x.Counts != y.Counts, n
}

// Described sums up windows of samples, and finds the nearest one of a few to each.
//
// Construct: slices of arrays of more than 127 numbers: parameters and results, elements assigned one by one or as a
// whole, copied, exchanged, appended, pointed to, ranged over
//
//surge:kernel
func Described(xs, ys [][130]int32) (sums, turned, some [][130]int32, nearest []int) {
	sums, turned = make([][130]int32, len(xs)), make([][130]int32, len(xs))
	nearest = make([]int, len(xs))
	for i := range xs {
		x, least := &xs[i], int64(1)<<62
		for j := range min(len(ys), 9) {
			if d := apartness(x, &ys[j]); d < least {
				least, nearest[i] = d, j
			}
		}
	}
	for i, row := range xs {
		for k := range 65 {
			row[k], row[129-k] = row[129-k], row[k]
		}
		turned[i] = row
		if row[0] > 0 {
			some = append(some, row)
		}
	}
	for i := 1; i < len(xs); i++ {
		for k, v := range xs[i] {
			sums[i][k] = sums[i-1][k] + v
		}
	}
	if len(sums) > 2 {
		sums[0], sums[2] = sums[2], sums[0]
		last := sums[1]
		last[3]++
		sums[2][4] = last[3] + sums[1][3]
	}
	return sums, turned, some, nearest
}

func apartness(x, y *[130]int32) (sum int64) {
	for k := range x {
		d := int64(x[k]) - int64(y[k])
		sum += d * d
	}
	return sum
}

// Corners reads single elements of rows.
//
// Construct: elements of rows outside of loops
//
//surge:kernel
func Corners(rows [][]int32, k uint8) (first, last int32) {
	if n := len(rows); n > 0 && len(rows[0]) > 0 && len(rows[n-1]) > 1 {
		row := rows[n-1]
		return rows[0][int(k)%len(rows[0])], row[len(row)-1] + row[len(row)-2]
	}
	return 0, -1
}
