package std

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"
	"unicode"

	stdunicode "github.com/surge-ndp/surge/ops/load/internal/std/unicode"
)

var update = flag.Bool("update", false, "write the tables of package unicode")

const tablesFile = "unicode/tables.go"

// TestUnicode compares all characters with package unicode, whose tables change with the release of Go: -update
// writes ours.
func TestUnicode(t *testing.T) {
	if *update {
		if err := os.WriteFile(tablesFile, tables(t), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, f := range map[string][2]func(rune) bool{
		"IsLetter": {stdunicode.IsLetter, unicode.IsLetter}, "IsUpper": {stdunicode.IsUpper, unicode.IsUpper}, "IsLower": {stdunicode.IsLower, unicode.IsLower},
		"IsDigit": {stdunicode.IsDigit, unicode.IsDigit}, "IsNumber": {stdunicode.IsNumber, unicode.IsNumber}, "IsPunct": {stdunicode.IsPunct, unicode.IsPunct},
		"IsSpace": {stdunicode.IsSpace, unicode.IsSpace}, "IsControl": {stdunicode.IsControl, unicode.IsControl},
	} {
		for r := rune(-3); r < unicode.MaxRune+10; r++ {
			if f[0](r) != f[1](r) {
				t.Fatalf("%s(%#x): %v", name, r, f[0](r))
			}
		}
	}
	for r := rune(-3); r < unicode.MaxRune+10; r++ {
		if stdunicode.ToUpper(r) != unicode.ToUpper(r) || stdunicode.ToLower(r) != unicode.ToLower(r) {
			t.Fatalf("%#x: ToUpper %#x, not %#x, ToLower %#x, not %#x", r, stdunicode.ToUpper(r), unicode.ToUpper(r), stdunicode.ToLower(r), unicode.ToLower(r))
		}
	}
}

// tables is the text of tables.go.
func tables(t *testing.T) []byte {
	var sb bytes.Buffer
	sb.WriteString("package unicode\n\n// The tables of package unicode: made by go test ./ops/load/internal/std -run TestUnicode -update.\nconst (\n")
	put := func(name string, numbers []rune) {
		fmt.Fprintf(&sb, "%s = \"\"", name)
		for i := 0; i < len(numbers); i += 8 {
			sb.WriteString(" +\n\"")
			for _, n := range numbers[i:min(i+8, len(numbers))] {
				fmt.Fprintf(&sb, `\x%02x\x%02x\x%02x`, n>>16, n>>8&0xff, n&0xff)
			}
			sb.WriteString("\"")
		}
		sb.WriteString("\n")
	}
	for _, c := range []struct {
		name string
		is   func(rune) bool
	}{{"letters", unicode.IsLetter}, {"uppers", unicode.IsUpper}, {"lowers", unicode.IsLower}, {"digits", unicode.IsDigit},
		{"numbers", unicode.IsNumber}, {"puncts", unicode.IsPunct}} {
		var bounds []rune
		for r := rune(0); r <= unicode.MaxRune+1; r++ {
			if c.is(r) != c.is(r-1) {
				bounds = append(bounds, r)
			}
		}
		put(c.name, bounds)
	}
	var cases []rune
	for _, c := range unicode.CaseRanges {
		cases = append(cases, rune(c.Lo), rune(c.Hi), 1<<23+c.Delta[unicode.UpperCase], 1<<23+c.Delta[unicode.LowerCase])
		for _, which := range []int{unicode.UpperCase, unicode.LowerCase} {
			if d := c.Delta[which]; d > unicode.MaxRune {
				cases[len(cases)-2+which] = 1<<23 + 1<<20
			}
		}
	}
	put("cases", cases)
	sb.WriteString(")\n")
	out, err := format.Source(sb.Bytes())
	if err != nil {
		t.Fatal(err, strings.Count(sb.String(), "\n"))
	}
	return out
}
