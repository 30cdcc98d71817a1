package kernels

import (
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/surge-ndp/surge/ops"
	"github.com/surge-ndp/surge/ops/load/testdata/kernels/helpers"
)

type level uint8

// Levels.
const (
	low level = iota + 1
	middle
	high
	width = 4
	mask  = 1<<width - 1
)

func (l level) weight() float64 { return weights[l&3] * scale }

var (
	scale     = 2.5
	weights   = [4]float64{0.5, 1, 2, 4}
	rotation  = [2][2]int{{0, -1}, {1, 0}}
	popcounts = makePopcounts()
	squares   []int
	checksum  = crc32.MakeTable(crc32.IEEE)
	origin    = struct{ x, y int }{3, 4}
	primes    = [12]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}
)

func makePopcounts() [256]uint8 {
	var t [256]uint8
	for i := range t {
		t[i] = t[i/2] + uint8(i&1)
	}
	return t
}

func init() {
	for i := range 20 {
		squares = append(squares, i*i)
	}
}

// Hidden returns the values of the package-level variables that kernels have hidden parameters for.
func Hidden() map[string]any {
	return map[string]any{
		"popcounts[:]": popcounts[:], "squares": squares, "checksum[:]": checksum[:], "primes[:]": primes[:], "helpers.Limits": helpers.Limits,
	}
}

// Lookups reads package-level variables: constants in their place, and tables that are made at start.
//
//surge:kernel
func Lookups(x []int, k int) ([]int, float64, int, []int) {
	l := level(k & 3)
	s := 0.0
	switch l {
	case low, middle:
		s = low.weight()
	case high:
		s = l.weight() + scale
	}
	c := uint32(0xffffffff)
	for _, v := range x {
		c = checksum[byte(c)^byte(v)] ^ c>>8
	}
	y := ops.Map(func(v int) int {
		n := int(popcounts[v&0xff]) * rotation[1][0]
		for i, p := range primes {
			if p == v {
				n += 100 * i
			}
		}
		return n + origin.x*helpers.Limits[1] + primes[v&mask%12]
	}, x)
	return y, s, squares[k] + int(c>>24), helpers.Clipped(x)
}

// The errors of Checked.
var (
	ErrEmpty    = errors.New("empty")
	ErrNegative = fmt.Errorf("negative")
)

func headOf(x []int) (int, error) {
	if len(x) == 0 {
		return 0, ErrEmpty
	}
	if x[0] < 0 {
		return x[0], ErrNegative
	}
	return x[0], nil
}

type parser struct {
	at  int
	err error
}

func (p *parser) take(x []int) int {
	if p.err != nil {
		return -1
	}
	if p.at == len(x) {
		p.err = errors.New("at the end")
		return 0
	}
	p.at++
	return x[p.at-1]
}

// Checked returns errors, and passes on those of others.
//
//surge:kernel
func Checked(x, y []int, n int) ([]int, int, error) {
	a, err := headOf(x)
	if err != nil {
		return nil, a, err
	}
	b, err := headOf(y)
	switch err {
	case ErrEmpty:
		b = 7
	case nil:
	default:
		return x[:1], b, err
	}
	var p parser
	sum := 0
	for range n {
		sum += p.take(x)
	}
	if p.err != nil && sum > 3 {
		return y, sum, p.err
	}
	bad := ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(v int) int {
		if _, err := headOf(y[:max(min(v, len(y)), 0)]); err != nil && err != ErrNegative {
			return 1
		}
		return 0
	}, x), 0)
	return x, a + b + bad, nil
}

// Errors has the errors of this package by name.
var Errors = map[string]error{"ErrEmpty": ErrEmpty, "ErrNegative": ErrNegative}
