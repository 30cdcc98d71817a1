// Program clusters points by k-means with the compiled kernels of the package above it.
//
//	go run ./examples/kmeans/program -n 100000 -d 32 -k 10          points made up
//	go run ./examples/kmeans/program -data points.txt.gz -ids -k 5  points of a file
//
// It writes the centroids and labels as .npy and a picture of the clusters as .png where it is told to.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/surge-ndp/surge/examples/internal/command"
	"github.com/surge-ndp/surge/examples/internal/output"
)

func main() { command.Main("kmeans", run) }

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("kmeans", flag.ContinueOnError)
	var in source
	flags.StringVar(&in.file, "data", "", "read points from `FILE`, one a line (.txt, .gz) or a row (.npy); without it they are made up")
	flags.BoolVar(&in.ids, "ids", false, "the first number of each line is an id, no coordinate")
	flags.IntVar(&in.n, "n", 100_000, "number of points to make up")
	flags.IntVar(&in.d, "d", 32, "coordinates of each point that is made up")
	flags.Uint64Var(&in.seed, "seed", 1, "seed of what is made up or chosen at random")
	k := flags.Int("k", 10, "number of clusters")
	start := flags.String("init", "kmeans++", "first centroids: kmeans++ (far from each other), random (k points) or first (the first k points)")
	labelFile := flags.String("labels", "", "start from the labels in `FILE`, one a line, instead")
	limit := flags.Int("iterations", 100, "most iterations")
	tolerance := flags.Float64("tolerance", 0, "stop when no centroid moved further than this")
	centroidFile := flags.String("centroids", "", "write the centroids to `FILE`.npy")
	outLabels := flags.String("out", "", "write the labels to `FILE`.npy")
	picture := flags.String("plot", "", "draw the clusters to `FILE`.png")
	x := flags.Int("x", 0, "coordinate to draw to the right")
	y := flags.Int("y", 1, "coordinate to draw upwards")
	variant := flags.String("variant", "", "force a variant: id, canonical text or parts of it")
	if err := command.Parse(flags, args, out); err != nil {
		return err
	}
	switch {
	case *k < 1:
		return fmt.Errorf("-k is %d; it must be positive", *k)
	case *limit < 1:
		return fmt.Errorf("-iterations is %d; it must be positive", *limit)
	case !(*tolerance >= 0):
		return fmt.Errorf("-tolerance is %g; it must not be negative", *tolerance)
	}
	if err := output.Check(output.File{Option: "-centroids", Name: *centroidFile, Ext: ".npy"}, output.File{Option: "-out", Name: *outLabels, Ext: ".npy"},
		output.File{Option: "-plot", Name: *picture, Ext: ".png"}); err != nil {
		return err
	}
	points, d, err := in.read(ctx, *k)
	if err != nil {
		return err
	}
	n := len(points) / d
	switch {
	case *k > n:
		return fmt.Errorf("-k is %d, but there are only %d points", *k, n)
	case *picture != "" && (*x < 0 || *x >= d || *y < 0 || *y >= d):
		return fmt.Errorf("-x %d and -y %d must be coordinates of the points, 0 to %d", *x, *y, d-1)
	}
	centroids, err := firstCentroids(points, d, *k, *start, *labelFile, in.seed)
	if err != nil {
		return err
	}
	bar := progressbar.NewOptions(*limit, progressbar.OptionSetWriter(progress), progressbar.OptionSetVisibility(command.Terminal(progress)), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionSetDescription("iterations"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	began := time.Now()
	iteration := 0
	c, err := lloyd(ctx, points, d, centroids, *limit, *tolerance, *variant, func(inertia float64) {
		bar.Describe(fmt.Sprintf("inertia %.6g", inertia))
		bar.Add(1)
		if iteration++; !command.Terminal(progress) && iteration%10 == 0 {
			fmt.Fprintf(progress, "iteration %d: inertia %.6g\n", iteration, inertia)
		}
	})
	bar.Finish()
	if err != nil {
		return err
	}
	took := time.Since(began)
	why := "the limit"
	if c.converged {
		why = "converged"
	}
	fmt.Fprintf(out, "%d points of %d coordinates, %d clusters: %d iterations (%s) in %v, inertia %.10g\n", n, d, *k, c.iterations, why, took.Round(time.Millisecond), c.inertia)
	for i, count := range c.counts {
		fmt.Fprintf(out, "  cluster %d: %d points\n", i, count)
	}
	if *centroidFile != "" {
		if err := writeCentroids(*centroidFile, c.centroids, d); err != nil {
			return err
		}
	}
	if *outLabels != "" {
		if err := writeLabels(*outLabels, c.labels); err != nil {
			return err
		}
	}
	if *picture != "" {
		p, err := drawing(points, d, c, *x, *y)
		if err != nil {
			return err
		}
		return drawTo(*picture, p)
	}
	return nil
}
