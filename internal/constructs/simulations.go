// Loops that accumulate

package constructs

import (
	"errors"
	"math"
)

// noise is the state of a generator of random numbers.
type noise uint64

func (n *noise) next() float64 {
	*n ^= *n >> 12
	*n ^= *n << 25
	*n ^= *n >> 27
	return float64(uint64(*n)*0x2545f4914f6cdd1d>>11+1) / (1 << 53)
}

// Simulated adds up the outcomes of random walks in the order of the walks, for some limits.
//
// Construct: simulations with random numbers of their own, whose outcomes are added up in elements of slices
//
//surge:kernel
func Simulated(limits []float64, walks, steps uint16, seed uint64) (sums []float64, ends []int) {
	sums, ends = make([]float64, len(limits)), make([]int, 5)
	for w := range int(walks % 512) {
		rng, at := noise(seed+uint64(w)|1), 0.0
		for range steps % 64 {
			at += math.Sqrt(rng.next()) - rng.next()
		}
		for k, limit := range limits {
			sums[k] += min(at, limit)
		}
		ends[w%5] += int(math.Floor(math.Abs(at)))
	}
	return sums, ends
}

// powers has the powers of 2, and their logarithms, in a field of 256 numbers.
type powers struct {
	exp [510]byte
	log [256]byte
}

func newPowers() (p powers) {
	x := 1
	for i := range 255 {
		p.exp[i], p.exp[i+255] = byte(x), byte(x)
		p.log[x] = byte(i)
		if x <<= 1; x >= 256 {
			x ^= 0x11d
		}
	}
	return p
}

var binaryField = newPowers()

func (p *powers) times(a, b byte) byte {
	if a == 0 || b == 0 {
		return 0
	}
	return p.exp[int(p.log[a])+int(p.log[b])]
}

// Parities computes what is sent along with blocks.
//
// Construct: tables in a package-level struct, which methods with pointer receivers read
//
//surge:kernel
func Parities(blocks [][]byte, factor byte) []byte {
	out := make([]byte, len(blocks))
	for i, block := range blocks {
		for _, v := range block {
			out[i] = binaryField.times(out[i]^v, factor)
		}
	}
	return out
}

// Traced finds the way back from the end of each text to where its first byte stood last.
//
// Construct: slices of structs with slices that loops append to, whose lengths only their elements say
//
//surge:kernel
func Traced(texts [][]byte) [][]byte {
	ways := make([][]byte, len(texts))
	for i, text := range texts {
		last := make([]int, 256)
		from := make([]int, len(text))
		for j, b := range text {
			from[j] = last[b&15]
			last[b&15] = j
		}
		var way []byte
		for j := len(text) - 1; j > 0; j = from[j] {
			way = append(way, text[j])
		}
		ways[i] = way
	}
	return ways
}

// Loaded adds up rows of sixteen numbers, as a product of a sparse matrix and a narrow one does.
//
// Construct: sums in an array of the function, to which an inner loop adds rows of a constant length, and which copy
// takes out, as far as there is room
//
//surge:kernel
func Loaded(starts []uint8, weights, rows []float64) ([]float64, error) {
	const width = 16
	if len(rows)%width != 0 {
		return nil, errors.New("rows of other lengths")
	}
	out := make([]float64, len(starts)*width)
	for i, start := range starts {
		var sums [width]float64
		for k := int(start); k < min(int(start)+9, len(weights), len(rows)/width); k++ {
			w := weights[k]
			for c, v := range rows[k*width : (k+1)*width] {
				sums[c] += w * v
			}
		}
		copy(out[i*width:], sums[:])
	}
	return out, nil
}
