package threads

import (
	"math/big"
	"strings"

	"whorl/dts"
)

// A Choice asks for the number of ways to choose K of N.
type Choice struct{ N, K int64 }

// Pascal computes a row of Pascal's triangle, with a thread for each coefficient of the first half; the second half is its mirror image. A thread
// needs a multiplication and a division for each of its K factors, so that later threads take longer.
func Pascal(e *Env) Program {
	coefficient := dts.Register(e.Funcs, "coefficient", func(w *dts.Worker, c Choice) string {
		v := big.NewInt(1)
		for i := range c.K {
			v.Mul(v, big.NewInt(c.N-i))
			v.Quo(v, big.NewInt(i+1))
			e.spend(w, 20+10*int64(v.BitLen()+63)/64)
		}
		return v.String()
	})

	return e.program(func(w *dts.Worker, p []int64) string {
		n := p[0]
		half := make([]dts.Handle[string], n/2+1)
		for k := range half {
			half[k] = coefficient.Fork(w, Choice{n, int64(k)})
		}
		row := make([]string, n+1)
		for k, h := range half {
			row[k] = h.Join(w)
			row[n-int64(k)] = row[k]
			e.spend(w, 10)
		}
		return strings.Join(row, " ")
	}, nil)
}
