package lower

import (
	"fmt"
	"testing"

	"whorl/hpfsim/syntax"
	"whorl/testdata/must"
)

// TestFixedReads checks which loops are independent that read a fixed element of the array that they write. They are if the element is before the first that is
// written, or behind the last one; bounds may be sums of variables.
func TestFixedReads(t *testing.T) {
	proved := func(declarations, head, body string) bool {
		text := "program p\ninteger a(-60:60), b(60,60), i, j, k\n!HPF$ DISTRIBUTE a(BLOCK)\n!HPF$ DISTRIBUTE b(*,CYCLIC)\n" + declarations + head + "\n" + body + "\nend do\nend\n"
		file, errs := syntax.Parse("p.f90", text, syntax.Options{})
		must.Do(t, errs.Err())
		p, errs := Lower(file, 4, nil)
		must.Do(t, errs.Err())
		found := false
		Statements(p.Main.Body, func(s Stmt) {
			if d, ok := s.(*Do); ok && d.Var.Name == "I" {
				found = d.Why == nil
			}
		})
		return found
	}
	for lo := -2; lo <= 2; lo++ {
		for hi := -2; hi <= 2; hi++ {
			for _, step := range []int{-2, -1, 1, 2} {
				for _, factor := range []int{-3, 1} {
					for read := -9; read <= 9; read++ {
						hit, before, behind := false, true, true
						for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
							hit = hit || factor*i+1 == read
						}
						for _, end := range []int{lo, hi} {
							before, behind = before && read < factor*end+1, behind && read > factor*end+1
						}
						got := proved("", fmt.Sprintf("do i = %d, %d, %d", lo, hi, step), fmt.Sprintf("a(%d*i+1) = a(%d*i+1) + a(%d)", factor, factor, read))
						if got && hit || !got && (before || behind) && (step > 0) == (lo <= hi) {
							t.Fatalf("do i = %d, %d, %d with a(%d*i+1) and a(%d): independent is %v", lo, hi, step, factor, read, got)
						}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		head, body string
		want       bool
	}{
		{"do i = k+1, 60", "b(j,i) = b(j,i) - b(j,k)*b(k,i)", true},
		{"do i = k, 60", "b(j,i) = b(j,i) - b(j,k)*b(k,i)", false},
		{"do i = 1, k-1", "b(j,i) = b(j,i) + b(i,k)", true},
		{"do i = 1, k", "b(j,i) = b(j,i) + b(i,k)", false},
		{"do i = k+1, 60", "k = 1\nb(j,i) = b(j,k)", false},
		{"do i = k+1, 60", "b(j,k) = b(j,i)", false},
		{"do i = 60, k+1, -1", "b(j,i) = b(j,k)", true},
		{"do i = k+1, 60, j", "b(j,i) = b(j,k)", false},
		{"do i = k+1, 60", "b(j,i) = b(j,i-1) + b(j,k)", false},
	} {
		if got := proved("j = 2\nk = 3\n", c.head, c.body); got != c.want {
			t.Errorf("%s: %s: independent is %v", c.head, c.body, got)
		}
	}
}
