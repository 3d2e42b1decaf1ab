package figures

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCountReadsBack removes the commas and compares the numbers.
func TestCountReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		back, err := strconv.ParseInt(strings.ReplaceAll(Count(n), ",", ""), 10, 64)
		if err != nil || back != n {
			t.Fatalf("%d became %s", n, Count(n))
		}
	})
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		want  string
	}{{0, "0 bytes"}, {1, "1 byte"}, {1<<10 - 1, "1,023 bytes"}, {1 << 10, "1 KiB"}, {1<<20 - 1, "1,023 KiB"}, {1 << 20, "1 MiB"}, {2<<20 - 1, "1 MiB"}, {5 << 30, "5,120 MiB"}} {
		if got := Size(c.bytes); got != c.want {
			t.Errorf("Size(%d) = %s, want %s", c.bytes, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		s    string
		want int64
	}{
		{"17", 17}, {"1k", 1024}, {"1K", 1024}, {"500M", 500 << 20}, {"2G", 2 << 30}, {"2GiB", 2 << 30}, {"2GB", 2 << 30}, {"3T", 3 << 40}, {"12B", 12},
	} {
		if got, ok := Bytes(c.s); got != c.want || !ok {
			t.Errorf("Bytes(%q) = %d, %t, want %d", c.s, got, ok, c.want)
		}
	}
	for _, s := range []string{"", "G", "0", "0M", "-1", "1.5G", "1 G", "0x10", "1GG", "9223372036854775807T", "lots", "1MB2"} {
		if got, ok := Bytes(s); ok {
			t.Errorf("Bytes(%q) = %d, want an error", s, got)
		}
	}
}

func FuzzBytes(f *testing.F) {
	for _, s := range []string{"500M", "2GiB", "", "9999999999999999999T", "kKMGTiB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := Bytes(s); ok && n < 1 {
			t.Errorf("Bytes(%q) = %d", s, n)
		}
	})
}
