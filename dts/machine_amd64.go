package dts

// cycles is the time stamp counter.
//
//go:noescape
func cycles() uint64

// caller is where the function that calls it was called from.
//
//go:noescape
func caller() uintptr
