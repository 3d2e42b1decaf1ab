package experiment

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestDeadlocksNameVariables: the report of a deadlock has the names of the program, also of variables within terms and of the operands of a
// computation. Different variables have different names.
func TestDeadlocksNameVariables(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{
			"main(X) :- p(Q, X), q(Q, R), r([R|Z], Z).\np([A|_], X) :- X = A.\nq(1, R) :- R = 1.\nr([2|Z], Z).\n",
			[]string{"p(Q,X) waits for Q", "q(Q,R) waits for Q", "r([R|Z],Z) waits for R"},
		},
		{
			"main(X) :- s(L, X), g(2, L).\ns([], N) :- N = 0.\ns([_|Xs], N) :- s(Xs, M), a(M, N).\na(M, N) :- integer(M) | N := M + 1.\ng(0, _).\ng(K, L) :- K > 0 | L = [K|T], K1 := K - 1, g(K1, T).\n",
			[]string{"s(Xs,M) waits for Xs", " waits for M"},
		},
		{
			"main(X) :- Y := S * 2 + U, c(Y), w(U, S, X).\nc(1).\nw(1, 2, _).\n",
			[]string{"Y := S*2+U waits for ", "c(Y) waits for Y", "w(U,S,X) waits for U"},
		},
		{"main(_) :- p(_, _A).\np(1, 2).\n", []string{"p(_2,_3) waits for _2"}},
	} {
		for _, mode := range []Mode{Sim, Live} {
			r := Defaults("p.fghc")
			r.Text, r.Goal, r.Mode, r.PEs = c.text, "main(X)", mode, 2
			done := must.Get(must.Get(r.Resolve())(t).Run(t.Context(), tracer.NewMemory(), nil))(t)
			for _, want := range c.want {
				if got := fmt.Sprint(done.Err); !strings.Contains(got, want) {
					t.Errorf("%s: %q is not in\n%s", mode, want, got)
				}
			}
		}
	}
}
