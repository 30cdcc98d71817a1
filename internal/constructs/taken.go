// Slices

package constructs

import (
	"cmp"
	"slices"
	"sort"

	"github.com/surge-ndp/surge/ops"
)

// AuctionOrder is an order of an auction.
type AuctionOrder struct {
	Price int32
	Qty   uint8
}

// Auctioned matches the highest bids with the lowest ones, and says what is left of each that is not sold in whole.
//
// Construct: slices that are filled and sorted, and then taken from the beginning: bids[0].Qty -= q, bids = bids[1:]
//
//surge:kernel
func Auctioned(orders []AuctionOrder) (prices []int32, left int) {
	var bids, asks []AuctionOrder
	for _, o := range orders {
		if o.Price%2 == 0 {
			bids = append(bids, o)
		} else {
			asks = append(asks, o)
		}
	}
	sort.SliceStable(bids, func(i, j int) bool { return bids[i].Price > bids[j].Price })
	sort.SliceStable(asks, func(i, j int) bool { return asks[i].Price < asks[j].Price })
	for len(bids) > 0 && len(asks) > 0 && bids[0].Price >= asks[0].Price {
		q := min(bids[0].Qty, asks[0].Qty)
		bids[0].Qty -= q
		asks[0].Qty -= q
		prices = append(prices, asks[0].Price)
		if bids[0].Qty == 0 {
			bids = bids[1:]
		}
		if asks[0].Qty == 0 {
			asks = asks[1:]
		}
	}
	for _, b := range bids {
		left += int(b.Qty)
	}
	return prices, left + 1000*len(asks)
}

// Span is half open.
type Span struct{ From, To int16 }

// Spliced merges spans that overlap.
//
// Construct: merged := s[:1], and appends to it while a loop ranges over s[1:], also under the name of its last element
//
//surge:kernel
func Spliced(in []Span) []Span {
	if len(in) == 0 {
		return nil
	}
	s := append([]Span{}, in...)
	slices.SortFunc(s, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	merged := s[:1]
	for _, next := range s[1:] {
		if last := &merged[len(merged)-1]; next.From <= last.To {
			last.To = max(last.To, next.To)
		} else {
			merged = append(merged, next)
		}
	}
	return merged
}

// Peeled keeps what is no smaller than what follows.
//
// Construct: kept := s[:0], and append to kept while a loop ranges over s: a slice that is filtered in place
//
//surge:kernel
func Peeled(x []int16) []int16 {
	s := slices.Clone(x)
	s = append(s, 7, 8)
	kept := s[:0]
	for _, v := range s {
		for len(kept) > 0 && kept[len(kept)-1] < v {
			kept = kept[:len(kept)-1]
		}
		if v%5 != 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// Dwindled halves numbers, and drops those that are small, in turns.
//
// Construct: a sequence that has another length after a turn of a loop: it is run once more, as plain Go
//
//surge:kernel
func Dwindled(x []int32, turns uint8) []int32 {
	for range turns % 4 {
		x = ops.Filter(func(v int32) bool { return v > 4 || v < -4 }, ops.Map(func(v int32) int32 { return v - v/3 }, x))
	}
	return x
}

var pairsOf = [8][]int32{1: {3, 0}, 2: {0, 1}, 3: {3, 1, 1, 2}, 5: {3, 0, 1, 2, 2, 2}}

// Paired adds up products of pairs.
//
// Construct: a slice that what ends a turn cuts: for s := rows[k]; len(s) > 0; s = s[2:]
//
//surge:kernel
func Paired(xs []int32) []int32 {
	out := make([]int32, len(xs))
	for i, x := range xs {
		for s := pairsOf[x&7]; len(s) > 1; s = s[2:] {
			out[i] += s[0]*x + s[1]
		}
	}
	return out
}
