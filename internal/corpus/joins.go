// Joins and intervals

package corpus

import (
	"math"
	"slices"
)

// Order is a row.
type Order struct {
	ID, Customer int
	Amount       float64
}

// Customer is a row.
type Customer struct {
	ID      int
	Region  uint8
	Premium bool
}

// JoinTotals joins orders with customers, and sums amounts by region.
//
//surge:kernel
func JoinTotals(orders []Order, customers []Customer, regions int) []float64 {
	byID := make(map[int]int, len(customers))
	for i, c := range customers {
		byID[c.ID] = i
	}
	totals := make([]float64, regions)
	for _, o := range orders {
		i, ok := byID[o.Customer]
		if !ok {
			continue
		}
		c := customers[i]
		amount := o.Amount
		if c.Premium {
			amount *= 0.9
		}
		if int(c.Region) < regions {
			totals[c.Region] += amount
		}
	}
	return totals
}

// Span is an interval, closed below and open above.
type Span struct{ From, To float64 }

func (s Span) covers(x float64) bool { return s.From <= x && x < s.To }

// Stabs counts for each point how many of the intervals, which are sorted by From, cover it.
//
//surge:kernel
func Stabs(spans []Span, points []float64) []int {
	longest := 0.0
	for _, s := range spans {
		longest = math.Max(longest, s.To-s.From)
	}
	counts := make([]int, len(points))
	for i, x := range points {
		at, _ := slices.BinarySearchFunc(spans, x-longest, func(s Span, t float64) int {
			if s.From < t {
				return -1
			} else if s.From > t {
				return 1
			}
			return 0
		})
		for ; at < len(spans) && spans[at].From <= x; at++ {
			if spans[at].covers(x) {
				counts[i]++
			}
		}
	}
	return counts
}

// Neighbour is a point and how far it is.
type Neighbour struct {
	Index    int
	Distance float64
}

type heapOf []Neighbour

func (h heapOf) sift(i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].Distance > h[child].Distance {
			child++
		}
		if h[i].Distance >= h[child].Distance {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// KNearest classifies points by the k nearest samples.
//
//surge:kernel
func KNearest(points, samples [][]float64, labels []int, classes, k int) []int {
	out := make([]int, len(points))
	if k <= 0 || k > len(samples) {
		return out
	}
	for p, x := range points {
		h := make(heapOf, k)
		for i := range h {
			h[i].Distance = math.Inf(1)
		}
		for i, s := range samples {
			d := 0.0
			for j := range x {
				d += (x[j] - s[j]) * (x[j] - s[j])
			}
			if d < h[0].Distance {
				h[0] = Neighbour{i, d}
				h.sift(0)
			}
		}
		votes := make([]int, classes)
		for _, n := range h {
			votes[labels[n.Index]]++
		}
		for c, v := range votes {
			if v > votes[out[p]] {
				out[p] = c
			}
		}
	}
	return out
}
