package fuse

import (
	"cmp"
	"slices"
)

// Size is a number that says how large an input is.
type Size struct {
	// Param is the parameter of the kernel by number: a whole number counts by its value, a sequence by its length. With
	// AllInputs it is the length of all sequences together.
	Param int
	// Total says that it is how many elements the rows of a sequence of sequences have together.
	Total bool
}

// AllInputs stands for the parameters that are sequences, all of them together.
const AllInputs = -1

// Term is a part of a bound: a number times the product of sizes.
type Term struct {
	Factor float64
	Sizes  []Size // in order; one that counts twice stands there twice
}

// bound is a sum of terms; nil where nothing is known, and empty for none.
type bound []Term

// maxSizes is how many sizes a term of use multiplies at most: even few elements are many operations then.
const maxSizes = 6

// exactly is a bound that is a number.
func exactly(k float64) bound {
	if k <= 0 {
		return bound{}
	}
	return bound{{Factor: k}}
}

// sizeOf is a bound that is a size.
func sizeOf(s Size) bound { return bound{{1, []Size{s}}} }

func compareSizes(a, b Size) int {
	if c := cmp.Compare(a.Param, b.Param); c != 0 || a.Total == b.Total {
		return c
	}
	if a.Total {
		return 1
	}
	return -1
}

// merge combines two bounds term by term.
func (b bound) merge(other bound, combine func(x, y float64) float64) bound {
	if b == nil || other == nil {
		return nil
	}
	sum := slices.Clone(b)
	for _, t := range other {
		if i := slices.IndexFunc(sum, func(s Term) bool { return slices.Equal(s.Sizes, t.Sizes) }); i >= 0 {
			sum[i].Factor = combine(sum[i].Factor, t.Factor)
		} else {
			sum = append(sum, t)
		}
	}
	slices.SortStableFunc(sum, func(x, y Term) int {
		return cmp.Or(cmp.Compare(len(x.Sizes), len(y.Sizes)), slices.CompareFunc(x.Sizes, y.Sizes, compareSizes))
	})
	return sum
}

func (b bound) plus(other bound) bound {
	return b.merge(other, func(x, y float64) float64 { return x + y })
}

// most bounds the larger one of two.
func (b bound) most(other bound) bound {
	return b.merge(other, func(x, y float64) float64 { return max(x, y) })
}

// least bounds the lesser one of two.
func (b bound) least(other bound) bound {
	if b == nil || other != nil && len(other) == 0 {
		return other
	}
	return b
}

func (b bound) scaled(k float64) bound { return b.times(exactly(k)) }

func (b bound) times(other bound) bound {
	if b == nil || other == nil {
		return nil
	}
	product := bound{}
	for _, x := range b {
		for _, y := range other {
			if len(x.Sizes)+len(y.Sizes) > maxSizes {
				return nil
			}
			sizes := slices.Concat(x.Sizes, y.Sizes)
			slices.SortFunc(sizes, compareSizes)
			product = product.plus(bound{{x.Factor * y.Factor, sizes}})
		}
	}
	return product
}
