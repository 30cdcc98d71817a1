// Types

package constructs

import (
	"hash/crc32"

	"github.com/surge-ndp/surge/ops"
)

// kind is an enumeration.
type kind uint8

const (
	plain kind = iota
	doubled
	halved
	kinds = 3
)

var (
	table   = crc32.MakeTable(crc32.Castagnoli)
	smooth  = [3]float64{0.25, 0.5, 0.25}
	factors = []float64{1, 2, 0.5}
	cubes   [40]int64
	shares  [6][6]float64
	deep    [3][4][5]int32
	limits  = [12][12]float32{{1, 2}, {3: 0.5}, 11: {4, 5, 6}}
)

func init() {
	for i := range shares {
		for j := range i {
			shares[i][j] = float64(i) / float64(1+j)
		}
	}
	for i := range 60 {
		deep[i/20][i/5%4][i%5] = int32(i * i)
	}
	for i := range cubes {
		cubes[i] = int64(i * i * i)
	}
}

func (k kind) factor() float64 { return factors[k] }

// Crc reads a table that is made at start.
//
// Construct: package-level variables that nothing assigns but their declaration and init: tables, slices, what a call
// computes
//
//surge:kernel
func Crc(rows [][]uint8) ([]uint32, int64) {
	sums := ops.Map(func(row []uint8) uint32 {
		c := ^uint32(0)
		for _, b := range row {
			c = table[byte(c)^b] ^ c>>8
		}
		return ^c
	}, rows)
	return sums, cubes[len(rows)%len(cubes)]
}

// Smoothed reads constants of several kinds.
//
// Construct: constants, typed constants, iota, and package-level arrays of constants
//
//surge:kernel
func Smoothed(x []float64) []float64 {
	return ops.Map(func(i int) float64 {
		s := 0.0
		for j, w := range smooth {
			k := i + j - len(smooth)/2
			if k >= 0 && k < len(x) {
				s += w * x[k]
			}
		}
		switch k := kind(i % kinds); k {
		case plain:
			return s
		case doubled, halved:
			return s * k.factor()
		}
		return 0
	}, ops.Range(0, len(x), 1))
}

// Shares reads arrays of arrays at places that only the run knows, and rows of them.
//
// Construct: package-level arrays of arrays, of any depth
//
//surge:kernel
func Shares(x []float64, k int) []float64 {
	return ops.Map(func(i int) float64 {
		s := float64(limits[i%len(limits)][(i+k)&7])
		for q := range i % len(shares) {
			s += shares[i%len(shares)][q] * x[q%len(x)]
		}
		for q, v := range deep[i%len(deep)][k&3] {
			s += float64(v) * x[(i+q)%len(x)]
		}
		return s
	}, ops.Range(0, len(x), 1))
}

// Preset are settings.
type Preset struct {
	Gain, Offset int32
	Curve        [256]uint8
}

var preset = &Preset{Gain: 3, Offset: -2, Curve: [256]uint8{1: 5, 7: 9, 255: 4}}

// Adjusted reads settings.
//
// Construct: package-level pointers to structs, and their fields, also arrays of more than 127 numbers
//
//surge:kernel
func Adjusted(x []byte) []int32 {
	out := make([]int32, len(x))
	for i, v := range x {
		out[i] = int32(preset.Curve[v])*preset.Gain + preset.Offset
	}
	return out
}
