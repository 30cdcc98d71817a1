package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/training/input"
)

// source is where points come from.
type source struct {
	file string
	ids  bool
	n, d int
	seed uint64
}

// read returns the coordinates of all points, one point after the other, and how many each has.
func (s *source) read(ctx context.Context, k int) (points []float64, d int, err error) {
	if s.file == "" {
		return s.made(k)
	}
	if strings.HasSuffix(s.file, ".npy") {
		points, d, err = readNpy(ctx, s.file)
	} else {
		points, d, err = readText(s.file, s.ids)
	}
	if err != nil {
		return nil, 0, err
	}
	most := math.Sqrt(math.MaxFloat64 / float64(4*len(points)+4)) // sums of squares of differences stay finite
	for i, x := range points {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			return nil, 0, fmt.Errorf("%s: point %d: coordinate %d is %v; all must be finite numbers", s.file, i/d+1, i%d+1, x)
		case math.Abs(x) > most:
			return nil, 0, fmt.Errorf("%s: point %d: coordinate %d is %v; sums of squares of distances would overflow", s.file, i/d+1, i%d+1, x)
		}
	}
	return points, d, nil
}

// made draws points around k centres.
func (s *source) made(k int) ([]float64, int, error) {
	if s.n < 1 || s.d < 1 {
		return nil, 0, fmt.Errorf("-n is %d and -d is %d; both must be positive", s.n, s.d)
	}
	const most = 1 << 32 // 32 GiB
	if s.n > most/s.d {
		return nil, 0, fmt.Errorf("-n is %d and -d is %d: the points would not fit into memory", s.n, s.d)
	}
	rng := rand.New(rand.NewPCG(s.seed, 1))
	k = min(max(k, 1), s.n)
	centres := make([]float64, k*s.d)
	for i := range centres {
		centres[i] = 10 * rng.Float64()
	}
	points := make([]float64, 0, s.n*s.d)
	for range s.n {
		c := rng.IntN(k)
		for j := range s.d {
			points = append(points, centres[c*s.d+j]+rng.NormFloat64())
		}
	}
	return points, s.d, nil
}

func open(file string) (io.ReadCloser, error) {
	f, err := os.Open(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// eachLine calls f with the fields of every line that has some.
func eachLine(file string, f func(line int, fields []string) error) error {
	r, err := open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	number := 0
	for lines.Scan() {
		number++
		fields := strings.FieldsFunc(lines.Text(), func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' })
		if len(fields) == 0 {
			continue
		}
		if err := f(number, fields); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the compressed data ends early: the file was cut off while it was written or copied")
		}
		return fmt.Errorf("%s:%d: %w", file, number+1, err)
	}
	return nil
}

func readText(file string, ids bool) (points []float64, d int, err error) {
	err = eachLine(file, func(line int, fields []string) error {
		if ids {
			fields = fields[1:]
		}
		if d == 0 {
			d = len(fields)
		}
		if d == 0 {
			return fmt.Errorf("%s:%d: there is an id, and no coordinate (see -ids)", file, line)
		}
		if len(fields) != d {
			return fmt.Errorf("%s:%d: %d coordinates; the points before have %d", file, line, len(fields), d)
		}
		for i, field := range fields {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return fmt.Errorf("%s:%d: coordinate %d, %.40q, is not a number", file, line, i+1, field)
			}
			points = append(points, x)
		}
		return nil
	})
	if err == nil && len(points) == 0 {
		err = fmt.Errorf("%s: there are no points", file)
	}
	return points, d, err
}

// readNpy reads a row a point, of any kind of number.
func readNpy(ctx context.Context, file string) (points []float64, d int, err error) {
	array, err := input.Open(ctx, file, input.Options{})
	if err != nil {
		return nil, 0, err
	}
	v, err := array.Field("")
	if err != nil {
		return nil, 0, err
	}
	if len(v.Dims) != 2 || v.Dims[0] < 1 || v.Dims[1] < 1 {
		return nil, 0, fmt.Errorf("%s: the array has the shape %v; points need two dimensions, points and coordinates", file, v.Dims)
	}
	if v, err = input.Convert(v, input.Float64); err != nil {
		return nil, 0, err
	}
	points, _ = input.Slice[float64](v)
	return points, v.Dims[1], nil
}

// readLabels reads a number from 0 to k-1 for each of n points.
func readLabels(file string, n, k int) ([]int32, error) {
	var labels []int32
	err := eachLine(file, func(line int, fields []string) error {
		x, err := strconv.ParseInt(fields[0], 10, 32)
		if err != nil || len(fields) > 1 {
			return fmt.Errorf("%s:%d: %.40q is not a label, which is a whole number", file, line, strings.Join(fields, " "))
		}
		if x < 0 || int(x) >= k {
			return fmt.Errorf("%s:%d: the label is %d; those of %d clusters are 0 to %d", file, line, x, k, k-1)
		}
		labels = append(labels, int32(x))
		return nil
	})
	if err == nil && len(labels) != n {
		err = fmt.Errorf("%s: %d labels for %d points", file, len(labels), n)
	}
	return labels, err
}
