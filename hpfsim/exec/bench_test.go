package exec

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// BenchmarkJacobi runs Jacobi on one processor, sampled as by whorl run: in array syntax and as loops, on a workstation and
// on a slow machine with a sample every 400 instructions.
func BenchmarkJacobi(b *testing.B) {
	const head = "program j\ninteger, parameter :: n = 1000\nreal*8 a(n, n), b(n, n)\n!HPF$ DISTRIBUTE (*, BLOCK) :: a, b\na = 1\ndo k = 1, 10\n"
	for _, bench := range []struct {
		name, body  string
		instruction int64
	}{
		{"arrays", "b(2:n-1, 2:n-1) = 0.25d0 * (a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))\na(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)\n", 2000},
		{"loops", jacobiLoops, 2000},
		{"arrays, often", "b(2:n-1, 2:n-1) = 0.25d0 * (a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))\na(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)\n", 250_000},
		{"loops, often", jacobiLoops, 250_000},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p := prepared(b, "j.f90", head+bench.body+"end do\nend\n", 1)
			for b.Loop() {
				cost := model
				cost.InstructionPs = bench.instruction
				m := machine(b, p, Options{Model: cost, Recorder: tracer.NewMemory(), Sample: 100_000})
				must.Get(m.Advance(1 << 40))(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(10*998*998), "ns/point")
		})
	}
}

const jacobiLoops = "do j = 2, n - 1\ndo i = 2, n - 1\nb(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1))\nend do\nend do\n" +
	"do j = 2, n - 1\ndo i = 2, n - 1\na(i, j) = b(i, j)\nend do\nend do\n"
