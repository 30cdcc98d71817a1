// Games

package corpus

import (
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/ops"
)

// Vec2 is a vector in the plane.
type Vec2 struct{ X, Y float32 }

func (a Vec2) Add(b Vec2) Vec2        { return Vec2{a.X + b.X, a.Y + b.Y} }
func (a Vec2) Sub(b Vec2) Vec2        { return Vec2{a.X - b.X, a.Y - b.Y} }
func (a Vec2) Scale(s float32) Vec2   { return Vec2{a.X * s, a.Y * s} }
func (a Vec2) LengthSquared() float32 { return a.X*a.X + a.Y*a.Y }

// Boid is a bird of a flock.
type Boid struct{ Pos, Vel Vec2 }

// Flock moves a flock by a step: birds keep together, fly as their neighbours do, and keep apart.
//
//surge:kernel
func Flock(boids []Boid, radius, dt float32) []Boid {
	return ops.Map(func(b Boid) Boid {
		var centre, heading, apart Vec2
		n := 0
		for _, o := range boids {
			d := o.Pos.Sub(b.Pos)
			r2 := d.LengthSquared()
			if r2 == 0 || r2 > radius*radius {
				continue
			}
			centre = centre.Add(o.Pos)
			heading = heading.Add(o.Vel)
			apart = apart.Sub(d.Scale(1 / r2))
			n++
		}
		if n > 0 {
			f := 1 / float32(n)
			b.Vel = b.Vel.Add(centre.Scale(f).Sub(b.Pos).Scale(0.01))
			b.Vel = b.Vel.Add(heading.Scale(f).Sub(b.Vel).Scale(0.1))
			b.Vel = b.Vel.Add(apart.Scale(0.05))
		}
		b.Pos = b.Pos.Add(b.Vel.Scale(dt))
		return b
	}, boids)
}

// Life is the next generation of Conway's game on a torus.
//
//surge:kernel
func Life(cells []bool, width, height int) []bool {
	return ops.Map(func(i int) bool {
		x, y := i%width, i/width
		neighbours := 0
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if dx == 0 && dy == 0 {
					continue
				}
				if cells[(y+dy+height)%height*width+(x+dx+width)%width] {
					neighbours++
				}
			}
		}
		return neighbours == 3 || neighbours == 2 && cells[i]
	}, ops.Range(0, width*height, 1))
}

// Bitboard is a set of squares of a chess board.
type Bitboard uint64

var knightMoves = knightTable()

func knightTable() (table [64]Bitboard) {
	for square := range 64 {
		x, y := square%8, square/8
		for _, d := range [...][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			if u, v := x+d[0], y+d[1]; u >= 0 && u < 8 && v >= 0 && v < 8 {
				table[square] |= 1 << (8*v + u)
			}
		}
	}
	return table
}

// Position is where the knights and the other pieces of a side stand.
type Position struct{ Knights, Own Bitboard }

// Mobility counts the moves of the knights in each position.
//
//surge:kernel
func Mobility(positions []Position) []int {
	return ops.Map(func(p Position) int {
		moves := 0
		for k := p.Knights; k != 0; k &= k - 1 {
			to := knightMoves[bits.TrailingZeros64(uint64(k))] &^ p.Own
			moves += bits.OnesCount64(uint64(to))
		}
		return moves
	}, positions)
}

// noiseAt is a random number for a point of the grid.
func noiseAt(x, y int32, seed uint32) float32 {
	h := uint32(x)*0x8da6b343 ^ uint32(y)*0xd8163841 ^ seed
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	return float32(h&0xffffff) / 0x1000000
}

func smooth(t float32) float32 { return t * t * (3 - 2*t) }

// Terrain is a height map of several octaves of noise.
//
//surge:kernel
func Terrain(width, height, octaves int, scale float32, seed uint32) []float32 {
	return ops.Map(func(i int) float32 {
		x, y := float32(i%width)/scale, float32(i/width)/scale
		var sum float32
		amplitude := float32(0.5)
		for octave := range octaves {
			x0, y0 := int32(math.Floor(float64(x))), int32(math.Floor(float64(y)))
			tx, ty := smooth(x-float32(x0)), smooth(y-float32(y0))
			s := seed + uint32(octave)
			top := lerp(noiseAt(x0, y0, s), noiseAt(x0+1, y0, s), tx)
			bottom := lerp(noiseAt(x0, y0+1, s), noiseAt(x0+1, y0+1, s), tx)
			sum += amplitude * lerp(top, bottom, ty)
			amplitude /= 2
			x, y = 2*x, 2*y
		}
		return sum
	}, ops.Range(0, width*height, 1))
}

// Damage is a kind of damage.
type Damage uint8

// The kinds of damage.
const (
	Physical Damage = iota
	Fire
	Frost
	Pure
)

// Health is what a unit can still take.
type Health int32

// Attack hits a unit.
type Attack struct {
	Target   int32
	Kind     Damage
	Strength float32
}

// Armour protects from kinds of damage.
type Armour struct{ Physical, Fire, Frost float32 }

// against is the share of the damage that gets through.
func (a Armour) against(kind Damage) float32 {
	switch kind {
	case Physical:
		return 100 / (100 + a.Physical)
	case Fire:
		return 1 - a.Fire
	case Frost:
		return 1 - a.Frost
	default:
		return 1
	}
}

// Fight takes the attacks of a round off the health of the units.
//
//surge:kernel
func Fight(health []Health, armour []Armour, attacks []Attack) []Health {
	targets := ops.Map(func(a Attack) int32 { return a.Target }, attacks)
	losses := ops.Map(func(a Attack) Health { return Health(a.Strength * armour[a.Target].against(a.Kind)) }, attacks)
	lost := ops.Histogram(func(a, b Health) Health { return a + b }, len(health), targets, losses, 0)
	return ops.Map2(func(h, l Health) Health { return max(h-l, 0) }, health, lost)
}
