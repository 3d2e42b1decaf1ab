package effects

import (
	"math/rand/v2"
	"testing"
)

// Bounds that a zone derives hold for all values that satisfy the assumed ones, also after assignments and joins, and
// contradictions make it empty.
func TestZone(t *testing.T) {
	const n = 5
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var values [2][n]int64 // two states, of which the first variable is 0
		zones := [2]*Zone{newZone(n), newZone(n)}
		for k, z := range zones {
			for i := 1; i < n; i++ {
				values[k][i] = r.Int64N(20) - 10
			}
			for range 8 {
				a, b := r.IntN(n), r.IntN(n)
				slack := r.Int64N(3)
				z.assume(Term{a, 0}, Term{b, values[k][a] - values[k][b] + slack})
			}
			v, from := 1+r.IntN(n-1), r.IntN(n)
			if v != from {
				values[k][v] = values[k][from] + 3
				z.set(v, Term{from, 3})
			}
		}
		z := zones[0]
		z.join(zones[1], r.IntN(2) == 0)
		for k := range values {
			for a := range n {
				for b := range n {
					if most := z.above(Term{a, 1}, Term{b, 0}); values[k][a]+1-values[k][b] > most {
						t.Fatalf("%v: variable %d is more than %d above %d", values[k], a, most-1, b)
					}
				}
			}
		}
		if z.empty {
			t.Fatal("a zone with values is empty")
		}
		z.assume(Term{1, 5}, Term{2, 0})
		z.assume(Term{2, 0}, Term{3, -5})
		z.assume(Term{3, 0}, Term{1, 9})
		if !z.empty {
			t.Fatal("a cycle of bounds with a negative sum is not empty")
		}
	}
}
