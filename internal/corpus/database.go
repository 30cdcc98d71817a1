// Databases

package corpus

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/surge-ndp/surge/ops"
)

// Date counts days.
type Date int32

// Before tells whether d is earlier.
func (d Date) Before(e Date) bool { return d < e }

// LineItem is a line of an order.
type LineItem struct {
	Shipped         Date
	Quantity        int32
	Price, Discount float64
}

// Revenue is what discounts in a period cost (query 6 of TPC-H).
//
//surge:kernel
func Revenue(lines []LineItem, from, to Date) float64 {
	hits := ops.Filter(func(l LineItem) bool {
		return !l.Shipped.Before(from) && l.Shipped.Before(to) && l.Discount >= 0.05 && l.Discount <= 0.07 && l.Quantity < 24
	}, lines)
	return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(l LineItem) float64 { return l.Price * l.Discount }, hits), 0)
}

// UserID is a user.
type UserID int64

// Cents is an amount of money.
type Cents int64

// Balances sums the payments of each user.
//
//surge:kernel
func Balances(users []UserID, amounts []Cents) ([]UserID, []Cents) {
	u, a := ops.SortByKey(users, amounts)
	return ops.ReduceByKey(func(x, y Cents) Cents { return x + y }, a, u, 0)
}

// Bloom is a filter that knows keys, with few errors.
type Bloom struct {
	Bits   []uint64
	Hashes int
}

func mix64(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Has tells whether the filter may know a key.
func (b *Bloom) Has(key uint64) bool {
	h := mix64(key)
	step := h>>32 | 1
	for range b.Hashes {
		bit := h % uint64(64*len(b.Bits))
		if b.Bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
		h += step
	}
	return true
}

// Candidates are the keys that a filter may know.
//
//surge:kernel
func Candidates(filter Bloom, keys []uint64) []uint64 {
	return ops.Filter(func(k uint64) bool { return filter.Has(k) }, keys)
}

// Lookup finds where keys are in a sorted index, -1 for those that are not.
//
//surge:kernel
func Lookup(index, keys []int64) []int {
	return ops.Map(func(key int64) int {
		i := sort.Search(len(index), func(i int) bool { return index[i] >= key })
		if i < len(index) && index[i] == key {
			return i
		}
		return -1
	}, keys)
}

// quantile is the value below which a share of sorted values lies.
func quantile[T cmp.Ordered](sorted []T, share float64) T {
	i := int(share * float64(len(sorted)))
	return sorted[min(i, len(sorted)-1)]
}

// Latencies are the median and the 99th percentile of the latencies of each service, zero for one without calls.
//
//surge:kernel
func Latencies(services [][]time.Duration) (median, p99 []time.Duration) {
	sorted := ops.Map(func(calls []time.Duration) []time.Duration {
		own := slices.Clone(calls)
		slices.Sort(own)
		return own
	}, services)
	at := func(share float64) []time.Duration {
		return ops.Map(func(s []time.Duration) time.Duration {
			if len(s) == 0 {
				return 0
			}
			return quantile(s, share)
		}, sorted)
	}
	return at(0.5), at(0.99)
}

// Unzigzag decodes a column that was stored as the differences of its values, each with its sign in the lowest bit.
//
//surge:kernel
func Unzigzag(first int64, column []uint32) []int64 {
	deltas := ops.Map(func(z uint32) int64 { return int64(z>>1) ^ -int64(z&1) }, column)
	sums := ops.InclusiveScan(func(a, b int64) int64 { return a + b }, deltas, 0)
	return ops.Map(func(s int64) int64 { return first + s }, sums)
}
