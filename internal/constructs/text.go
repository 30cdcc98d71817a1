// Text

package constructs

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops"
)

// Commands names rows of bytes.
//
// Construct: strings made of bytes, switch on strings, comparison of strings
//
//surge:kernel
func Commands(rows [][]uint8) []int {
	return ops.Map(func(row []uint8) int {
		switch s := string(row); s {
		case "":
			return 0
		case "get", "GET":
			return 1
		default:
			if s < "\x40" || s != string(row[:1]) && len(s) > 3 {
				return 2
			}
			return len(s)
		}
	}, rows)
}

// InputsCommands has rows that are commands, and others.
func InputsCommands(n int, r *rand.Rand) []any {
	words := []string{"", "get", "GET", "put", "g", "getter", "\x3fx", "\xff"}
	rows := make([][]uint8, n)
	for i := range rows {
		rows[i] = []uint8(words[r.IntN(len(words))])
	}
	return []any{rows}
}

// Hexadecimal looks digits up in a constant.
//
// Construct: constant strings, indexed and cut at computed places
//
//surge:kernel
func Hexadecimal(b []uint8) []uint8 {
	const digits = "0123456789abcdef"
	return ops.Map(func(i int) uint8 {
		pair := digits[b[i/2]>>4:][:1] + digits[b[i/2]&15:]
		return pair[i%2]
	}, ops.Range(0, 2*len(b), 1))
}

// Letters counts the characters of each row.
//
// Construct: range over the characters of a string
//
//surge:kernel
func Letters(rows [][]uint8) []int {
	return ops.Map(func(row []uint8) int {
		wide := 0
		for at, r := range string(row) {
			if r == 0xFFFD {
				wide += 1000 + at
			} else if r >= 0x80 {
				wide += int(r)
			}
		}
		return wide
	}, rows)
}

// InputsLetters has characters of one to four bytes, and what is none.
func InputsLetters(n int, r *rand.Rand) []any {
	text := "aé世\U0001F600\xff\xe4\xb8\xed\xa0\x80z"
	rows := make([][]uint8, n)
	for i := range rows {
		lo := r.IntN(len(text))
		rows[i] = []uint8(text[lo : lo+r.IntN(len(text)-lo)])
	}
	return []any{rows}
}

// Shouted changes a copy of a string's bytes.
//
// Construct: conversion of a string to bytes, which are a copy; range over bytes
//
//surge:kernel
func Shouted(rows [][]uint8) []int {
	return ops.Map(func(row []uint8) int {
		s := string(row)
		b := []byte(s)
		for i, c := range b {
			if 'a' <= c && c <= 'z' {
				b[i] -= 'a' - 'A'
			}
		}
		sum := 0
		for i := range b {
			sum += int(b[i])*(i+1) - int(s[i])
		}
		return sum
	}, rows)
}

func digits(s string) (n int, ok bool) {
	negative := false
	switch {
	case s == "":
		return 0, false
	case s[0] == '-':
		negative, s = true, s[1:]
	case s[0] == '+':
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int(d)
	}
	if negative {
		n = -n
	}
	return n, true
}

// Fields adds up the numbers between commas.
//
// Construct: a string that a loop replaces by a part of it, or that one of several returns gives
//
//surge:kernel
func Fields(lines []string) []int {
	return ops.Map(func(line string) int {
		sum := 0
		for line != "" {
			field := line
			if i := strings.IndexByte(line, ','); i >= 0 {
				field, line = line[:i], line[i+1:]
			} else {
				line = ""
			}
			if v, ok := digits(strings.TrimSpace(field)); ok {
				sum += v
			}
			sum += len(strings.TrimPrefix(field, "a"))
		}
		return sum
	}, lines)
}

// Suffixes compares with each of some constants.
//
// Construct: literals of constant strings: []string{"ing", "ed"}, [][]int{{1, 2}, {3}}
//
//surge:kernel
func Suffixes(words []string) []int {
	endings := []string{"a", "bc", "d"}
	weights := [][]int{{1, 2}, {3}, {}}
	return ops.Map(func(w string) int {
		sum := 0
		for i, e := range endings {
			if strings.HasSuffix(w, e) {
				sum += len(e) + 10*len(weights[i])
			}
		}
		return sum
	}, words)
}

// Headings are names in upper case, each underlined.
//
// Construct: strings.ToUpper, ToLower, Map and Repeat
//
//surge:kernel
func Headings(names []string, times int) (string, string, int) {
	long, at := 0, -1
	for i, n := range names {
		if len(strings.TrimSpace(n)) > long {
			long, at = len(n), i
		}
	}
	if at < 0 {
		return "", "none", 0
	}
	longest := names[at]
	plain := strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return -1
		}
		return r
	}, longest)
	upper := strings.ToUpper(plain)
	return upper, strings.Repeat("-", times&15), len(strings.ToLower(longest)) + strings.Count(upper, "A")
}

// Cased takes a text apart and puts it together.
//
// Construct: strings.Fields, FieldsFunc, Split and Join
//
//surge:kernel
func Cased(s string, sep string) (string, int, []string) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r%8 == 0 })
	for i := range fields {
		fields[i] = strings.ToUpper(fields[i])
	}
	return strings.Join(fields, "-"), len(strings.Fields(s)), strings.Split(s, sep)
}

// InputsCased has separators in the text.
func InputsCased(n int, r *rand.Rand) []any {
	text := make([]byte, n)
	for i := range text {
		text[i] = "ab, h"[r.IntN(5)]
	}
	return []any{string(text), []string{"", ",", "ab", ", "}[r.IntN(4)]}
}

// ColumnSums adds up columns of lines.
//
// Construct: strings.Split and Fields of each line
//
//surge:kernel
func ColumnSums(lines []string) (sum, bad, words int) {
	for _, line := range lines {
		words += len(strings.Fields(line))
		fields := strings.Split(line, "a")
		if len(fields) < 2 {
			bad++
			continue
		}
		sum += len(fields[1])
	}
	return sum, bad, words
}

// Snaked writes identifiers in snake case.
//
// Construct: strings.Builder: WriteByte, WriteRune, WriteString, String, Len, Reset, Grow; also in each element of a
// slice of strings
//
//surge:kernel
func Snaked(names []string) ([]string, string) {
	out := make([]string, 0, len(names))
	var all strings.Builder
	for i, name := range names {
		var b strings.Builder
		b.Grow(len(name) + 4)
		for j := 0; j < len(name); j++ {
			c := name[j]
			if c >= 'A' && c <= 'Z' && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteByte(c)
		}
		if i%3 == 1 {
			b.Reset()
			b.WriteRune(rune(len(name)) * 300)
		}
		out = append(out, b.String())
		if all.Len() > 0 {
			all.WriteString(", ")
		}
		all.WriteString(name)
	}
	return out, all.String()
}

// Statement writes a table with two columns.
//
// Construct: bytes.Buffer that is written to: WriteString, WriteByte, Write, Bytes, Truncate; strconv.Itoa, FormatInt,
// FormatUint, AppendInt, FormatBool
//
//surge:kernel
func Statement(names []string, amounts []int64) []byte {
	var buf bytes.Buffer
	for i := range min(len(names), len(amounts)) {
		buf.WriteString(names[i])
		buf.WriteByte('=')
		buf.WriteString(strconv.FormatInt(amounts[i], 10))
		buf.WriteByte(' ')
		buf.WriteString(strconv.FormatUint(uint64(amounts[i]), 16))
		buf.Write([]byte(strconv.Itoa(i)))
		buf.WriteString(strconv.FormatBool(amounts[i] > 0))
		buf.WriteByte('\n')
	}
	if buf.Len() > 1000 {
		buf.Truncate(1000)
	}
	return buf.Bytes()
}
