package dts

// caller returns the return address of the function that calls it.
//
//go:noescape
func caller() uintptr
