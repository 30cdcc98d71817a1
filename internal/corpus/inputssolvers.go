package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

func InputsSolveAll(n int, r *rand.Rand) []any {
	n /= 150
	ms := fill(n, func(k int) (m Sym6) {
		for i := range m {
			for j := 0; j <= i; j++ {
				m[i][j] = r.NormFloat64()
				m[j][i] = m[i][j]
			}
			m[i][i] = 12
		}
		if k%50 == 7 {
			m[3][3] = -1
		}
		return m
	})
	return []any{ms, fill(n, func(int) (b Vec6) {
		for i := range b {
			b[i] = r.NormFloat64()
		}
		return b
	})}
}

func InputsTridiagonal(n int, r *rand.Rand) []any {
	n /= 10
	w := min(200, root(n)+1)
	rows := func(at float64) [][]float64 {
		return fill(n/w, func(int) []float64 { return fill(w, func(int) float64 { return at + r.Float64() }) })
	}
	return []any{rows(0), rows(4), rows(0), rows(1)}
}

func InputsFFTRows(n int, r *rand.Rand) []any {
	return []any{fill(n/1200, func(int) []complex128 {
		return fill(128, func(int) complex128 { return complex(r.NormFloat64(), r.NormFloat64()) })
	})}
}

func InputsTrack(n int, r *rand.Rand) []any {
	n /= 250
	states := fill(n, func(int) (s State) {
		for i := range s.X {
			s.X[i] = r.NormFloat64()
			s.P[i][i] = 1 + r.Float64()
		}
		return s
	})
	return []any{states, fill(n, func(int) [2]float64 { return [2]float64{r.NormFloat64(), r.NormFloat64()} }), 0.1, 0.01, 0.5}
}

func InputsPriceBarriers(n int, r *rand.Rand) []any {
	return []any{fill(n/40000, func(int) Barrier {
		return Barrier{100, 90 + 20*r.Float64(), 130 + 30*r.Float64(), 0.03, 0.2, 1}
	}), 100, 20, uint64(7)}
}

func InputsRedraw(n int, r *rand.Rand) []any {
	n /= 20
	return []any{fill(n, func(int) XY { return XY{r.Float64(), r.Float64()} }), fill(n, func(int) float64 { return r.ExpFloat64() }), 0.3}
}

func InputsIsotonic(n int, r *rand.Rand) []any {
	w := min(300, root(n)+1)
	return []any{fill(n/w/4, func(int) []float64 { return fill(w, func(i int) float64 { return float64(i)/20 + r.NormFloat64() }) })}
}

func InputsEvaluate(n int, r *rand.Rand) []any {
	return []any{fill(64, func(int) uint32 { return r.Uint32N(998244353) }), fill(n/64, func(int) uint32 { return r.Uint32() })}
}

func InputsCheckNodes(n int, r *rand.Rand) []any {
	n /= 2
	offs := fill(n/7+1, func(i int) int { return 7 * i })
	return []any{fill(offs[len(offs)-1], normal(r)), offs}
}

func InputsBase64(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) byte { return byte(r.Uint32()) })}
}

func InputsValidUTF8(n int, r *rand.Rand) []any {
	return []any{fill(n/60, func(int) []byte {
		s := []rune{}
		for range 40 {
			switch r.IntN(8) {
			case 0:
				s = append(s, rune(0xa0+r.IntN(800)))
			case 1:
				s = append(s, rune(0x4e00+r.IntN(800)))
			default:
				s = append(s, rune(' '+r.IntN(90)))
			}
		}
		b := []byte(string(s))
		if r.IntN(20) == 0 {
			b[r.IntN(len(b))] = 0xff
		}
		return b
	})}
}

func InputsMurmur(n int, r *rand.Rand) []any {
	return []any{fill(n/12, func(int) []byte { return fill(8+r.IntN(24), func(int) byte { return byte(r.Uint32()) }) }), uint32(42)}
}

func InputsParsePrices(n int, r *rand.Rand) []any {
	return []any{fill(n/30, func(i int) []byte {
		return []byte(fmt.Sprintf("2026-11-26,ACME%d,%.2f,%d,x", i%50, r.Float64()*1000, r.IntN(1000)))
	}), 2}
}

func InputsPack(n int, r *rand.Rand) []any {
	return []any{fill(n/3, func(i int) uint32 { return uint32(i) + r.Uint32N(1+uint32(i/128*37%4000)) })}
}

func InputsCommon(n int, r *rand.Rand) []any {
	k := n / 600
	containers := func() []Container {
		return fill(k, func(i int) Container {
			c := Container{Key: uint16(i)}
			if r.IntN(3) == 0 {
				c.Bits = fill(1024, func(int) uint64 { return r.Uint64() & r.Uint64() })
				return c
			}
			for range 100 + r.IntN(500) {
				c.Sorted = append(c.Sorted, uint16(r.IntN(1<<16)))
			}
			slices.Sort(c.Sorted)
			c.Sorted = slices.Compact(c.Sorted)
			return c
		})
	}
	return []any{containers(), containers()}
}

func graph(n, mean int, up bool, r *rand.Rand) CSR {
	g := CSR{Offsets: []int32{0}, Targets: []int32{}, Weights: []float32{}}
	for v := range n {
		var out []int32
		for range r.IntN(2*mean + 1) {
			lo := 0
			if up {
				lo = v + 1
			}
			if lo < n {
				out = append(out, int32(lo+r.IntN(min(n-lo, 200))))
			}
		}
		slices.Sort(out)
		out = slices.Compact(out)
		for _, u := range out {
			g.Targets = append(g.Targets, u)
			g.Weights = append(g.Weights, 1+r.Float32())
		}
		g.Offsets = append(g.Offsets, int32(len(g.Targets)))
	}
	return g
}

func InputsTriangles(n int, r *rand.Rand) []any { return []any{graph(n/200, 10, true, r)} }

func InputsDistances(n int, r *rand.Rand) []any {
	g := graph(n/100+1, 8, false, r)
	for i := range g.Targets {
		g.Targets[i] = int32(r.IntN(len(g.Offsets) - 1))
	}
	return []any{g, 0}
}

func InputsPropagate(n int, r *rand.Rand) []any {
	g := graph(n/80, 10, false, r)
	return []any{g, fill(len(g.Offsets)-1, func(int) int32 { return int32(r.IntN(30)) })}
}

func InputsRanks(n int, r *rand.Rand) []any {
	return []any{fill(n/20, func(int) int32 { return int32(r.IntN(26)) }), 1}
}

func InputsBusy(n int, r *rand.Rand) []any {
	return []any{fill(n/200, func(int) []Job {
		return fill(r.IntN(30), func(int) Job { from := r.Int64N(1000); return Job{from, from + r.Int64N(60)} })
	})}
}

func bases(n int, r *rand.Rand) string {
	return string(fill(n, func(int) byte { return "ACGT"[r.IntN(4)] }))
}

func InputsGotoh(n int, r *rand.Rand) []any {
	pairs := n / 150 / 16 / 2
	as := fill(pairs, func(int) string { return bases(100+r.IntN(100), r) })
	return []any{as, fill(pairs, func(i int) string {
		b := []byte(as[i])
		for range 8 {
			b[r.IntN(len(b))] = 'A'
		}
		return string(b[:len(b)-r.IntN(5)])
	}), Cost{2, -3, 5, 2}, 8}
}

func InputsWarped(n int, r *rand.Rand) []any {
	return []any{fill(100, normal64(r)), fill(n/2000, func(int) []float64 { return fill(95+r.IntN(10), normal64(r)) }), 10}
}

func InputsCandles(n int, r *rand.Rand) []any {
	n /= 4
	tape := fill(n, func(int) Tick {
		return Tick{r.Int64N(1e9), 100 + r.NormFloat64(), 1 + r.Int32N(500), Side(r.IntN(2))}
	})
	sort.Slice(tape, func(a, b int) bool { return tape[a].Time < tape[b].Time })
	count := n/50 + 1
	return []any{tape, int64(0), time.Duration(1e9 / count), count}
}

func InputsLocalDates(n int, r *rand.Rand) []any {
	zone := fill(120, func(i int) Shift { return Shift{int64(i) * 15811200, 3600 * int32(1+i%2)} })
	return []any{fill(n/30, func(int) int64 { return r.Int64N(2e9) - 1e8 }), zone}
}

func InputsTournament(n int, r *rand.Rand) []any {
	p := fill(root(n/1200), func(int) Strategy { return Strategy{r.Float64(), r.Float64(), r.Float64(), r.Float64()} })
	return []any{p, Payoff{3, 0, 5, 1}, 50}
}

func InputsDecide(n int, r *rand.Rand) []any {
	rules := fill(24, func(i int) LoanRule {
		return LoanRule{18 + i, 30 + 2*i, float64(60000 - 2000*i), float64(1000 * i), r.Uint64(), i%4 == 1, Decision(i % 5)}
	})
	return []any{rules, fill(n/30, func(int) Applicant {
		return Applicant{18 + r.IntN(60), r.Float64() * 80000, r.Float64() * 20000, uint8(r.IntN(60)), r.IntN(3) == 0}
	})}
}

func InputsLimit(n int, r *rand.Rand) []any {
	w := min(4000, n/4+1)
	return []any{table32(n/4/w, w, r), Limiter{0.3, 0.01, 0.8}}
}
