package rodinia

import (
	"math"
)

// Location is a place on a map.
type Location struct{ Lat, Lng float32 }

// NN finds the k records that are nearest to a place, nearest first; of records that are as far the earlier counts.
//
//surge:kernel
func NN(records []Location, lat, lng float32, k int) (indices []int32, distances []float32) {
	d := make([]float32, len(records))
	for i, r := range records {
		d[i] = float32(math.Sqrt(float64((r.Lat-lat)*(r.Lat-lat) + (r.Lng-lng)*(r.Lng-lng))))
	}
	k = min(k, len(records))
	indices = make([]int32, k)
	distances = make([]float32, k)
	for n := range k {
		at := 0
		for i, v := range d {
			if v < d[at] {
				at = i
			}
		}
		indices[n], distances[n] = int32(at), d[at]
		d[at] = float32(math.Inf(1))
	}
	return indices, distances
}

// KMeans groups points of some features, until at most a thousandth of them changes its group. It starts from the
// first points.
//
//surge:kernel
func KMeans(points [][]float32, k, most int) (centers [][]float32, labels []int32, turns int) {
	features := len(points[0])
	centers = make([][]float32, k)
	for c := range centers {
		centers[c] = make([]float32, features)
		copy(centers[c], points[c])
	}
	labels = make([]int32, len(points))
	for i := range labels {
		labels[i] = -1
	}
	for turns < most {
		changed := 0
		for i, p := range points {
			best, least := int32(0), float32(math.MaxFloat32)
			for c, center := range centers {
				var d float32
				for f, v := range p {
					d += (v - center[f]) * (v - center[f])
				}
				if d < least {
					best, least = int32(c), d
				}
			}
			if labels[i] != best {
				labels[i] = best
				changed++
			}
		}
		sums := make([]float32, k*features)
		counts := make([]int32, k)
		for i, p := range points {
			c := int(labels[i])
			counts[c]++
			for f, v := range p {
				sums[c*features+f] += v
			}
		}
		for c := range centers {
			if counts[c] > 0 {
				for f := range centers[c] {
					centers[c][f] = sums[c*features+f] / float32(counts[c])
				}
			}
		}
		turns++
		if changed*1000 <= len(points) {
			break
		}
	}
	return centers, labels, turns
}

// Atom is a particle of LavaMD: a place and a charge.
type Atom struct{ X, Y, Z, Q float32 }

// Force is the potential of an atom and the force on it.
type Force struct{ V, X, Y, Z float32 }

// LavaMD sums potential and force on each atom by those in its box and the boxes around it. Boxes fill a cube of side
// boxes each way, and each has as many atoms, one box behind the other.
//
//surge:kernel
func LavaMD(atoms []Atom, side int, alpha float32) []Force {
	per := len(atoms) / (side * side * side)
	forces := make([]Force, len(atoms))
	for i, a := range atoms {
		box := i / per
		bz, by, bx := box/(side*side), box/side%side, box%side
		var f Force
		for z := max(bz-1, 0); z <= min(bz+1, side-1); z++ {
			for y := max(by-1, 0); y <= min(by+1, side-1); y++ {
				for x := max(bx-1, 0); x <= min(bx+1, side-1); x++ {
					first := ((z*side+y)*side + x) * per
					for _, b := range atoms[first : first+per] {
						dx, dy, dz := a.X-b.X, a.Y-b.Y, a.Z-b.Z
						u := 2 * alpha * alpha * (dx*dx + dy*dy + dz*dz)
						v := float32(math.Exp(-float64(u)))
						s := 2 * v
						f.V += b.Q * v
						f.X += b.Q * s * dx
						f.Y += b.Q * s * dy
						f.Z += b.Q * s * dz
					}
				}
			}
		}
		forces[i] = f
	}
	return forces
}
