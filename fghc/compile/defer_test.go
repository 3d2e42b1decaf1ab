package compile

import (
	"fmt"
	"strings"
	"testing"
)

// A builtin is deferred behind the goals that compute its operands, wherever the body names it. It is not if a pragma
// sends such a goal elsewhere, or if no goal of the body has the operand as an argument.
func TestDeferrals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"q(A), q(B), R := A + B", ":= after 2"},
		{"R := A + B, q(A), q(B)", ":= after 2"},
		{"q(A), R := A + 1, q(_)", ":= after 1"},
		{"q(A), R := (N + 1) * (A - N)", ":= after 1"},
		{"X := A + 1, q(A), Y := X + 1, q(_), R := X + Y", ":= after 1, := after 1, := after 2"},
		{"q(I), vector_element(N, I, R), q(_)", "vector_element after 1"},
		{"A := N + 1, q(A), R := A + 1", ""},
		{"R := N + 1, q(R)", ""},
		{"q(f(A)), R := A + 1", ""},
		{"R = [A|T], q(T), X := A + 1, q(X)", ""},
		{"q(A)@node(1), R := A + 1", ""},
		{"q(A), A = N, R := A + 1", ""},
		{"q(A), new_vector(V, A), q(_), vector_element(V, N, R)", "new_vector after 1, vector_element after 2"},
	} {
		p := compiled(t, "p(N,R) :- "+c.body+".\nq(_).\n")
		body := int32(0)
		for _, in := range p.Code {
			if in.Op == Commit && p.Clauses[in.K].Number == 1 {
				body = in.Target
			}
		}
		all := p.Deferrals(body)
		var got []string
		for pc := body; p.Code[pc].Op != Proceed; pc++ {
			if d, ok := all[pc]; ok {
				got = append(got, fmt.Sprintf("%s after %d", p.Procs[d.Delay.Proc].Name, d.Goals))
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
