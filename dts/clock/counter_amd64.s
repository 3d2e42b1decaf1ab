#include "textflag.h"

// func cycles() uint64
TEXT ·cycles(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func elapsed(first, rate uint64) int64
TEXT ·elapsed(SB), NOSPLIT, $0-24
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	SUBQ first+0(FP), AX
	MULQ rate+8(FP)
	SHRQ $32, DX, AX
	MOVQ AX, ret+16(FP)
	RET

// func cpuid(leaf uint32) (eax, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-16
	MOVL leaf+0(FP), AX
	XORL CX, CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL DX, edx+12(FP)
	RET
