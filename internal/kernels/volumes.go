package kernels

import "github.com/surge-ndp/surge/ops"

// BatchMul multiplies batches of matrices.
//
//surge:kernel
func BatchMul(a, b [][][]float32) [][][]float32 {
	out := make([][][]float32, len(a))
	for t := range a {
		out[t] = make([][]float32, len(a[t]))
		for i := range a[t] {
			row := make([]float32, len(b[t][0]))
			for k, v := range a[t][i] {
				for j := range row {
					row[j] += v * b[t][k][j]
				}
			}
			out[t][i] = row
		}
	}
	return out
}

// Diffuse is a step of the heat equation in a volume whose faces stay as they are.
//
//surge:kernel
func Diffuse(cur [][][]float64) [][][]float64 {
	nz := len(cur)
	ny := len(cur[0])
	nx := len(cur[0][0])
	next := make([][][]float64, nz)
	for z := range next {
		next[z] = make([][]float64, ny)
		for y := range next[z] {
			next[z][y] = make([]float64, nx)
			for x := range next[z][y] {
				if x == 0 || y == 0 || z == 0 || x == nx-1 || y == ny-1 || z == nz-1 {
					next[z][y][x] = cur[z][y][x]
					continue
				}
				next[z][y][x] = cur[z][y][x] + 0.1*(cur[z-1][y][x]+cur[z+1][y][x]+cur[z][y-1][x]+cur[z][y+1][x]+cur[z][y][x-1]+cur[z][y][x+1]-6*cur[z][y][x])
			}
		}
	}
	return next
}

// Convolve is a layer of a network: each of its outputs is a plane, as wide as the image without the border.
//
//surge:kernel
func Convolve(image [][][]float32, weights [][][][]float32) [][][]float32 {
	out := make([][][]float32, len(weights))
	for o, w := range weights {
		h := len(image[0]) - len(w[0]) + 1
		out[o] = make([][]float32, h)
		for y := range out[o] {
			row := make([]float32, len(image[0][0])-len(w[0][0])+1)
			for x := range row {
				s := float32(0)
				for c := range w {
					for dy := range w[c] {
						for dx := range w[c][dy] {
							s += w[c][dy][dx] * image[c][y+dy][x+dx]
						}
					}
				}
				row[x] = s
			}
			out[o][y] = row
		}
	}
	return out
}

// Scaled4 is a map four levels deep over rows of any lengths.
//
//surge:kernel
func Scaled4(v [][][][]float64, by float64) [][][][]float64 {
	return ops.Map(func(c [][][]float64) [][][]float64 {
		return ops.Map(func(p [][]float64) [][]float64 {
			return ops.Map(func(r []float64) []float64 {
				return ops.Map(func(x float64) float64 { return x * by }, r)
			}, p)
		}, c)
	}, v)
}

// PlaneSums adds the elements of each plane, and says how many there are.
//
//surge:kernel
func PlaneSums(v [][][]int32) ([]int32, []int) {
	sums, counts := make([]int32, len(v)), make([]int, len(v))
	for z, plane := range v {
		for _, row := range plane {
			counts[z] += len(row)
			for _, x := range row {
				sums[z] += x
			}
		}
	}
	return sums, counts
}

// Voxel is an element of a volume.
type Voxel struct{ Mass, Heat float32 }

// Mirrored turns each row of a volume of structs around.
//
//surge:kernel
func Mirrored(v [][][]Voxel) [][][]Voxel {
	return ops.Map(func(p [][]Voxel) [][]Voxel {
		return ops.Map(func(r []Voxel) []Voxel { return ops.Reverse(r) }, p)
	}, v)
}

// Rounds has computations that pass volumes: rows that grow from plane to plane are made, and read twice.
//
//surge:kernel
func Rounds(nz, nx int) ([][][]int32, [][]int32, []int32) {
	made := make([][][]int32, nz)
	for z := range made {
		made[z] = make([][]int32, z%4)
		for y := range made[z] {
			made[z][y] = make([]int32, (z+y)%(nx+1))
			for x := range made[z][y] {
				made[z][y][x] = int32(z*100+y*10+x) % 17
			}
		}
	}
	lines := ops.Flatten(made)
	return made, lines, ops.Map(func(r []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return a + b }, r, 0) }, lines)
}

// Layers is flat memory that is cut twice, and a volume of one length at each level.
//
//surge:kernel
func Layers(x []float32, nx, ny int) [][][]float32 {
	planes := ops.Split(ops.Split(x, nx), ny)
	return ops.Map(func(p [][]float32) [][]float32 {
		return ops.Map(func(r []float32) []float32 {
			top := ops.Reduce(func(a, b float32) float32 { return max(a, b) }, r, 0)
			return ops.Map(func(v float32) float32 { return v - top }, r)
		}, p)
	}, planes)
}

// Products are the rows of tables of products, one behind the other, and what each of them adds up to.
//
//surge:kernel
func Products(x []float64, n int) ([][]float64, []float64) {
	rows := ops.Flatten(ops.Map(func(r []float64) [][]float64 {
		return ops.Map(func(v float64) []float64 { return ops.Map(func(w float64) float64 { return v * w }, r) }, r)
	}, ops.Split(x, n)))
	return rows, ops.Map(func(r []float64) float64 { return ops.Reduce(plus, r, 0) }, rows)
}

// Diffused is some steps of the heat equation in a volume: each makes the next one.
//
//surge:kernel
func Diffused(grid [][][]float64, steps int) [][][]float64 {
	nz := len(grid)
	ny := len(grid[0])
	nx := len(grid[0][0])
	cur := grid
	for s := 0; s < steps; s++ {
		next := make([][][]float64, nz)
		for z := range next {
			next[z] = make([][]float64, ny)
			for y := range next[z] {
				next[z][y] = make([]float64, nx)
				for x := range next[z][y] {
					if x == 0 || y == 0 || z == 0 || x == nx-1 || y == ny-1 || z == nz-1 {
						next[z][y][x] = cur[z][y][x]
						continue
					}
					next[z][y][x] = cur[z][y][x] + 0.1*(cur[z-1][y][x]+cur[z+1][y][x]+cur[z][y-1][x]+cur[z][y+1][x]+cur[z][y][x-1]+cur[z][y][x+1]-6*cur[z][y][x])
				}
			}
		}
		cur = next
	}
	return cur
}

// Doubled are rows of any lengths that a loop computes anew in each turn, until they are large.
//
//surge:kernel
func Doubled(rows [][]int32, limit int32) ([][]int32, int) {
	turns := 0
	for turns < 20 {
		rows = ops.Map(func(r []int32) []int32 { return ops.Map(func(x int32) int32 { return 2*x + 1 }, r) }, rows)
		turns++
		if ops.Reduce(func(a, b int32) int32 { return max(a, b) }, ops.Map(func(r []int32) int32 { return ops.Reduce(func(a, b int32) int32 { return max(a, b) }, r, 0) }, rows), 0) > limit {
			break
		}
	}
	return rows, turns
}
