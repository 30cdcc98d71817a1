package clustertest

import (
	"math/rand/v2"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// Case is a kernel with inputs and what plain Go computes of them. Sums of floats are of whole numbers, so that they
// are exact in any order.
type Case struct {
	Kernel *cluster.Kernel
	Inputs cluster.Slices
	Want   []cluster.Value
}

// Cases returns a case of each kernel with n elements.
func Cases(n int) []Case {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	return []Case{spmv(r, n), sum(n), histogram(r, n), scan(r, n), stencil(r, n), repeat(r, n), reverse(r, n), sorted(r, n), turned(n), put(r, n)}
}

func spmv(r *rand.Rand, n int) Case {
	x := make([]float64, 50)
	for i := range x {
		x[i] = float64(r.IntN(9))
	}
	offsets, cols, vals, y := []int{0}, []int32{}, []float64{}, make([]float64, n)
	for i := range n {
		for range r.IntN(4) * r.IntN(3) { // some rows are empty
			c, v := int32(r.IntN(50)), float64(r.IntN(7))
			cols, vals = append(cols, c), append(vals, v)
			y[i] += v * x[c]
		}
		offsets = append(offsets, len(cols))
	}
	return Case{SpMV, cluster.Slices{offsets, cols, vals, x}, []cluster.Value{y}}
}

func sum(n int) Case {
	x, s := make([]float64, n), 0.0
	for i := range x {
		x[i] = float64(i % 97)
		s += x[i]
	}
	return Case{Sum, cluster.Slices{x}, []cluster.Value{s, n}}
}

func histogram(r *rand.Rand, n int) Case {
	x, h := make([]int32, n), make([]int64, 11)
	for i := range x {
		x[i] = int32(r.IntN(11))
		h[x[i]]++
	}
	return Case{Histogram, cluster.Slices{x, 11}, []cluster.Value{h}}
}

func scan(r *rand.Rand, n int) Case {
	x, y, total := make([]int64, n), make([]int64, n), int64(0)
	for i := range x {
		x[i] = int64(r.IntN(1000)) - 500
		y[i] = total
		total += x[i]
	}
	return Case{Scan, cluster.Slices{x}, []cluster.Value{y, total}}
}

func stencil(r *rand.Rand, n int) Case {
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = r.Float32()
	}
	for i := range y {
		y[i] = (x[max(i-1, 0)] + x[i] + x[min(i+1, n-1)]) / 3
	}
	return Case{Stencil, cluster.Slices{x}, []cluster.Value{y}}
}

func repeat(r *rand.Rand, n int) Case {
	rows, twice := cluster.Rows{Data: []uint8{}, Offsets: []int{0}}, cluster.Rows{Data: []uint8{}, Offsets: []int{0}}
	data, all := []uint8{}, []uint8{}
	for range n {
		row := make([]uint8, r.IntN(4))
		for i := range row {
			row[i] = uint8(r.Uint32())
		}
		data, all = append(data, row...), append(append(all, row...), row...)
		rows.Offsets, twice.Offsets = append(rows.Offsets, len(data)), append(twice.Offsets, len(all))
	}
	rows.Data, twice.Data = data, all
	return Case{Repeat, cluster.Slices{rows}, []cluster.Value{twice}}
}

func reverse(r *rand.Rand, n int) Case {
	x, y := make([]int32, n), make([]int32, n)
	for i := range x {
		x[i] = int32(r.IntN(1000))
		y[n-1-i] = 2 * x[i]
	}
	return Case{Reverse, cluster.Slices{x}, []cluster.Value{y}}
}
