package vec

import (
	"encoding/binary"
	"strings"
)

// CPU returns the name that the processor gives itself, such as "Intel(R) Xeon(R) Processor @ 2.10GHz"; "" if it has
// none.
func CPU() string {
	if most, _, _, _ := cpuid(0x80000000, 0); most < 0x80000004 {
		return ""
	}
	name := make([]byte, 0, 48)
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		for _, x := range []uint32{a, b, c, d} {
			name = binary.LittleEndian.AppendUint32(name, x)
		}
	}
	text, _, _ := strings.Cut(string(name), "\x00")
	return strings.Join(strings.Fields(text), " ")
}

// Level names the instructions that vectors use: avx512, avx2, or none where [Native] is false.
func Level() string {
	switch {
	case !Native():
		return "none"
	case level >= levelAVX512:
		return "avx512"
	}
	return "avx2"
}
