//go:build goexperiment.simd && amd64

package vec

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shiftsByConstants has a shift of each kind: their counts must not go through a register.
//
//go:noinline
func shiftsByConstants(p *int64, q *int32) {
	a, b, c, d := *AddrI64x4(p, 0), *AddrI64x8(p, 0), *AddrI32x8(q, 0), *AddrI32x16(q, 0)
	*AddrI64x4(p, 8) = ShrConstI64x4(a, 3).Add(ShlConstI64x4(a, 5)).Add(ShrConstU64x4(a, 7))
	*AddrI64x8(p, 16) = ShrConstI64x8(b, 3).Add(ShlConstI64x8(b, 5)).Add(ShrConstU64x8(b, 7))
	*AddrI32x8(q, 16) = ShrConstI32x8(c, 3).Add(ShlConstI32x8(c, 5)).Add(ShrConstU32x8(c, 7))
	*AddrI32x16(q, 32) = ShrConstI32x16(d, 3).Add(ShlConstI32x16(d, 5)).Add(ShrConstU32x16(d, 7))
}

var (
	// wide are the functions of vectors of 256 and 512 bits, which run in loops of such.
	wide = regexp.MustCompile(`^([A-Z]\w*(F64x[48]|I64x[48]|U64x[48]|F32x8|F32x16|[IU](8|16|32)x(8|16)|M64x[48]|M32x8|M32x16)|shiftsByConstants)$`)
	// old are those of them that have instructions of the old encoding: those that package math helps, those with scalar
	// results or of scalars, whose registers they clear first or leave to the caller, and shifts, whose counts are
	// constants wherever they are called.
	old = regexp.MustCompile(`^(Test|Benchmark|Sin|Cos|Tan|Mod|Reduce|Sum|Lane|FromArray|Array|Splat|Iota|ShrConst|ShlConst|F32x4To)`)

	xmm     = regexp.MustCompile(`\bX([0-9]+)$`)
	zeroing = regexp.MustCompile(`^VP?XOR(PS|PD|D|Q)?\t([YZ][0-9]+), ([YZ][0-9]+), [YZ][0-9]+$`)
)

// TestNoChangeOfEncoding reads what the compiler makes of this package: vector code must not write vector registers by
// instructions of the old encoding, which the package comment is about. Nor may a function that is inlined need a
// vector of zeros that the compiler makes: it keeps that for all of the function around, and loads it anew where scalar
// code has used the register.
func TestNoChangeOfEncoding(t *testing.T) {
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-S -m", "-o", filepath.Join(t.TempDir(), "vec.test"), ".")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	inlined, functions := map[string]bool{}, 0
	var name string
	var cleared bool
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if _, f, ok := strings.Cut(line, ": can inline "); ok {
			inlined[f] = true
			continue
		}
		if symbol, _, ok := strings.Cut(line, " STEXT"); ok {
			name, cleared = symbol[strings.LastIndexByte(symbol, '.')+1:], false
			if wide.MatchString(name) {
				functions++
			}
			continue
		}
		column := strings.SplitN(line, "\t", 4) // nothing, where, what, of what
		if len(column) < 4 || !wide.MatchString(name) || column[0] != "" {
			continue
		}
		switch text := column[2] + "\t" + column[3]; {
		case column[2] == "VZEROUPPER":
			cleared = true
		case zeroing.MatchString(text) && inlined[name]:
			if m := zeroing.FindStringSubmatch(text); m[2] == m[3] {
				t.Errorf("%s makes zeros, see Zero in internal/gen: %s", name, text)
			}
		case !strings.HasPrefix(text, "V") && xmm.MatchString(text) && !strings.HasSuffix(text, "X15") && !cleared && !old.MatchString(name):
			t.Errorf("%s has an instruction of the old encoding: %s", name, text)
		}
	}
	if functions < 500 {
		t.Errorf("%d functions were read, which are not all", functions)
	}
}
