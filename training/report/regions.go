package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// regions is a picture of which variant the model chooses, over two of its features.
type regions struct {
	Picture template.HTML
	// Fixed says which values the other features have.
	Fixed string
}

// decisionRegions draws the two features that vary and tell most; nil when none varies.
func decisionRegions(j *fit.Judgement) *regions {
	c := j.Classifier
	axes := telling(c, j.Train.Inputs)
	if len(axes) == 0 || len(c.Variants) < 2 {
		return nil
	}
	const size, height, left, bottom, top, right = 420, 300, 74.0, 42.0, 10.0, widestLabel / 2
	point := make([]selector.Feature, len(c.Features))
	var fixed []string
	for i, f := range c.Features {
		point[i] = selector.Feature{Name: f.Name, Value: valueAt(f, 0.5)}
		if !slices.Contains(axes, i) {
			fixed = append(fixed, f.Name+" = "+number(point[i].Value))
		}
	}
	rows := height
	if len(axes) == 1 {
		rows = 1
	}
	img := image.NewPaletted(image.Rect(0, 0, size, rows), colours(len(c.Variants)))
	for x := range size {
		for y := range rows {
			point[axes[0]].Value = valueAt(c.Features[axes[0]], (float64(x)+0.5)/size)
			if len(axes) == 2 {
				point[axes[1]].Value = valueAt(c.Features[axes[1]], 1-(float64(y)+0.5)/float64(rows))
			}
			if v, ok := c.Decide(point); ok {
				img.SetColorIndex(x, y, v.Order[0])
			}
		}
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		return nil
	}
	var sb strings.Builder
	width := left + size + right
	fmt.Fprintf(&sb, `<svg viewBox="0 0 %g %g" width="%g" height="%g" role="img"><title>decision regions</title>`, width, top+height+bottom, width, top+height+bottom)
	fmt.Fprintf(&sb, `<image x="%g" y="%g" width="%d" height="%d" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`, left, top, size, height, base64.StdEncoding.EncodeToString(buf.Bytes()))
	fmt.Fprintf(&sb, `<rect class="frame" x="%g" y="%g" width="%d" height="%d"/>`, left, top, size, height)
	for axis, f := range axes {
		length := float64(height)
		if axis == 0 {
			length = size
		}
		last := math.Inf(-1)
		for _, t := range ticks(c.Features[f]) {
			room := map[bool]float64{true: axisLabel, false: axisLabel / 2}[axis == 0]
			if (t.at-last)*length < room {
				continue // it would run into the one before
			}
			last = t.at
			if axis == 0 {
				x := left + size*t.at
				fmt.Fprintf(&sb, `<line class="frame" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, x, top+height, x, top+height+4, x, top+height+17, t.text)
			} else {
				y := top + height*(1-t.at)
				fmt.Fprintf(&sb, `<line class="frame" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`, left-4, y, left, y, left-7, y+4, t.text)
			}
		}
	}
	name := func(f int) string {
		text := c.Features[f].Name
		if u := c.Features[f].Unit; u != "" {
			text += " (" + u + ")"
		}
		return template.HTMLEscapeString(text)
	}
	fmt.Fprintf(&sb, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, left+size/2, top+height+bottom-8, name(axes[0]))
	if len(axes) == 2 {
		fmt.Fprintf(&sb, `<text transform="translate(14 %.1f) rotate(-90)" text-anchor="middle">%s</text>`, top+height/2, name(axes[1]))
	}
	dot := func(t *fit.Table, shape string) {
		for i := range t.Inputs {
			in := &t.Inputs[i]
			x := left + size*c.Features[axes[0]].Scale(in.Features[axes[0]])
			y := top + height/2.0
			if len(axes) == 2 {
				y = top + height*(1-c.Features[axes[1]].Scale(in.Features[axes[1]]))
			}
			fill := palette[j.Label(in)%len(palette)]
			title := template.HTMLEscapeString(in.Name)
			if shape == "circle" {
				fmt.Fprintf(&sb, `<circle class="dot" cx="%.1f" cy="%.1f" r="4.5" fill="%s"><title>%s</title></circle>`, x, y, fill, title)
			} else {
				fmt.Fprintf(&sb, `<rect class="dot" x="%.1f" y="%.1f" width="8" height="8" fill="%s"><title>%s</title></rect>`, x-4, y-4, fill, title)
			}
		}
	}
	dot(j.Train, "circle")
	if j.HeldOut {
		dot(j.Test, "rect")
	}
	sb.WriteString("</svg>")
	return &regions{Picture: template.HTML(sb.String()), Fixed: strings.Join(fixed, ", ")}
}

// telling returns which two features to draw: of those that vary, the two by which the model's choice on most inputs
// can be read off the picture, where the others have the middle of their range; the first such pair of several. There
// are fewer than two where fewer vary.
func telling(c *selector.Classifier, inputs []fit.Input) []int {
	var vary []int
	for f, s := range c.Features {
		if s.High > s.Low {
			vary = append(vary, f)
		}
	}
	if len(vary) < 3 {
		return vary
	}
	choice := func(in *fit.Input, shown ...int) uint8 {
		point := make([]selector.Feature, len(c.Features))
		for f, s := range c.Features {
			point[f] = selector.Feature{Name: s.Name, Value: valueAt(s, 0.5)}
			if len(shown) == 0 || slices.Contains(shown, f) {
				point[f].Value = in.Features[f]
			}
		}
		verdict, _ := c.Decide(point)
		return verdict.Order[0]
	}
	pair, most := vary[:2], 0
	for a, f := range vary {
		for _, g := range vary[a+1:] {
			same := 0
			for i := range inputs {
				if choice(&inputs[i], f, g) == choice(&inputs[i]) {
					same++
				}
			}
			if same > most {
				pair, most = []int{f, g}, same
			}
		}
	}
	return pair
}

// valueAt returns the value of a feature at part u of its axis.
func valueAt(s selector.Scaling, u float64) float64 {
	if s.Log {
		low := s.Low
		if low <= 0 {
			low = s.High * 1e-3
		}
		return low * math.Pow(s.High/low, u)
	}
	return s.Low + u*(s.High-s.Low)
}

// colours are the palette, paler.
func colours(n int) color.Palette {
	var p color.Palette
	for i := range max(n, 2) {
		hex := palette[i%len(palette)]
		x, _ := strconv.ParseUint(hex[1:], 16, 32)
		pale := func(shift uint) uint8 { return uint8((int(x>>shift&0xff) + 255) / 2) }
		p = append(p, color.RGBA{pale(16), pale(8), pale(0), 255})
	}
	return p
}

type tick struct {
	at   float64
	text string
}

// ticks marks powers of ten on a logarithmic axis, also twice and five times those where there are few, and five
// values on another.
func ticks(s selector.Scaling) []tick {
	var all []tick
	if !s.Log {
		for i := range 5 {
			v := s.Low + (s.High-s.Low)*float64(i)/4
			all = append(all, tick{float64(i) / 4, number(v)})
		}
		return all
	}
	low := s.Low
	if low <= 0 {
		low = s.High * 1e-3 // further down there is only zero
	}
	between := []float64{1}
	if s.High < 300*low {
		between = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(low)); e <= math.Log10(s.High); e++ {
		for _, m := range between {
			v := m * math.Pow(10, e)
			if v < low || v > s.High {
				continue
			}
			text := number(v)
			if v >= 1e4 {
				text = fmt.Sprintf(`10<tspan dy="-5" font-size="9">%g</tspan>`, e)
				if m > 1 {
					text = number(m) + "·" + text
				}
			}
			all = append(all, tick{s.Scale(v), text})
		}
	}
	return all
}
