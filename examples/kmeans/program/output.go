package main

import (
	"fmt"
	"image/color"
	"io"

	"github.com/sbinet/npyio"
	"github.com/surge-ndp/surge/examples/internal/output"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func writeNpy(file string, value any) error {
	return output.Write(file, func(w io.Writer) error { return npyio.Write(w, value) })
}

func writeCentroids(file string, centroids []float64, d int) error {
	return writeNpy(file, mat.NewDense(len(centroids)/d, d, centroids))
}

func writeLabels(file string, labels []int32) error { return writeNpy(file, labels) }

// maxDrawn is how many points a picture shows.
const maxDrawn = 5000

// drawing makes a picture of the points by cluster, and of the centroids as crosses.
func drawing(points []float64, d int, c *clusters, x, y int) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%d clusters of %d points", len(c.counts), len(c.labels))
	p.X.Label.Text, p.Y.Label.Text = fmt.Sprintf("coordinate %d", x), fmt.Sprintf("coordinate %d", y)
	step := max(1, len(c.labels)/maxDrawn)
	members := make([]plotter.XYs, len(c.counts))
	for i := 0; i < len(c.labels); i += step {
		l := c.labels[i]
		members[l] = append(members[l], plotter.XY{X: points[i*d+x], Y: points[i*d+y]})
	}
	colours := palette.Rainbow(len(members)+1, 0, 0.9, 0.9, 0.8, 1).Colors()
	centres := make(plotter.XYs, len(members))
	for l, xys := range members {
		centres[l] = plotter.XY{X: c.centroids[l*d+x], Y: c.centroids[l*d+y]}
		if len(xys) == 0 {
			continue
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: colours[l], Radius: vg.Points(1.2), Shape: draw.CircleGlyph{}}
		p.Add(s)
	}
	s, err := plotter.NewScatter(centres)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(5), Shape: draw.CrossGlyph{}}
	p.Add(s)
	return p, nil
}

func drawTo(file string, p *plot.Plot) error {
	c, err := p.WriterTo(7*vg.Inch, 6*vg.Inch, "png")
	if err != nil {
		return err
	}
	return output.Write(file, func(w io.Writer) error { _, err := c.WriteTo(w); return err })
}
