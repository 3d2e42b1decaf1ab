package benchmarks

import (
	"slices"
	"strings"
	"testing"
)

func TestRegistry(t *testing.T) {
	order := []string{"fghc", "dts", "hpf"}
	last := 0
	seen := map[string]bool{}
	for _, b := range All {
		substrate, bare, ok := strings.Cut(b.Name, "/")
		place := slices.Index(order, substrate)
		if !ok || bare != b.Bare() || substrate != b.Program.Substrate() || place < last {
			t.Errorf("%s with the substrate %s is misplaced or misnamed", b.Name, b.Program.Substrate())
		}
		last = max(last, place)
		if seen[b.Name] {
			t.Errorf("%s occurs twice", b.Name)
		}
		seen[b.Name] = true
		if !strings.HasSuffix(b.Doc, ".") || len(b.Doc) < 40 {
			t.Errorf("%s has no Doc that says what it demonstrates: %q", b.Name, b.Doc)
		}
		for _, p := range b.Params {
			if p.Min > p.Default || p.Default > p.Max || p.Doc == "" || p.Name == "" {
				t.Errorf("%s: size %+v", b.Name, p)
			}
		}
		if p, ok := b.Program.(FGHC); ok && (p.File != bare+".fghc" || !strings.HasPrefix(p.Source, "% ")) {
			t.Errorf("%s: the program %s, which begins with %.20q", b.Name, p.File, p.Source)
		}
		if found, err := Lookup(b.Name); found != b {
			t.Errorf("Lookup does not find %s: %v", b.Name, err)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name string
		want *Benchmark
	}{{"fghc/pascal", pascal}, {"pascal", pascal}, {"rsa", rsa}, {"fibonacci", fibonacci}} {
		if b, err := Lookup(c.name); b != c.want || err != nil {
			t.Errorf("%s: %v, %v", c.name, b, err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"pascla", `unknown benchmark "pascla"; did you mean pascal?`},
		{"fghc/quens", `unknown benchmark "fghc/quens"; did you mean fghc/queens?`},
		{"zzzzz", `unknown benchmark "zzzzz"; see whorl list benchmarks`},
		{"", `unknown benchmark ""; see whorl list benchmarks`},
		{"fghc", ""},
		{"fghc/pascal/", ""},
	} {
		b, err := Lookup(c.name)
		if b != nil || err == nil || c.want != "" && err.Error() != c.want {
			t.Errorf("%q: %v, %v; expected %s", c.name, b, err, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		b    *Benchmark
		args string
		want []int64
		err  string
	}{
		{pascal, "", []int64{35}, ""},
		{pascal, "12", []int64{12}, ""},
		{pascal, "n=0", []int64{0}, ""},
		{life, "5", []int64{5, 32}, ""},
		{life, "5 7", []int64{5, 7}, ""},
		{life, "generations=7", []int64{8, 7}, ""},
		{life, "5 generations=7", []int64{5, 7}, ""},
		{pascal, "-1", nil, `size n of fghc/pascal is a whole number from 0 to 400, not "-1"`},
		{pascal, "401", nil, `size n of fghc/pascal is a whole number from 0 to 400, not "401"`},
		{pascal, "many", nil, `size n of fghc/pascal is a whole number from 0 to 400, not "many"`},
		{pascal, "99999999999999999999", nil, `size n of fghc/pascal is a whole number from 0 to 400, not "99999999999999999999"`},
		{pascal, "1 2", nil, `fghc/pascal takes 1 size (n); "2" is one too many`},
		{life, "1 2 3", nil, `fghc/life takes 2 sizes (n, generations); "3" is one too many`},
		{life, "m=1", nil, `fghc/life has no size "m"; its sizes are n, generations`},
	} {
		got, err := c.b.Sizes(strings.Fields(c.args))
		if !slices.Equal(got, c.want) || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s %s: %v, %v; expected %v, %s", c.b.Name, c.args, got, err, c.want, c.err)
		}
	}
}

func TestWhereAnswersDiffer(t *testing.T) {
	if err := equal("X = [1,2, 3]\n", "X = [1,2,3]"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ answer, want string }{
		{"X = [1,2,4]", `the answer is wrong at character 8: got "X=[1,2,4]", expected "X=[1,2,3]"`},
		{"X = [1,2", `the answer is wrong at character 7: got "X=[1,2", expected "X=[1,2,3]"`},
		{"", `the answer is wrong at character 1: got nothing, expected "X=[1,2,3]"`},
	} {
		if err := equal(c.answer, "X = [1,2,3]"); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; expected %s", c.answer, err, c.want)
		}
	}
	if got := around(strings.Repeat("0123456789", 9), 50); got != `"...890123456789012345678901234567890123..."` {
		t.Error(got)
	}
}
