package figures

import "testing"

// TestMeasured shows times and sizes in units that fit them.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{4e7, "ns", "40 ms"},
		{40, "ms", "40 ms"},
		{0.04, "seconds", "40 ms"},
		{-2.5, "microseconds", "-2.5 µs"},
		{480_277_120, "bytes", "458 MiB"},
		{2048, "KB", "2 MiB"},
		{-1024, "B", "-1 KiB"},
		{0, "bytes", "0 bytes"},
		{1, "B", "1 byte"},
		{1536 << 10, "bytes", "1.5 MiB"},
		{1023.9 * 1024, "bytes", "1 MiB"},
		{3 << 30, "bytes", "3 GiB"},
		{3, "ticks", ""},
		{3, "", ""},
		{3, "count", ""},
	} {
		if got, ok := Measured(c.x, c.unit); got != c.want || ok != (c.want != "") {
			t.Errorf("%g %s: %q, want %q", c.x, c.unit, got, c.want)
		}
	}
}
