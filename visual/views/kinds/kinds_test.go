package kinds

import (
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "called.txt", Kind(), viewtest.Called(), 640, 300, nil)
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), nil, viewtest.Called(), viewtest.Sampled(), viewtest.Small(), viewtest.Calls(300, 64, 1))
	kindtest.Texts(t, Kind(), map[string]string{"kinds": "7"}, viewtest.Called(), viewtest.Calls(300, 64, 1))
}

func TestAnyFrame(t *testing.T) {
	for _, n := range []string{"0", "8"} {
		g, _ := shown(t, viewtest.Called(), 500, 300, "kinds", n)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

// TestCards checks the kinds of viewtest.Called: PEs 0 to 4, where PE 0 differs a little, and PEs 5 to 7.
func TestCards(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 400)
	if len(g.cards) != 2 || g.cards[0].list != "0–4" || g.cards[1].list != "5–7" {
		t.Fatalf("%+v", g.cards)
	}
	// PEs 0 to 4 spend 21 in bcast, PEs 5 to 7 spend 1; the means of the totals are 83.6 and 82.
	l := g.cards[1].lines[0]
	if name := g.Name(l.node); len(g.cards[1].lines) < 2 || name != "kernel" && name != "bcast" || g.percent(l.share) != "+24.2 %" && g.percent(l.share) != "–24.2 %" {
		t.Errorf("%s %s", name, g.percent(l.share))
	}
	s := newSheet(f, g)
	b := s.box(1)
	sel, ok := g.Hit(f, b.X0+20, b.Y0+5)
	if want := (view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 7}}}); !ok || !sel.Equal(want) {
		t.Errorf("a card selects %+v", sel)
	}
	row := s.line(1, 0)
	sel, ok = g.Hit(f, row.X0+20, (row.Y0+row.Y1)/2)
	if !ok || len(sel.Contexts) != 1 || sel.Contexts[0] != g.ID(l.node) || len(sel.PEs) != 1 || sel.PEs[0].First != 5 {
		t.Errorf("a line selects %+v", sel)
	}
	// A selected PE lights its card, a selected procedure its lines.
	if got := g.Locate(f, view.Selection{Trace: "t", PEs: []view.Span{{First: 6, Last: 6}}}); len(got) != 1 || got[0] != b {
		t.Errorf("PE 6 is located at %v", got)
	}
	if got := g.Locate(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledBcast}}); len(got) != 2 {
		t.Errorf("bcast is located at %v", got)
	}
	if got := g.Locate(f, view.Selection{Trace: "u", PEs: []view.Span{{First: 6, Last: 6}}}); got != nil {
		t.Errorf("a selection of another trace is located at %v", got)
	}
}

func TestKeys(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 400)
	press := func(key string) view.Action {
		acts := g.Input(f, view.Input{Kind: view.Press, Key: key})
		if len(acts) != 1 {
			t.Fatalf("%s leads to %v", key, acts)
		}
		if acts[0].Do == view.Select {
			f.State.Shared.Selection = *acts[0].Selection
		}
		return acts[0]
	}
	var got []int64
	for _, key := range []string{"ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"} {
		got = append(got, press(key).Selection.PEs[0].First)
	}
	if !slices.Equal(got, []int64{0, 5, 5, 0}) {
		t.Errorf("the arrows select the kinds of %v", got)
	}
	if a := press("s"); a.Do != view.SetParam || a.Name != "processes" || a.Value != "0-4" {
		t.Errorf("%+v", a)
	}
}

// TestRoom checks that a line counts the kinds that do not fit, at any height.
func TestRoom(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 400, "kinds", "3")
	for h := 400.0; h > 0; h -= 7 {
		f.Area.Y1 = f.Area.Y0 + h
		s := newSheet(f, g)
		if s.shown < len(g.cards) && !s.rest {
			t.Errorf("%v: %d of %d cards", h, s.shown, len(g.cards))
		}
		if s.shown > 0 && s.box(s.shown-1).Y1 > f.Area.Y1+1 {
			t.Errorf("%v: the last card ends at %v", h, s.box(s.shown-1).Y1)
		}
	}
}

func BenchmarkKinds(b *testing.B) { kindtest.Bench(b, Kind()) }
