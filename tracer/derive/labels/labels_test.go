package labels

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestFocus checks expressions. TestLabelsAreThoseOfPprof in package report compares them with go tool pprof.
func TestFocus(t *testing.T) {
	d := &tracer.Dict{}
	add := func(vs ...tracer.LabelValue) (codes []uint32) {
		for _, v := range vs {
			codes = append(codes, d.AddLabel(v))
		}
		return codes
	}
	small := add(tracer.LabelValue{Key: "size", Number: 2, Unit: "kilobytes", Numeric: true}, tracer.LabelValue{Key: "job", Text: "build"})
	large := add(tracer.LabelValue{Key: "size", Number: 3 << 20, Unit: "bytes", Numeric: true}, tracer.LabelValue{Key: "job", Text: "2"})
	other := add(tracer.LabelValue{Key: "rank", Number: 7, Numeric: true}, tracer.LabelValue{Key: "request", Number: 2048, Numeric: true})
	for _, c := range []struct {
		focus string
		want  string // of small, large, other and no labels
	}{
		{"2kb", "yes no yes no"},
		{"size=2kb", "yes no no no"},
		{":2047b", "no no yes no"},
		{"1mb:4mb", "no yes no no"},
		{"1MB:4Megabytes", "no yes no no"},
		{"1ms:", "no no yes no"},
		{"7", "no no yes no"},
		{"rank=6:8", "no no yes no"},
		{"rank=-3:+8", "no no yes no"},
		{"rank=8:", "no no no no"},
		{"job=2", "no no no no"},
		{"job=^2", "no yes no no"},
		{"job:b", "yes no no no"},
		{"build|job:2", "yes yes no no"},
		{"job,ild", "yes no no no"},
		{"1kb:2ms", "no no no no"},
		{"rank", "no no no no"},
		{"", "yes yes yes yes"},
		{"99999999999999999999", "no no no no"},
	} {
		l := must.Get(Parse(Query{Focus: c.focus, Leaf: "job"}, d))(t)
		got := ""
		for _, codes := range [][]uint32{small, large, other, nil} {
			word := " no"
			if kept, _, _ := l.Of(codes); kept {
				word = " yes"
			}
			got += word
		}
		if got[1:] != c.want {
			t.Errorf("%q: %s, want %s", c.focus, got[1:], c.want)
		}
	}
}

// TestFrames checks the frames of labels: several values of a key, and none.
func TestFrames(t *testing.T) {
	d := &tracer.Dict{}
	a, b, c := d.AddLabel(tracer.LabelValue{Key: "k", Text: "a"}), d.AddLabel(tracer.LabelValue{Key: "k", Text: "b"}), d.AddLabel(tracer.LabelValue{Key: "x", Text: "c"})
	l := must.Get(Parse(Query{Root: "x,k", Leaf: "k"}, d))(t)
	kept, root, leaf := l.Of([]uint32{a, b})
	if !kept || len(root) != 3 || root[1] != a || root[2] != b || d.Code(root[0]).Name != "x" || len(leaf) != 2 || leaf[1] != b {
		t.Error(kept, root, leaf, c)
	}
	if l := must.Get(Parse(Query{}, d))(t); l != nil || !Same(l, nil) {
		t.Error("a Chooser chooses nothing")
	}
}
