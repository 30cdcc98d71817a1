package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// HoughLines votes for the lines of all angles on which a bright pixel may lie: 256 angles and some more are two
// strips, few are none.
//
//surge:kernel
func HoughLines(img []uint8, w int, sin, cos []float32, rhos int) []int32 {
	votes := make([]int32, len(sin)*rhos)
	for p, v := range img {
		if v < 200 {
			continue
		}
		x, y := float32(p%w), float32(p/w)
		for a := range sin {
			r := int(x*cos[a]+y*sin[a]+0.5) + rhos/2
			if r >= 0 && r < rhos {
				votes[a*rhos+r]++
			}
		}
	}
	return votes
}

// Octants is a histogram of the directions of gradients, found by comparisons.
//
//surge:kernel
func Octants(img []float32, w, h int) []int32 {
	bins := make([]int32, 8)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			gx := img[y*w+x+1] - img[y*w+x-1]
			gy := img[(y+1)*w+x] - img[(y-1)*w+x]
			b := 0
			if gy < 0 {
				b = 4
				gx, gy = -gx, -gy
			}
			if gx < 0 {
				b += 2
				gx, gy = gy, -gx
			}
			if gy > gx {
				b++
			}
			bins[b]++
		}
	}
	return bins
}

// Gradients sums up the magnitudes of gradients by their directions, in the order of the pixels.
//
//surge:kernel
func Gradients(img []float64, w, h int) []float64 {
	bins := make([]float64, 36)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			gx := img[y*w+x+1] - img[y*w+x-1]
			gy := img[(y+1)*w+x] - img[(y-1)*w+x]
			b := int((math.Atan2(gy, gx) + math.Pi) * (36 / (2 * math.Pi)))
			bins[min(b, 35)] += math.Sqrt(gx*gx + gy*gy)
		}
	}
	return bins
}

// Grid counts and sums up points in cells: those outside, and those that are no numbers, go to the first and last ones.
//
//surge:kernel
func Grid(xs, ys, weights []float64, nx, ny int, scale float64) (counts []int32, sums []float64) {
	counts, sums = make([]int32, nx*ny), make([]float64, nx*ny)
	for i, x := range xs {
		cx := min(max(int(x*scale), 0), nx-1)
		cy := min(max(int(ys[i]*scale), 0), ny-1)
		counts[cy*nx+cx]++
		sums[cy*nx+cx] += weights[i] * math.Sqrt(math.Abs(x*x-ys[i]))
	}
	return counts, sums
}

// Buckets counts keys by their hashes, in numbers that wrap around.
//
//surge:kernel
func Buckets(keys []uint32, bins int) []uint8 {
	counts := make([]uint8, bins)
	for _, k := range keys {
		k ^= k >> 16
		k *= 0x85ebca6b
		k ^= k >> 13
		k *= 0xc2b2ae35
		k ^= k >> 16
		counts[k%uint32(bins)]++
	}
	return counts
}

// RowWeights is a histogram of each row, of those elements that count: rows differ in length, and order decides about
// the last bit.
//
//surge:kernel
func RowWeights(x []float32, offsets []int32, bins int) [][]float32 {
	all := make([][]float32, len(offsets)-1)
	for r := range all {
		row := make([]float32, bins)
		for _, v := range x[offsets[r]:offsets[r+1]] {
			if v > -0.5 {
				w := v*v*(v-0.25)*(v+1) + 1/(v*v+3)
				row[int(v*v*float32(bins-1))] += w * w / (w + 2)
			}
		}
		all[r] = row
	}
	return all
}

// HashSums is Buckets by an operator, with weights.
//
//surge:kernel
func HashSums(keys []uint32, weights []float64, bins int) []float64 {
	places := ops.Map(func(k uint32) int {
		k ^= k >> 16
		k *= 0x85ebca6b
		k ^= k >> 13
		return int(k % uint32(bins))
	}, keys)
	values := ops.Map(func(w float64) float64 { return w * w / (1 + w) }, weights)
	return ops.Histogram(func(a, b float64) float64 { return a + b }, bins, places, values, 0)
}

// NearestInBin keeps for each bin the pair with the least distance, and which it is: a bin begins with its first
// element.
//
//surge:kernel
func NearestInBin(a, b []float64, bins int) (distance []float64, which []int32) {
	type pair struct {
		D float64
		I int32
	}
	pairs := ops.Map(func(i int) pair { return pair{D: math.Abs(a[i]*a[i] - b[i]), I: int32(i)} }, ops.Range(0, len(a), 1))
	places := ops.Map(func(x float64) int32 { return int32(min(int(math.Abs(x)*7), bins-1)) }, a)
	least := ops.Histogram(func(x, y pair) pair {
		if y.D < x.D || y.D == x.D && y.I < x.I {
			return y
		}
		return x
	}, bins, places, pairs, pair{D: math.Inf(1), I: -1})
	return ops.Map(func(p pair) float64 { return p.D }, least), ops.Map(func(p pair) int32 { return p.I }, least)
}
