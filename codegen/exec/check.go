package exec

import "math"

// CheckKind is which method of [Site] makes the error of a check that code outside of Go reports, and what the
// numbers mean that come with it.
type CheckKind uint8

// Kinds of checks, with the numbers that they report.
const (
	CheckIndex   CheckKind = iota // position (-1 if unknown), value, limit
	CheckLength                   // want, got
	CheckBounds                   // position, lo, hi, n
	CheckSize                     // x
	CheckNonneg                   // x
	CheckCount                    // n, limit
	CheckFinite                   // the bits of x as a double
	CheckNonzero                  // nothing
	CheckUnique                   // first, last, value
	CheckPanic                    // nothing
)

// Check is a place at which a kernel checks something.
type Check struct {
	Site Site
	Kind CheckKind
}

// Fail returns the error of the check that failed with these numbers.
func (c Check) Fail(a [4]int64) error {
	n := func(i int) int { return int(a[i]) }
	switch c.Kind {
	case CheckIndex:
		return c.Site.Index(n(0), n(1), n(2))
	case CheckLength:
		return c.Site.Length(n(0), n(1))
	case CheckBounds:
		return c.Site.Bounds(n(0), n(1), n(2), n(3))
	case CheckSize:
		return c.Site.Size(n(0))
	case CheckNonneg:
		return c.Site.Nonneg(n(0))
	case CheckCount:
		return c.Site.Count(n(0), n(1))
	case CheckUnique:
		return c.Site.Unique(n(0), n(1), n(2))
	case CheckPanic:
		return c.Site.Panic()
	case CheckFinite:
		return c.Site.Finite(math.Float64frombits(uint64(a[0])))
	default:
		return c.Site.Nonzero()
	}
}
