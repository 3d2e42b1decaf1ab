package contexts

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

// TestRecord checks exclusive values with fractions, and inclusive ones, where a context without a value lies between two with one.
func TestRecord(t *testing.T) {
	m := tracer.NewMemory()
	w := profile.NewWriter(m, profile.Options{})
	tree := New(w)
	pe := must.Get(w.Processor(tracer.PE{}))(t)
	s := m.Stream(tracer.StreamInfo{})
	w.Begin(s, pe, 0)
	main := tree.Child(0, profile.Line{Function: "main"})
	f := tree.Child(main, profile.Line{Function: "f"})
	g := tree.Child(f, profile.Line{Function: "g"})
	if again := tree.Child(main, profile.Line{Function: "f"}); again != f {
		t.Errorf("f is %d and %d", f, again)
	}
	time, share := tree.Metric("time", "sec", true), tree.Metric("share", "share", false)
	tree.Value(time, g, pe, 0.25)
	tree.Value(time, main, pe, 1)
	tree.Value(time, g, pe, 0.25)
	tree.Value(share, f, pe, 0.5)
	tree.Value(share, f, pe, 1e300)
	tree.Record(s)
	s.Sync()
	w.Finish()
	must.Do(t, m.Close())
	if got := profiletest.Functions(t, m, "time", 9); got != "1000000000 ns\n500000000 1000000000 main\n500000000 500000000 g\n0 500000000 f\n" {
		t.Error(got)
	}
	if got := profiletest.Functions(t, m, "share", 1); got != "500000 share\n500000 500000 f\n" {
		t.Error(got)
	}
	if meta := m.Meta(); meta.Missing() != "1 value too large or not a number" {
		t.Error(meta.Missing())
	}
}
