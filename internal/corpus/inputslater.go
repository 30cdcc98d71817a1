package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

func places(n int, r *rand.Rand) []LatLon {
	return fill(n, func(int) LatLon { return LatLon{r.Float64()*160 - 80, r.Float64()*360 - 180} })
}

// InputsVincenty is a track.
func InputsVincenty(n int, r *rand.Rand) []any {
	track := places(n/50, r)
	for i := range track {
		if i%9 == 8 {
			track[i] = track[i-1]
		}
	}
	return []any{track}
}

// InputsChords are places, their heights and a station.
func InputsChords(n int, r *rand.Rand) []any {
	n /= 30
	return []any{places(n, r), fill(n, func(int) float64 { return r.Float64() * 3000 }), LatLon{52.5, 13.4}}
}

// InputsSynthesize are notes of a quarter of a second.
func InputsSynthesize(n int, r *rand.Rand) []any {
	samples := n / 40
	notes := fill(samples/400, func(int) Note {
		return Note{r.IntN(samples), 1000 + r.IntN(2000), uint8(40 + r.IntN(50)), r.Float32()}
	})
	return []any{notes, Envelope{200, 300, 400, 0.6}, 8000.0, samples}
}

// InputsKeyOf are bars of some notes.
func InputsKeyOf(n int, r *rand.Rand) []any {
	return []any{rowsOf(n/12, 8, r, func(int) uint8 { return uint8(36 + r.IntN(48)) })}
}

// InputsMoves are positions.
func InputsMoves(n int, r *rand.Rand) []any {
	return []any{fill(n/50, func(int) Board {
		own, other := r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64()
		return Board{own, other &^ own, r.Uint64() & r.Uint64(), r.Uint64() & r.Uint64(), 0, r.Uint64() &^ 0xff000000000000ff}
	})}
}

// InputsLineLevels are lines of a log.
func InputsLineLevels(n int, r *rand.Rand) []any {
	levels := []string{"INFO", "[warn]", "error:", "DEBUG", "FATAL", "other", ""}
	return []any{fill(n/40, func(i int) string {
		return fmt.Sprintf("2026-11-25T10:%02d %s  worker %d has done what it was told", i%60, levels[r.IntN(len(levels))], r.IntN(99))
	})}
}

// InputsStatusCounts are lines of a web server.
func InputsStatusCounts(n int, r *rand.Rand) []any {
	codes := []int{200, 200, 200, 304, 404, 500, 301}
	return []any{fill(n/40, func(i int) string {
		if i%50 == 49 {
			return "a line that is broken"
		}
		return fmt.Sprintf("10.0.0.%d - - \"GET /%d HTTP/1.1\" %d %d", r.IntN(256), i, codes[r.IntN(len(codes))], r.IntN(9999))
	})}
}

// InputsRecalculate is a column whose cells use a few above them.
func InputsRecalculate(n int, r *rand.Rand) []any {
	return []any{fill(n/8, func(i int) CellDef {
		kind := Kind(r.IntN(4))
		if kind == Product || i < 2 {
			kind = Number
		}
		from := max(0, i-1-r.IntN(16))
		return CellDef{kind, r.NormFloat64(), from, from + r.IntN(i-from+1)}
	})}
}

// InputsColumnNames are columns of sheets.
func InputsColumnNames(n int, r *rand.Rand) []any {
	return []any{fill(n/8, func(int) int { return r.IntN(20000) })}
}

func samples(n int, r *rand.Rand) []Sample {
	at := int64(1000)
	return fill(n, func(int) Sample {
		at += 1 + r.Int64N(20)
		return Sample{at, r.NormFloat64()}
	})
}

// InputsResample are a series and times.
func InputsResample(n int, r *rand.Rand) []any {
	return []any{samples(n/20, r), int64(900), int64(7), n / 15}
}

// InputsWindows are a series and windows of an hour.
func InputsWindows(n int, r *rand.Rand) []any {
	return []any{samples(n/4, r), int64(1500), int64(3600), 1 + n/1500}
}

// InputsParity are bytes, and the generator of a code with ten bytes of parity.
func InputsParity(n int, r *rand.Rand) []any {
	random := func(int) byte { return byte(r.IntN(256)) }
	return []any{fill(n/10, random), 100, fill(10, random)}
}

// InputsHuffmanLengths is a text.
func InputsHuffmanLengths(n int, r *rand.Rand) []any { return []any{prose(n, r)} }

// InputsCrc16 are frames and a polynomial.
func InputsCrc16(n int, r *rand.Rand) []any {
	return []any{rowsOf(n, 60, r, func(int) byte { return byte(r.IntN(256)) }), uint16(0x1021)}
}

// InputsUnpackRuns are runs.
func InputsUnpackRuns(n int, r *rand.Rand) []any {
	return []any{fill(n/16, func(i int) byte { return byte(r.IntN(32)) })}
}

func layer(side int, r *rand.Rand) []Pixel {
	return fill(side*side, func(int) Pixel {
		return Pixel{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(4) * 85)}
	})
}

// InputsComposite are two layers.
func InputsComposite(n int, r *rand.Rand) []any {
	s := side(n / 10)
	return []any{RasterLayer{layer(s, r), s, s, 3, s / 4, 0.8}, RasterLayer{layer(s, r), s, s, 0, 0, 1}}
}

// InputsDitherRows is a picture.
func InputsDitherRows(n int, r *rand.Rand) []any {
	s := side(n)
	return []any{fill(s, func(y int) []uint8 { return fill(s, func(x int) uint8 { return uint8(2*x + y + r.IntN(16)) }) })}
}

// InputsExposed is a cube of which a half is filled.
func InputsExposed(n int, r *rand.Rand) []any {
	s := int(math.Cbrt(float64(n / 8)))
	return []any{Voxels{fill(s*s*s, func(int) bool { return r.IntN(2) == 0 }), s}}
}

// InputsMarch is a camera.
func InputsMarch(n int, _ *rand.Rand) []any {
	s := side(n / 200)
	return []any{s, s, Vec{0, 0.5, -3}, 1.0, 0.4}
}

func trace(n int, r *rand.Rand) []Packet {
	at := 0.0
	return fill(n, func(int) Packet {
		at += r.ExpFloat64() / 100
		host := uint32(r.IntN(30) * r.IntN(30))
		return Packet{FlowKey{host, host * 7 % 40, uint16(80 + r.IntN(3))}, 40 + r.IntN(1460), at}
	})
}

// InputsFlows is a trace.
func InputsFlows(n int, r *rand.Rand) []any { return []any{trace(n/20, r)} }

// InputsRates is a trace, and buckets of a second.
func InputsRates(n int, r *rand.Rand) []any { return []any{trace(n/3, r), 1.0, n / 300, 0.2} }

// InputsSimilar are ratings of users, by item.
func InputsSimilar(n int, r *rand.Rand) []any {
	users := rowsOf(n/2, 40, r, func(int) Rating { return Rating{int32(r.IntN(200)), float32(1 + r.IntN(5))} })
	for _, u := range users {
		slices.SortFunc(u, func(a, b Rating) int { return int(a.Item - b.Item) })
	}
	return []any{users, len(users) / 2}
}

// InputsTopItems are vectors of users and of items.
func InputsTopItems(n int, r *rand.Rand) []any {
	vectors := func(n int) [][]float32 {
		return fill(n, func(int) []float32 { return fill(16, func(int) float32 { return float32(r.NormFloat64()) }) })
	}
	return []any{vectors(n / 4000), vectors(min(n/20, 100)), 5}
}

// InputsJukesCantor are sequences of one length.
func InputsJukesCantor(n int, r *rand.Rand) []any {
	s := side(n / 50)
	return []any{fill(s, func(int) string { return string(fill(100, func(int) byte { return "ACGT-AAA"[r.IntN(8)] })) })}
}

// InputsUpgma are distances.
func InputsUpgma(n int, r *rand.Rand) []any {
	s := int(math.Cbrt(float64(n)))
	d := make([]float64, s*s)
	for i := range s {
		for j := range i {
			d[i*s+j] = r.Float64()
			d[j*s+i] = d[i*s+j]
		}
	}
	return []any{d, s}
}

// InputsBackproject are projections.
func InputsBackproject(n int, r *rand.Rand) []any {
	s := int(math.Cbrt(float64(n / 4)))
	return []any{fill(s, func(int) []float32 { return fill(s, func(int) float32 { return r.Float32() }) }), s}
}

// InputsLocalize are a corridor, and what a robot does.
func InputsLocalize(n int, r *rand.Rand) []any {
	coin := func(int) bool { return r.IntN(3) == 0 }
	turns := max(n/3000, 1)
	return []any{fill(min(n/6, 500), coin), fill(turns, func(int) int { return r.IntN(3) - 1 }), fill(turns, coin), 0.6, 0.2}
}

// InputsOrient are logs of sensors.
func InputsOrient(n int, r *rand.Rand) []any {
	three := func() (v [3]float64) {
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	return []any{rowsOf(n/20, 30, r, func(int) IMU { return IMU{three(), three()} }), 0.01, 0.02}
}

// InputsSudoku are puzzles with many hints.
func InputsSudoku(n int, r *rand.Rand) []any {
	return []any{fill(n/5000, func(int) (p [81]uint8) {
		shift := r.IntN(9)
		for i := range p {
			if r.IntN(100) < 55 {
				p[i] = uint8(1 + (i/9*3+i/27+i%9+shift)%9)
			}
		}
		return p
	})}
}

// InputsDiffSize are two files that differ in a few lines.
func InputsDiffSize(n int, r *rand.Rand) []any {
	lines := fill(side(n), func(int) string { return fmt.Sprint("line ", r.IntN(40)) })
	changed := slices.Clone(lines)
	for i := range changed {
		if r.IntN(5) == 0 {
			changed[i] = "another"
		}
	}
	return []any{lines, changed}
}

// InputsAmericanPuts are spots and strikes.
func InputsAmericanPuts(n int, r *rand.Rand) []any {
	price := func(int) float64 { return 80 + 40*r.Float64() }
	return []any{fill(n/20000, price), fill(n/20000, price), 0.03, 0.2, 1.0, min(n/50, 50)}
}

// InputsTokenise is a program.
func InputsTokenise(n int, r *rand.Rand) []any {
	parts := []string{"x := ", "foo_1(", "12.5", " + ", "\"a string\\n\"", ")\n", "return ", "{", "}\n\t"}
	text := ""
	for len(text) < n {
		text += parts[r.IntN(len(parts))]
	}
	return []any{text[:n]}
}

// InputsEAN are codes.
func InputsEAN(n int, r *rand.Rand) []any {
	return []any{fill(n/15, func(i int) string {
		code := fmt.Sprintf("%013d", r.Int64N(1e13))
		if i%40 == 0 {
			return code[:5] + "ü" + code[7:]
		}
		return code
	})}
}

// InputsJoinTotals are orders and customers.
func InputsJoinTotals(n int, r *rand.Rand) []any {
	customers := fill(n/40, func(i int) Customer { return Customer{i*7919 + 13, uint8(r.IntN(12)), r.IntN(5) == 0} })
	return []any{fill(n/10, func(i int) Order { return Order{i, r.IntN(n/40+5)*7919 + 13, r.Float64() * 100} }), customers, 10}
}

// InputsStabs are intervals, sorted, and points.
func InputsStabs(n int, r *rand.Rand) []any {
	spans := fill(n/50, func(int) Span {
		from := r.Float64() * float64(n)
		return Span{from, from + r.Float64()*200}
	})
	slices.SortFunc(spans, func(a, b Span) int { return int(a.From*1e6 - b.From*1e6) })
	return []any{spans, fill(n/30, func(int) float64 { return r.Float64() * float64(n) })}
}

// InputsKNearest are points, samples and their classes.
func InputsKNearest(n int, r *rand.Rand) []any {
	vectors := func(n int) [][]float64 {
		return fill(n, func(int) []float64 { return fill(8, func(int) float64 { return r.NormFloat64() }) })
	}
	samples := min(n/20, 300)
	return []any{vectors(n / 3000), vectors(samples), fill(samples, func(int) int { return r.IntN(4) }), 4, 5}
}

// InputsGramSchmidt is a matrix.
func InputsGramSchmidt(n int, r *rand.Rand) []any {
	s := int(math.Cbrt(float64(n)))
	return []any{Dense2{fill(s*s, func(int) float64 { return r.NormFloat64() }), s, s}}
}

// InputsAutomaton are cells and a rule.
func InputsAutomaton(n int, r *rand.Rand) []any {
	s := side(n)
	return []any{fill(s, func(int) bool { return r.IntN(2) == 0 }), Rule(110), s}
}

// InputsForestFire is a forest.
func InputsForestFire(n int, r *rand.Rand) []any {
	s := side(n / 20)
	return []any{fill(s*s, func(int) uint8 { return []uint8{0, 1, 1, 1, 2}[r.IntN(5)] }), s, 10, uint32(7)}
}
