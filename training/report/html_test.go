package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// table has two kinds of inputs, each with a variant that suits it, one that fails and one that was not always
// measured.
func table(n, shift int) *fit.Table {
	t := &fit.Table{Computation: "K.1", Features: []selector.Feature{{Name: "length", Unit: "rows"}, {Name: "aspect_ratio"}}}
	for v := range 4 {
		t.Variants = append(t.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: "sequential", Platform: "goroutine", Policy: []selector.Setting{{Name: "unroll_1", Value: fmt.Sprint(v)}}})
	}
	for i := range n {
		length := math.Pow(2, float64((i*7+shift)%20))
		times := []float64{length + 500, 2 * length, math.Inf(1), 5 * length}
		if i%2 == 0 {
			times[3] = math.NaN()
		}
		t.Inputs = append(t.Inputs, fit.Input{Name: fmt.Sprintf("A=<%d>&", i), Features: []float64{length, float64(1 + i%3)}, Times: times, Untrained: i % 2})
	}
	return t
}

func TestHTML(t *testing.T) {
	var judged []*fit.Judgement
	for _, tests := range []int{0, 9} {
		j, err := fit.Learn(table(20, 0), table(tests, 3), [][]string{{"length", "aspect_ratio"}}, fit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		judged = append(judged, j)
	}
	html, err := HTML(Page{Kernel: "K", Platform: "goroutine", Device: "a machine", Seconds: 3, Judged: judged})
	if err != nil {
		t.Fatal(err)
	}
	text := string(html)
	for _, want := range []string{"Decision regions", "data:image/png;base64,", "A=&lt;0&gt;&amp;", "oracle", "unroll_1", "1-nearest neighbour", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if refs := regexp.MustCompile(`(?:src|href)="(?:http|//)[^"]*"|<script|<link|@import`).FindAllString(text, -1); refs != nil {
		t.Errorf("the page is not complete in itself: %v", refs)
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
		t.Error("the page has numbers that are none")
	}
}

func TestLabelsAreWithinThePicture(t *testing.T) {
	j, err := fit.Learn(table(20, 0), table(0, 3), [][]string{{"length", "aspect_ratio"}}, fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j.Classifier.Features[0].Log = false
	j.Classifier.Features[0].High = 13753
	text := string(decisionRegions(j).Picture)
	var width float64
	fmt.Sscanf(regexp.MustCompile(`viewBox="[^"]*"`).FindString(text), `viewBox="0 0 %g`, &width)
	m := regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>13753<`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal("the axis has no label 13753")
	}
	var x float64
	fmt.Sscan(m[1], &x)
	if half := 5 * 7.7 / 2; x+half > width {
		t.Errorf("13753 reaches from the middle at %g beyond the picture's %g", x, width)
	}
}

func TestDistributionReachesTheWorst(t *testing.T) {
	j := compared()
	text := string(distribution(j))
	// The largest regret is at the right end, and half of it is left of that.
	for _, m := range regexp.MustCompile(`<path[^>]*d="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		steps := regexp.MustCompile(`H([0-9.]+) V`).FindAllStringSubmatch(m[1], -1)
		if len(steps) != 2 {
			t.Fatalf("%d steps, want 2", len(steps))
		}
	}
	if untrained := regexp.MustCompile(`H([0-9.]+) V[0-9.]+ H([0-9.]+) V`).FindStringSubmatch(strings.Split(text, `stroke="`+palette[1]+`" stroke-width="1.5"`)[1]); untrained[1] == untrained[2] {
		t.Errorf("regrets of 128 and 165 %% are at the same place: %s", untrained[0])
	}
	if paths := regexp.MustCompile(`<path[^>]*stroke="(#[0-9a-f]+)"`).FindAllStringSubmatch(text, -1); paths[len(paths)-1][1] != palette[0] {
		t.Error("the model's curve is not above the others")
	}
}

// compared is a judgement of two inputs: of one the features cost something, of the other the choice was compared
// again.
func compared() *fit.Judgement {
	nan := math.NaN()
	tab := table(2, 0)
	tab.Variants = tab.Variants[:3]
	tab.Inputs[0].Times, tab.Inputs[0].Costs = []float64{1000, 1100, 2280}, []float64{80, 0}
	tab.Inputs[1].Times, tab.Inputs[1].Duel = []float64{1000, 874, 2313}, []float64{1.2, 1, nan}
	cl := &selector.Classifier{Variants: tab.Variants[:2]}
	j := &fit.Judgement{Classifier: cl, Train: tab, Test: tab, HeldOut: true, Classes: []int{0, 1}}
	for _, name := range []string{fit.ByModel, fit.ByUntrained, fit.BySingle, fit.ByOracle} {
		chosen := map[string][]int{fit.ByModel: {1, 0}, fit.ByUntrained: {2, 2}, fit.BySingle: {0, 1}, fit.ByOracle: {0, 1}}[name]
		m := fit.Method{Name: name, Chosen: chosen}
		for i := range chosen {
			m.Worst = max(m.Worst, j.Regret(&m, i))
		}
		j.Methods = append(j.Methods, m)
	}
	return j
}

// The times of every row explain its regrets, whatever they are computed from.
func TestTimesExplainRegrets(t *testing.T) {
	j := compared()
	rows := inputRows(j)
	for _, r := range rows {
		for _, c := range []cell{r.Chosen, r.Single, r.No} {
			best := r.Best.Time
			if c.Over > 0 {
				best = c.Over
			}
			if got := (c.Time+c.Features)/best - 1; math.Abs(got-c.Regret) > 1e-9 {
				t.Errorf("%s: %g + %g over %g is a regret of %g, but the row says %g", r.Name, c.Time, c.Features, best, got, c.Regret)
			}
		}
	}
	if m := marksOf(rows); m != (marks{true, true, true}) {
		t.Errorf("the notes below the table are %+v", m)
	}
}

// The features that decide are drawn, and not those that come first.
func TestRegionsOfFeaturesThatTell(t *testing.T) {
	svm := &selector.SVM{Gamma: 2, Bias: []float64{0}}
	c := &selector.Classifier{Computation: "K.1", Machine: svm}
	for _, name := range []string{"length", "aspect_ratio", "bins"} {
		c.Features = append(c.Features, selector.Scaling{Name: name, High: 10})
	}
	for _, text := range []string{"1", "4"} {
		v, err := selector.Parse("K.1/nest/independent/goroutine/num_threads=1,unroll_1=" + text)
		if err != nil {
			t.Fatal(err)
		}
		c.Variants = append(c.Variants, v)
	}
	// The first variant where aspect_ratio and bins are both low or both high.
	for _, p := range [][]float64{{0.5, 0, 0}, {0.5, 1, 1}, {0.5, 0, 1}, {0.5, 1, 0}} {
		svm.Support = append(svm.Support, p)
		weight := 1.0
		if p[1] != p[2] {
			weight = -1
		}
		svm.Weights = append(svm.Weights, []float64{weight})
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	var inputs []fit.Input
	for i := range 60 {
		inputs = append(inputs, fit.Input{Features: []float64{float64(i % 10), float64(i * 7 % 11), float64(i * 3 % 8)}})
	}
	if pair := telling(c, inputs); !slices.Equal(pair, []int{1, 2}) {
		t.Errorf("features %v are drawn, want those that decide", pair)
	}
}

func TestShortTablesDoNotScroll(t *testing.T) {
	for _, n := range []int{8, 40} {
		j, err := fit.Learn(table(20, 0), table(n, 3), [][]string{{"length", "aspect_ratio"}}, fit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		html, err := HTML(Page{Judged: []*fit.Judgement{j}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(string(html), `class="scroll"`), n > 30; got != want {
			t.Errorf("a table of %d inputs: scrolls is %t", n, got)
		}
	}
}
