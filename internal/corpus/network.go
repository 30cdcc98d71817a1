// Networks

package corpus

import (
	"hash/crc32"
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Checksums are the checksums of internet headers.
//
//surge:kernel
func Checksums(headers [][]byte) []uint16 {
	return ops.Map(func(h []byte) uint16 {
		var sum uint32
		for i := 0; i+1 < len(h); i += 2 {
			sum += uint32(h[i])<<8 | uint32(h[i+1])
		}
		if len(h)%2 == 1 {
			sum += uint32(h[len(h)-1]) << 8
		}
		for sum > 0xffff {
			sum = sum>>16 + sum&0xffff
		}
		return ^uint16(sum)
	}, headers)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FrameSums are the cyclic redundancy checks of frames.
//
//surge:kernel
func FrameSums(frames [][]byte) []uint32 {
	return ops.Map(func(frame []byte) uint32 {
		crc := ^uint32(0)
		for _, b := range frame {
			crc = castagnoli[byte(crc)^b] ^ crc>>8
		}
		return ^crc
	}, frames)
}

// IPv4 is an address.
type IPv4 uint32

// Prefix is a network.
type Prefix struct {
	Addr   IPv4
	Length uint8
	Hop    int32
}

// Contains tells whether an address belongs to the network.
func (p Prefix) Contains(a IPv4) bool { return (a^p.Addr)>>(32-p.Length) == 0 }

// Route finds the next hop of each address: that of the longest prefix, -1 if there is none.
//
//surge:kernel
func Route(table []Prefix, addrs []IPv4) []int32 {
	return ops.Map(func(a IPv4) int32 {
		hop, longest := int32(-1), -1
		for _, p := range table {
			if p.Contains(a) && int(p.Length) > longest {
				hop, longest = p.Hop, int(p.Length)
			}
		}
		return hop
	}, addrs)
}

// parseIPv4 reads an address such as 192.0.2.1.
func parseIPv4(s string) (IPv4, bool) {
	var addr IPv4
	part, digits, dots := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			part = part*10 + int(c-'0')
			digits++
			if digits > 3 || part > 255 {
				return 0, false
			}
		case c == '.':
			if digits == 0 {
				return 0, false
			}
			addr = addr<<8 | IPv4(part)
			part, digits = 0, 0
			dots++
		default:
			return 0, false
		}
	}
	if digits == 0 || dots != 3 {
		return 0, false
	}
	return addr<<8 | IPv4(part), true
}

// ParseAddresses reads addresses; those that are none become zero, and are counted.
//
//surge:kernel
func ParseAddresses(lines []string) (addrs []IPv4, bad int) {
	addrs = ops.Map(func(line string) IPv4 {
		a, ok := parseIPv4(line)
		if !ok {
			return 0
		}
		return a
	}, lines)
	bad = ops.Reduce(func(a, b int) int { return a + b }, ops.Map(func(a IPv4) int {
		if a == 0 {
			return 1
		}
		return 0
	}, addrs), 0)
	return addrs, bad
}

// Graph is a graph of links: those into node i are Sources[Offsets[i]:Offsets[i+1]].
type Graph struct {
	Offsets, Sources []int32
	OutDegree        []int32
}

// Nodes is the number of nodes.
func (g Graph) Nodes() int { return len(g.Offsets) - 1 }

// PageRank ranks the nodes of a graph, until ranks change by less than eps.
//
//surge:kernel
func PageRank(g Graph, damping, eps float64) []float64 {
	n := g.Nodes()
	rank := ops.Replicate(1/float64(n), n)
	for range 100 {
		next := ops.Map(func(in []int32) float64 {
			sum := 0.0
			for _, s := range in {
				sum += rank[s] / float64(g.OutDegree[s])
			}
			return (1-damping)/float64(n) + damping*sum
		}, ops.Nest(g.Sources, g.Offsets))
		change := ops.Reduce(math.Max, ops.Map2(func(a, b float64) float64 { return math.Abs(a - b) }, next, rank), 0)
		rank = next
		if change < eps {
			break
		}
	}
	return rank
}
