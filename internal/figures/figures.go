// Package figures formats and parses numbers for users.
package figures

import (
	"strconv"
	"strings"
)

// OutOfMemory returns the message for a run that exceeds a memory limit in bytes.
func OutOfMemory(limit int64) string {
	return "stopped: it needs more than the " + Size(limit) + " of memory that it may have"
}

// Size formats a limit or an amount of memory in whole MiB, KiB or bytes, rounded down: 1,024 MiB, 512 KiB, 17 bytes.
func Size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return Counted(bytes, "byte")
	case bytes < 1<<20:
		return Count(bytes>>10) + " KiB"
	}
	return Count(bytes>>20) + " MiB"
}

// Bytes reads an amount of memory: a number above 0, alone or with k, M, G or T (and B or iB after it), in powers of 1,024.
func Bytes(s string) (n int64, ok bool) {
	num := strings.TrimRight(s, "kKMGTiB")
	unit := strings.TrimSuffix(strings.TrimSuffix(s[len(num):], "B"), "i")
	shift := map[string]uint{"": 0, "k": 10, "K": 10, "M": 20, "G": 30, "T": 40}
	by, ok := shift[unit]
	n, err := strconv.ParseInt(num, 10, 64)
	if !ok || err != nil || n < 1 || n > 1<<62>>by {
		return 0, false
	}
	return n << by, true
}
