package exec

import (
	"testing"

	"whorl/testdata/testenv"
)

// TestLongStatementsPause checks that a run can pause within a statement that computes many elements.
func TestLongStatementsPause(t *testing.T) {
	testenv.Sequential(t)
	for _, c := range []struct{ name, text string }{
		{"nests", `program p
  real*8 a(300000), b(300000)
  a = 1.5d0
  b = sin(a) * exp(-a)
end
`},
		{"matmul", `program p
  real*8 a(160, 160), b(160, 160)
  a = 1
  b = matmul(a, a)
end
`},
	} {
		for _, live := range []bool{false, true} {
			m := machine(t, prepared(t, "p.f90", c.text, 1), Options{Live: live})
			pauses := 0
			for more := true; more; pauses++ {
				var err error
				if more, err = m.Advance(50); err != nil {
					t.Fatal(err)
				}
			}
			if pauses < 100 {
				t.Errorf("%s, live %v: %d pauses", c.name, live, pauses)
			}
		}
	}
}
