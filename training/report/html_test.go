package report

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// table has two kinds of inputs, each with a variant that suits it, one that fails and one that was not always measured.
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
		j, err := fit.Learn(table(20, 0), table(tests, 3), [][]string{{"length", "aspect_ratio"}}, false)
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
