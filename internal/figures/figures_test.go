package figures

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", -7: "-7", 999: "999", 1000: "1,000", -123456: "-123,456", 2235: "2,235", 1048576: "1,048,576",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %s, want %s", n, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		back, err := strconv.ParseInt(strings.ReplaceAll(Grouped(n), ",", ""), 10, 64)
		if err != nil || back != n {
			t.Fatalf("%d became %s", n, Grouped(n))
		}
	})
}

func TestDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 ns", 999: "999 ns", 1000: "1.000 us", 566_500: "566.5 us", 3_490_000: "3.490 ms", 16_460_000: "16.46 ms", 1_999_500_000: "2.000 s",
		90_000_000_000: "90.00 s", 5_000_000_000_000: "5000 s", -1500: "-1.500 us",
	} {
		if got := Duration(ns); got != want {
			t.Errorf("Duration(%d) = %s, want %s", ns, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"17": 17, "1k": 1024, "1K": 1024, "500M": 500 << 20, "2G": 2 << 30, "2GiB": 2 << 30, "2GB": 2 << 30, "3T": 3 << 40, "12B": 12,
	} {
		if got, ok := Bytes(s); got != want || !ok {
			t.Errorf("Bytes(%q) = %d, %t, want %d", s, got, ok, want)
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
