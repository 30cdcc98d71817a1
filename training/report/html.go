package report

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/training/fit"
)

// Page is what a report shows.
type Page struct {
	Kernel, Hash, Platform, Device string
	// Seconds is what measuring took in the run that wrote the page.
	Seconds float64
	Judged  []*fit.Judgement
	// Totals judge the computations of a kernel together.
	Totals []fit.Total
}

//go:embed page.html
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"percent": percent, "uncertain": uncertain, "time": elapsed, "number": number,
}).ParseFS(files, "page.html"))

// HTML returns the page.
func HTML(p Page) ([]byte, error) {
	type section struct {
		*fit.Judgement
		Inputs       []inputRow
		Marks        marks
		Distribution template.HTML
		Regions      *regions
		Confusion    confusion
		Winners      []winner
		Parameters   []parameter
		Variants     []classRow
		Bound        float64
		Searched     string // how much of the space was measured, if it was not all
	}
	data := struct {
		Page
		Sections []section
	}{Page: p}
	for _, j := range p.Judged {
		rows := inputRows(j)
		s := section{Judgement: j, Inputs: rows, Marks: marksOf(rows), Distribution: distribution(j), Regions: decisionRegions(j), Confusion: confusionOf(j), Winners: winners(j), Parameters: parameters(j), Variants: classRows(j), Bound: fit.Bound}
		if tried, timed := j.Train.Explored(); tried > 0 && tried < 0.95*float64(len(j.Train.Variants)) {
			s.Searched = fmt.Sprintf("A search: on average %.0f of the %d variants were tried on an input, and %.0f of them timed; the others count as not measured.", tried, len(j.Train.Variants), timed)
		}
		data.Sections = append(data.Sections, s)
	}
	var buf bytes.Buffer
	if err := page.Execute(&buf, data); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// inputRow is an input with what was chosen for it.
type inputRow struct {
	Name                     string
	Features                 []string
	Best, Chosen, Single, No cell
	Colour                   string // of the regret
	// Table is the regret by the measurements of all variants if the choice was compared once more, otherwise "".
	Table string
}

// cell is a choice with what its regret is computed from: (Time+Features)/Best - 1.
type cell struct {
	ID    string
	Time  float64
	Again bool // Time is of the comparison head to head
	// Features is what computing the features adds to the time, 0 if nothing.
	Features float64
	// Over is the time of the best variant that the choice was measured with, where that is not what the row shows.
	Over   float64
	Regret float64
	Title  string
	Error  string // the standard error of Regret, "" if it is not known
}

func inputRows(j *fit.Judgement) []inputRow {
	var rows []inputRow
	for i := range j.Test.Inputs {
		in := &j.Test.Inputs[i]
		// The best of the row is that of the comparison that counts for the model's choice.
		model := j.Method(fit.ByModel).Chosen[i]
		times, unit, ofRow := in.Comparison(model)
		best, least := fit.Fastest(times)
		least *= unit
		at := func(method string) cell {
			m := j.Method(method)
			v := m.Chosen[i]
			if v < 0 {
				return cell{ID: "–", Time: math.NaN(), Regret: math.Inf(1)}
			}
			own, unit, again := in.Comparison(v)
			_, over := fit.Fastest(own)
			over *= unit
			c := cell{ID: j.Test.Variants[v].ID(), Time: own[v] * unit, Again: again, Features: j.Paid(m, i) * over, Regret: j.Regret(m, i), Title: short(j.Test.Variants[v])}
			if again != ofRow {
				c.Over = over
			}
			if e := in.Uncertainty(v); !math.IsNaN(e) {
				c.Error = percent(e)
			}
			return c
		}
		var features []string
		for f, x := range in.Features {
			features = append(features, j.Test.Features[f].Name+" "+number(x))
		}
		table := ""
		if ofRow {
			table = percent(in.Regret(model))
		}
		fastest := cell{ID: j.Test.Variants[best].ID(), Time: least, Again: ofRow, Title: short(j.Test.Variants[best])}
		r := inputRow{Table: table, Name: in.Name, Features: features, Best: fastest, Chosen: at(fit.ByModel), Single: at(fit.BySingle), No: at(fit.ByUntrained)}
		switch g := r.Chosen.Regret; {
		case g <= fit.Noise:
			r.Colour = "good"
		case g <= 0.1:
			r.Colour = "fair"
		default:
			r.Colour = "poor"
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b inputRow) int { return cmp.Compare(b.Chosen.Regret, a.Chosen.Regret) })
	return rows
}

// marks says which of the notes below the table of inputs are needed.
type marks struct{ Features, Again, Over bool }

func marksOf(rows []inputRow) marks {
	var m marks
	for _, r := range rows {
		for _, c := range []cell{r.Best, r.Chosen, r.Single, r.No} {
			m.Features = m.Features || c.Features > 0
			m.Again = m.Again || c.Again
			m.Over = m.Over || c.Over > 0
		}
	}
	return m
}

// The colours of classes and lines, distinguishable also without red and green.
var palette = []string{"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000", "#997700", "#6699cc", "#994455", "#77aa99"}

// axisLabel is the room that a number at an axis needs, in pixels.
const axisLabel = 44

// widestLabel is the width of the longest number at an axis, in pixels: nine characters, as in 1.375e+07.
const widestLabel = 72.0

// distribution draws for each method which part of the inputs has at most a regret.
func distribution(j *fit.Judgement) template.HTML {
	const width, height, left, bottom, top, right = 680.0, 260.0, 46.0, 36.0, 10.0, 190.0
	high := 0.05
	for _, m := range j.Methods {
		if m.Name != fit.ByOracle {
			high = max(high, m.Worst)
		}
	}
	// The scale is that of √regret: what is small shows, what is large fits.
	x := func(r float64) float64 { return left + (width-left-right)*math.Sqrt(r/high) }
	y := func(part float64) float64 { return height - bottom - (height-bottom-top)*part }
	var sb strings.Builder
	fmt.Fprintf(&sb, `<svg viewBox="0 0 %g %g" width="%g" height="%g" role="img"><title>regret distribution</title>`, width, height, width, height)
	for _, part := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(&sb, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%.0f %%</text>`, left, y(part), width-right, y(part), left-6, y(part)+4, 100*part)
	}
	last := x(0)
	for _, r := range []float64{0.01, 0.03, 0.1, 0.2, 0.5, 1, 2, 4} {
		if r <= high && x(r)-last >= axisLabel {
			last = x(r)
			fmt.Fprintf(&sb, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, x(r), top, x(r), height-bottom, x(r), height-bottom+15, percent(r))
		}
	}
	fmt.Fprintf(&sb, `<text x="%.1f" y="%.1f" text-anchor="middle">regret: time over the best variant's, less 1</text>`, (left+width-right)/2, height-4)
	// The model's curve comes last, above those that it coincides with.
	for line, m := range slices.Backward(j.Methods) {
		if m.Name == fit.ByOracle {
			continue // the last one
		}
		var regrets []float64
		for i := range m.Chosen {
			regrets = append(regrets, j.Regret(&m, i))
		}
		slices.Sort(regrets)
		fmt.Fprintf(&sb, `<path fill="none" stroke="%s" stroke-width="%g" d="M%.1f %.1f`, palette[line], map[bool]float64{true: 2.5, false: 1.5}[line == 0], x(0), y(0))
		for i, r := range regrets {
			fmt.Fprintf(&sb, " H%.1f V%.1f", x(r), y(float64(i+1)/float64(len(regrets))))
		}
		fmt.Fprintf(&sb, ` H%.1f"/>`, width-right)
		ty := top + 14 + 18*float64(line)
		fmt.Fprintf(&sb, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3"/><text x="%.1f" y="%.1f">%s</text>`, width-right+8, ty-4, width-right+24, ty-4, palette[line], width-right+29, ty, template.HTMLEscapeString(m.Name))
	}
	sb.WriteString("</svg>")
	return template.HTML(sb.String())
}
