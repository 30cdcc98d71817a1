package corpus

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"
)

// The inputs are such that plain Go has about n elements to compute.

func fill[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

// tone is a signal: a few sines with noise.
func tone(n int, r *rand.Rand) []float64 {
	return fill(n, func(i int) float64 {
		t := float64(i)
		return math.Sin(t/7) + 0.5*math.Sin(t/31) + 0.1*r.NormFloat64()
	})
}

// lengths cuts n elements into rows of about mean elements each.
func lengths(n, mean int, r *rand.Rand) []int {
	var rows []int
	for n > 0 {
		l := min(n, 1+r.IntN(2*mean))
		rows = append(rows, l)
		n -= l
	}
	return rows
}

func rowsOf[T any](n, mean int, r *rand.Rand, f func(i int) T) [][]T {
	ls := lengths(n, mean, r)
	return fill(len(ls), func(i int) []T { return fill(ls[i], f) })
}

func dna(n int, r *rand.Rand) []byte {
	return fill(n, func(int) byte {
		if r.IntN(200) == 0 {
			return 'N'
		}
		return "ACGT"[r.IntN(4)]
	})
}

func reads(n, mean int, r *rand.Rand) []string {
	ls := lengths(n, mean, r)
	return fill(len(ls), func(i int) string { return string(dna(ls[i], r)) })
}

// prose is a text of words and lines.
func prose(n int, r *rand.Rand) []byte {
	text := make([]byte, 0, n)
	for len(text) < n {
		for range 1 + r.IntN(9) {
			text = append(text, byte('a'+r.IntN(26)))
		}
		text = append(text, " \n  ,"[r.IntN(5)])
	}
	return text[:n]
}

func words(n int, r *rand.Rand) []string {
	ls := lengths(n, 7, r)
	return fill(len(ls), func(i int) string {
		return string(fill(ls[i], func(j int) byte {
			if j == 0 {
				return byte('A' + r.IntN(26))
			}
			return byte('a' + r.IntN(26))
		}))
	})
}

// picture is a picture of about n pixels.
func picture(n int, r *rand.Rand) Gray {
	width := max(1, int(math.Sqrt(float64(n))))
	height := n / width
	return Gray{fill(width*height, func(i int) uint8 { return uint8(i%width+i/width) ^ uint8(r.IntN(8)) }), width, height}
}

// side is the side of a square of n fields.
func side(n int) int { return int(math.Sqrt(float64(n))) }

// InputsMovingAverage are a signal and a window, which is now and then too long.
func InputsMovingAverage(n int, r *rand.Rand) []any { return []any{tone(n, r), 1 + r.IntN(32)} }

// InputsFIR are a signal and 33 taps.
func InputsFIR(n int, r *rand.Rand) []any {
	f := func(int) float32 { return float32(r.NormFloat64()) }
	return []any{fill(n, f), fill(33, f)}
}

// InputsGoertzel are a signal and the tones of telephones.
func InputsGoertzel(n int, r *rand.Rand) []any {
	return []any{tone(n/8, r), Hertz(8000), []Hertz{697, 770, 852, 941, 1209, 1336, 1477, 1633}}
}

// InputsSpectrum are a signal and the length of a frame.
func InputsSpectrum(n int, r *rand.Rand) []any { return []any{tone(n, r), 64} }

// InputsLowPass are channels.
func InputsLowPass(n int, r *rand.Rand) []any {
	return []any{fill(min(n, 16), func(int) []float64 { return tone(n/16, r) }), 1000.0, 44100.0}
}

// InputsMuLaw are samples.
func InputsMuLaw(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) PCM { return PCM(r.IntN(1<<16) - 1<<15) })}
}

// InputsGCContent are reads.
func InputsGCContent(n int, r *rand.Rand) []any { return []any{reads(n, 100, r)} }

// InputsReverseComplement is a sequence.
func InputsReverseComplement(n int, r *rand.Rand) []any { return []any{dna(n, r)} }

// InputsKmerCounts are a sequence and the length of words.
func InputsKmerCounts(n int, r *rand.Rand) []any { return []any{string(dna(n, r)), 6} }

// InputsExpectedErrors are qualities of reads.
func InputsExpectedErrors(n int, r *rand.Rand) []any {
	return []any{rowsOf(n, 100, r, func(int) Quality { return Quality(33 + r.IntN(41)) })}
}

// InputsSmithWaterman are short reads and a reference.
func InputsSmithWaterman(n int, r *rand.Rand) []any {
	return []any{reads(n/100, 50, r), string(dna(100, r)), Scoring{2, -1, -2}}
}

// InputsTranslate is a sequence.
func InputsTranslate(n int, r *rand.Rand) []any { return []any{dna(n, r)} }

// InputsSepia is a picture.
func InputsSepia(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) RGBA { return RGBA{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), 255} })}
}

// InputsSobel is a picture.
func InputsSobel(n int, r *rand.Rand) []any { return []any{picture(n, r)} }

// InputsEqualize are pixels.
func InputsEqualize(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) uint8 { return uint8(100 + r.IntN(40)) })}
}

// InputsResize are a picture and the new size.
func InputsResize(n int, r *rand.Rand) []any {
	return []any{picture(n/2, r), side(n), side(n)}
}

// InputsMedianFilter is a picture.
func InputsMedianFilter(n int, r *rand.Rand) []any { return []any{picture(n, r)} }

// InputsMandelbrot are the size of a picture and a part of the plane.
func InputsMandelbrot(n int, _ *rand.Rand) []any {
	return []any{side(n), side(n), complex(-0.5, 0), 3 / float64(side(n)+1), 100}
}

// InputsCountWords is a text.
func InputsCountWords(n int, r *rand.Rand) []any { return []any{string(prose(n, r))} }

// InputsLevenshtein are words and one to compare them with.
func InputsLevenshtein(n int, r *rand.Rand) []any { return []any{words(n/8, r), "Parallel"} }

// InputsFingerprints are words.
func InputsFingerprints(n int, r *rand.Rand) []any { return []any{words(n, r)} }

// InputsSoundexOf are names.
func InputsSoundexOf(n int, r *rand.Rand) []any { return []any{words(n, r)} }

// InputsTitle is a text.
func InputsTitle(n int, r *rand.Rand) []any { return []any{prose(n, r)} }

func option(r *rand.Rand) Option {
	return Option{50 + 100*r.Float64(), 50 + 100*r.Float64(), 0.1 + 2*r.Float64(), 0.1 + 0.4*r.Float64(), r.IntN(2) == 0}
}

// InputsBlackScholes are options and a rate.
func InputsBlackScholes(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) Option { return option(r) }), 0.03}
}

// InputsAsianOption are an option and the size of a simulation.
func InputsAsianOption(n int, r *rand.Rand) []any {
	return []any{option(r), 0.03, n/32 + 1, 32, r.Uint64()}
}

// InputsEMA are prices of shares.
func InputsEMA(n int, r *rand.Rand) []any {
	return []any{rowsOf(n, 250, r, func(int) float64 { return 100 + r.NormFloat64() }), 12.0}
}

// InputsBars are trades.
func InputsBars(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) Trade { return Trade{100 + r.NormFloat64(), int32(1 + r.IntN(500))} }), 50}
}

// InputsValueAtRisk are returns.
func InputsValueAtRisk(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) float64 { return 0.01 * r.NormFloat64() }), 1e6, 0.99}
}

// InputsYields are bonds.
func InputsYields(n int, r *rand.Rand) []any {
	return []any{fill(n/10, func(int) Bond { return Bond{80 + 40*r.Float64(), 100, 1 + 9*r.Float64(), 1 + r.IntN(30)} })}
}

// InputsFlock is a flock.
func InputsFlock(n int, r *rand.Rand) []any {
	v := func(s float32) Vec2 { return Vec2{s * r.Float32(), s * r.Float32()} }
	return []any{fill(side(n), func(int) Boid { return Boid{v(100), v(2)} }), float32(10), float32(0.1)}
}

// InputsLife is a board.
func InputsLife(n int, r *rand.Rand) []any {
	w := side(n)
	return []any{fill(w*w, func(int) bool { return r.IntN(3) == 0 }), w, w}
}

// InputsMobility are positions.
func InputsMobility(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) Position {
		own := Bitboard(r.Uint64() & r.Uint64())
		return Position{own & Bitboard(r.Uint64()&r.Uint64()), own}
	})}
}

// InputsTerrain is the size of a map.
func InputsTerrain(n int, r *rand.Rand) []any {
	return []any{side(n), side(n), 4, float32(37), r.Uint32()}
}

// InputsFight are units and attacks.
func InputsFight(n int, r *rand.Rand) []any {
	units := n/4 + 1
	return []any{fill(units, func(int) Health { return Health(r.IntN(1000)) }),
		fill(units, func(int) Armour { return Armour{float32(r.IntN(200)), r.Float32(), r.Float32()} }),
		fill(n, func(int) Attack { return Attack{int32(r.IntN(units)), Damage(r.IntN(4)), float32(r.IntN(100))} })}
}

// InputsRevenue are lines of orders and a year.
func InputsRevenue(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) LineItem {
		return LineItem{Date(8000 + r.IntN(2500)), int32(1 + r.IntN(50)), 900 + 1e5*r.Float64(), float64(r.IntN(11)) / 100}
	}), Date(8766), Date(9131)}
}

// InputsBalances are payments.
func InputsBalances(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) UserID { return UserID(1_000_000 + r.IntN(n/10+1)) }), fill(n, func(int) Cents { return Cents(r.IntN(100000) - 30000) })}
}

// InputsCandidates are a filter and keys, half of which it knows.
func InputsCandidates(n int, r *rand.Rand) []any {
	b := Bloom{make([]uint64, n/8+1), 4}
	keys := fill(n, func(int) uint64 { return r.Uint64() })
	for i, k := range keys {
		if i%2 == 0 {
			continue
		}
		h := mix64(k)
		step := h>>32 | 1
		for range b.Hashes {
			bit := h % uint64(64*len(b.Bits))
			b.Bits[bit/64] |= 1 << (bit % 64)
			h += step
		}
	}
	return []any{b, keys}
}

// InputsLookup are an index and keys.
func InputsLookup(n int, r *rand.Rand) []any {
	index := fill(n, func(i int) int64 { return int64(3*i + r.IntN(3)) }) // in order
	return []any{index, fill(n, func(int) int64 { return r.Int64N(3*int64(n) + 2) })}
}

// InputsLatencies are the latencies of services.
func InputsLatencies(n int, r *rand.Rand) []any {
	rows := rowsOf(n, 500, r, func(int) time.Duration { return time.Duration(r.ExpFloat64() * 1e7) })
	return []any{append(rows, nil)}
}

// InputsUnzigzag is a column.
func InputsUnzigzag(n int, r *rand.Rand) []any {
	return []any{int64(1_600_000_000), fill(n, func(int) uint32 { return uint32(r.IntN(2000)) })}
}

// InputsChecksums are headers.
func InputsChecksums(n int, r *rand.Rand) []any {
	return []any{fill(n/20, func(int) []byte { return fill(20+r.IntN(2), func(int) byte { return byte(r.Uint32()) }) })}
}

// InputsFrameSums are frames.
func InputsFrameSums(n int, r *rand.Rand) []any {
	return []any{rowsOf(n, 500, r, func(int) byte { return byte(r.Uint32()) })}
}

// InputsRoute are networks and addresses.
func InputsRoute(n int, r *rand.Rand) []any {
	table := fill(32, func(i int) Prefix { return Prefix{IPv4(r.Uint32()), uint8(r.IntN(12)), int32(i)} })
	return []any{table, fill(n/8, func(int) IPv4 { return IPv4(r.Uint32()) })}
}

// InputsParseAddresses are addresses, a few of which are none.
func InputsParseAddresses(n int, r *rand.Rand) []any {
	return []any{fill(n/12, func(int) string {
		s := ""
		for i := range 4 {
			if i > 0 {
				s += "."
			}
			s += strconv.Itoa(r.IntN(260))
		}
		return s
	})}
}

// InputsPageRank are links, a few of each page.
func InputsPageRank(n int, r *rand.Rand) []any {
	nodes := n/64 + 1
	g := Graph{OutDegree: make([]int32, nodes), Offsets: []int32{0}}
	for range nodes {
		for range r.IntN(8) {
			s := int32(r.IntN(nodes))
			g.Sources = append(g.Sources, s)
			g.OutDegree[s]++
		}
		g.Offsets = append(g.Offsets, int32(len(g.Sources)))
	}
	return []any{g, 0.85, 1e-6}
}

// InputsDense are a layer of as many neurons as inputs, and a vector.
func InputsDense(n int, r *rand.Rand) []any {
	f := func(int) float32 { return float32(r.NormFloat64()) }
	w := side(n)
	return []any{Layer{fill(w*w, f), fill(w, f), w, w}, fill(w, f)}
}

// InputsSoftmax are scores of ten classes.
func InputsSoftmax(n int, r *rand.Rand) []any {
	return []any{fill(n/10, func(int) []float32 { return fill(10, func(int) float32 { return float32(3 * r.NormFloat64()) }) })}
}

// InputsQuantize are numbers.
func InputsQuantize(n int, r *rand.Rand) []any {
	return []any{fill(n, func(int) float32 { return float32(r.NormFloat64()) })}
}

// InputsClassify are examples with labels, and queries.
func InputsClassify(n int, r *rand.Rand) []any {
	m := side(n / 4)
	row := func(int) []float32 { return fill(8, func(int) float32 { return float32(r.NormFloat64()) }) }
	return []any{fill(m, row), fill(m, func(int) uint8 { return uint8(r.IntN(4)) }), fill(m, row)}
}

// InputsPredict are trees of depth six, and examples.
func InputsPredict(n int, r *rand.Rand) []any {
	const trees, depth, features = 8, 6, 10
	var f Forest
	for range trees {
		root := int32(len(f.Nodes))
		f.Roots = append(f.Roots, root)
		for i := range int32(1<<depth - 1) {
			node := Node{int32(r.IntN(features)), float32(r.NormFloat64()), root + 2*i + 1, root + 2*i + 2, float32(r.NormFloat64()) / 10}
			if 2*i+2 >= 1<<depth-1 {
				node.Feature, node.Left, node.Right = -1, 0, 0
			}
			f.Nodes = append(f.Nodes, node)
		}
	}
	return []any{f, fill(n/48, func(int) []float32 { return fill(features, func(int) float32 { return float32(r.NormFloat64()) }) })}
}

// InputsInside are a star and points.
func InputsInside(n int, r *rand.Rand) []any {
	g := fill(24, func(i int) Point {
		sin, cos := math.Sincos(float64(i) * math.Pi / 12)
		d := 0.5 + 0.5*float64(i%2)
		return Point{d * cos, d * sin}
	})
	return []any{Polygon(g), fill(n/24, func(int) Point { return Point{2*r.Float64() - 1, 2*r.Float64() - 1} })}
}

func vector(r *rand.Rand) Vec3 { return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

// InputsTrace are rays and triangles.
func InputsTrace(n int, r *rand.Rand) []any {
	m := side(n / 2)
	return []any{fill(m, func(int) Ray { return Ray{vector(r), vector(r)} }), fill(m, func(int) Triangle { return Triangle{vector(r), vector(r), vector(r)} })}
}

// InputsNearest are places and stations.
func InputsNearest(n int, r *rand.Rand) []any {
	place := func(int) Place { return Place{Degrees(180*r.Float64() - 90), Degrees(360*r.Float64() - 180)} }
	return []any{fill(n/100, place), fill(20, place)}
}

// InputsProject are a matrix and vertices.
func InputsProject(n int, r *rand.Rand) []any {
	m := Mat4{{1, 0.1, 0, 2}, {-0.1, 1, 0, 1}, {0, 0, 1, -5}, {0, 0, -1, 0}}
	return []any{m, fill(n, func(int) Vertex { return Vertex{r.Float32(), r.Float32(), -1 - r.Float32()} })}
}

// InputsBounds are lines.
func InputsBounds(n int, r *rand.Rand) []any {
	return []any{rowsOf(n, 20, r, func(int) Point { return Point{r.NormFloat64(), r.NormFloat64()} })}
}

// InputsGravity are bodies.
func InputsGravity(n int, r *rand.Rand) []any {
	return []any{fill(side(n), func(int) Body { return Body{vector(r), vector(r), r.Float64()} }), 0.01, 0.05}
}

// InputsHeat is a plate.
func InputsHeat(n int, r *rand.Rand) []any {
	w := max(1, side(n/10))
	return []any{fill(w*(n/10/w), func(int) float64 { return 100 * r.Float64() }), w, 10, 0.2}
}

// InputsOutbreaks are rates.
func InputsOutbreaks(n int, r *rand.Rand) []any {
	m := n / 100
	beta := fill(m, func(int) float64 { return 0.2 + 0.4*r.Float64() })
	return []any{beta, fill(m, func(int) float64 { return 0.05 + 0.1*r.Float64() }), 100}
}

// InputsIsing is a magnet.
func InputsIsing(n int, r *rand.Rand) []any {
	w := side(n)
	return []any{fill(w*w, func(int) Spin { return Spin(2*r.IntN(2) - 1) }), w, 0.44, r.Uint64()}
}

// InputsFluid is a fluid.
func InputsFluid(n int, r *rand.Rand) []any {
	w := max(1, side(n/9))
	return []any{fill(w*w, func(int) Cell {
		c := weights
		for k := range c {
			c[k] *= 0.9 + 0.2*r.Float64()
		}
		return Cell(c)
	}), w, 1.2}
}
