package corpus

import (
	"math"
	"math/rand/v2"
)

func root(n int) int { return int(math.Sqrt(float64(max(n, 0)))) }

func normal(r *rand.Rand) func(int) float32 {
	return func(int) float32 { return float32(r.NormFloat64()) }
}

func normal64(r *rand.Rand) func(int) float64 {
	return func(int) float64 { return r.NormFloat64() }
}

func table32(rows, cols int, r *rand.Rand) [][]float32 {
	return fill(rows, func(int) []float32 { return fill(cols, normal(r)) })
}

func offsetsOf(total, mean int, r *rand.Rand) []int32 {
	offs := []int32{0}
	for at := 0; at < total; {
		at = min(total, at+r.IntN(2*mean+1))
		offs = append(offs, int32(at))
	}
	return offs
}

func InputsMigrate(n int, r *rand.Rand) []any {
	side := root(n / 40)
	traces := table32(40, 600, r)
	st := fill(40, func(k int) Station { return Station{float64(k) * 25, float64(k)*25 + 200} })
	return []any{traces, st, 2000.0, 0.004, 10.0, side, side}
}

func cloud(n int, r *rand.Rand) []Point3 {
	return fill(n, func(int) Point3 { return Point3{r.Float32() * 10, r.Float32()*20 - 5, r.Float32() * 3} })
}

func InputsMortonCodes(n int, r *rand.Rand) []any {
	return []any{cloud(n/10, r), Extent{Point3{0, -4, 0}, Point3{9, 15, 3}}}
}

func InputsNeighbours(n int, r *rand.Rand) []any {
	n /= 60
	w := root(n/6) + 1
	xs, ys := fill(n, func(int) float32 { return r.Float32() * float32(w) }), fill(n, func(int) float32 { return r.Float32() * float32(w) })
	cells := make([][]int32, w*w)
	for i := range xs {
		c := int(ys[i])*w + int(xs[i])
		if c < len(cells) {
			cells[c] = append(cells[c], int32(i))
		}
	}
	starts, order := []int32{0}, []int32{}
	for _, c := range cells {
		order = append(order, c...)
		starts = append(starts, int32(len(order)))
	}
	return []any{xs, ys, Grid{1, w, w, starts, order}, float32(1)}
}

func InputsGeohashes(n int, r *rand.Rand) []any {
	return []any{fill(n/80, func(int) Coordinate { return Coordinate{r.Float64()*180 - 90, r.Float64()*360 - 180} })}
}

func InputsCoverage(n int, r *rand.Rand) []any {
	v := func() XY { return XY{r.Float64() * 4, r.Float64() * 4} }
	return []any{fill(n/60, func(int) Corners { return Corners{v(), v(), v()} }), Window{1, 1, 3, 3}}
}

func vec3(r *rand.Rand) XYZ {
	return XYZ{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())}
}

func InputsSkinMesh(n int, r *rand.Rand) []any {
	n /= 80
	pose := fill(60, func(int) Bone { return Bone{Turn{float32(r.NormFloat64()), vec3(r)}.Unit(), vec3(r)} })
	skins := fill(n, func(int) Skin {
		s := Skin{Weights: [4]float32{0.5, 0.3, 0.2, 0}}
		for k := range s.Bones {
			s.Bones[k] = uint8(r.IntN(60))
		}
		if r.IntN(3) == 0 {
			s.Weights = [4]float32{1, 0, 0, 0}
		}
		return s
	})
	return []any{fill(n, func(int) XYZ { return vec3(r) }), skins, pose}
}

func InputsDepthMap(n int, r *rand.Rand) []any {
	side := root(n / 300)
	spheres := fill(8, func(int) Sphere {
		return Sphere{XYZ{r.Float32()*6 - 3, r.Float32() * 2, 3 + r.Float32()*6}, 0.3 + r.Float32()}
	})
	return []any{Camera{XYZ{0, 0.5, -2}, float32(side), side, side}, spheres, float32(40)}
}

func InputsWarp(n int, r *rand.Rand) []any {
	side := root(n / 32)
	return []any{Plane{fill((side+1)*(side+1), normal(r)), side + 1, side + 1}, Affine{{0.9, 0.3, -3}, {-0.3, 0.9, 5}}, side, side}
}

func InputsHOG(n int, r *rand.Rand) []any {
	side := root(n / 20)
	return []any{table32(side, side, r)}
}

func InputsLBP(n int, r *rand.Rand) []any {
	side := root(n / 8)
	return []any{fill(side*side, func(int) uint8 { return uint8(r.IntN(256)) }), side, side}
}

func InputsLift(n int, r *rand.Rand) []any {
	w := min(512, root(n)) + 1
	return []any{fill(n/w, func(int) []int32 { return fill(w, func(int) int32 { return int32(r.IntN(256)) }) })}
}

func InputsAttend(n int, r *rand.Rand) []any {
	rows := root(n / 64)
	return []any{table32(rows, 64, r), table32(rows, 64, r), table32(rows, 64, r)}
}

func InputsNormGelu(n int, r *rand.Rand) []any {
	n /= 10
	w := min(512, root(n)+1)
	return []any{&Norm{fill(w, normal(r)), 1e-5}, table32(n/w, w, r), table32(n/w, w, r)}
}

func InputsMaxPool(n int, r *rand.Rand) []any {
	side := min(root(n/2), 112)
	planes := 1
	if side > 0 {
		planes = max(1, n/2/side/side)
	}
	return []any{Tensor{fill(planes*side*side, normal(r)), 1, planes, side, side}}
}

func InputsBags(n int, r *rand.Rand) []any {
	ids := n / 64
	return []any{table32(5000, 64, r), fill(ids, func(int) int32 { return int32(r.IntN(5000)) }), fill(ids, normal(r)), offsetsOf(ids, 20, r)}
}

func InputsLSTMStep(n int, r *rand.Rand) []any {
	hidden := min(64, root(n)/8+1)
	batch := n / hidden / hidden / 8
	return []any{LSTM{table32(4*hidden, hidden, r), table32(4*hidden, hidden, r), fill(4*hidden, normal(r))},
		table32(batch, hidden, r), table32(batch, hidden, r), table32(batch, hidden, r)}
}

func InputsVote(n int, r *rand.Rand) []any {
	samples := min(2000, root(n)+1)
	return []any{table32(samples, 16, r), fill(samples, func(int) int { return r.IntN(10) }), table32(n/samples/16, 16, r)}
}

func InputsDilated(n int, r *rand.Rand) []any {
	w := min(4096, n/8+1)
	rows := n / 8 / w
	return []any{table32(rows, w, r), table32(rows, 8, r), 4}
}

func InputsEdgeSoftmax(n int, r *rand.Rand) []any {
	n /= 10
	offs := offsetsOf(n, 12, r)
	return []any{fill(n, normal(r)), fill(n, func(int) int32 { return int32(r.IntN(1000)) }), offs, fill(1000, normal(r))}
}
