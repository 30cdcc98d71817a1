package opencl

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// bitFunction defines the function that does with the bits of an unsigned integer what OpenCL C has no function for:
// they are not in the prelude, as few kernels need them.
func bitFunction(fn ir.UnaryFn, name string, k ir.Kind) string {
	ctype, bits := ctypes[k], 8*k.Bytes()
	switch fn {
	case ir.TrailingZeros: // those below the lowest one, which are all bits of 0
		return fmt.Sprintf("static long %[2]s(%[1]s x) { return popcount((%[1]s)(~x & (x - 1))); }\n", ctype, name)
	case ir.ReverseBits:
		return reversal(name, ctype, bits, 1)
	}
	return reversal(name, ctype, bits, 8)
}

// reversal defines a function that reverses the order of the runs of so many bits: neighbours change places, then
// pairs, and so on.
func reversal(name, ctype string, bits, run int) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "static %[1]s %[2]s(%[1]s x)\n{\n\tulong y = x;\n", ctype, name)
	for ; run < bits; run *= 2 {
		var mask uint64
		for i := 0; i < bits; i += 2 * run {
			mask |= (1<<run - 1) << i
		}
		fmt.Fprintf(&sb, "\ty = (y >> %[1]d & 0x%[2]xUL) | (y & 0x%[2]xUL) << %[1]d;\n", run, mask)
	}
	fmt.Fprintf(&sb, "\treturn (%s)y;\n}\n", ctype)
	return sb.String()
}
