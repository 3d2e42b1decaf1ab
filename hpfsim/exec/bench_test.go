package exec

import (
	"testing"

	"whorl/tracer"
)

// Jacobi on one processor, sampled as whorl run samples it.
func BenchmarkJacobi(b *testing.B) {
	const source = "program j\ninteger, parameter :: n = 1000\nreal*8 a(n, n), b(n, n)\n!HPF$ DISTRIBUTE (*, BLOCK) :: a, b\na = 1\ndo k = 1, 10\n" +
		"b(2:n-1, 2:n-1) = 0.25d0 * (a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))\na(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)\nend do\nend\n"
	p := prepared(b, "j.f90", source, 1)
	for b.Loop() {
		m := machine(b, p, Options{Recorder: tracer.NewMemory(), Sample: 100_000})
		if _, err := m.Advance(1 << 40); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(10*998*998), "ns/point")
}
