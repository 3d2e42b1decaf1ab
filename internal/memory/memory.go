// Package memory measures the memory of the process.
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

// Exceeds reports whether at least limit bytes are in use, not counting garbage. A limit of 0 is no limit.
func Exceeds(limit int64) bool {
	if limit <= 0 || InUse() < limit {
		return false
	}
	runtime.GC()
	return InUse() >= limit
}
