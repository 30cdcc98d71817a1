package lower

import (
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// HostName is the name of a host scalar or a stored sequence in generated code.
func HostName(v *ir.Var) string { return identifier(v.Name) }

// RowOffsetsNames are the names of the row offsets of a stored nested sequence, one for each of its levels but the
// last, the outermost one first. Those of the rows that have the elements are without a number.
func RowOffsetsNames(v *ir.Var) []string {
	var names []string
	for k := v.T.Rank - 1; k > 1; k-- {
		names = append(names, identifier(v.Name)+rowOffsets+strconv.Itoa(k))
	}
	if v.T.Rank > 1 {
		names = append(names, identifier(v.Name)+rowOffsets)
	}
	return names
}

// IsRowOffsets reports whether a name is that of row offsets.
func IsRowOffsets(name string) bool {
	return strings.HasSuffix(strings.TrimRight(name, "0123456789"), rowOffsets)
}

// IsRowOffsetsOf reports whether offsets is the name of the offsets between which the elements lie of the nested
// sequence that is stored under a name.
func IsRowOffsetsOf(offsets, name string) bool { return offsets == name+rowOffsets }

// StructsName is the name of a sequence of structs whose numbers are read or written where they lie.
func StructsName(name string) string { return identifier(name) + structs }

// rowOffsets ends the names of row offsets, and structs those of sequences of structs, and no others.
const (
	rowOffsets = "Rows"
	structs    = "Structs"
)

// EnvPrefix begins the names of the frame's fields that are none of the kernel's values.
const EnvPrefix = "surgeEnv"

// identifier makes an IR name a Go identifier, different names staying different: a suffix .3 becomes _3, and names
// that end like that already, or mean something in Go or in generated code, get an underscore more.
func identifier(name string) string {
	base, suffix, dotted := strings.Cut(name, ".")
	if trimmed := strings.TrimRight(base, "_"); isReserved[trimmed] || endsInNumber(trimmed) ||
		IsRowOffsets(trimmed) || strings.HasSuffix(trimmed, structs) || strings.HasPrefix(trimmed, EnvPrefix) {
		base += "_"
	}
	if dotted {
		return base + "_" + suffix
	}
	return base
}

// endsInNumber reports whether name ends in an underscore and digits.
func endsInNumber(name string) bool {
	digits := strings.TrimRight(name, "0123456789")
	return digits != name && strings.HasSuffix(digits, "_")
}

// reserved are names that generated functions use themselves.
var reserved = []string{"f", "e", "w", "p", "env", "vec", "rt", "math", "exec", "selector", "len", "min", "max", "unsafe", "ctx",
	"break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go", "goto", "if", "import",
	"interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var", "int", "true", "false", "float64", "float32",
	"int8", "int16", "int32", "int64", "uint16", "bits", "ok", "bad", "mark", "called", "turnsLeft", "l", "frame", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "bool", "any", "error", "nil", "append", "cap", "copy", "make", "new", "panic", "string", "uint8", "uint32", "uint64", "uint"}

var isReserved = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range reserved {
		m[s] = true
	}
	return m
}()
