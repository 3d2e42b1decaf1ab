#include "textflag.h"

// func caller() uintptr
// The calling Go function has a frame: its return address lies above the frame pointer.
TEXT ·caller(SB), NOSPLIT, $0-8
	MOVQ 8(BP), AX
	MOVQ AX, ret+0(FP)
	RET
