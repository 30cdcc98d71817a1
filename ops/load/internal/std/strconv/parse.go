package strconv

import (
	"fmt"
	real "strconv"
)

// What is wrong with a text.
const (
	fine = iota
	syntax
	overflow
	other
)

// failure is the error that says what is wrong with s. Which it is, is what compiled code says; the kernel itself makes
// it, as plain Go.
func failure(s string, what int) error {
	switch what {
	case fine:
		return nil
	case syntax:
		return fmt.Errorf("%q: %w", s, real.ErrSyntax)
	case overflow:
		return fmt.Errorf("%q: %w", s, real.ErrRange)
	}
	return fmt.Errorf("%q", s)
}

// Atoi reads a decimal int.
func Atoi(s string) (int, error) {
	n, what := signed(s, 10, 0)
	return int(n), failure(s, what)
}

// ParseInt reads an integer of the base.
func ParseInt(s string, base int, bitSize int) (int64, error) {
	n, what := signed(s, base, bitSize)
	return n, failure(s, what)
}

// ParseUint reads an integer of the base without a sign.
func ParseUint(s string, base int, bitSize int) (uint64, error) {
	n, what := unsigned(s, 0, base, bitSize)
	return n, failure(s, what)
}

// ParseBool reads a bool.
func ParseBool(s string) (bool, error) {
	switch s {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, failure(s, syntax)
}

func signed(s string, base, bitSize int) (int64, int) {
	if len(s) == 0 {
		return 0, syntax
	}
	from := 0
	if s[0] == '+' || s[0] == '-' {
		from = 1
	}
	n, what := unsigned(s, from, base, bitSize)
	if what == syntax || what == other {
		return 0, what
	}
	if bitSize == 0 {
		bitSize = 64
	}
	least := uint64(1) << uint(bitSize-1)
	switch negative := s[0] == '-'; {
	case !negative && n >= least:
		return int64(least - 1), overflow
	case negative && n > least:
		return -int64(least), overflow
	case negative:
		return -int64(n), fine
	}
	return int64(n), fine
}

// unsigned reads what is in s from a place on.
func unsigned(s string, from, base, bitSize int) (uint64, int) {
	if from == len(s) {
		return 0, syntax
	}
	at := from
	guess := base == 0
	switch {
	case 2 <= base && base <= 36:
	case base == 0:
		base = 10
		if s[at] == '0' {
			base = 8
			at++
			if len(s) >= from+3 {
				switch s[at] | 0x20 {
				case 'b':
					base = 2
					at++
				case 'o':
					at++
				case 'x':
					base = 16
					at++
				}
			}
		}
	default:
		return 0, other
	}
	if bitSize == 0 {
		bitSize = 64
	} else if bitSize < 0 || bitSize > 64 {
		return 0, other
	}
	cutoff := (1<<64-1)/uint64(base) + 1
	most := uint64(1)<<uint(bitSize) - 1
	underscores := false
	n := uint64(0)
	for ; at < len(s); at++ {
		c := s[at]
		d := byte(0)
		switch {
		case c == '_' && guess:
			underscores = true
			continue
		case '0' <= c && c <= '9':
			d = c - '0'
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			d = c | 0x20 - 'a' + 10
		default:
			return 0, syntax
		}
		if int(d) >= base {
			return 0, syntax
		}
		if n >= cutoff {
			return most, overflow
		}
		n *= uint64(base)
		next := n + uint64(d)
		if next < n || next > most {
			return most, overflow
		}
		n = next
	}
	if underscores && !separates(s, from) {
		return 0, syntax
	}
	return n, fine
}

// separates reports whether underscores in s, from a place on, stand between digits, or behind the base.
func separates(s string, from int) bool {
	before := byte('^') // what stood before: '0' for a digit or the base, '_', '!' for others
	i := from
	hex := false
	if len(s)-i >= 2 && s[i] == '0' && (s[i+1]|0x20 == 'b' || s[i+1]|0x20 == 'o' || s[i+1]|0x20 == 'x') {
		hex = s[i+1]|0x20 == 'x'
		i += 2
		before = '0'
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9' || hex && 'a' <= c|0x20 && c|0x20 <= 'f':
			before = '0'
		case c == '_':
			if before != '0' {
				return false
			}
			before = '_'
		default:
			if before == '_' {
				return false
			}
			before = '!'
		}
	}
	return before != '_'
}
