#include "textflag.h"

// Four columns at a time; what is left of a row is the caller's.

// func unpack8x4(dst, src unsafe.Pointer, n, apart int)
TEXT ·unpack8x4(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ apart+24(FP), DX
	LEAQ (DX)(DX*2), R8
	LEAQ (CX*8), R9      // from row to row
	LEAQ (R9)(R9*2), R10
	SUBQ $4, CX
	JLT  done

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
	VMOVUPD Y9, (DI)(R9*1)
	VMOVUPD Y10, (DI)(R9*2)
	VMOVUPD Y11, (DI)(R10*1)
	LEAQ (SI)(DX*4), SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  loop

done:
	VZEROUPPER
	RET

// func unpack4x8(dst, src unsafe.Pointer, n, apart int)
TEXT ·unpack4x8(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ apart+24(FP), DX
	LEAQ (DX)(DX*2), R8
	LEAQ (CX*4), R9
	LEAQ (R9)(R9*2), R10
	LEAQ (DI)(R9*4), R11 // row 4
	SUBQ $4, CX
	JLT  done

loop:
	VMOVUPS (SI), Y0
	VMOVUPS (SI)(DX*1), Y1
	VMOVUPS (SI)(DX*2), Y2
	VMOVUPS (SI)(R8*1), Y3
	VUNPCKLPS Y1, Y0, Y4 // rows 0 and 1, 4 and 5
	VUNPCKHPS Y1, Y0, Y5 // rows 2 and 3, 6 and 7
	VUNPCKLPS Y3, Y2, Y6
	VUNPCKHPS Y3, Y2, Y7
	VUNPCKLPD Y6, Y4, Y8
	VUNPCKHPD Y6, Y4, Y9
	VUNPCKLPD Y7, Y5, Y10
	VUNPCKHPD Y7, Y5, Y11
	VMOVUPS X8, (DI)
	VMOVUPS X9, (DI)(R9*1)
	VMOVUPS X10, (DI)(R9*2)
	VMOVUPS X11, (DI)(R10*1)
	VEXTRACTF128 $1, Y8, (R11)
	VEXTRACTF128 $1, Y9, (R11)(R9*1)
	VEXTRACTF128 $1, Y10, (R11)(R9*2)
	VEXTRACTF128 $1, Y11, (R11)(R10*1)
	LEAQ (SI)(DX*4), SI
	ADDQ $16, DI
	ADDQ $16, R11
	SUBQ $4, CX
	JGE  loop

done:
	VZEROUPPER
	RET
