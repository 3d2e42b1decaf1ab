package clock

// cycles returns the time stamp counter.
//
//go:noescape
func cycles() uint64

// elapsed returns the time in ns since the counter was first. A count takes rate / 2^32 ns.
//
//go:noescape
func elapsed(first, rate uint64) int64

// cpuid executes the CPUID instruction.
//
//go:noescape
func cpuid(leaf uint32) (eax, edx uint32)

// constantCycles reports whether the time stamp counter runs at one constant rate on all cores (AMD64 Architecture
// Programmer's Manual 3, CPUID Fn8000_0007: TscInvariant).
func constantCycles() bool {
	const power, invariant = 0x80000007, 1 << 8
	if most, _ := cpuid(0x80000000); most < power {
		return false
	}
	_, edx := cpuid(power)
	return edx&invariant != 0
}
