package view

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	b, n, f, s := Param{Name: "b", Default: false}, Param{Name: "n", Default: int64(0)}, Param{Name: "f", Default: 0.5, Max: 1}, Param{Name: "s", Default: ""}
	for _, c := range []struct {
		p    Param
		text string
		want any // nil for an error
	}{
		{b, "true", true},
		{b, "maybe", nil},
		{n, "-7", int64(-7)},
		{n, "1.5", nil},
		{n, "99999999999999999999", nil},
		{f, "0.25", 0.25},
		{f, "2", nil},
		{f, "NaN", nil},
		{f, "+Inf", nil},
		{s, "any thing", "any thing"},
		{Palette, "safe", "safe"},
		{Palette, "", nil},
	} {
		got, err := c.p.Parse(c.text)
		if (err != nil) != (c.want == nil) || err == nil && got != c.want {
			t.Errorf("%s %q: %v, %v, want %v", c.p.Name, c.text, got, err, c.want)
		}
	}
	for _, c := range []struct {
		p    *Param
		want string
	}{{&b, "bool"}, {&n, "int"}, {&f, "number"}, {&s, "text"}, {&Background, "light|dark"}} {
		if c.p.Type() != c.want {
			t.Errorf("%s has type %s, want %s", c.p.Name, c.p.Type(), c.want)
		}
	}
}

func TestNumbersOfNodes(t *testing.T) {
	p := Param{Name: "folded"}
	if got, err := p.Numbers("3, 14,,"); err != nil || !slices.Equal(got, []uint64{3, 14}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, list := range []string{"xx", "1,xx,2", "xx,"} {
		if _, err := p.Numbers(list); err == nil || err.Error() != `folded: "xx" is not the number of a node` {
			t.Errorf("%s: error %v", list, err)
		}
	}
}

func TestParseSaysTheRangeInPlainNumbers(t *testing.T) {
	for _, c := range []struct {
		p    Param
		want string
	}{
		{Param{Name: "root", Default: int64(0), Max: 1 << 62}, `root "-1" is not a whole number from 0 to 4611686018427387904`},
		{Param{Name: "line", Default: int64(1), Min: 1, Max: 1e9}, `line "-1" is not a whole number from 1 to 1000000000`},
		{Param{Name: "far", Default: 4.0, Min: 0.25, Max: 1000}, `far "-1" is not a number from 0.25 to 1000`},
	} {
		if _, err := c.p.Parse("-1"); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
