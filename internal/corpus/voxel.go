// Voxels

package corpus

import "math"

// Voxels is a cube of occupied cells.
type Voxels struct {
	Filled []bool
	N      int
}

func (v Voxels) has(x, y, z int) bool {
	if x < 0 || y < 0 || z < 0 || x >= v.N || y >= v.N || z >= v.N {
		return false
	}
	return v.Filled[(z*v.N+y)*v.N+x]
}

// Exposed counts the free faces of every cell.
//
//surge:kernel
func Exposed(v Voxels) (faces []uint8, total int) {
	faces = make([]uint8, len(v.Filled))
	for z := 0; z < v.N; z++ {
		for y := 0; y < v.N; y++ {
			for x := 0; x < v.N; x++ {
				if !v.has(x, y, z) {
					continue
				}
				free := uint8(0)
				for _, d := range [...][3]int{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
					if !v.has(x+d[0], y+d[1], z+d[2]) {
						free++
					}
				}
				faces[(z*v.N+y)*v.N+x] = free
				total += int(free)
			}
		}
	}
	return faces, total
}

// Vec is a vector.
type Vec [3]float64

func (a Vec) add(b Vec) Vec       { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a Vec) scale(f float64) Vec { return Vec{a[0] * f, a[1] * f, a[2] * f} }
func (a Vec) length() float64     { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }

func torus(p Vec, major, minor float64) float64 {
	return math.Hypot(math.Hypot(p[0], p[2])-major, p[1]) - minor
}

// March marches rays of a camera to a torus, and returns depths, +Inf for those that miss.
//
//surge:kernel
func March(width, height int, eye Vec, major, minor float64) []float64 {
	depth := make([]float64, width*height)
	for i := range depth {
		x, y := i%width, i/width
		dir := Vec{float64(x)/float64(width) - 0.5, float64(y)/float64(height) - 0.5, 1}
		dir = dir.scale(1 / dir.length())
		depth[i] = math.Inf(1)
		for t, steps := 0.0, 0; steps < 64 && t < 50; steps++ {
			d := torus(eye.add(dir.scale(t)), major, minor)
			if d < 1e-4 {
				depth[i] = t
				break
			}
			t += d
		}
	}
	return depth
}
