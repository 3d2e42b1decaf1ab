package utilisation

import (
	"testing"

	"whorl/visual/view/viewtest/kindtest"
)

func Benchmark(b *testing.B) { kindtest.Bench(b, Kind()) }

func BenchmarkProcedures(b *testing.B) { kindtest.Bench(b, Kind(), "color", "procedure") }
