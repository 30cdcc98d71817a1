// Package gen writes the generated files of package vec from the templates beside it.
//
// It takes no input but its own tables; it gives the text of every generated file. It must import nothing but the
// standard library.
package gen

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var templates embed.FS

// A vector describes one vector type.
type vector struct {
	Kind  string // "F", "I"
	Bits  int    // bits of an element
	Lanes int
}

// vectors are the vector types of package vec, in the order of the files.
var vectors = []vector{
	{"F", 64, 4}, {"F", 64, 8},
	{"F", 32, 4}, {"F", 32, 8}, {"F", 32, 16},
	{"I", 64, 4}, {"I", 64, 8},
	{"I", 32, 4}, {"I", 32, 8}, {"I", 32, 16},
}

// unary and binary are functions of package math with templates of their own.
var (
	unary = []string{
		"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cbrt", "Cosh", "Erf", "Erfc", "Exp2", "Expm1", "Log10", "Log1p", "Log2",
		"Round", "Sinh", "Tan", "Tanh",
	}
	binary = []string{"Atan2", "Copysign", "Hypot", "Mod", "Pow"}
)

// Name is the type's name in package vec, e.g. F64x8.
func (v vector) Name() string { return fmt.Sprintf("%s%dx%d", v.Kind, v.Bits, v.Lanes) }

// Elem is the Go type of an element.
func (v vector) Elem() string {
	if v.Float() {
		return fmt.Sprintf("float%d", v.Bits)
	}
	return fmt.Sprintf("int%d", v.Bits)
}

// Float tells whether the elements are floating point numbers.
func (v vector) Float() bool { return v.Kind == "F" }

// Size is the size of an element in bytes.
func (v vector) Size() int { return v.Bits / 8 }

// Mask is the name of the mask type that goes with the vector.
func (v vector) Mask() string { return fmt.Sprintf("M%dx%d", v.Bits, v.Lanes) }

// Width is the size of the vector in bits: 128, 256 or 512.
func (v vector) Width() int { return v.Bits * v.Lanes }

// Wide tells whether the vector needs AVX-512.
func (v vector) Wide() bool { return v.Width() == 512 }

// Tern tells whether the vector may be used beside vectors of 512 bits. Where there are such, Go 1.26's compiler
// merges bitwise operations to ternary ones (rewriteTern), and does it wrongly if one of three operands that it has
// merged is used by a second bitwise operation. What a function of package vec returns must therefore not be the
// result of a bitwise operation: sums, comparisons and blends end the merging. Nor may it be the result of an
// instruction of 512 bits with a constant operand (rounding, shifts): a blend behind it would take it in and lose the
// constant. See Keep.
func (v vector) Tern() bool { return v.Lanes >= 8 }

// Keep is the body of a function that returns an expression of the vector's type which the compiler must not merge
// with what follows: see Tern. What ends the merging is the greater one of the vector and itself. A sum with zero would
// do as well, but the compiler keeps one zero for a whole function, and loads it anew in loops of scalar code: there
// each such load costs as much as the package comment says.
func (v vector) Keep(expression string) string {
	if !v.Tern() {
		return "return " + expression
	}
	words := fmt.Sprintf("Int32x%d", v.Width()/32)
	if v.AS() == words {
		return fmt.Sprintf("x := %s\n\treturn x.Max(x)", expression)
	}
	return fmt.Sprintf("x := %s.As%s()\n\treturn x.Max(x).As%s()", expression, words, v.AS())
}

// AS is the name of the corresponding type of simd/archsimd.
func (v vector) AS() string {
	if v.Float() {
		return fmt.Sprintf("Float%dx%d", v.Bits, v.Lanes)
	}
	return v.IntAS()
}

// IntAS is the signed integer type of simd/archsimd with the same shape.
func (v vector) IntAS() string { return fmt.Sprintf("Int%dx%d", v.Bits, v.Lanes) }

// UintAS is the unsigned integer type of simd/archsimd with the same shape.
func (v vector) UintAS() string { return fmt.Sprintf("Uint%dx%d", v.Bits, v.Lanes) }

// MaskAS is the mask type of simd/archsimd with the same shape.
func (v vector) MaskAS() string { return fmt.Sprintf("Mask%dx%d", v.Bits, v.Lanes) }

// Zero is an expression for the integer vector of zeros. It is loaded: one that the compiler makes is of the old
// encoding if it has 128 bits, and if it has more, is kept for the whole function, see Keep.
func (v vector) Zero() string {
	return zero(v.Bits, v.Lanes)
}

func zero(bits, lanes int) string {
	return fmt.Sprintf("archsimd.LoadInt%[1]dx%[2]d((*[%[2]d]int%[1]d)(zero%[1]d[:%[2]d]))", bits, lanes)
}

// Half is the name of the type with half the lanes, empty if there is none.
func (v vector) Half() string {
	for _, w := range vectors {
		if w.Kind == v.Kind && w.Bits == v.Bits && w.Lanes == v.Lanes/2 {
			return w.Name()
		}
	}
	return ""
}

// HalfLanes is half the number of lanes.
func (v vector) HalfLanes() int { return v.Lanes / 2 }

// Quarters lists the numbers of the vector's parts of 128 bits.
func (v vector) Quarters() []int { return []int{0, 1, 2, 3}[:v.Width()/128] }

// QuarterLanes is the number of lanes in 128 bits.
func (v vector) QuarterLanes() int { return 128 / v.Bits }

// IndexBits lists the sizes of indexes that a vector can be gathered with.
func (v vector) IndexBits() []int {
	if v.HasOther() {
		return []int{32, 64}
	}
	return []int{32}
}

// HasOther tells whether there are vectors of the same lanes with elements of the other size.
func (v vector) HasOther() bool { return v.Lanes != 16 }

// Other is the number of bits of the other element size.
func (v vector) Other() int { return 96 - v.Bits }

// OtherSize is the other element size in bytes.
func (v vector) OtherSize() int { return v.Other() / 8 }

// ToOther lists the vectors of as many lanes of the other element size, which v converts to.
func (v vector) ToOther() []vector {
	return []vector{{"F", v.Other(), v.Lanes}, {"I", v.Other(), v.Lanes}}
}

// Masks are the mask types, each as the integer vector of its shape.
func masks() []vector {
	var ms []vector
	for _, v := range vectors {
		if !v.Float() {
			ms = append(ms, v)
		}
	}
	return ms
}

// Files returns the generated files of package vec, by name, formatted.
func Files() (map[string][]byte, error) {
	constants := map[int][]string{} // by bits, in the order of their first use
	place := func(bits int, constant string) int {
		i := slices.Index(constants[bits], constant)
		if i < 0 {
			i = len(constants[bits])
			constants[bits] = append(constants[bits], constant)
		}
		return i
	}
	// k is the vector of one constant, loaded from the table that the last file ends with.
	k := func(v vector, constant string) string {
		i := place(v.Bits, constant)
		return fmt.Sprintf("archsimd.Load%s((*[%d]%s)(k%d[%d][:%d]))", v.AS(), v.Lanes, v.Elem(), v.Bits, i, v.Lanes)
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"constants": func(bits int) []string { return constants[bits] },
		"k":         k,
		// poly is the polynomial of x with these coefficients, the last of which is that of x⁰.
		"poly": func(v vector, x string, coefficients ...string) string {
			text := k(v, coefficients[0])
			for _, c := range coefficients[1:] {
				text += fmt.Sprintf(".MulAdd(%s, %s)", x, k(v, c))
			}
			return text
		},
		"inlined": func(v vector, constant string) string {
			return fmt.Sprintf("archsimd.Load%s((*[%d]%s)(inlined%d[%d][:%d]))", v.AS(), v.Lanes, v.Elem(), v.Bits, place(v.Bits, constant), v.Lanes)
		},
		"zero":   zero,
		"unary":  func() []string { return unary },
		"binary": func() []string { return binary },
		"add":    func(a, b int) int { return a + b },
		"mul":    func(a, b int) int { return a * b },
		"seq": func(n int) []int {
			s := make([]int, n)
			for i := range s {
				s[i] = i
			}
			return s
		},
	}).Funcs(wovenFuncs).Funcs(halvesFuncs).ParseFS(templates, "*.tmpl")
	if err != nil {
		return nil, err
	}
	unusual := struct{ Narrow, Unsigned []narrow }{narrows(), unsigneds}
	apart := struct {
		Vectors []vector
		Narrow  []narrow
		Tables  everyTables
	}{vectors, narrows(), tables()}
	files := make(map[string][]byte)
	write := func(name, tmpl string, data any) error {
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, tmpl, data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text := b.Bytes()
		if strings.HasSuffix(name, ".go") {
			if text, err = format.Source(text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			text = wrapped(text)
		}
		files[name] = text
		return nil
	}
	for _, f := range []struct {
		name, tmpl string
		data       any
	}{
		{"types_simd.go", "types_simd.tmpl", vectors},
		{"types_portable.go", "types_portable.tmpl", vectors},
		{"functions_simd.go", "functions_simd.tmpl", vectors}, // before the table of constants, as those that follow
		{"special_simd.go", "special_simd.tmpl", vectors},
		{"functions_portable.go", "functions_portable.tmpl", vectors},
		{"math_simd.go", "math_simd.tmpl", vectors},
		{"math_portable.go", "math_portable.tmpl", vectors},
		{"lanes_simd.go", "lanes_simd.tmpl", vectors},
		{"lanes_portable.go", "lanes_portable.tmpl", vectors},
		{"narrow_simd.go", "narrow_simd.tmpl", unusual},
		{"narrow_portable.go", "narrow_portable.tmpl", unusual},
		{"narrow_generated_test.go", "narrow_test.tmpl", unusual},
		{"masks_simd.go", "masks_simd.tmpl", masks()},
		{"masks_portable.go", "masks_portable.tmpl", masks()},
		{"types_generated_test.go", "types_test.tmpl", vectors},
		{"every_simd.go", "every_simd.tmpl", apart},
		{"every_portable.go", "every_portable.tmpl", apart},
		{"every_generated_test.go", "every_test.tmpl", apart},
		{"woven_simd.go", "woven_simd.tmpl", wovens()},
		{"woven_portable.go", "woven_portable.tmpl", wovens()},
		{"woven_generated_test.go", "woven_test.tmpl", wovens()},
		{"gatherhalves_simd.go", "halves_simd.tmpl", halves()},
		{"gatherhalves_portable.go", "halves_portable.tmpl", halves()},
		{"gatherhalves_generated_test.go", "halves_test.tmpl", halves()},
		{"scans.go", "scans_go", scanned},
		{"strips_amd64.go", "strips_amd64_go", declared},
		{"strips_other.go", "strips_other_go", declared},
		{"gather_amd64.s", "gather_s", gathers()},
		{"dot_amd64.s", "dot_s", dots},
		{"scan_amd64.s", "scan_s", scans()},
		{"tiles.go", "tile_go", tiles()},
		{"tiles_amd64.go", "tile_amd64_go", tiles()},
		{"tiles_other.go", "tile_other_go", tiles()},
		{"tile_amd64.s", "tile_s", tiles()},
	} {
		if err := write(f.name, f.tmpl, f.data); err != nil {
			return nil, err
		}
	}
	return files, nil
}
