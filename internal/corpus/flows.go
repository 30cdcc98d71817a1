// Flow statistics

package corpus

import (
	"cmp"
	"slices"
)

// FlowKey identifies a flow.
type FlowKey struct {
	Src, Dst uint32
	Port     uint16
}

// Packet is a packet of a trace.
type Packet struct {
	Key   FlowKey
	Bytes int
	At    float64
}

// FlowStats are what is known of a flow.
type FlowStats struct {
	Key            FlowKey
	Packets, Bytes int
	First, Last    float64
}

// Flows groups packets by flow, the greatest flows first.
//
//surge:kernel
func Flows(trace []Packet) []FlowStats {
	index := map[FlowKey]int{}
	var flows []FlowStats
	for _, p := range trace {
		i, ok := index[p.Key]
		if !ok {
			i = len(flows)
			index[p.Key] = i
			flows = append(flows, FlowStats{Key: p.Key, First: p.At})
		}
		flows[i].Packets++
		flows[i].Bytes += p.Bytes
		flows[i].Last = p.At
	}
	slices.SortStableFunc(flows, func(a, b FlowStats) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return flows
}

// Rates are bytes a second in buckets of time, by an exponential mean.
//
//surge:kernel
func Rates(trace []Packet, bucket float64, n int, alpha float64) []float64 {
	bytes := make([]int, n)
	for _, p := range trace {
		if b := int(p.At / bucket); b >= 0 && b < n {
			bytes[b] += p.Bytes
		}
	}
	rates := make([]float64, n)
	mean := 0.0
	for i, b := range bytes {
		mean += alpha * (float64(b)/bucket - mean)
		rates[i] = mean
	}
	return rates
}
