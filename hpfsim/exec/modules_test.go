package exec

import (
	"fmt"
	"strings"
	"testing"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// TestModulesInAnyOrder gives the units of a program as a file each, from the last to the first.
func TestModulesInAnyOrder(t *testing.T) {
	text, _ := texts(t, "testdata/modules.f90")
	want, _, err := run(t, "modules.f90", text, "", 4, Options{})
	must.Do(t, err)
	var all *syntax.File
	units := strings.Split(text, "\n\n")
	for i := len(units) - 1; i >= 0; i-- {
		f, errs := syntax.Parse(fmt.Sprintf("%d.f90", i), units[i], syntax.Options{})
		if errs.Failed() {
			t.Fatal(errs)
		}
		if all == nil {
			all = f
		} else {
			all.Add(f)
		}
	}
	prog, errs := lower.Lower(all, 4, Constant)
	if errs.Failed() {
		t.Fatal(errs)
	}
	var out strings.Builder
	m := machine(t, prog, Options{Output: &out})
	if _, err := m.Advance(1 << 40); err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestRemappedModules checks that arrays of a module, and arrays of its users that are aligned with them, follow a remapping of a template of the module.
func TestRemappedModules(t *testing.T) {
	const text = "module m\nreal a(16), b(16)\n!HPF$ TEMPLATE t(16)\n!HPF$ DYNAMIC t\n!HPF$ DISTRIBUTE t(BLOCK)\n!HPF$ ALIGN (i) WITH t(i) :: a, b\ncontains\nsubroutine turn\n" +
		"!HPF$ REDISTRIBUTE t(CYCLIC)\nend subroutine\nend module\nprogram p\nuse m, field => a\nreal c(16)\n!HPF$ ALIGN (i) WITH field(i) :: c\nfield = 1; b = 2; c = 3\n"
	for _, c := range []struct {
		remap string
		moved int64 // elements
		owned string
	}{
		{"call turn", 36, "[{2 14 4}]"}, // 12 elements each of a and b; then 12 of c for the sum
		{"!HPF$ REDISTRIBUTE t(CYCLIC)", 36, "[{2 14 4}]"},
	} {
		out, m, err := run(t, "p.f90", text+c.remap+"\nfield = b + c\nprint *, sum(field)\nend\n", "", 4, Options{})
		if err != nil || out != "   80.0000000    \n" {
			t.Errorf("%v\n%s", err, out)
		}
		_, still, _ := run(t, "p.f90", text+"print *, sum(field)\nend\n", "", 4, Options{})
		if moved := (m.Totals().Bytes - still.Totals().Bytes) / 4; moved != c.moved {
			t.Errorf("%s: %d elements are sent", c.remap, moved)
		}
		f := m.modules[0]
		for _, s := range f.unit.Symbols {
			if s.Class != lower.Variable {
				continue
			}
			if a := f.vars[s.Index]; fmt.Sprint(a.lay.Owned(1, a.whole())[0]) != c.owned {
				t.Errorf("%s: processor 1 owns %v of %s", c.remap, a.lay.Owned(1, a.whole())[0], s.Name)
			}
		}
	}
}

// TestModulesOfLiveProcessors checks that the processors of a live run find the variables of modules in a loop that they share.
func TestModulesOfLiveProcessors(t *testing.T) {
	testenv.Sequential(t)
	const text = `module d
  real :: a(9)
!HPF$ DISTRIBUTE a(BLOCK)
end module
program p
  use d
  a = 0
  do i = 1, 9
    if (i > 3) a(i) = i
  end do
  print '(f5.1)', sum(a)
end program
`
	if out, _, err := run(t, "p.f90", text, "", 3, Options{Live: true}); err != nil || out != " 39.0\n" {
		t.Errorf("%q, %v", out, err)
	}
}
