package dts

import (
	"runtime"
	"strings"
)

// callPC returns the program counter of the call into this package.
func callPC() uintptr {
	var buffer [16]uintptr
	pcs := buffer[:runtime.Callers(2, buffer[:])]
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "whorl/dts.") {
			return f.PC + 1
		}
		if !more {
			return 0
		}
	}
}
