// Package exits has loops that return out of a turn where something is wrong.
package exits

import "errors"

var errWrong, errOdd = errors.New("wrong"), errors.New("odd")

// Filled fills a slice.
//
// Exits: side by side
//
//surge:kernel
func Filled(x, at []int) ([]int, error) {
	out := make([]int, len(at))
	for i, k := range at {
		if k > 4 {
			return nil, errWrong
		}
		out[i] = x[k]
		if out[i] > 4 {
			return out[:i], errOdd
		}
	}
	return out, nil
}

// Looked looks through a slice, and at what two elements say together.
//
// Exits: side by side
//
//surge:kernel
func Looked(x, y []float64) ([]float64, error) {
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1]-2 {
			return nil, errOdd
		}
	}
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = v + 1
	}
	return out, nil
}

// Unused fills a slice of which nothing is read, and one of which every other element is.
//
// Exits: side by side
//
//surge:kernel
func Unused(x []int) ([]int, error) {
	unread, half := make([]int, len(x)), make([]int, len(x))
	for i, v := range x {
		if v > 5 {
			return nil, errWrong
		}
		unread[i] = v
	}
	for i, v := range x {
		if v < -1 {
			return nil, errOdd
		}
		half[i] = v * 3
	}
	out := make([]int, len(x)/2)
	for i := range out {
		out[i] = half[2*i]
	}
	return out, nil
}

// Added adds up integers.
//
// Exits: side by side
//
//surge:kernel
func Added(x []int32) (int64, error) {
	var sum int64
	for _, v := range x {
		if v > 5 {
			return sum, errWrong
		}
		sum += int64(v)
	}
	return sum, nil
}

// Running adds up floats, in order.
//
// Exits: in order
//
//surge:kernel
func Running(x []float64) (float64, error) {
	sum := 0.0
	for _, v := range x {
		if sum > 9 {
			return 0, errWrong
		}
		sum += v
	}
	return sum, nil
}

// Passed passes on what a function returns that fills a slice.
//
// Exits: side by side
//
//surge:kernel
func Passed(x []int, at []int) ([]int, error) {
	halves, err := halved(x)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(at))
	for i, k := range at {
		out[i] = halves[k]
	}
	return out, nil
}

func halved(x []int) ([]int, error) {
	out := make([]int, len(x))
	for i, v := range x {
		for j := 0; j < v; j++ {
			if x[j%len(x)] == 6 {
				return nil, errOdd
			}
			out[i] += x[j%len(x)]
		}
	}
	return out, nil
}

// Steps counts steps, of which there may be any number behind a number that is wrong.
//
// Exits: side by side, and turns may hang
//
//surge:kernel
func Steps(x []int) ([]int, error) {
	out := make([]int, len(x))
	for i, v := range x {
		if v < 1 {
			return nil, errWrong
		}
		for v != 1 {
			v = v/2 + v%2
			out[i]++
		}
	}
	return out, nil
}

// Back goes back from where something is, and forward by what letters take.
//
// Exits: side by side
//
//surge:kernel
func Back(x []int, text []byte) ([]int, error) {
	out := make([]int, len(x))
	for i, v := range x {
		if v < 1 {
			return nil, errWrong
		}
		for j := i; j >= 0 && x[j] != 3; j-- {
			out[i] += 2
		}
		for range string(text) {
			out[i]++
		}
	}
	return out, nil
}
