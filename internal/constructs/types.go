// Types

package constructs

import (
	"time"

	"github.com/surge-ndp/surge/ops"
)

// Celsius is a temperature.
type Celsius float64

// Warmest computes with a named number.
//
// Construct: a named type over a number, inside a kernel
//
//surge:kernel
func Warmest(x []float64) float64 {
	return float64(ops.Reduce(func(a, b Celsius) Celsius { return max(a, b) }, ops.Map(func(v float64) Celsius { return Celsius(v) }, x), -300))
}

// Kelvin converts temperatures.
//
// Construct: named numbers in parameters, results and elements
//
//surge:kernel
func Kelvin(x []Celsius, zero Celsius) ([]Celsius, Celsius) {
	y := ops.Map(func(c Celsius) Celsius { return c - zero }, x)
	return y, ops.Reduce(func(a, b Celsius) Celsius { return a + b }, y, 0)
}

// Late counts what took too long.
//
// Construct: types of other packages: time.Duration
//
//surge:kernel
func Late(calls [][]time.Duration, limit time.Duration) []int {
	return ops.Map(func(row []time.Duration) int {
		n := 0
		for _, d := range row {
			if d > limit*time.Nanosecond {
				n++
			}
		}
		return n
	}, calls)
}

// Samples is a signal.
type Samples []float32

// Gain amplifies a signal.
//
// Construct: named slices
//
//surge:kernel
func Gain(s Samples, by float32) Samples {
	return ops.Map(func(v float32) float32 { return by * v }, s)
}

// Weekday is a day.
type Weekday uint8

// The days of the week.
const (
	Monday Weekday = iota
	Tuesday
	Saturday Weekday = iota + 3
	Sunday
)

// Weekend counts days off.
//
// Construct: enumerations
//
//surge:kernel
func Weekend(days []Weekday) int {
	return ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(d Weekday) int {
		switch d {
		case Saturday, Sunday:
			return 1
		}
		return 0
	}, days), 0)
}
