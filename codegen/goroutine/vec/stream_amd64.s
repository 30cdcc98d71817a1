#include "textflag.h"

// func stream(dst, src unsafe.Pointer, n int)
TEXT ·stream(SB), NOSPLIT, $0-24
	CMPB ·level(SB), $1
	JLT  portable
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	CMPQ CX, $256
	JLT  bytes

	// One ordinary store covers the bytes before the first boundary of 64.
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	MOVQ DI, AX
	NEGQ AX
	ANDQ $63, AX
	ADDQ AX, DI
	ADDQ AX, SI
	SUBQ AX, CX
	SUBQ $128, CX

loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVNTDQ Y0, (DI)
	VMOVNTDQ Y1, 32(DI)
	VMOVNTDQ Y2, 64(DI)
	VMOVNTDQ Y3, 96(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $128, CX
	JGE  loop
	ADDQ $128, CX
	SFENCE

bytes:
	VZEROUPPER
	CMPQ CX, $0
	JLE  done
	CLD
	REP; MOVSB

done:
	RET

portable:
	JMP ·streamPortable(SB)
