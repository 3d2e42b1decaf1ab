package pprof

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"whorl/testdata/must"
)

// used returns the processor time of this process in ns.
func used(b *testing.B) int64 {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// peak returns the peak memory of this process in MB.
func peak(b *testing.B) float64 {
	status := must.Get(os.ReadFile("/proc/self/status"))(b)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb := must.Get(strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), "kB")), 64))(b)
	return kb / 1e3
}
