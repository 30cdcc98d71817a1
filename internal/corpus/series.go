// Time series

package corpus

import (
	"math"
	"sort"
)

// Sample is a value at a time in seconds.
type Sample struct {
	At    int64
	Value float64
}

// Resample interpolates a series at even times.
//
//surge:kernel
func Resample(series []Sample, from, step int64, count int) []float64 {
	out := make([]float64, max(count, 0))
	for i := range out {
		t := from + int64(i)*step
		k := sort.Search(len(series), func(j int) bool { return series[j].At >= t })
		switch {
		case len(series) == 0:
			out[i] = math.NaN()
		case k == 0:
			out[i] = series[0].Value
		case k == len(series):
			out[i] = series[k-1].Value
		default:
			a, b := series[k-1], series[k]
			f := float64(t-a.At) / float64(b.At-a.At)
			out[i] = a.Value + f*(b.Value-a.Value)
		}
	}
	return out
}

// Tumbling are sums of windows.
type Tumbling struct {
	Count    int
	Sum      float64
	Min, Max float64
}

func (w *Tumbling) add(v float64) {
	if w.Count == 0 || v < w.Min {
		w.Min = v
	}
	if w.Count == 0 || v > w.Max {
		w.Max = v
	}
	w.Count++
	w.Sum += v
}

// Windows aggregates a series by windows of equal length.
//
//surge:kernel
func Windows(series []Sample, from, width int64, windows int) []Tumbling {
	if width <= 0 || windows <= 0 {
		return nil
	}
	out := make([]Tumbling, windows)
	for _, s := range series {
		w := (s.At - from) / width
		if s.At < from || w >= int64(windows) {
			continue
		}
		out[w].add(s.Value)
	}
	return out
}
