package profile

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNatural(t *testing.T) {
	want := []string{"", "01", "1", "2", "10", "a", "rank01", "rank1", "rank2", "rank2b", "rank10", "rank10.gz", "rank9999999999999999999999", "rankx"}
	got := slices.Clone(want)
	rapid.Check(t, func(t *rapid.T) {
		got = rapid.Permutation(got).Draw(t, "names")
		slices.SortFunc(got, Natural)
		if !slices.Equal(got, want) {
			t.Errorf("sorted to %q", got)
		}
		a, b := rapid.StringMatching(`[a01]{0,6}`).Draw(t, "a"), rapid.StringMatching(`[a01]{0,6}`).Draw(t, "b")
		if c, d := Natural(a, b), Natural(b, a); c != -d || (c == 0) != (a == b) {
			t.Errorf("%q against %q is %d, the other way round %d", a, b, c, d)
		}
	})
}

func TestDropped(t *testing.T) {
	var d Dropped
	d.Add("frames", 0)
	if d.String() != "" {
		t.Errorf("nothing was dropped: %q", d.String())
	}
	d.Add("frames", 1200)
	d.Once("the file is cut")
	d.Once("the file is cut")
	d.Add("lines of text", 1)
	d.Add("frames", 34)
	if got := d.String(); got != "1,234 frames; the file is cut; 1 line of text" {
		t.Error(got)
	}
	for _, c := range []struct{ plural, singular string }{
		{"switches", "switch"}, {"entries", "entry"}, {"processes", "process"}, {"frames", "frame"}, {"types", "type"}, {"values", "value"},
	} {
		if got := singular(c.plural); got != c.singular {
			t.Errorf("the singular of %s: %s, want %s", c.plural, got, c.singular)
		}
	}
}

func TestDroppedInFiles(t *testing.T) {
	var d Dropped
	for i, file := range []string{"a", "b", "c"} {
		d.File = file
		d.Add("frames", int64(i)) // none in a
		d.Add("frames", 1)
		if file == "b" {
			d.Add("lines of text", 1)
			d.Once("b has no stacks")
		}
	}
	if got := d.String(); got != "6 frames in a and 2 more; 1 line of text in b; b has no stacks" {
		t.Error(got)
	}
}
