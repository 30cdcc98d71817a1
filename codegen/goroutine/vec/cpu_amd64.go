package vec

const (
	amd64 = true
	arch  = "amd64"
)

// cpuid runs the CPUID instruction.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of extended control register 0: the register state that the operating system saves.
func xgetbv() uint32

// detect returns the best level of this CPU.
func detect() uint8 {
	const (
		fma, osxsave, avx = 1 << 12, 1 << 27, 1 << 28             // leaf 1, ecx
		avx2              = 1 << 5                                // leaf 7, ebx
		avx512            = 1<<16 | 1<<17 | 1<<28 | 1<<30 | 1<<31 // leaf 7, ebx: F, DQ, CD, BW, VL
		xmm, ymm, zmm     = 1 << 1, 1 << 2, 1<<5 | 1<<6 | 1<<7    // control register
	)
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return levelPortable
	}
	_, _, c, _ := cpuid(1, 0)
	if c&(fma|osxsave|avx) != fma|osxsave|avx {
		return levelPortable
	}
	_, b, _, _ := cpuid(7, 0)
	saved := xgetbv()
	switch {
	case b&avx2 == 0 || saved&(xmm|ymm) != xmm|ymm:
		return levelPortable
	case b&avx512 != avx512 || saved&zmm != zmm:
		return levelAVX2
	}
	return levelAVX512
}
