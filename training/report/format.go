package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

func percent(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
}

// uncertain is a regret with its standard error, if that is known.
func uncertain(x, e float64) string {
	if !(e > 0) || math.IsInf(e, 0) {
		return percent(x)
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " ± " + percent(e)
}

func elapsed(ns float64) string {
	switch {
	case math.IsNaN(ns):
		return "–"
	case math.IsInf(ns, 0):
		return "failed"
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	}
	return fmt.Sprintf("%.3g s", ns/1e9)
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// short is a variant without what all of a computation have in common.
func short(v selector.Variant) string {
	var sb strings.Builder
	sb.WriteString(v.Schedule)
	for _, s := range v.Policy {
		if param.EnableNesting.Is(s) && !param.EnableNesting.Value(s) {
			continue
		}
		sb.WriteString(" " + s.Name + "=" + s.Value)
	}
	return sb.String()
}
