// Package time is what package time does with durations.
package time

// Duration is a number of nanoseconds.
type Duration int64

const (
	microsecond = 1000
	millisecond = 1000 * microsecond
	second      = 1000 * millisecond
	minute      = 60 * second
	hour        = 60 * minute

	longest  = 1<<63 - 1
	shortest = -1 << 63
)

// Nanoseconds returns d as nanoseconds.
func (d Duration) Nanoseconds() int64 { return int64(d) }

// Microseconds returns d as whole microseconds.
func (d Duration) Microseconds() int64 { return int64(d) / microsecond }

// Milliseconds returns d as whole milliseconds.
func (d Duration) Milliseconds() int64 { return int64(d) / millisecond }

// Seconds returns d as seconds.
func (d Duration) Seconds() float64 { return float64(d/second) + float64(d%second)/1e9 }

// Minutes returns d as minutes.
func (d Duration) Minutes() float64 { return float64(d/minute) + float64(d%minute)/(60*1e9) }

// Hours returns d as hours.
func (d Duration) Hours() float64 { return float64(d/hour) + float64(d%hour)/(60*60*1e9) }

// Abs returns d without its sign, and the longest duration for the shortest.
func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case d == shortest:
		return longest
	}
	return -d
}

// Truncate rounds d toward zero to a multiple of m, if m is positive.
func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

// Round rounds d to the next multiple of m, half away from zero, if m is positive.
func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	r := d % m
	if d < 0 {
		r = -r
		if uint64(r)+uint64(r) < uint64(m) {
			return d + r
		}
		if rounded := d - m + r; rounded < d {
			return rounded
		}
		return shortest
	}
	if uint64(r)+uint64(r) < uint64(m) {
		return d - r
	}
	if rounded := d + m - r; rounded > d {
		return rounded
	}
	return longest
}
