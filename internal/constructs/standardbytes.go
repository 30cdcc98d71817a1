// Standard library

package constructs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
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

// Numbered reads integers.
//
// Construct: strconv: Atoi, ParseInt, ParseUint, ParseBool, and errors.Is of strconv.ErrRange; bytes: TrimSpace, Trim,
// TrimPrefix, Cut; strings.Replace and ReplaceAll
//
//surge:kernel
func Numbered(line []byte, words []string) ([]int, int, error) {
	out := make([]int, len(words))
	large := 0
	for i, w := range words {
		n, err := strconv.Atoi(strings.ReplaceAll(w, "b", "1"))
		if errors.Is(err, strconv.ErrRange) {
			large++
		}
		if err != nil && len(w) < 3 {
			out[i] = -1
		} else if err != nil {
			return nil, i, fmt.Errorf("word %d: %w", i, err)
		}
		out[i] += n
	}
	head, tail, _ := bytes.Cut(bytes.TrimSpace(line), []byte("a"))
	u, _ := strconv.ParseUint(string(bytes.Trim(head, "0")), 0, 16)
	yes, _ := strconv.ParseBool(string(tail))
	if yes {
		large++
	}
	return out, large + int(u), nil
}
