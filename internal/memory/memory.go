// Package memory measures the memory of the process and of the machine.
package memory

import (
	"runtime"
	"runtime/metrics"
)

// InUse returns the number of bytes in heap objects, including garbage, and stacks.
func InUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}

// Share returns the bytes that the picture of a trace may take if the user sets no limit, a quarter of Machine. 0 is no limit.
func Share() int64 { return Machine() / 4 }

// Exceeds reports whether at least limit bytes are in use, not counting garbage. A limit of 0 is no limit.
func Exceeds(limit int64) bool {
	if limit <= 0 || InUse() < limit {
		return false
	}
	runtime.GC()
	return InUse() >= limit
}
