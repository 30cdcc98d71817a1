package kernels_test

import "github.com/surge-ndp/surge/training/input"

// inputs are the arguments that each kernel is run on.
var inputs = map[string][][]input.Value{
	"MedianFilter": {{floats(1, 0, 1)}, {floats(333, -1, 1)}},
	"NaiveBayes":   {{ints[int32](500, 0, 7), ints[int32](500, 0, 5), input.Scalar(7), input.Scalar(5)}},
	"Polynomials":  {{floats(67, -1, 1), input.Scalar(5)}, {floats(9, -1, 1), input.Scalar(0)}},
	"RowModes":     {{ints[uint8](1003, 0, 9), input.Scalar(20)}},
	"Path":         {{ints[int32](17*40, 0, 9), input.Scalar(17)}, {ints[int32](0, 0, 9), input.Scalar(0)}},
}
