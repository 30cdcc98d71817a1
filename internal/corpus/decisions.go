// Trade and decisions

package corpus

import (
	"sort"
	"time"
)

// Side is that of an order.
type Side int8

// The sides.
const (
	Buy Side = iota
	Sell
)

// Tick is one of a tape, which is sorted by time.
type Tick struct {
	Time  int64
	Price float64
	Size  int32
	Side  Side
}

// Candle sums up an interval.
type Candle struct {
	Open, High, Low, Close, VWAP float64
	Bought, Sold                 int64
	Trades                       int
}

// Candles sums up trades by intervals.
//
//surge:kernel
func Candles(tape []Tick, start int64, step time.Duration, count int) []Candle {
	out := make([]Candle, count)
	for i := range out {
		from, to := start+int64(i)*int64(step), start+int64(i+1)*int64(step)
		lo := sort.Search(len(tape), func(k int) bool { return tape[k].Time >= from })
		hi := sort.Search(len(tape), func(k int) bool { return tape[k].Time >= to })
		if lo == hi {
			continue
		}
		c := Candle{Open: tape[lo].Price, High: tape[lo].Price, Low: tape[lo].Price, Close: tape[hi-1].Price, Trades: hi - lo}
		turnover := 0.0
		for _, t := range tape[lo:hi] {
			c.High, c.Low = max(c.High, t.Price), min(c.Low, t.Price)
			turnover += t.Price * float64(t.Size)
			if t.Side == Buy {
				c.Bought += int64(t.Size)
			} else {
				c.Sold += int64(t.Size)
			}
		}
		c.VWAP = turnover / float64(c.Bought+c.Sold)
		out[i] = c
	}
	return out
}

// Shift is a change of a time zone's offset.
type Shift struct {
	At     int64
	Offset int32
}

// CivilDate is a day.
type CivilDate struct {
	Year       int32
	Month, Day int8
	Weekday    time.Weekday
}

// LocalDates gives the local date of instants, in seconds since 1970, by the shifts of a time zone.
//
//surge:kernel
func LocalDates(instants []int64, zone []Shift) []CivilDate {
	out := make([]CivilDate, len(instants))
	for i, t := range instants {
		lo, hi := 0, len(zone)
		for lo < hi {
			mid := (lo + hi) / 2
			if zone[mid].At <= t {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo > 0 {
			t += int64(zone[lo-1].Offset)
		}
		out[i] = civil(floorDiv(t, 86400))
	}
	return out
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func civil(days int64) CivilDate {
	z := days + 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day := doy - (153*mp+2)/5 + 1
	month := mp + 3
	if month > 12 {
		month -= 12
	}
	year := yoe + era*400
	if month <= 2 {
		year++
	}
	return CivilDate{int32(year), int8(month), int8(day), time.Weekday(((days+4)%7 + 7) % 7)}
}

// Strategy is a memory-one strategy: the chance to cooperate after CC, CD, DC and DD.
type Strategy [4]float64

// Payoff are the payoffs of the prisoner's dilemma.
type Payoff struct{ R, S, T, P float64 }

func (p Payoff) of(mine, theirs int) float64 {
	switch {
	case mine == 0 && theirs == 0:
		return p.R
	case mine == 0:
		return p.S
	case theirs == 0:
		return p.T
	}
	return p.P
}

// Tournament lets every strategy play every other one, and gives the mean payoff of each.
//
//surge:kernel
func Tournament(players []Strategy, pay Payoff, rounds int) []float64 {
	mean := make([]float64, len(players))
	for i, a := range players {
		total := 0.0
		for _, b := range players {
			state := [4]float64{1, 0, 0, 0}
			for range rounds {
				var next [4]float64
				for s, p := range state {
					ca, cb := a[s], b[s>>1|s&1<<1]
					next[0] += p * ca * cb
					next[1] += p * ca * (1 - cb)
					next[2] += p * (1 - ca) * cb
					next[3] += p * (1 - ca) * (1 - cb)
				}
				state = next
				for s, p := range state {
					total += p * pay.of(s>>1, s&1)
				}
			}
		}
		mean[i] = total / float64(rounds*len(players))
	}
	return mean
}

// LoanRule is a row of a decision table: what it asks of an account, and what it decides.
type LoanRule struct {
	MinAge, MaxAge     int
	MinIncome, MaxDebt float64
	Countries          uint64
	NeedsGuarantor     bool
	Outcome            Decision
}

// Decision is the outcome of a rule.
type Decision int

// Applicant asks for a loan.
type Applicant struct {
	Age          int
	Income, Debt float64
	Country      uint8
	Guarantor    bool
}

func (r *LoanRule) matches(a *Applicant) bool {
	if a.Age < r.MinAge || r.MaxAge > 0 && a.Age > r.MaxAge {
		return false
	}
	if a.Income < r.MinIncome || a.Debt > r.MaxDebt {
		return false
	}
	if r.Countries>>(a.Country&63)&1 == 0 {
		return false
	}
	return !r.NeedsGuarantor || a.Guarantor
}

// Decide finds the first rule that matches each applicant, and how often each rule decides.
//
//surge:kernel
func Decide(rules []LoanRule, applicants []Applicant) (decisions []Decision, used []int) {
	decisions = make([]Decision, len(applicants))
	used = make([]int, len(rules))
	for i := range applicants {
		decisions[i] = -1
		for r := range rules {
			if rules[r].matches(&applicants[i]) {
				decisions[i] = rules[r].Outcome
				used[r]++
				break
			}
		}
	}
	return decisions, used
}

// Limiter is the state of a channel's limiter.
type Limiter struct {
	Attack, Release, Ceiling float32
}

// Limit holds the level of each channel below a ceiling.
//
//surge:kernel
func Limit(channels [][]float32, l Limiter) [][]float32 {
	out := make([][]float32, len(channels))
	for c, samples := range channels {
		level := float32(0)
		y := make([]float32, len(samples))
		for i, s := range samples {
			peak := max(s, -s)
			if peak > level {
				level += l.Attack * (peak - level)
			} else {
				level += l.Release * (peak - level)
			}
			gain := float32(1)
			if level > l.Ceiling {
				gain = l.Ceiling / level
			}
			y[i] = s * gain
		}
		out[c] = y
	}
	return out
}
