package syntax

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// legal lists programs without errors that use every part of the syntax.
var legal = []string{
	"../../testdata/programs/jacobi.f", "../../testdata/programs/forms.f90", "../../testdata/programs/declare.f90",
	"testdata/nospace.f", "testdata/mapping.f90",
}

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

func read(t testing.TB, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}

// TestOutlines compares the outlines of whole programs with the goldens.
func TestOutlines(t *testing.T) {
	for _, source := range legal {
		name := filepath.Base(source)
		f, errs := Parse(name, read(t, source), Options{})
		if len(errs) > 0 {
			t.Errorf("%s: %v", name, errs.Error())
		}
		path := filepath.Join("testdata", strings.TrimSuffix(name, filepath.Ext(name))+".outline")
		got := Dump(f)
		if *update {
			must.Do(t, os.WriteFile(path, []byte(got), 0o666))
		}
		if want, _ := os.ReadFile(path); got != string(want) {
			t.Errorf("%s differs from %s (-update rewrites it):\n%s", name, path, got)
		}
	}
}

// TestErrors compares the errors of programs with the texts after !~ in their lines.
func TestErrors(t *testing.T) {
	for _, name := range []string{"testdata/errors.f90", "testdata/fixederrors.f"} {
		text := read(t, name)
		_, errs := Parse(name, text, Options{})
		want := map[int32]string{}
		for i, line := range strings.Split(text, "\n") {
			if _, msg, ok := strings.Cut(line, "!~"); ok {
				want[int32(i+1)] = strings.TrimSpace(msg)
			}
		}
		last := int32(0)
		for _, e := range errs {
			if e.Pos.Line < last {
				t.Errorf("%v follows an error of line %d", e.Pos, last)
			}
			last = e.Pos.Line
			msg, ok := want[e.Pos.Line]
			if !ok || msg == "" || !strings.Contains(e.Msg, msg) {
				t.Errorf("%v: got %q, want %q", e.Pos, e.Msg, msg)
			}
			if ok {
				want[e.Pos.Line] = ""
			}
		}
		for line, msg := range want {
			if msg != "" {
				t.Errorf("%s:%d: no error, want %q", name, line, msg)
			}
		}
	}
}

// TestForms checks that a program in both forms parses to the same file.
func TestForms(t *testing.T) {
	fixed := "C comment\n      PROGRAM P\n      REAL A(10)\nCHPF$ DISTRIBUTE A(\nCHPF$+BLOCK)\n      A(1) = 1.0\n     1       + 2.0\n      END\n"
	free := "! comment\nprogram p\nreal a(10)\n!hpf$ distribute a( &\n!hpf$ & block)\na(1) = 1.0 & ! more\n\n! between\n  + 2.0; end\n"
	a, errs := Parse("a.f", fixed, Options{})
	b, errs2 := Parse("b.f90", free, Options{})
	if len(errs)+len(errs2) > 0 || Dump(a) != Dump(b) {
		t.Errorf("%v %v\n%s\n%s", errs.Error(), errs2.Error(), Dump(a), Dump(b))
	}
	for _, c := range []struct {
		text string
		want Form
	}{{fixed, Fixed}, {free, Free}, {"c only a comment\n      x = 1\n      end\n", Fixed}, {"      x = 1 &\n      + 2\n end", Free}, {"call s\nend\n", Free}} {
		if f, _ := Parse("x.hpf", c.text, Options{}); f.Form != c.want {
			t.Errorf("form %d of %q, want %d", f.Form, c.text, c.want)
		}
	}
}

// TestAlignWithout checks that in fixed form blanks separate the name of an aligned array from WITH.
func TestAlignWithout(t *testing.T) {
	for _, c := range []struct{ directive, want string }{
		{"ALIGN U WITH T", "U"},
		{"ALIGN UWITH(I) WITH T(I)", "UWITH"},
		{"ALIGNU(I)WITH" + "T(I)", "U"},
	} {
		f, errs := Parse("a.f", "      REAL A(1)\nCHPF$ "+c.directive+"\n      END\n", Options{})
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.directive, errs.Error())
			continue
		}
		for _, s := range f.Units[0].Specs {
			if a, ok := s.(*Align); ok && (a.Arrays[0].Text != c.want || a.Target.Text != "T") {
				t.Errorf("%s aligns %s with %s", c.directive, a.Arrays[0].Text, a.Target.Text)
			}
		}
	}
}

// TestContinuedSemicolon checks that a continuation of a line that ends with a semicolon begins a statement in fixed form.
func TestContinuedSemicolon(t *testing.T) {
	f, errs := Parse("x.f", "      I = 1;\n     & J = 2; K = 3 ;\n     + L = 4 +\n     +  5;\n      END\n", Options{})
	if errs.Failed() {
		t.Fatal(errs)
	}
	var got []string
	for _, s := range f.Units[0].Body {
		got = append(got, Text(s.(*Assign).Left)+" = "+Text(s.(*Assign).Right))
	}
	if text := strings.Join(got, "; "); text != "i = 1; j = 2; k = 3; l = 4 + 5" {
		t.Error(text)
	}
}

// TestText checks that Text writes an expression that parses to the same expression.
func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1+2*3**2", "1 + 2*3**2"},
		{"-A**2", "-a**2"},
		{"(A+B)*C", "(a + b)*c"},
		{"A.LT.B.AND..NOT.C.OR.D.EQV.E", "a < b .and. .not. c .or. d .eqv. e"},
		{"X(1:N:2,:,I)", "x(1:n:2, :, i)"},
		{"'IT''S'//\"A\"", "'IT''S' // 'A'"},
		{"(1.D0,-2.)", "(1.d0, -2.)"},
		{"F(DIM=1)%0", ""},
		{"A-B-C", "a - b - c"},
		{"2**3**2", "2**3**2"},
		{"1.E5.EQ.1..OR..TRUE.", "1.e5 == 1. .or. .true."},
		{"A/=B", "a /= b"},
		{"(/(I,I=1,3),4/)", "(/ (i, i = 1, 3), 4 /)"},
		{"A.OF.-B*2.OF..NOT.C", "a .of. -b*2 .of. .not. c"},
		{"-.IN.A**2", "-.in. a**2"},
		{"1.OF.2.EQ.3", "1 .of. 2 == 3"},
	} {
		f, errs := Parse("x.f90", "x = "+c.in+"\nend\n", Options{})
		if c.want == "" {
			if !errs.Failed() {
				t.Errorf("%s is read without an error", c.in)
			}
			continue
		}
		if errs.Failed() {
			t.Errorf("%s: %v", c.in, errs.Error())
			continue
		}
		got := Text(f.Units[0].Body[0].(*Assign).Right)
		if got != c.want {
			t.Errorf("%s is written %s, want %s", c.in, got, c.want)
		}
	}
}

func TestInclude(t *testing.T) {
	files := map[string]string{"sizes.h": "      INTEGER N\n      PARAMETER (N = 4)\n", "bad.h": "      X = (\n", "self.h": "      INCLUDE 'self.h'\n"}
	opts := Options{Include: func(_, name string) (string, string, error) {
		if text, ok := files[name]; ok {
			return text, "dir/" + name, nil
		}
		return "", "", errors.New("no such file")
	}}
	f, errs := Parse("p.f", "      INCLUDE 'sizes.h'\n      REAL A(N)\n      END\n", opts)
	if errs.Failed() || len(f.Units[0].Specs) != 3 || len(f.Included) != 1 || f.Units[0].Specs[0].Position().String() != "dir/sizes.h:1:7" {
		t.Errorf("%v, %s", errs.Error(), Dump(f))
	}
	for _, c := range []struct{ text, want string }{
		{"      INCLUDE 'bad.h'\n      END\n", "dir/bad.h:1:12: unexpected end of the statement instead of an expression"},
		{"      INCLUDE 'none.h'\n      END\n", "p.f:1:7: cannot include \"none.h\": no such file"},
		{"      INCLUDE 'self.h'\n      END\n", "files include each other more than 20 deep"},
	} {
		if _, errs := Parse("p.f", c.text, opts); !strings.Contains(errs.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, errs.Error(), c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, path := range append(legal, "testdata/errors.f90", "testdata/fixederrors.f") {
		f.Add(read(f, path))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []Form{Fixed, Free} {
			file, errs := Parse("f", text, Options{Form: form})
			for _, e := range errs {
				if e.Pos.Line < 1 || e.Pos.Column < 1 || int(e.Pos.Line) > strings.Count(text, "\n")+1 {
					t.Fatalf("an error at %v: %v", e.Pos, e)
				}
			}
			Dump(file)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(read(b, "../../testdata/programs/declare.f90"), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse("x.f90", text, Options{})
	}
}

// TestAlignedNames checks that in fixed form WITH within the name of an aligned array differs from the keyword, which has blanks
// around it.
func TestAlignedNames(t *testing.T) {
	for _, c := range []struct{ directive, want string }{
		{"ALIGN WITHU WITH T", "WITHU"}, {"ALIGN WITHU(I) WITH T(I)", "WITHU"}, {"ALIGN A WITH T", "A"}, {"ALIGN SWITH WITH T", "SWITH"}, {"ALIGN WITH T :: B", "B"}, {"ALIGNAWITHT", ""},
	} {
		for _, source := range []struct{ name, head string }{{"p.f", "      PROGRAM P\nCHPF$ "}, {"p.f90", "program p\n!HPF$ "}} {
			file, errs := Parse(source.name, source.head+c.directive+"\n      END\n", Options{})
			if c.want == "" {
				if !errs.Failed() {
					t.Errorf("%s: %s is read", source.name, c.directive)
				}
				continue
			}
			a, ok := file.Units[0].Specs[0].(*Align)
			if errs.Failed() || !ok || len(a.Arrays) != 1 || a.Arrays[0].Text != c.want || a.Target.Text != "T" {
				t.Errorf("%s: %s: %v %+v", source.name, c.directive, errs, file.Units[0].Specs)
			}
		}
	}
}

// TestLongLines checks that lines of more than 132 columns in free form give a warning at column 133, except for comments.
func TestLongLines(t *testing.T) {
	short := "x = 1" + strings.Repeat(" ", 126) + "2" // its 132nd column
	for _, c := range []struct {
		line     string
		warnings int
	}{{short, 0}, {short + "3", 1}, {short + "  ", 0}, {short + "! and more", 0}, {"! " + strings.Repeat("comment ", 40), 0}, {"!HPF$ DISTRIBUTE (BLOCK) ::" + strings.Repeat(" ", 120) + "x", 1}} {
		_, errs := Parse("p.f90", "program p\nreal x(3)\n"+c.line+"\nend\n", Options{})
		found := 0
		for _, e := range errs {
			if strings.Contains(e.Msg, "more than 132 columns") {
				if found++; e.Pos.Line != 3 || e.Pos.Column != 133 {
					t.Errorf("%v", e)
				}
			}
		}
		if found != c.warnings {
			t.Errorf("%q: %d warnings, want %d: %v", c.line, found, c.warnings, errs)
		}
	}
}
