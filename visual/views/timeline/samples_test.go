package timeline

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// profiled returns samples of two threads: main calls solve, which calls sweep and exchange, every 10 µs; thread 1 sleeps from 50 to 90 µs.
func profiled(substrate string) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "heat", Substrate: substrate, PEs: 2, PEInfo: []tracer.PE{{Process: "heat 7", Thread: "main 7"}, {Process: "heat 7", Thread: "io 8"}}})
	d := m.Dict()
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	var context []uint32
	up := uint32(0)
	for _, f := range []string{"main", "solve", "sweep"} {
		up = d.AddContext(tracer.Context{Parent: up, Code: d.Add(tracer.Code{Type: tracer.Function, Name: f, File: f + ".c", Line: 3})})
		context = append(context, up)
	}
	exchange := d.Add(tracer.Code{Type: tracer.Function, Name: "exchange", File: "sweep.c", Line: 9})
	line := d.Add(tracer.Code{Type: tracer.Line, File: "sweep.c", Line: 12, Parent: exchange})
	context = append(context, d.AddContext(tracer.Context{Parent: context[1], Code: line}))
	s := m.Stream(tracer.StreamInfo{})
	for k := range int64(13) {
		for pe := range int64(2) {
			if pe == 1 && k > 5 && k < 9 {
				continue
			}
			at := context[2]
			if (k+pe)%3 == 0 {
				at = context[3]
			}
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: 10000*k + 100*pe, PE: int32(pe), Peer: tracer.None, Ref: uint64(at), Code: metric, Value: 1}
		}
	}
	_ = m.Close()
	return m
}

func TestProfile(t *testing.T) {
	kindtest.Golden(t, "profile.txt", Kind(), profiled("perf"), 640, 300, nil)
	kindtest.Golden(t, "profilefiles.txt", Kind(), profiled("perf"), 640, 300, map[string]string{"color": "module", "background": "dark"})
}

// TestTipsOfSamples points at samples, at many of them in a pixel, and at the time when a thread slept.
func TestTipsOfSamples(t *testing.T) {
	g, f := kindtest.Shown[*Geometry](t, Kind(), profiled("perf"), 640, 300)
	r := layout(f, g)
	at := func(ns int64, pe float64) (float64, float64) { return r.X(ns), r.y(pe + 0.5) }
	for _, c := range []struct {
		ns     int64
		pe     float64
		tip    string
		choice view.Selection
	}{
		{35000, 0, "exchange, sweep.c:12|PE 0 (main 7)|at 30 µs, for 10 µs|in solve|in main", view.Selection{PEs: []view.Span{{}}, Codes: []uint32{5}, Time: &view.Span{First: 30000, Last: 39999}}},
		{45000, 0, "sweep, sweep.c:3|PE 0 (main 7)|at 40 µs, for 10 µs|in solve|in main", view.Selection{PEs: []view.Span{{}}, Codes: []uint32{4}, Time: &view.Span{First: 40000, Last: 49999}}},
		{70000, 1, "PE 1 (io 8): idle|from 60 µs to 90 µs|30 µs", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}, Time: &view.Span{First: 60100, Last: 90100}}},
	} {
		x, y := at(c.ns, c.pe)
		tip, _ := g.Tip(f, x, y)
		if got := strings.Join(tip.Lines, "|"); got != c.tip {
			t.Errorf("%d ns: %q, want %q", c.ns, got, c.tip)
		}
		got, _ := g.Hit(f, x, y)
		if len(got.Codes) > 0 && len(got.Contexts) != 1 {
			t.Errorf("%d ns selects no calling context", c.ns)
		}
		got.Contexts, c.choice.Trace = nil, f.Trace
		if !got.Equal(c.choice) {
			t.Errorf("%d ns selects %+v, want %+v", c.ns, got, c.choice)
		}
		got, _ = g.Hit(f, x, y)
		places := g.Locate(f, got)
		if len(places) != 1 || places[0].X0 > x || places[0].X1 < x {
			t.Errorf("%d ns: the selection is at %v, not at %v", c.ns, places, x)
		}
	}
	narrow, n := kindtest.Shown[*Geometry](t, Kind(), profiled("perf"), 120, 300)
	n.Camera = view.Camera{}
	q := layout(n, narrow)
	tip, _ := narrow.Tip(n, q.X(31000), q.y(0.5))
	if !slices.ContainsFunc(tip.Lines, func(s string) bool { return strings.HasPrefix(s, "at 30") }) {
		t.Errorf("tip %q", tip.Lines)
	}
}

// TestChosenFunctions checks which function of the stack is shown.
func TestChosenFunctions(t *testing.T) {
	for _, c := range []struct {
		params []string
		want   []string
	}{
		{nil, []string{"sweep", "exchange", "others"}},
		{[]string{"depth", "1"}, []string{"main", "others"}},
		{[]string{"depth", "2"}, []string{"solve", "others"}},
		{[]string{"depth", "9"}, []string{"sweep", "exchange", "others"}},
		{[]string{"focus", "solve|exch"}, []string{"solve", "exchange", "others"}},
		{[]string{"focus", "nothing"}, []string{"others"}},
		{[]string{"color", timeplot.ByFile}, []string{"sweep.c", "others"}},
		{[]string{"color", timeplot.ByKind}, []string{"user", "others"}},
	} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), profiled("perf"), 640, 300, c.params...)
		var got []string
		for class := range g.Classes.N {
			got = append(got, g.ClassName(class))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.params, got, c.want)
		}
		if l := g.Legend(f); l.Title != "heat" {
			t.Errorf("title %q", l.Title)
		}
	}
}

// TestUntimed checks that a profile without times is refused with the reason.
func TestUntimed(t *testing.T) {
	err := Kind().CanOpen(profiled("pprof"))
	if err == nil || err.Error() != "the timeline view needs to know when the samples were taken; a profile of pprof records sums over the whole run" {
		t.Error(err)
	}
	if err := Kind().CanOpen(profiled("perf")); err != nil {
		t.Error(err)
	}
}
