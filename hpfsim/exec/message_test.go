package exec

import (
	"fmt"
	"testing"
)

// TestEdgesGoAtOnce checks that edges are exchanged concurrently, for any number of processors: each sends one message and
// receives one (LogGP).
func TestEdgesGoAtOnce(t *testing.T) {
	elapsed := func(processors int, body string) int64 {
		text := fmt.Sprintf("program p\n real(8) :: a(%[1]d), b(%[1]d)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\n%[2]s\nend program p\n", 4*processors, body)
		_, m, err := run(t, "p.f90", text, "", processors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m.Now()
	}
	want := 2*model.Overhead + model.Latency + 8*model.BytePs/1000
	const computing = 100 // ns; largest difference of the two statements
	for _, processors := range []int{2, 3, 8, 100} {
		for _, n := range []int{8, 4 * processors} {
			shift := elapsed(processors, fmt.Sprintf("b(2:%d) = a(1:%d)", n, n-1)) - elapsed(processors, fmt.Sprintf("b(1:%d) = a(1:%d)", n-1, n-1))
			if shift < want-computing || shift > want+computing {
				t.Errorf("%d processors, %d elements: edges take %d ns, not about %d", processors, n, shift, want)
			}
		}
	}
}
