package memory

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"syscall"
)

// Machine returns the memory of the machine in bytes, or the limit of the process's control group if that is lower. It returns 0 on systems where it
// cannot tell.
func Machine() int64 {
	var info syscall.Sysinfo_t
	total := uint64(math.MaxInt64)
	if syscall.Sysinfo(&info) == nil {
		total = min(total, uint64(info.Totalram)*uint64(max(info.Unit, 1))) //nolint:unconvert // uint32 on machines of 32 bits
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if limit, ok := groupLimit(file); ok {
			total = min(total, limit)
		}
	}
	if total == math.MaxInt64 {
		return 0
	}
	return int64(total)
}

// groupLimit reads the limit of a control group, false if there is none.
func groupLimit(file string) (limit uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	limit, err = strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return limit, err == nil && limit > 0 // the word max is no limit
}
