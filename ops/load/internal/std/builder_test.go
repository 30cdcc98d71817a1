package std

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	stdbytes "github.com/surge-ndp/surge/ops/load/internal/std/bytes"
	stdslices "github.com/surge-ndp/surge/ops/load/internal/std/slices"
	stdstrconv "github.com/surge-ndp/surge/ops/load/internal/std/strconv"
	stdstrings "github.com/surge-ndp/surge/ops/load/internal/std/strings"
)

// writer is what builders and buffers have in common.
type writer interface {
	Write([]byte) (int, error)
	WriteByte(byte) error
	WriteRune(rune) (int, error)
	WriteString(string) (int, error)
	Grow(int)
	Len() int
	Reset()
	String() string
}

func TestWriters(t *testing.T) {
	for range 3000 {
		pairs := [][2]writer{{&stdstrings.Builder{}, &strings.Builder{}}, {&stdbytes.Buffer{}, &bytes.Buffer{}}}
		for range rng.IntN(12) {
			what, b, r, s := rng.IntN(7), byte(rng.Uint32()), rune(rng.IntN(0x120000)>>rng.IntN(16))-3, string(text())
			for _, p := range pairs {
				var n [2]int
				for i, w := range p {
					switch what {
					case 0:
						w.WriteByte(b)
					case 1, 2:
						n[i], _ = w.WriteRune(r)
					case 3:
						n[i], _ = w.WriteString(s)
					case 4:
						n[i], _ = w.Write([]byte(s))
					case 5:
						w.Grow(int(b))
					case 6:
						if b < 10 {
							w.Reset()
						}
					}
				}
				if n[0] != n[1] || p[0].Len() != p[1].Len() || p[0].String() != p[1].String() {
					t.Fatalf("%q, not %q, after %d of %#x", p[0], p[1], what, r)
				}
			}
		}
	}
	var got stdbytes.Buffer
	got.WriteString("abcdef")
	got.Truncate(2)
	if string(got.Bytes()) != "ab" {
		t.Errorf("Truncate: %q", got.Bytes())
	}
}

func TestNumbersAsText(t *testing.T) {
	for range 20_000 {
		x, base := rng.Uint64()>>rng.IntN(64), 2+rng.IntN(35)
		if rng.IntN(3) == 0 {
			x = -x
		}
		for name, pair := range map[string][2]string{
			"Itoa":       {stdstrconv.Itoa(int(x)), strconv.Itoa(int(x))},
			"FormatInt":  {stdstrconv.FormatInt(int64(x), base), strconv.FormatInt(int64(x), base)},
			"FormatUint": {stdstrconv.FormatUint(x, base), strconv.FormatUint(x, base)},
			"AppendInt":  {string(stdstrconv.AppendInt([]byte("x"), int64(x), base)), string(strconv.AppendInt([]byte("x"), int64(x), base))},
			"AppendUint": {string(stdstrconv.AppendUint([]byte("x"), x, base)), string(strconv.AppendUint([]byte("x"), x, base))},
			"FormatBool": {stdstrconv.FormatBool(x&1 == 0), strconv.FormatBool(x&1 == 0)},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("%s(%d, %d): %q, not %q", name, x, base, pair[0], pair[1])
			}
		}
	}
}

func TestWholeSlices(t *testing.T) {
	for range 20_000 {
		x := make([]int, rng.IntN(12))
		for i := range x {
			x[i] = rng.IntN(4)
		}
		near := func(a, b int) bool { return a/2 == b/2 }
		drop := func(v int) bool { return v == 2 }
		count := rng.IntN(3)
		for name, pair := range map[string][2]func([]int) []int{
			"Compact":     {stdslices.Compact[[]int], slices.Compact[[]int]},
			"CompactFunc": {func(x []int) []int { return stdslices.CompactFunc(x, near) }, func(x []int) []int { return slices.CompactFunc(x, near) }},
			"DeleteFunc":  {func(x []int) []int { return stdslices.DeleteFunc(x, drop) }, func(x []int) []int { return slices.DeleteFunc(x, drop) }},
			"Repeat":      {func(x []int) []int { return stdslices.Repeat(x, count) }, func(x []int) []int { return slices.Repeat(x, count) }},
		} {
			a, b := slices.Clone(x), slices.Clone(x)
			got, want := pair[0](a), pair[1](b)
			if !slices.Equal(got, want) || !slices.Equal(a, b) {
				t.Fatalf("%s(%v): %v and %v, not %v and %v", name, x, got, a, want, b)
			}
		}
	}
}
