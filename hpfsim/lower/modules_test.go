package lower

import (
	"strings"
	"testing"

	"whorl/hpfsim/syntax"
)

// TestModules checks the errors of modules that do not exist, and of those that use each other in a circle.
func TestModules(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"program p\nuse stat\nuse states\nend\nmodule state\nend module", "p.f90:2:5: there is no module STAT\nexpected a module of the program, whose file is given as well; did you mean STATE?\n" +
			"p.f90:3:5: there is no module STATES\nexpected a module of the program, whose file is given as well; did you mean STATE?"},
		{"subroutine s\nend\nprogram p\nuse s\nend", "p.f90:4:5: there is no module S\nexpected a module of the program, whose file is given as well"},
		{
			"program p\nuse a\nend\nmodule a\nuse b\nend\nmodule b\ncontains\nsubroutine s\nuse c\nend\nend\nmodule c\nuse b\nend",
			"p.f90:14:5: modules use each other in a circle: B uses C, C uses B\nexpected modules that do not use themselves",
		},
		{"program p\nuse mpi\nend", "p.f90:2:5: the module MPI is not in the subset"},
		{"module a\nuse a\nend\nprogram p\nend", "p.f90:2:5: modules use each other in a circle: A uses A\nexpected modules that do not use themselves"},
	} {
		f, errs := syntax.Parse("p.f90", c.text+"\n", syntax.Options{})
		if errs.Failed() {
			t.Fatal(errs)
		}
		_, errs = Lower(f, 4, nil)
		var got []string
		for _, e := range errs {
			got = append(got, e.Error())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s\n%s", text, c.want)
		}
	}
}
