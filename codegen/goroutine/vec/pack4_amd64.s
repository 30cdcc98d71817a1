#include "textflag.h"

// Four columns of all rows at a time: each 128 bits of a register hold a row, so that no element crosses these. What
// four columns leave is done again with the columns before.

// func pack4x16(dst, src unsafe.Pointer, n int)
TEXT ·pack4x16(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (CX*4), DX        // from row to row
	LEAQ (DX)(DX*2), R8
	LEAQ (SI)(DX*4), R9    // row 4
	LEAQ (R9)(DX*4), R10   // row 8
	LEAQ (R10)(DX*4), R11  // row 12
	MOVQ SI, R12
	CMPQ CX, $256
	JGT  far
	MOVQ DX, R12           // short rows: fetch the next rows meanwhile
	SHLQ $4, R12
	ADDQ SI, R12

far:
	SUBQ $4, CX

loop:
	PREFETCHT0 (R12)
	PREFETCHT0 64(R12)
	PREFETCHT0 128(R12)
	PREFETCHT0 192(R12)
	ADDQ $256, R12
	VMOVUPS (SI), X0
	VMOVUPS (SI)(DX*1), X1
	VMOVUPS (SI)(DX*2), X2
	VMOVUPS (SI)(R8*1), X3
	VINSERTF128 $1, (R9), Y0, Y0
	VINSERTF128 $1, (R9)(DX*1), Y1, Y1
	VINSERTF128 $1, (R9)(DX*2), Y2, Y2
	VINSERTF128 $1, (R9)(R8*1), Y3, Y3
	VINSERTF32X4 $2, (R10), Z0, Z0
	VINSERTF32X4 $2, (R10)(DX*1), Z1, Z1
	VINSERTF32X4 $2, (R10)(DX*2), Z2, Z2
	VINSERTF32X4 $2, (R10)(R8*1), Z3, Z3
	VINSERTF32X4 $3, (R11), Z0, Z0         // rows 0, 4, 8 and 12
	VINSERTF32X4 $3, (R11)(DX*1), Z1, Z1   // rows 1, 5, 9 and 13
	VINSERTF32X4 $3, (R11)(DX*2), Z2, Z2   // rows 2, 6, 10 and 14
	VINSERTF32X4 $3, (R11)(R8*1), Z3, Z3   // rows 3, 7, 11 and 15
	VUNPCKLPS Z1, Z0, Z4
	VUNPCKHPS Z1, Z0, Z5
	VUNPCKLPS Z3, Z2, Z6
	VUNPCKHPS Z3, Z2, Z7
	VUNPCKLPD Z6, Z4, Z8
	VUNPCKHPD Z6, Z4, Z9
	VUNPCKLPD Z7, Z5, Z10
	VUNPCKHPD Z7, Z5, Z11
	VMOVUPS Z8, (DI)
	VMOVUPS Z9, 64(DI)
	VMOVUPS Z10, 128(DI)
	VMOVUPS Z11, 192(DI)
	ADDQ $16, SI
	ADDQ $16, R9
	ADDQ $16, R10
	ADDQ $16, R11
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  loop
	CMPQ CX, $-4
	JLE  done
	LEAQ (SI)(CX*4), SI
	LEAQ (R9)(CX*4), R9
	LEAQ (R10)(CX*4), R10
	LEAQ (R11)(CX*4), R11
	SHLQ $6, CX
	ADDQ CX, DI
	XORQ CX, CX
	JMP  loop

done:
	VZEROUPPER
	RET

// func pack4x8(dst, src unsafe.Pointer, n int)
TEXT ·pack4x8(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (CX*4), DX
	LEAQ (DX)(DX*2), R8
	LEAQ (SI)(DX*4), R9
	SUBQ $4, CX

loop:
	VMOVUPS (SI), X0
	VMOVUPS (SI)(DX*1), X1
	VMOVUPS (SI)(DX*2), X2
	VMOVUPS (SI)(R8*1), X3
	VINSERTF128 $1, (R9), Y0, Y0
	VINSERTF128 $1, (R9)(DX*1), Y1, Y1
	VINSERTF128 $1, (R9)(DX*2), Y2, Y2
	VINSERTF128 $1, (R9)(R8*1), Y3, Y3
	VUNPCKLPS Y1, Y0, Y4
	VUNPCKHPS Y1, Y0, Y5
	VUNPCKLPS Y3, Y2, Y6
	VUNPCKHPS Y3, Y2, Y7
	VUNPCKLPD Y6, Y4, Y8
	VUNPCKHPD Y6, Y4, Y9
	VUNPCKLPD Y7, Y5, Y10
	VUNPCKHPD Y7, Y5, Y11
	VMOVUPS Y8, (DI)
	VMOVUPS Y9, 32(DI)
	VMOVUPS Y10, 64(DI)
	VMOVUPS Y11, 96(DI)
	ADDQ $16, SI
	ADDQ $16, R9
	ADDQ $128, DI
	SUBQ $4, CX
	JGE  loop
	CMPQ CX, $-4
	JLE  done
	LEAQ (SI)(CX*4), SI
	LEAQ (R9)(CX*4), R9
	SHLQ $5, CX
	ADDQ CX, DI
	XORQ CX, CX
	JMP  loop

done:
	VZEROUPPER
	RET
