package lower

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/hpfsim/syntax"
	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

func lowered(t testing.TB, path string, processors int) (*Program, syntax.Errors) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	f, errs := syntax.Parse(path, string(text), syntax.Options{})
	if errs.Failed() {
		t.Fatal(errs.Error())
	}
	p, errs := Lower(f, processors, nil)
	return p, errs.Locate(string(text))
}

// TestErrors compares the errors of programs with the texts after !~ in their lines.
func TestErrors(t *testing.T) {
	for _, path := range []string{"testdata/errors.f90", "testdata/shared.f90", "testdata/pure.f90", "testdata/modules.f90", "testdata/generic.f90", "testdata/entries.f90", "testdata/structures.f90", "testdata/linked.f90", "testdata/equivalence.f90", "testdata/pointers.f90"} {
		errorsIn(t, path)
	}
}

// errorsIn compares the errors of a program with the texts after !~ in its lines.
func errorsIn(t *testing.T, path string) {
	t.Helper()
	text, _ := os.ReadFile(path)
	_, errs := lowered(t, path, 4)
	got := map[int32][]string{}
	for _, e := range errs {
		got[e.Pos.Line] = append(got[e.Pos.Line], e.Msg)
	}
	for i, line := range strings.Split(string(text), "\n") {
		n := int32(i + 1)
		_, want, ok := strings.Cut(line, "!~")
		want = strings.TrimSpace(want)
		switch msgs := got[n]; {
		case !ok && len(msgs) > 0:
			t.Errorf("%s:%d: unexpected error %q", path, n, msgs)
		case ok && (len(msgs) != 1 || !strings.Contains(msgs[0], want)):
			t.Errorf("%s:%d: %q, want %q", path, n, msgs, want)
		}
	}
}

// TestAlignedWithArguments checks that arrays aligned with an argument, directly or through others, are mapped if the
// procedure maps the argument, and replicated otherwise.
func TestAlignedWithArguments(t *testing.T) {
	for _, c := range []struct {
		directive string
		mapped    bool
	}{{"", false}, {"!HPF$ INHERIT a\n", true}, {"!HPF$ DISTRIBUTE a(*)\n", false}, {"!HPF$ DISTRIBUTE a(BLOCK)\n", true}} {
		text := "subroutine s(a)\nreal a(:), t(size(a)), u(size(a))\n" + c.directive + "!HPF$ ALIGN u(:) WITH t(:)\n!HPF$ ALIGN t(:) WITH a(:)\nt = a\nu = t\nend\n"
		f, errs := syntax.Parse("s.f90", "program p\nend\n"+text, syntax.Options{})
		prog, more := Lower(f, 4, nil)
		if errs = append(errs, more...); errs.Failed() {
			t.Errorf("%q: %v", c.directive, errs.Error())
			continue
		}
		for _, u := range prog.Units {
			for _, s := range u.Symbols {
				if (s.Name == "T" || s.Name == "U") && (s.Place != nil) != c.mapped {
					t.Errorf("%q: %s is mapped: %t", c.directive, s.Name, !c.mapped)
				}
			}
		}
	}
}

// TestAlignedTogether checks that one directive may align arrays with different subscripts.
func TestAlignedTogether(t *testing.T) {
	for _, c := range []struct{ directive, a, b string }{
		{"ALIGN a(i), b(*,i) WITH t(2*i)", "a(block(4) over 4 at 2*i+0)", "b(*, block(4) over 4 at 2*i+0)"},
		{"ALIGN a(i), b(i,*) WITH t(i+1)", "a(block(4) over 4 at 1*i+1)", "b(block(4) over 4 at 1*i+1, *)"},
		{"ALIGN WITH t(i+2) :: a(i), b(*,i)", "a(block(4) over 4 at 1*i+2)", "b(*, block(4) over 4 at 1*i+2)"},
		{"ALIGN WITH t(i) :: b(i,*), a(i)", "a(block(4) over 4)", "b(block(4) over 4, *)"},
	} {
		f, errs := syntax.Parse("s.f90", "program p\nreal a(8), b(8,8)\n!HPF$ TEMPLATE t(16)\n!HPF$ DISTRIBUTE t(BLOCK)\n!HPF$ "+c.directive+"\nend\n", syntax.Options{})
		prog, more := Lower(f, 4, nil)
		if errs = append(errs, more...); errs.Failed() {
			t.Errorf("%s: %v", c.directive, errs.Error())
			continue
		}
		var b strings.Builder
		must.Do(t, Listing(&b, prog))
		if !strings.Contains(b.String(), "  "+c.a+"\n  "+c.b+"\n") {
			t.Errorf("%s: %s", c.directive, b.String())
		}
	}
}

// TestListings compares the listings of programs with the goldens.
func TestListings(t *testing.T) {
	for _, c := range []struct{ source, golden string }{
		{"../../testdata/programs/jacobi.f", "testdata/jacobi.listing"},
		{"../../testdata/programs/forms.f90", "testdata/forms.listing"},
		{"testdata/patterns.f90", "testdata/patterns.listing"},
	} {
		p, errs := lowered(t, c.source, 4)
		if errs.Failed() {
			t.Errorf("%s: %v", c.source, errs.Error())
			continue
		}
		var b strings.Builder
		must.Do(t, Listing(&b, p))
		if *update {
			must.Do(t, os.WriteFile(c.golden, []byte(b.String()), 0o666))
		}
		if want, _ := os.ReadFile(c.golden); b.String() != string(want) {
			t.Errorf("the listing of %s differs from %s (-update writes it):\n%s", c.source, c.golden, b.String())
		}
	}
}

// TestCommunication checks the messages that follow from the references of a statement.
func TestCommunication(t *testing.T) {
	const head = "program p\nreal a(64), b(64), c(64), e(0:63)\ninteger ix(64)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\n!HPF$ DISTRIBUTE c(CYCLIC)\n!HPF$ ALIGN e(i) WITH a(i+1)\nnear(i) = b(i+1)\n"
	const tail = "\ncontains\nfunction twice(x)\ntwice = 2*x\nend function\nsubroutine change(x)\nreal x(:)\nx = 1\nend subroutine\nend\n"
	for _, c := range []struct{ stmt, want string }{
		{"a = b", ""},
		{"a(1:63) = b(2:64)", "shift b by +1 along axis 1"},
		{"a(3:64) = b(1:62)", "shift b by -2 along axis 1"},
		{"a = c", "exchange c"},
		{"a(1:64:2) = b(1:64:2)", ""},
		{"a(1:32) = b(1:64:2)", "exchange b(1:64:2)"},
		{"a = b(3)", "broadcast b(3)"},
		{"a = b(k)", "broadcast b(k)"},
		{"a = b(ix)", "gather b(ix)"},
		{"s = b(3)", "broadcast b(3)"},
		{"s = sum(b)", "reduce sum(b)"},
		{"a = e", ""},
		{"a(2:64) = e(0:62)", "shift e by -1 along axis 1"},
		{"a = cshift(b, 1)", "exchange cshift(b,1)"},
		{"forall (i=1:9) a(i)=c(i)", "exchange c(i)"},
		{"forall (i=1:9) a(i)=b(9)", "broadcast b(9)"},
		{"where (b > 0) a = 1", ""},
		{"a = ix", ""},
		{"ix(1) = 2", ""},
		{"a(k+1) = b(k)", "broadcast b(k)"},
		{"c(1:63) = c(2:64)", "exchange c(2:64)"},
		{"a(65-k:64) = b(64-k:63)", "shift b by -1 along axis 1"},
		{"a = b + b(64:1:-1)", "exchange b(64:1:-1)"},
		{"print *, b(1)", "broadcast b(1)"},
		{"if (b(1) > 0) s = 1", "broadcast b(1)"},
		{"a(ix) = b", "gather b"},
		{"s = maxval(abs(b(2:63)))", "reduce maxval(abs(b(2:63)))"},
		{"forall (i=1:9) a(i)=e(i-1)", ""},
		{"forall (i=1:9) a(i)=near(i)", "shift b by +1 along axis 1"},
		{"s = near(3)", "broadcast b(4)"},
		{"do i=1,9; s=s+b(i); end do", "reduce s, behind the loop"},
		{"do i=1,9; s=s-b(i); t=s; end do", "exchange b(i), taken out of 1 loop"},
		{"do i=1,9; s=s-b(i)*c(j); t=s; end do", "exchange b(i), taken out of 1 loop; broadcast c(j), taken out of 1 loop"},
		{"do j=1,9; do i=j,9; s=s-b(i); t=s; end do; end do", "exchange b(i), taken out of 2 loops"},
		{"do j=1,9; do i=1,k; s=s-b(i); t=s; end do; k=j; end do", "exchange b(i), taken out of 1 loop"},
		{"do i=1,9; s=s-b(i); t=s; b(3)=s; end do", "broadcast b(i)"},
		{"do i=1,9; k=k+1; s=s-b(k); t=s; end do", "broadcast b(k)"},
		{"do i=1,9; if (s>3) exit; s=s-b(i); t=s; end do", "broadcast b(i)"},
		{"do i=1,9; s=s-b(4); t=s; end do", "broadcast b(4), taken out of 1 loop"},
		{"do i=1,9; if (b(i)>t) t=s+i; end do", "exchange b(i), taken out of 1 loop"},
		{"s = twice(twice(b(3)))", "broadcast b(3)"},
		{"print *, twice(b(3) + b(4))", "broadcast b(3); broadcast b(4)"},
		{"call change(b(1:9:2))", ""},
		{"a = b(64/(2*k))", "broadcast b(64/(2*k))"},
		{"a = b(-(k-1)*2-(k-j)+2**k)", "broadcast b(-(k-1)*2-(k-j)+2**k)"},
		{"a = b((2*k)**j*k/j*2)", "broadcast b((2*k)**j*k/j*2)"},
	} {
		f, errs := syntax.Parse("p.f90", head+c.stmt+tail, syntax.Options{})
		if errs.Failed() {
			t.Errorf("%s: %v", c.stmt, errs.Error())
			continue
		}
		p, errs := Lower(f, 4, nil)
		if errs.Failed() {
			t.Errorf("%s: %v", c.stmt, errs.Error())
			continue
		}
		var got []string
		for _, i := range p.Main.Code {
			if i.Comm {
				got = append(got, i.Op+" "+i.Args)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s sends %q, want %q", c.stmt, got, c.want)
		}
	}
}

// TestCodeIsCovered checks that every instruction belongs to exactly one statement, or to one call that sweeps an array.
func TestCodeIsCovered(t *testing.T) {
	for _, path := range []string{"../../testdata/programs/jacobi.f", "../../testdata/programs/forms.f90", "testdata/patterns.f90"} {
		p, _ := lowered(t, path, 4)
		for _, u := range p.Units {
			owner := make([]int, len(u.Code))
			for _, s := range stats(u.Body) {
				for i := s.First; i < s.Last; i++ {
					owner[i]++
				}
			}
			Statements(u.Body, func(s Stmt) {
				Expressions(s, func(x Expr) {
					Walk(x, func(x Expr) {
						if c, ok := x.(*Call); ok {
							for i := c.First; i < c.Last; i++ {
								owner[i]++
							}
						}
					})
				})
			})
			for i, n := range owner {
				if n != 1 {
					t.Errorf("%s: instruction %d of %s, %v, belongs to %d statements", path, i, u.Name, u.Code[i], n)
				}
			}
		}
	}
}

// stats lists the instruction ranges of statements.
func stats(body []Stmt) (out []*Stat) {
	Statements(body, func(s Stmt) {
		out = append(out, s.Info())
		switch s := s.(type) {
		case *If:
			for i := range s.Tests {
				out = append(out, &s.Tests[i])
			}
		case *Do:
			out = append(out, &s.End)
		}
	})
	return out
}

func FuzzLower(f *testing.F) {
	for _, path := range []string{"../../testdata/programs/declare.f90", "../../testdata/programs/forms.f90", "testdata/patterns.f90", "testdata/errors.f90", "testdata/modules.f90", "testdata/generic.f90", "testdata/entries.f90", "../exec/testdata/trees.f90"} {
		text := must.Get(os.ReadFile(path))(f)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, errs := syntax.Parse("f.f90", text, syntax.Options{})
		if errs.Failed() {
			return
		}
		if p, errs := Lower(file, 4, nil); !errs.Failed() {
			var b strings.Builder
			must.Do(t, Listing(&b, p))
		}
	})
}

// TestAlignedWithUndistributed checks that arrays aligned with an array or a template are mapped if the target is distributed,
// and replicated otherwise.
func TestAlignedWithUndistributed(t *testing.T) {
	for _, c := range []struct {
		directive string
		mapped    bool
	}{{"", false}, {"!HPF$ DISTRIBUTE t(BLOCK)\n", true}} {
		for _, target := range []string{"!HPF$ TEMPLATE t(8)\n", "real t(8)\n"} {
			f, errs := syntax.Parse("p.f90", "program p\nreal a(8), b(8)\n"+target+c.directive+"!HPF$ ALIGN a(i) WITH t(i)\n!HPF$ ALIGN b(i) WITH a(i)\na = 1\nb = a\nend\n", syntax.Options{})
			prog, more := Lower(f, 4, nil)
			if errs = append(errs, more...); len(errs) > 0 {
				t.Errorf("%q %q: %v", target, c.directive, errs)
				continue
			}
			for _, s := range prog.Main.Symbols[:2] {
				if (s.Place != nil) != c.mapped {
					t.Errorf("%q %q: %s is mapped: %t", target, c.directive, s.Name, !c.mapped)
				}
			}
		}
	}
}

// TestBrokenStructures resolves programs with derived types in which words are missing, doubled or exchanged.
func TestBrokenStructures(t *testing.T) {
	for _, path := range []string{"testdata/structures.f90", "testdata/linked.f90", "../exec/testdata/structures.f90", "../exec/testdata/bodies.f90", "../exec/testdata/holders.f90", "../exec/testdata/operators.f90", "../exec/testdata/constructors.f90"} {
		text := string(must.Get(os.ReadFile(path))(t))
		words := regexp.MustCompile(`\w+|\s+|.`).FindAllString(text, -1)
		rapid.Check(t, func(draw *rapid.T) {
			broken := slices.Clone(words)
			for range rapid.IntRange(1, 3).Draw(draw, "") {
				at, other := rapid.IntRange(0, len(broken)-1).Draw(draw, ""), rapid.IntRange(0, len(broken)-1).Draw(draw, "")
				switch rapid.IntRange(0, 2).Draw(draw, "") {
				case 0:
					broken[at] = ""
				case 1:
					broken[at] += broken[other]
				default:
					broken[at], broken[other] = broken[other], broken[at]
				}
			}
			if file, errs := syntax.Parse("f.f90", strings.Join(broken, ""), syntax.Options{}); !errs.Failed() {
				Lower(file, 4, nil)
			}
		})
	}
}
