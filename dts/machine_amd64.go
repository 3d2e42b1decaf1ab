package dts

// cycles is the time stamp counter.
//
//go:noescape
func cycles() uint64

// elapsed is the time since the counter was at first, in ns, where each count is rate / 2^32 of them.
//
//go:noescape
func elapsed(first, rate uint64) int64

// cpuid asks the processor what it is and can do.
//
//go:noescape
func cpuid(leaf uint32) (eax, edx uint32)

// caller is where the function that calls it was called from.
//
//go:noescape
func caller() uintptr

// constantCycles says whether the time stamp counter runs at one rate on all cores, whatever they do. AMD64 Architecture Programmer's Manual
// 3, CPUID Fn8000_0007: TscInvariant.
func constantCycles() bool {
	const power, invariant = 0x80000007, 1 << 8
	if most, _ := cpuid(0x80000000); most < power {
		return false
	}
	_, edx := cpuid(power)
	return edx&invariant != 0
}
