// Structs

package constructs

import (
	"math/rand/v2"

	"github.com/surge-ndp/surge/ops"
)

// Grid is a table in rows.
type Grid struct {
	Cells []float64
	Width int
}

// Columns sums up the columns of a table.
//
// Construct: structs with slices as parameters
//
//surge:kernel
func Columns(g Grid) []float64 {
	height := len(g.Cells) / g.Width
	return ops.Map(func(x int) float64 {
		s := 0.0
		for y := range height {
			s += g.Cells[y*g.Width+x]
		}
		return s
	}, ops.Range(0, g.Width, 1))
}

// InputsColumns makes a table of a few columns.
func InputsColumns(n int, r *rand.Rand) []any {
	g := Grid{make([]float64, n), 1 + r.IntN(7)}
	for i := range g.Cells {
		g.Cells[i] = float64(r.IntN(100)) / 4
	}
	return []any{g}
}

// Scene is a struct of structs with slices.
type Scene struct {
	Grid   Grid
	Lights []Point
	Bright [2]float32
}

// Lit looks up what lights stand on.
//
// Construct: structs with slices in structs
//
//surge:kernel
func Lit(s Scene) []float64 {
	return ops.Map(func(p Point) float64 {
		return s.Grid.Cells[int(p.Y)*s.Grid.Width+int(p.X)] * float64(s.Bright[0]+s.Bright[1])
	}, s.Lights)
}

// InputsLit makes lights, one of which may be outside.
func InputsLit(n int, r *rand.Rand) []any {
	s := Scene{Grid{make([]float64, 12), 4}, make([]Point, n), [2]float32{0.5, 0.25}}
	for i := range s.Grid.Cells {
		s.Grid.Cells[i] = float64(i)
	}
	for i := range s.Lights {
		s.Lights[i] = Point{float64(r.IntN(4)), float64(r.IntN(3))}
	}
	if n == 3 {
		s.Lights[1].Y = 3
	}
	return []any{s}
}

// sky is a layer of the air, and skies are two that take turns.
type sky struct {
	high, wide int
	heat       [][]float64
	wind       []float64
}

type skies struct {
	now, then sky
	turns     int
}

func newSky(high, wide int) sky {
	s := sky{high: high, wide: wide, wind: make([]float64, high)}
	s.heat = make([][]float64, high)
	for i := range s.heat {
		s.heat[i] = make([]float64, wide)
	}
	return s
}

func (s *skies) step(c float64) {
	for i := 1; i < s.now.high-1; i++ {
		for j := 1; j < s.now.wide-1; j++ {
			up, down := s.now.heat[i-1][j], s.now.heat[i+1][j]
			s.then.heat[i][j] = s.now.heat[i][j] + c*(up+down-2*s.now.heat[i][j]) + s.now.wind[i]
		}
		s.then.wind[i] = s.now.wind[i] + c*s.now.heat[i][1]
	}
	s.now, s.then = s.then, s.now
	s.turns++
}

// Weathered steps a layer of the air.
//
// Construct: structs with slices in a struct, made by literals or a constructor, that change places
//
//surge:kernel
func Weathered(x [][]float64, c float64, steps int) ([][]float64, []float64, int) {
	if len(x) == 0 {
		return nil, nil, 0
	}
	s := &skies{now: newSky(len(x), len(x[0])), then: newSky(len(x), len(x[0]))}
	for i, row := range x {
		copy(s.now.heat[i], row)
	}
	for range min(steps, 10) {
		s.step(c)
	}
	return s.now.heat, s.now.wind, s.turns
}
