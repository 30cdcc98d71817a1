package std

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode"

	stdbytes "github.com/surge-ndp/surge/ops/load/internal/std/bytes"
	stdstrconv "github.com/surge-ndp/surge/ops/load/internal/std/strconv"
	stdstrings "github.com/surge-ndp/surge/ops/load/internal/std/strings"
)

func TestParse(t *testing.T) {
	same := func(what string, a, b any, got, want error) {
		t.Helper()
		if a != b || (got == nil) != (want == nil) || errors.Is(got, strconv.ErrSyntax) != errors.Is(want, strconv.ErrSyntax) || errors.Is(got, strconv.ErrRange) != errors.Is(want, strconv.ErrRange) {
			t.Fatalf("%s: %v, %v, not %v, %v", what, a, got, b, want)
		}
	}
	for range 200_000 {
		base, size := []int{0, 0, 10, 10, 2, 16, 36, 1, 37, -1, 8}[rng.IntN(11)], []int{0, 64, 64, 8, 32, 16, 63, 65, -1}[rng.IntN(9)]
		var s string
		switch rng.IntN(3) {
		case 0:
			s = strconv.FormatUint(rng.Uint64()>>rng.IntN(64), min(max(base, 2), 36))
		case 1:
			for range rng.IntN(24) {
				s += string("0123456789_xXbBoOaAfFzZ+-. "[rng.IntN(27)])
			}
		case 2:
			s = []string{"", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "0x", "0b", "0_1", "0x_1f", "1__0"}[rng.IntN(10)]
		}
		s = []string{"", "", "-", "+"}[rng.IntN(4)] + s
		a, got := stdstrconv.Atoi(s)
		b, want := strconv.Atoi(s)
		same("Atoi "+s, a, b, got, want)
		c, got := stdstrconv.ParseInt(s, base, size)
		d, want := strconv.ParseInt(s, base, size)
		same("ParseInt "+s, c, d, got, want)
		e, got := stdstrconv.ParseUint(s, base, size)
		f, want := strconv.ParseUint(s, base, size)
		same("ParseUint "+s, e, f, got, want)
		g, got := stdstrconv.ParseBool(s)
		h, want := strconv.ParseBool(s)
		same("ParseBool "+s, g, h, got, want)
	}
	for _, s := range []string{"t", "True", "FALSE", "tRUE"} {
		a, got := stdstrconv.ParseBool(s)
		b, want := strconv.ParseBool(s)
		same(s, a, b, got, want)
	}
}

func TestTrimBytes(t *testing.T) {
	for range 50_000 {
		s, set, sep := text(), string(text()), text()
		if rng.IntN(2) == 0 {
			s = append([]byte(" \t\u0085"), append(s, " \n\u00a0"...)...)
		}
		if rng.IntN(3) == 0 && len(s) > 1 {
			at := rng.IntN(len(s))
			sep = s[at : at+rng.IntN(len(s)-at)]
		}
		for name, pair := range map[string][2][]byte{
			"TrimSpace":  {stdbytes.TrimSpace(s), bytes.TrimSpace(s)},
			"Trim":       {stdbytes.Trim(s, set), bytes.Trim(s, set)},
			"TrimLeft":   {stdbytes.TrimLeft(s, set), bytes.TrimLeft(s, set)},
			"TrimRight":  {stdbytes.TrimRight(s, set), bytes.TrimRight(s, set)},
			"TrimFunc":   {stdbytes.TrimFunc(s, unicode.IsSpace), bytes.TrimFunc(s, unicode.IsSpace)},
			"TrimPrefix": {stdbytes.TrimPrefix(s, sep), bytes.TrimPrefix(s, sep)},
			"TrimSuffix": {stdbytes.TrimSuffix(s, sep), bytes.TrimSuffix(s, sep)},
		} {
			if !bytes.Equal(pair[0], pair[1]) {
				t.Fatalf("%s(%q, %q, %q): %q, not %q", name, s, set, sep, pair[0], pair[1])
			}
		}
		a, b, ok := stdbytes.Cut(s, sep)
		if wa, wb, wok := bytes.Cut(s, sep); !bytes.Equal(a, wa) || !bytes.Equal(b, wb) || ok != wok {
			t.Fatalf("Cut(%q, %q): %q, %q, %v", s, sep, a, b, ok)
		}
		n := rng.IntN(4) - 1
		if got, want := stdstrings.Replace(string(s), string(sep), set, n), strings.Replace(string(s), string(sep), set, n); got != want {
			t.Fatalf("Replace(%q, %q, %q, %d): %q, not %q", s, sep, set, n, got, want)
		}
	}
}
