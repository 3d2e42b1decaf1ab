package timeline

import (
	"testing"

	"whorl/visual/testdata/kindtest"
)

func Benchmark(b *testing.B) { kindtest.Bench(b, Kind()) }

func BenchmarkProcedures(b *testing.B) { kindtest.Bench(b, Kind(), "color", "procedure") }
