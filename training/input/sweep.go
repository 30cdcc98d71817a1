package input

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sweepRange is LOW..HIGH in an argument of a generator or in a binding: 1e3..1e6, 1<<10..1<<20, 0.5..2.
var sweepRange = regexp.MustCompile(`([0-9][\w<*.]*?)\.\.([0-9][\w<*]*(?:\.[0-9]\w*)?)`)

// IsSweep reports whether a generator's spec or a binding expression has a range in it, LOW..HIGH.
func IsSweep(text string) bool { return sweepRange.MatchString(text) }

// Sweep replaces the ranges in texts by values, n times: result[i] are the texts of sample i. The samples are the
// same every time, and spread evenly over all ranges together (a Halton sequence, one dimension a range). A range
// whose ends differ by a factor of 20 or more is sampled by its logarithm; where both ends are integers, so are the
// values. Two sets of samples for different phases, any numbers, have no sample in common as long as ranges are not
// small sets of integers. Texts without ranges give one sample. first is how many samples of other texts came before,
// of the same phase: these go on where those ended, so that no two inputs of different kinds have the same sizes.
func Sweep(texts []string, n, phase, first int) ([][]string, error) {
	var ranges []sweepBounds
	for _, text := range texts {
		for _, m := range sweepRange.FindAllStringSubmatch(text, -1) {
			var b sweepBounds
			for i, end := range []*float64{&b.low, &b.high} {
				v, err := evalScalar(m[i+1])
				if err != nil {
					return nil, err
				}
				*end = v.Float64(0)
			}
			if !(b.low <= b.high) {
				return nil, &Error{File: text, What: fmt.Sprintf("the range %s is empty", m[0]), Code: "bad-range", Why: "its low end is above its high one", Do: "write LOW..HIGH"}
			}
			ranges = append(ranges, b)
		}
	}
	if len(ranges) == 0 {
		return [][]string{slices.Clone(texts)}, nil
	}
	if len(ranges) > len(primes) {
		return nil, &Error{File: strings.Join(texts, " "), What: fmt.Sprintf("%d ranges", len(ranges)), Code: "bad-range", Why: fmt.Sprintf("at most %d can be sampled together", len(primes)), Do: "fix some of them"}
	}
	samples := make([][]string, n)
	for i := range samples {
		at := 0
		for _, text := range texts {
			samples[i] = append(samples[i], sweepRange.ReplaceAllStringFunc(text, func(string) string {
				b := ranges[at]
				u := halton(first+i+1, primes[at]) + float64(phase)*(math.Sqrt(float64(primes[at]))-1)
				at++
				return b.value(u - math.Floor(u))
			}))
		}
	}
	return samples, nil
}

var primes = []int{2, 3, 5, 7, 11, 13}

// halton is element i of the van der Corput sequence in a base: evenly spread numbers in (0, 1).
func halton(i, base int) float64 {
	x, f := 0.0, 1.0
	for ; i > 0; i /= base {
		f /= float64(base)
		x += f * float64(i%base)
	}
	return x
}

// sweepBounds are the ends of a range.
type sweepBounds struct{ low, high float64 }

// value is the point at u in [0, 1).
func (b sweepBounds) value(u float64) string {
	x := b.low + u*(b.high-b.low)
	if b.low > 0 && b.high/b.low >= 20 {
		x = b.low * math.Pow(b.high/b.low, u)
	}
	if b.low == math.Trunc(b.low) && b.high == math.Trunc(b.high) && b.high > 1 {
		// Both ends occur.
		return strconv.FormatFloat(min(math.Floor(x+0.5), b.high), 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Match lists the files that a pattern means, in order: those of a glob, those of a directory that have a known format,
// or the file itself. It is an error if there are none. Relative patterns start from dir.
func Match(pattern, dir string) ([]string, error) {
	at := pattern
	if dir != "" && !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	if info, err := os.Stat(at); err == nil {
		if !info.IsDir() {
			return []string{at}, nil
		}
		at = filepath.Join(at, "*")
	} else if !strings.ContainsAny(at, "*?[") {
		return []string{at}, nil // Open says what is wrong
	}
	found, err := filepath.Glob(at)
	if err != nil {
		return nil, &Error{File: pattern, What: "the pattern cannot be read: " + err.Error(), Code: "bad-pattern", Why: "* ? and [a-z] have a meaning in it", Do: "correct it"}
	}
	found = slices.DeleteFunc(found, func(path string) bool {
		ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
		info, err := os.Stat(path)
		return err != nil || info.IsDir() || !slices.Contains(fileFormats, ext)
	})
	if len(found) == 0 {
		return nil, &Error{File: pattern, What: "no inputs match", Code: "no-inputs", Why: "there is no file of a known format (" + strings.Join(fileFormats, ", ") + ", or with .gz behind) by that pattern",
			Do: "check the path; quote the pattern, so that the shell leaves it alone"}
	}
	slices.Sort(found)
	return found, nil
}
