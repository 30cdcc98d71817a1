// Program uses the compiled SpMV from an ordinary Go program: it solves a Poisson equation on a square by conjugate
// gradients. The matrix is bound once, so that it is checked once and its variant chosen once; every iteration then
// runs without an allocation.
//
//	go run ./examples/spmv/program
//	GOEXPERIMENT=simd go run ./examples/spmv/program     with vector variants
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/examples/spmv"
)

func main() {
	side := flag.Int("n", 300, "interior points of the square along one side")
	variant := flag.String("variant", "", "force a variant: id, canonical text or parts of it")
	platform := flag.String("platform", "", "the platform `NAME`, if spmv has generated code for it (default: what a model says is faster)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := solve(ctx, *side, *variant, *platform); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func solve(ctx context.Context, side int, variant, platform string) error {
	if side < 1 || side > 10_000 {
		return errors.New("program: -n must be between 1 and 10000")
	}
	n := side * side
	values, columns, rowOffsets := poisson(side)
	p, ap := make([]float64, n), make([]float64, n)
	opts := []exec.Option{exec.Into(ap)} // A·p goes where the next step reads it
	if variant != "" {
		opts = append(opts, exec.Variant(variant))
	}
	if platform != "" {
		opts = append(opts, exec.Platform(platform))
	}
	a, err := spmv.BindSpMV(values, columns, rowOffsets, p, opts...)
	if err != nil {
		return err
	}
	for _, d := range a.Decisions() {
		fmt.Printf("%s runs as %s %s/%s: %s\n", d.Computation, d.Variant.ID(), d.Variant.Schedule, d.Variant.Platform, d.Reason)
	}
	x, r := make([]float64, n), make([]float64, n) // x = 0, so the residual is the right-hand side: 1 everywhere
	for i := range r {
		r[i], p[i] = 1, 1
	}
	rr := dot(r, r)
	limit := 1e-16 * rr
	for k := 1; ; k++ {
		if _, err := a.Run(ctx); err != nil {
			return err
		}
		alpha := rr / dot(p, ap)
		for i := range x {
			x[i] += alpha * p[i]
			r[i] -= alpha * ap[i]
		}
		next := dot(r, r)
		if next < limit || k == 10*side {
			fmt.Printf("%d unknowns, %d iterations, residual %.2e, solution at the centre %.6f\n", n, k, math.Sqrt(next/float64(n)), x[n/2+side/2*(1-side%2)])
			return nil
		}
		beta := next / rr
		rr = next
		for i := range p {
			p[i] = r[i] + beta*p[i]
		}
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// poisson returns the five-point Laplacian of a square with side×side interior points, in compressed sparse row form.
func poisson(side int) (values []float64, columns, rowOffsets []int32) {
	rowOffsets = append(rowOffsets, 0)
	for y := range side {
		for x := range side {
			for _, d := range [5][3]int{{0, -1, -1}, {-1, 0, -1}, {0, 0, 4}, {1, 0, -1}, {0, 1, -1}} {
				if i, j := x+d[0], y+d[1]; i >= 0 && i < side && j >= 0 && j < side {
					columns = append(columns, int32(j*side+i))
					values = append(values, float64(d[2]))
				}
			}
			rowOffsets = append(rowOffsets, int32(len(columns)))
		}
	}
	return values, columns, rowOffsets
}
