#include "textflag.h"

// func good32(idx *int32, n int, last uint32) int
// Blocks of 32 elements; element > last as unsigned numbers is tested as signed numbers with flipped signs.
TEXT ·good32(SB), NOSPLIT, $0-32
	CMPB ·level(SB), $1
	JLT  portable
	MOVQ idx+0(FP), DX
	MOVQ n+8(FP), CX
	VPCMPEQD Y11, Y11, Y11
	VPSLLD $31, Y11, Y11
	MOVL last+16(FP), AX
	VMOVD AX, X10
	VPBROADCASTD X10, Y10
	VPXOR Y11, Y10, Y10
	XORQ AX, AX
	SUBQ $32, CX
	JLT  done

loop:
	VPXOR (DX)(AX*4), Y11, Y0
	VPXOR 32(DX)(AX*4), Y11, Y1
	VPXOR 64(DX)(AX*4), Y11, Y2
	VPXOR 96(DX)(AX*4), Y11, Y3
	VPMAXSD Y1, Y0, Y0
	VPMAXSD Y3, Y2, Y2
	VPMAXSD Y2, Y0, Y0
	VPCMPGTD Y10, Y0, Y0
	VPTEST Y0, Y0
	JNE  done
	ADDQ $32, AX
	CMPQ AX, CX
	JLE  loop

done:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

portable:
	JMP ·good32Portable(SB)

// func good64(idx *int64, n int, last uint64) int
TEXT ·good64(SB), NOSPLIT, $0-32
	CMPB ·level(SB), $1
	JLT  portable
	MOVQ idx+0(FP), DX
	MOVQ n+8(FP), CX
	VPCMPEQD Y11, Y11, Y11
	VPSLLQ $63, Y11, Y11
	VPBROADCASTQ last+16(FP), Y10
	VPXOR Y11, Y10, Y10
	XORQ AX, AX
	SUBQ $16, CX
	JLT  done

loop:
	VPXOR (DX)(AX*8), Y11, Y0
	VPXOR 32(DX)(AX*8), Y11, Y1
	VPXOR 64(DX)(AX*8), Y11, Y2
	VPXOR 96(DX)(AX*8), Y11, Y3
	VPCMPGTQ Y10, Y0, Y0
	VPCMPGTQ Y10, Y1, Y1
	VPCMPGTQ Y10, Y2, Y2
	VPCMPGTQ Y10, Y3, Y3
	VPOR Y1, Y0, Y0
	VPOR Y3, Y2, Y2
	VPOR Y2, Y0, Y0
	VPTEST Y0, Y0
	JNE  done
	ADDQ $16, AX
	CMPQ AX, CX
	JLE  loop

done:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

portable:
	JMP ·good64Portable(SB)
