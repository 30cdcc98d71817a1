package training

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// SettleOptions of [Bound.Settle].
type SettleOptions struct {
	// Variants to measure; see [Session.Variants].
	Variants []selector.Variant
	// With is forced beside each of the variants, such as variants of other computations; nil for nothing.
	With []string
	// Prior has what is known already: variants that failed or were dropped are not measured again, and the times of
	// others count.
	Prior map[string]Measurement
	// Rounds is the largest number of rounds; 0 stands for 6.
	Rounds int
	// Keep measures every variant to the end, so that all are compared over the same time.
	Keep bool
	// Verified says that all of them were compared with plain Go on these arguments before: it is not done again.
	Verified bool
	// Precision is the part of a time that is near enough: the ranking is settled when each variant that is left is either
	// slower than the fastest with confidence, or its time is known that well. 0 stands for 0.01.
	Precision float64
	// Progress is called after each turn, with the times that were new.
	Progress func(p BenchProgress, fresh []time.Duration) error

	rival *Measurement // what others have to be near to, not to be hopeless
}

const (
	settleRounds = 6
	// leastRounds is the number of rounds before which nothing is settled.
	leastRounds = 3
	// mostShare is how much shorter turns are, at most, for kernels of several computations, each of which has its turns.
	mostShare = 4
	// confidence is the number of standard deviations on either side: 95 in 100 lie between.
	confidence = 1.96
)

// Settle measures variants on the bound arguments until their ranking is settled: as [Bound.Bench], but rounds end as
// soon as every variant that is left has been told from the fastest with 95 % confidence, or is known to the
// precision that is asked for, and what is slower with that confidence is dropped. Arrays stay on the device.
func (b *Bound) Settle(ctx context.Context, opt SettleOptions) ([]Measurement, error) {
	bench := &bench{bound: b, all: make([]Measurement, len(opt.Variants)), best: map[string]*Measurement{}, with: opt.With, long: opt.Keep, share: min(len(b.kernel.Computations), mostShare)}
	bench.opt = BenchOptions{Rounds: opt.Rounds, Hopeless: 3, Resident: true}
	if bench.opt.Rounds <= 0 {
		bench.opt.Rounds = settleRounds
	}
	if opt.Precision <= 0 {
		opt.Precision = 0.01
	}
	if opt.rival != nil {
		bench.best[opt.rival.Variant.Computation] = opt.rival
	}
	for i, v := range opt.Variants {
		m := &bench.all[i]
		*m = Measurement{Variant: v, Status: Dropped, Reason: notMeasured}
		if opt.Verified {
			m.Status, m.Reason = OK, ""
		}
		if old, ok := opt.Prior[v.String()]; ok {
			*m = old
			m.Variant = v
			if len(m.Times) > 0 {
				m.Median, m.Min = median(m.Times), slices.Min(m.Times)
				if best := bench.best[v.Computation]; m.Status == OK && (best == nil || m.Median < best.Median) {
					bench.best[v.Computation] = m
				}
			}
			if m.Status != OK {
				continue
			}
		}
		bench.left = append(bench.left, m)
	}
	slices.SortStableFunc(bench.left, func(x, y *Measurement) int { return b.choiceRank(x.Variant) - b.choiceRank(y.Variant) })
	for round := 1; round <= bench.opt.Rounds && len(bench.left) > 0; round++ {
		for i, m := range bench.left {
			if ctx.Err() != nil {
				return bench.all, ctx.Err()
			}
			if err := bench.prepare(ctx, round, i); err != nil {
				return bench.all, err
			}
			before := len(m.Times)
			turn := round
			if before == 0 && !opt.Verified {
				turn = 1 // it is verified in its first turn
			} else if round == 1 {
				turn = 2
			}
			if err := bench.turn(ctx, turn, m); err != nil {
				return bench.all, err
			}
			bench.done++
			m.took(round, m.Times[min(before, len(m.Times)):])
			if best := bench.best[m.Variant.Computation]; m.Status == OK && (best == nil || m.Median < best.Median) {
				bench.best[m.Variant.Computation] = m
			}
			if opt.Progress != nil {
				p := BenchProgress{Round: round, Rounds: bench.opt.Rounds, Done: bench.done, Total: bench.done + len(bench.left) - 1 - i, Last: m, Best: bench.best[m.Variant.Computation]}
				if err := opt.Progress(p, m.Times[min(before, len(m.Times)):]); err != nil {
					return bench.all, err
				}
			}
		}
		bench.left = slices.DeleteFunc(bench.left, func(m *Measurement) bool { return m.Status != OK })
		if bench.settle(round, &opt) {
			break
		}
		bench.mix(round)
	}
	return bench.all, nil
}

// took notes the time of a round.
func (m *Measurement) took(round int, fresh []time.Duration) {
	for len(m.turns) < round {
		m.turns = append(m.turns, math.NaN())
	}
	if len(fresh) > 0 {
		m.turns[round-1] = quartile(fresh)
	}
}

// settle drops what is slower than the best with confidence, unless all are kept, and reports whether the rest is
// settled. Dropped variants keep their times: they are slow, not wrong, and stay OK.
//
// What is compared are not times but times in relation to those of the others in the same round: memory bandwidth can
// halve from one second to the next, for all variants alike.
func (b *bench) settle(round int, opt *SettleOptions) bool {
	settled := true
	turns := map[string][][]float64{}
	for _, m := range b.left {
		turns[m.Variant.Computation] = append(turns[m.Variant.Computation], m.turns)
	}
	relative := map[*Measurement][]float64{}
	fastest := map[string]*Measurement{}
	for _, m := range b.left {
		c := m.Variant.Computation
		relative[m] = relativeTo(m.turns, roundTimes(turns[c], round))
		if f := fastest[c]; f == nil || medianOf(relative[m]) < medianOf(relative[f]) {
			fastest[c] = m
		}
	}
	b.left = slices.DeleteFunc(b.left, func(m *Measurement) bool {
		best := relative[fastest[m.Variant.Computation]]
		own := relative[m]
		_, high := interval(best)
		low, top := interval(own)
		if !opt.Keep {
			// A few rounds have no confidence to speak of: it takes a factor, in two of them.
			limit := 1 + 2/math.Exp2(float64(round-1)/2)
			if m.hopeless(own[round-1] > limit*medianOf(best)) || round >= leastRounds && low > 1.02*high {
				return true
			}
		}
		if round < leastRounds || top-low > 2*opt.Precision*medianOf(own) {
			settled = false
		}
		return false
	})
	return settled
}

// roundTimes returns for each round the median over the variants.
func roundTimes(turns [][]float64, rounds int) []float64 {
	all := make([]float64, rounds)
	for r := range all {
		var of []float64
		for _, t := range turns {
			if r < len(t) && !math.IsNaN(t[r]) {
				of = append(of, t[r])
			}
		}
		all[r] = medianOf(of)
	}
	return all
}

// relativeTo divides the time of each round by that of all, and gives NaN for rounds that lack one of them.
func relativeTo(turns, all []float64) []float64 {
	out := make([]float64, len(turns))
	for r, t := range turns {
		if out[r] = math.NaN(); r < len(all) {
			out[r] = t / all[r]
		}
	}
	return out
}

// numbers returns what is a number, in increasing order.
func numbers(xs []float64) []float64 {
	t := slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
	slices.Sort(t)
	return t
}

// medianOf returns the median of what is a number, NaN of nothing.
func medianOf(xs []float64) float64 {
	t := numbers(xs)
	if len(t) == 0 {
		return math.NaN()
	}
	return (t[(len(t)-1)/2] + t[len(t)/2]) / 2
}

// centre returns the interquartile mean, the mean of the middle half, of what is a number, NaN of nothing. It is what
// a time is expected to be where it has two values, of which now the one comes and now the other: the median flips
// between them when they are about as frequent, and the mean is at the mercy of the turns in which another program,
// or the system, kept a thread away. On a machine with two processors that was one turn in eight.
func centre(xs []float64) float64 {
	t := numbers(xs)
	if len(t) == 0 {
		return math.NaN()
	}
	off := len(t) / 4
	t = t[off : len(t)-off]
	sum := 0.0
	for _, x := range t {
		sum += x
	}
	return sum / float64(len(t))
}

// quartile returns the lower quartile of times, in nanoseconds. It stands for the time of the runs of one turn: what
// disturbs a run makes it slower, so that the upper half of the times tells about other programs, while the least
// time is an accident too.
func quartile(times []time.Duration) float64 {
	if len(times) == 0 {
		return math.Inf(1)
	}
	ns := make([]float64, len(times))
	for i, t := range times {
		ns[i] = float64(t)
	}
	return lowerQuartile(ns)
}

func lowerQuartile(ns []float64) float64 {
	t := slices.Sorted(slices.Values(ns))
	at := float64(len(t)-1) / 4
	i := int(at)
	if i+1 == len(t) {
		return t[i]
	}
	return t[i] + (at-float64(i))*(t[i+1]-t[i])
}

// interval returns bounds of the true median with 95 % confidence, from order statistics: no distribution is assumed.
func interval(xs []float64) (low, high float64) {
	t := numbers(xs)
	if len(t) == 0 {
		return 0, math.Inf(1)
	}
	half := confidence / 2 * math.Sqrt(float64(len(t)))
	at := func(rank float64) float64 { return t[min(max(int(math.Round(rank)), 0), len(t)-1)] }
	middle := float64(len(t)-1) / 2
	return at(middle - half), at(middle + half)
}
