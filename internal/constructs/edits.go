// Slices

package constructs

import "slices"

// Unlike are the numbers in order, each once, without those that others drive out.
//
// Construct: slices.Insert and slices.Delete of a slice that the function made, in a loop
//
//surge:kernel
func Unlike(x []int32, most uint8) []int32 {
	var s []int32
	for _, v := range x {
		if i, found := slices.BinarySearch(s, v); !found {
			s = slices.Insert(s, i, v)
		}
		if len(s) > int(most)+2 {
			s = slices.Delete(s, 1, 3)
		}
	}
	return s
}

// Piled puts each card somewhere into a pile, and takes one out of it.
//
// Construct: s = append(s[:i], s[i+1:]...) and s = append(s[:i], append([]T{v}, s[i:]...)...)
//
//surge:kernel
func Piled(x []int16) []int16 {
	s := []int16{1, 2, 3}
	for _, v := range x {
		i := int(uint16(v)) % (len(s) + 1)
		s = append(s[:i], append([]int16{v}, s[i:]...)...)
		if v%3 == 0 {
			s = append(s[:i], s[i+1:]...)
		}
	}
	return s
}

func withoutAt(s []int, i int) []int {
	return append(s[:i], s[i+1:]...)
}

func withDigits(s []int, v int) []int {
	for v > 9 {
		s = append(s, v%10)
		v /= 10
	}
	return append(s, v)
}

// DigitsLeft lists the digits of the numbers, without the first one that was there before each negative number.
//
// Construct: s = f(s, x), where f appends to its parameter or takes elements out, under conditions, and returns it
//
//surge:kernel
func DigitsLeft(x []int16) []int {
	s := []int{0}
	for _, v := range x {
		if v < 0 && len(s) > 0 {
			s = withoutAt(s, 0)
		}
		s = withDigits(s, max(int(v), -int(v)))
	}
	return s
}

// WindowMaxima are the greatest elements of all neighbours, so many each, where negative numbers part the neighbours.
//
// Construct: a slice that grows and shrinks at both ends: s[len(s)-1], s = s[1:], s = s[:0], range over it
//
//surge:kernel
func WindowMaxima(x []int32, width uint8) []int32 {
	type entry struct {
		value int32
		at    int
	}
	w := int(width)%5 + 1
	var window []entry
	out := []int32{}
	for i, v := range x {
		if v < 0 {
			window = window[:0]
			continue
		}
		for len(window) > 0 && window[len(window)-1].value <= v {
			window = window[:len(window)-1]
		}
		window = append(window, entry{v, i})
		for window[0].at <= i-w {
			window = window[1:]
		}
		for _, e := range window {
			if e.at == i {
				out = append(out, window[0].value)
			}
		}
	}
	return out
}

// MovingSums are the sums of the last numbers.
//
// Construct: s = append(s[1:], v)
//
//surge:kernel
func MovingSums(x []int32) []int32 {
	last := make([]int32, 0, 4)
	out := make([]int32, 0, len(x))
	for _, v := range x {
		if len(last) == 3 {
			last = append(last[1:], v)
		} else {
			last = append(last, v)
		}
		sum := int32(0)
		for _, u := range last {
			sum += u
		}
		out = append(out, sum)
	}
	return out
}

// Offer is a price, and how many are offered.
type Offer struct{ Price, Amount int32 }

type offers struct{ list []Offer }

func (o *offers) add(x Offer) {
	i := 0
	for i < len(o.list) && o.list[i].Price <= x.Price {
		i++
	}
	o.list = slices.Insert(o.list, i, x)
}

// Bought is what each buyer pays.
//
// Construct: insertions into a field that is cut at its beginning: b.s = slices.Insert(b.s, i, v), b.s = b.s[1:]
// Without: opencl
//
//surge:kernel
func Bought(x []Offer) []int32 {
	var o offers
	out := make([]int32, len(x))
	for i, v := range x {
		if v.Amount >= 0 {
			o.add(v)
			continue
		}
		for want := v.Amount; want < 0 && len(o.list) > 0; {
			got := min(-max(want, -1000), o.list[0].Amount)
			out[i] += got * o.list[0].Price
			want += got
			o.list[0].Amount -= got
			if o.list[0].Amount == 0 || got == 0 {
				o.list = o.list[1:]
			}
		}
	}
	return out
}

// bitList is bytes with a last one that is not full.
type bitList struct {
	bytes []byte
	last  uint32
	n     uint
}

func (b *bitList) write(x uint32, n uint) {
	b.last |= x << b.n
	b.n += n
	for b.n >= 8 {
		b.bytes = append(b.bytes, byte(b.last))
		b.last >>= 8
		b.n -= 8
	}
}

func (b *bitList) finish() []byte {
	if b.n > 0 {
		b.bytes = append(b.bytes, byte(b.last))
	}
	return b.bytes
}

// Packed are numbers, one behind the other, in as many bits as they need and the number of these.
//
// Construct: append to a field in loops, and behind them under a condition, by methods with a pointer receiver
//
//surge:kernel
func Packed(x []uint16) []byte {
	b := &bitList{}
	if len(x) == 0 {
		return nil
	}
	for _, v := range x {
		n := uint(0)
		for v>>n != 0 {
			n++
		}
		b.write(uint32(n), 5)
		b.write(uint32(v), n)
	}
	return b.finish()
}

// Surrounded sums the rows between edges, each number times its place.
//
// Construct: slices.Concat of several slices
//
//surge:kernel
func Surrounded(rows [][]float64, left, right []float64) []float64 {
	sums := make([]float64, len(rows))
	for i, row := range rows {
		for j, x := range slices.Concat(left, row, right) {
			sums[i] += float64(j+1) * x
		}
	}
	return sums
}

// Rearranged are the numbers with others in the middle, and with others in place of the first ones.
//
// Construct: slices.Insert and slices.Replace of a slice that slices.Clone or slices.Concat makes
//
//surge:kernel
func Rearranged(x, y []int32) (within, instead []int32) {
	within = slices.Insert(slices.Clone(x), len(x)/2, y...)
	instead = slices.Replace(slices.Concat(x, y), 0, len(x)/3, 7, 8)
	return within, instead
}
