#include "textflag.h"

// Four columns of all rows at a time: two rows share a register, so that no element crosses a half of it more than once.

// func pack8x8(dst, src unsafe.Pointer, n int)
TEXT ·pack8x8(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (CX*8), DX      // from row to row
	LEAQ (DX)(DX*2), R8
	LEAQ (SI)(DX*4), R9  // row 4
	MOVQ SI, R10
	CMPQ CX, $128
	JGT  far
	MOVQ DX, R10         // short rows: fetch the next but one rows meanwhile
	SHLQ $4, R10
	ADDQ SI, R10

far:
	SUBQ $4, CX
	JLT  rest

loop:
	PREFETCHT0 (R10)
	PREFETCHT0 64(R10)
	PREFETCHT0 128(R10)
	PREFETCHT0 192(R10)
	ADDQ $256, R10
	VMOVUPD (SI), Y0
	VMOVUPD (SI)(DX*1), Y1
	VMOVUPD (R9), Y2
	VMOVUPD (R9)(DX*1), Y3
	VINSERTF64X4 $1, (SI)(DX*2), Z0, Z0 // rows 0 and 2
	VINSERTF64X4 $1, (SI)(R8*1), Z1, Z1 // rows 1 and 3
	VINSERTF64X4 $1, (R9)(DX*2), Z2, Z2 // rows 4 and 6
	VINSERTF64X4 $1, (R9)(R8*1), Z3, Z3 // rows 5 and 7
	VUNPCKLPD Z1, Z0, Z4
	VUNPCKHPD Z1, Z0, Z5
	VUNPCKLPD Z3, Z2, Z6
	VUNPCKHPD Z3, Z2, Z7
	VSHUFF64X2 $0x88, Z6, Z4, Z8
	VSHUFF64X2 $0x88, Z7, Z5, Z9
	VSHUFF64X2 $0xDD, Z6, Z4, Z10
	VSHUFF64X2 $0xDD, Z7, Z5, Z11
	VMOVUPD Z8, (DI)
	VMOVUPD Z9, 64(DI)
	VMOVUPD Z10, 128(DI)
	VMOVUPD Z11, 192(DI)
	ADDQ $32, SI
	ADDQ $32, R9
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop

rest:
	VZEROUPPER
	ADDQ $4, CX
	JLE  done

one:
	MOVQ (SI), AX
	MOVQ (SI)(DX*1), BX
	MOVQ (SI)(DX*2), R10
	MOVQ (SI)(R8*1), R11
	MOVQ AX, (DI)
	MOVQ BX, 8(DI)
	MOVQ R10, 16(DI)
	MOVQ R11, 24(DI)
	MOVQ (R9), AX
	MOVQ (R9)(DX*1), BX
	MOVQ (R9)(DX*2), R10
	MOVQ (R9)(R8*1), R11
	MOVQ AX, 32(DI)
	MOVQ BX, 40(DI)
	MOVQ R10, 48(DI)
	MOVQ R11, 56(DI)
	ADDQ $8, SI
	ADDQ $8, R9
	ADDQ $64, DI
	DECQ CX
	JNZ  one

done:
	RET

// func pack8x4(dst, src unsafe.Pointer, n int)
TEXT ·pack8x4(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (CX*8), DX
	LEAQ (DX)(DX*2), R8
	SUBQ $4, CX
	JLT  rest

loop:
	VMOVUPD (SI), Y0
	VMOVUPD (SI)(DX*1), Y1
	VMOVUPD (SI)(DX*2), Y2
	VMOVUPD (SI)(R8*1), Y3
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7
	VPERM2F128 $0x20, Y6, Y4, Y8
	VPERM2F128 $0x20, Y7, Y5, Y9
	VPERM2F128 $0x31, Y6, Y4, Y10
	VPERM2F128 $0x31, Y7, Y5, Y11
	VMOVUPD Y8, (DI)
	VMOVUPD Y9, 32(DI)
	VMOVUPD Y10, 64(DI)
	VMOVUPD Y11, 96(DI)
	ADDQ $32, SI
	ADDQ $128, DI
	SUBQ $4, CX
	JGE  loop

rest:
	VZEROUPPER
	ADDQ $4, CX
	JLE  done

one:
	MOVQ (SI), AX
	MOVQ (SI)(DX*1), BX
	MOVQ (SI)(DX*2), R10
	MOVQ (SI)(R8*1), R11
	MOVQ AX, (DI)
	MOVQ BX, 8(DI)
	MOVQ R10, 16(DI)
	MOVQ R11, 24(DI)
	ADDQ $8, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  one

done:
	RET
