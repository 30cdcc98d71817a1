package ops_test

import (
	"errors"
	"fmt"

	"github.com/surge-ndp/surge/ops"
)

// Sparse matrix-vector multiplication: the rows of a matrix in compressed sparse row form are
// nested sequences, and each row is reduced by itself.
func Example() {
	values := []float64{2, 1, 3, 4}
	columns := []int32{0, 2, 1, 2}
	rowOffsets := []int32{0, 2, 2, 4} // the second row is empty
	x := []float64{1, 10, 100}

	y := ops.Map2(func(row []float64, col []int32) float64 {
		products := ops.Map2(func(a, b float64) float64 { return a * b }, row, ops.Gather(x, col))
		return ops.Reduce(func(a, b float64) float64 { return a + b }, products, 0)
	}, ops.Nest(values, rowOffsets), ops.Nest(columns, rowOffsets))
	fmt.Println(y)
	// Output: [102 0 430]
}

func ExampleReduceByKey() {
	add := func(a, b int) int { return a + b }
	keys, sums := ops.ReduceByKey(add, []int{1, 2, 3, 4}, []string{"a", "a", "b", "a"}, 0)
	fmt.Println(keys, sums)
	// Output: [a b a] [3 3 4]
}

func ExampleScan() {
	add := func(a, b int) int { return a + b }
	fmt.Println(ops.Scan(add, []int{1, 2, 3}, 10))
	fmt.Println(ops.InclusiveScan(add, []int{1, 2, 3}, 10))
	// Output:
	// [10 11 13]
	// [11 13 16]
}

func ExampleScatter() {
	fmt.Println(ops.Scatter([]int{7, 8, 9}, []int32{3, 0, 3}, []int{1, 1, 1, 1}))
	// Output: [8 1 1 9]
}

func ExampleRange() {
	fmt.Println(ops.Range(0, 10, 3), ops.Range(3, 0, -1), ops.Range(0, 1, 0.25))
	// Output: [0 3 6 9] [3 2 1] [0 0.25 0.5 0.75]
}

func ExampleSplit() {
	s := ops.Range(0, 7, 1)
	fmt.Println(ops.Split(s, 3))
	fmt.Println(ops.Cyclic(s, 3))
	// Output:
	// [[0 1 2] [3 4 5] [6]]
	// [[0 3 6] [1 4] [2 5]]
}

func ExampleJoin() {
	fmt.Println(ops.Join([]int{1, 2}, []string{"a", "b"}))
	// Output: [{1 a} {1 b} {2 a} {2 b}]
}

func ExampleError() {
	defer func() {
		var e *ops.Error
		if err, ok := recover().(error); ok && errors.As(err, &e) {
			fmt.Println(e.Code)
			fmt.Println(e)
		}
	}()
	ops.Gather([]float64{1, 2, 3}, []int32{0, 5})
	// Output:
	// index
	// ops.Gather: idx[1] = 5 is outside s, which has 3 elements [index]
}
