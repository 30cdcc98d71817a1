// Graphs and sequences

package corpus

import (
	"math"
	"slices"
	"sort"

	"github.com/surge-ndp/surge/ops"
)

// CSR is a graph.
type CSR struct {
	Offsets []int32
	Targets []int32
	Weights []float32
}

// Out are the targets of a node.
func (g CSR) Out(v int) []int32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }

// Triangles counts those that have each node as the least one; targets are sorted, and greater than their node.
//
//surge:kernel
func Triangles(g CSR) []int {
	counts := make([]int, len(g.Offsets)-1)
	for v := range counts {
		n := 0
		out := g.Out(v)
		for k, u := range out {
			rest, other := out[k+1:], g.Out(int(u))
			for len(rest) > 0 && len(other) > 0 {
				switch {
				case rest[0] < other[0]:
					rest = rest[1:]
				case rest[0] > other[0]:
					other = other[1:]
				default:
					n++
					rest, other = rest[1:], other[1:]
				}
			}
		}
		counts[v] = n
	}
	return counts
}

// Distances relaxes edges until nothing changes; the edges of a node are those that come in.
//
//surge:kernel
func Distances(g CSR, source int) (dist []float32, rounds int) {
	n := len(g.Offsets) - 1
	dist = make([]float32, n)
	for i := range dist {
		dist[i] = float32(math.Inf(1))
	}
	dist[source] = 0
	for changed := true; changed && rounds < n; rounds++ {
		changed = false
		next := make([]float32, n)
		for v := range next {
			best := dist[v]
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				if d := dist[g.Targets[e]] + g.Weights[e]; d < best {
					best = d
				}
			}
			if best < dist[v] {
				changed = true
			}
			next[v] = best
		}
		dist = next
	}
	return dist, rounds
}

// Propagate gives each node the label that most of its neighbours have, the least of several.
//
//surge:kernel
func Propagate(g CSR, labels []int32) []int32 {
	out := make([]int32, len(labels))
	for v := range labels {
		var near []int32
		for _, u := range g.Out(v) {
			near = append(near, labels[u])
		}
		slices.Sort(near)
		best, most := labels[v], 0
		for i := 0; i < len(near); {
			j := i
			for j < len(near) && near[j] == near[i] {
				j++
			}
			if j-i > most {
				best, most = near[i], j-i
			}
			i = j
		}
		out[v] = best
	}
	return out
}

// Ranks doubles the length by which suffixes are sorted.
//
//surge:kernel
func Ranks(rank []int32, k int) []int32 {
	n := len(rank)
	keys := make([]int64, n)
	for i := range keys {
		second := int64(0)
		if i+k < n {
			second = int64(rank[i+k]) + 1
		}
		keys[i] = int64(rank[i])<<32 | second
	}
	order := ops.Range(int32(0), int32(n), 1)
	sorted, suffixes := ops.SortByKey(keys, order)
	next := make([]int32, n)
	r := int32(0)
	for i, s := range suffixes {
		if i > 0 && sorted[i] != sorted[i-1] {
			r++
		}
		next[s] = r
	}
	return next
}

// Job is a half-open interval.
type Job struct{ From, To int64 }

// Busy is how long each resource is in use by at least one of its jobs.
//
//surge:kernel
func Busy(jobs [][]Job) []int64 {
	busy := make([]int64, len(jobs))
	for i, spans := range jobs {
		s := slices.Clone(spans)
		sort.Slice(s, func(a, b int) bool { return s[a].From < s[b].From })
		end := int64(math.MinInt64)
		for _, x := range s {
			from := max(x.From, end)
			if x.To > from {
				busy[i] += x.To - from
				end = x.To
			}
		}
	}
	return busy
}

// Cost is the cost of an alignment that opens and extends gaps.
type Cost struct{ Match, Mismatch, Open, Extend int32 }

// Gotoh aligns pairs of sequences within a band around the diagonal, with affine gaps.
//
//surge:kernel
func Gotoh(as, bs []string, cost Cost, band int) []int32 {
	const none = math.MinInt32 / 2
	scores := make([]int32, len(as))
	for p := range as {
		a, b := as[p], bs[p]
		h, e := make([]int32, len(b)+1), make([]int32, len(b)+1)
		for j := range h {
			h[j], e[j] = none, none
			if j <= band {
				h[j] = -cost.Open - int32(j)*cost.Extend
			}
		}
		h[0] = 0
		for i := 1; i <= len(a); i++ {
			lo, hi := max(1, i-band), min(len(b), i+band)
			diag := h[lo-1]
			h[lo-1] = none
			if lo == 1 {
				h[0] = -cost.Open - int32(i)*cost.Extend
			}
			f := int32(none)
			for j := lo; j <= hi; j++ {
				s := cost.Mismatch
				if a[i-1] == b[j-1] {
					s = cost.Match
				}
				e[j] = max(e[j]-cost.Extend, h[j]-cost.Open-cost.Extend)
				f = max(f-cost.Extend, h[j-1]-cost.Open-cost.Extend)
				best := max(diag+s, e[j], f)
				diag = h[j]
				h[j] = best
			}
		}
		scores[p] = h[len(b)]
	}
	return scores
}

// Warped is the dynamic time warping distance of a pattern to each series, within a window.
//
//surge:kernel
func Warped(pattern []float64, series [][]float64, window int) []float64 {
	out := make([]float64, len(series))
	for k, s := range series {
		n, m := len(pattern), len(s)
		w := max(window, n-m, m-n)
		prev, cur := make([]float64, m+1), make([]float64, m+1)
		for j := range prev {
			prev[j] = math.Inf(1)
		}
		prev[0] = 0
		for i := 1; i <= n; i++ {
			for j := range cur {
				cur[j] = math.Inf(1)
			}
			for j := max(1, i-w); j <= min(m, i+w); j++ {
				d := pattern[i-1] - s[j-1]
				cur[j] = d*d + min(prev[j], cur[j-1], prev[j-1])
			}
			prev, cur = cur, prev
		}
		out[k] = math.Sqrt(prev[m])
	}
	return out
}
