package figures

import "math"

// units are the units of times, in ns, and of sizes, in bytes, by their names in profiles.
var units = map[string]struct {
	of   float64
	size bool
}{
	"ns": {of: 1}, "nanoseconds": {of: 1}, "us": {of: 1e3}, "µs": {of: 1e3}, "microseconds": {of: 1e3}, "ms": {of: 1e6}, "milliseconds": {of: 1e6},
	"s": {of: 1e9}, "sec": {of: 1e9}, "seconds": {of: 1e9},
	"B": {1, true}, "bytes": {1, true}, "kB": {1 << 10, true}, "KB": {1 << 10, true}, "kilobytes": {1 << 10, true}, "KiB": {1 << 10, true},
	"MB": {1 << 20, true}, "megabytes": {1 << 20, true}, "MiB": {1 << 20, true},
}

// Measured formats a time or a size to three digits in the unit that fits it: 12.3 ms, 458 MiB, 1.5 GiB. It reports false for an amount of something else.
func Measured(x float64, unit string) (s string, ok bool) {
	u, ok := units[unit]
	if !ok {
		return "", false
	}
	x *= u.of
	if !u.size {
		return Duration(int64(math.Round(min(max(x, -math.MaxInt64/2), math.MaxInt64/2)))), true
	}
	size := sizes[0]
	for _, v := range sizes[1:] {
		if math.Abs(x) >= v.bytes*0.9995 {
			size = v
		}
	}
	if size.bytes == 1 {
		return Counted(int64(math.Round(x)), size.name), true
	}
	return digits(x/size.bytes) + " " + size.name, true
}

var sizes = []struct {
	name  string
	bytes float64
}{{"byte", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}
