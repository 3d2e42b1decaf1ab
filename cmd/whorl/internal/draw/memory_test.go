package draw

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/view"
)

func TestExceeded(t *testing.T) {
	for _, c := range []struct {
		limit, whole int64
		want         string
	}{
		{100 << 20, 0, "stopped; views that condense a trace while they read it: kaleidoscope, timeline, utilisation, measures, source"},
		{100 << 20, 150 << 20, "stopped; try --max-memory 150M"},
		{100 << 20, 20_000 << 20, "stopped; try --max-memory 200M"},
		{300 << 20, 200 << 20, "stopped; views that condense a trace while they read it: kaleidoscope, timeline, utilisation, measures, source"},
	} {
		m := &memoryLimit{bytes: c.limit}
		m.whole.Store(c.whole)
		if got := m.exceeded("stopped").Error(); got != c.want {
			t.Errorf("limit %d, whole %d: %s, want %s", c.limit, c.whole, got, c.want)
		}
	}
}

// TestLacks checks that the message names one limit that is enough, and never one that has just failed.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		limit, fixed, likely, whole, enough int64 // MiB
		want                                string
	}{
		{150, 100, 180, 9000, 0, "--max-memory 150M: too small; --max-memory 180M is enough"},
		{150, 100, 180, 9000, 900, "--max-memory 150M: too small; --max-memory 1000M is enough"},
		{200, 100, 180, 9000, 0, "--max-memory 200M: too small; --max-memory 400M is enough"},
		{200, 100, 180, 300, 0, "--max-memory 200M: too small; --max-memory 300M is enough"},
	} {
		m := &memoryLimit{bytes: c.limit << 20, fixed: c.fixed << 20, likely: c.likely << 20}
		m.flag.Bytes = new(int64)
		must.Do(t, m.flag.Set(c.want[len("--max-memory "):len("--max-memory 150M")]))
		m.whole.Store(c.whole << 20)
		if got := m.lacks("too small", c.enough<<20).Error(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestLacksByDefault checks the message for a picture that the default limit prevents.
func TestLacksByDefault(t *testing.T) {
	m := &memoryLimit{share: 150 << 20, fixed: 100 << 20, likely: 180 << 20}
	m.whole.Store(9000 << 20)
	if got, want := m.lacks("too small", 0).Error(), "a quarter of the memory of this machine: too small; --max-memory 180M is enough"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m.likely = 120 << 20
	if got, want := m.lacks("too small", 0).Error(), "a quarter of the memory of this machine: too small; --max-memory 300M is enough"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// aTrace is a trace with n reductions of which nothing but the number is known.
type aTrace struct {
	tracer.Memory
	n int64
}

func (s *aTrace) Counts() (counts [tracer.NumKinds]int64) {
	counts[tracer.Reduce] = s.n
	return counts
}

// TestFit checks that the whole tree is drawn if it fits, that it is condensed if it does not, and that a limit far below what the picture can show is
// refused before the trace is read. The default limit refuses nothing.
func TestFit(t *testing.T) {
	kind := must.Get(FindView("kaleidoscope"))(t)
	for _, c := range []struct {
		limit, share, nodes int64
		want                string
	}{
		{0, 0, 1e9, "whole"},
		{0, 512 << 20, 1e5, "whole"},
		{0, 512 << 20, 1e9, "condensed"},
		{0, 110 << 20, 1e9, "condensed"},
		{512 << 20, 1 << 50, 1e5, "whole"},
		{512 << 20, 1 << 50, 1e9, "condensed"},
		{110 << 20, 1 << 50, 1e9, "refused"},
		{1 << 50, 512 << 20, 1e9, "whole"},
	} {
		m := &memoryLimit{bytes: c.limit, share: c.share}
		m.flag.Bytes = &m.bytes
		got, err := m.fit(kind, &aTrace{n: c.nodes}, "x.png", 1200, 900, nil)
		is := map[bool]string{err == nil && got == kind: "whole", err == nil && got != kind: "condensed", err != nil: "refused"}[true]
		if is != c.want {
			t.Errorf("%d bytes, %d by default, %d nodes: %s, %v, want %s", c.limit, c.share, c.nodes, is, err, c.want)
		}
	}
	if whole, shown := kind.Condensation.Memory(view.Demand{Side: 900}); shown <= whole {
		t.Errorf("an empty trace takes %d bytes, the picture shows at most %d", whole, shown)
	}
}
