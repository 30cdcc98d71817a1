// Standard library

package constructs

import (
	"encoding/binary"
	"slices"
	"sort"
)

// Groups sums up amounts by key.
//
// Construct: sort.SliceStable, slices.Compact, CompactFunc, DeleteFunc and Repeat
//
//surge:kernel
func Groups(keys []int8, amounts []int32) ([]int8, []int32, []int8) {
	order := make([]int, min(len(keys), len(amounts)))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return keys[order[a]]/8 < keys[order[b]]/8 })
	of := make([]int8, len(order))
	sums := make([]int32, len(order))
	for i, at := range order {
		of[i] = keys[at] / 8
		sums[i] = amounts[at]
	}
	of = slices.Compact(of)
	sums = slices.DeleteFunc(sums, func(v int32) bool { return v < 0 })
	return of, sums, slices.Repeat(of, 2)
}

// Frames reads and writes numbers of several bytes.
//
// Construct: encoding/binary: LittleEndian and BigEndian; methods of structs without fields
//
//surge:kernel
func Frames(p []byte) ([]uint32, []byte) {
	var out []uint32
	for i := 0; i+8 <= len(p); i += 2 {
		out = append(out, binary.BigEndian.Uint32(p[i:])^uint32(binary.LittleEndian.Uint64(p[i:])>>20)+uint32(binary.LittleEndian.Uint16(p[i+1:])))
	}
	q := make([]byte, 0, 6*len(out))
	for _, v := range out {
		q = binary.LittleEndian.AppendUint32(q, v)
		q = binary.BigEndian.AppendUint16(q, uint16(v))
	}
	return out, q
}
