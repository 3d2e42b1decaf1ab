package clock

import (
	"testing"
	"time"

	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// lasting returns a trace with events at two times.
func lasting(from, to int64) *documents.Document {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	for _, time := range []int64{from, to} {
		*s.Slot() = tracer.Event{Kind: tracer.Busy, Time: time}
	}
	s.Sync()
	return documents.New(m)
}

// window returns the clock of a window with a short and a long trace, and with an open one that no pane shows.
func window() (Clock, *view.State) {
	docs, state := &documents.Set{}, &view.State{}
	docs.Add("short", lasting(0, 1000))
	docs.Add("long", lasting(0, 3000))
	docs.Add("hidden", lasting(0, 9000))
	state.Shared.Traces = []string{"short", "hidden", "long", "not loaded"}
	for _, name := range []string{"long", "short", "not loaded"} {
		state.Personal.Panes = append(state.Personal.Panes, view.Pane{Trace: name})
	}
	return Clock{State: state, Docs: docs}, state
}

// TestSpan: the clock spans the traces in the window, and a window of time restricts the play.
func TestSpan(t *testing.T) {
	c, state := window()
	if got := c.Traces(); len(got) != 3 || got[0] != "short" || got[1] != "long" {
		t.Errorf("the traces in the window are %q", got)
	}
	for _, s := range []struct {
		window   *view.Span
		from, to int64
	}{
		{nil, 0, 3000},
		{&view.Span{First: 500, Last: 700}, 500, 700},
		{&view.Span{First: 500, Last: 7000}, 500, 3000},
		{&view.Span{First: 5000, Last: 7000}, 0, 3000}, // outside of all traces
	} {
		state.Shared.Window = s.window
		if from, to := c.Played(); from != s.from || to != s.to {
			t.Errorf("with the window %+v the play goes from %d to %d, want %d to %d", s.window, from, to, s.from, s.to)
		}
	}
	if from, to := (Clock{State: &view.State{}, Docs: &documents.Set{}}).Span(); from != 0 || to != 0 {
		t.Errorf("an empty window spans %d to %d", from, to)
	}
}

// TestParts: at the same time a trace has the time of the clock; at the same part its time is scaled, and back.
func TestParts(t *testing.T) {
	c, state := window()
	short, until := c.Docs.Get("short"), int64(1500)
	state.Shared.Until, state.Shared.Window = &until, &view.Span{First: 300, Last: 1500}
	if got := *c.Until("short"); c.InParts() || got != 1500 || c.OnTrace(1500, short) != 1500 || c.OnClock(500, short) != 500 {
		t.Errorf("at the same time the short trace is shown until %d", got)
	}
	if w := *c.Window("short"); w != *state.Shared.Window {
		t.Errorf("at the same time the window of the short trace is %+v", w)
	}
	state.Shared.Parts = true
	for _, part := range []struct {
		name string
		want int64
	}{{"short", 500}, {"long", 1500}, {"not loaded", 1500}} {
		if got := *c.Until(part.name); !c.InParts() || got != part.want {
			t.Errorf("at the same part %s is shown until %d, want %d", part.name, got, part.want)
		}
	}
	if got := c.OnClock(500, short); got != 1500 {
		t.Errorf("500 ns of the short trace are at %d of the clock, want 1500", got)
	}
	if w := *c.Window("short"); w != (view.Span{First: 100, Last: 500}) {
		t.Errorf("at the same part the window of the short trace is %+v", w)
	}
	state.Shared.Until, state.Shared.Window = nil, nil
	if c.Until("short") != nil || c.Window("short") != nil {
		t.Error("without a time and a window the short trace has some")
	}
	state.Personal.Panes = state.Personal.Panes[:1]
	if c.Comparing() || c.InParts() {
		t.Error("a window with one trace compares")
	}
}

// TestAdvance plays a trace of 3 us in steps of an eighth of the play.
func TestAdvance(t *testing.T) {
	c, state := window()
	at, over := int64(-1), false
	for i := range 8 {
		var after, until int64
		after, until, over = c.Advance(max(at, 0), 0, c.Length()*time.Duration(i+1)/8)
		if after != at || until != int64(i+1)*375 || over != (i == 7) {
			t.Fatalf("step %d goes from %d to %d; the play is over: %v", i, after, until, over)
		}
		at, state.Shared.Until = until, &until
	}
	if c.Length() != PlayTime {
		t.Errorf("the play takes %v, want %v", c.Length(), PlayTime)
	}
	state.Shared.Speed = 2
	if got := c.Length(); got != PlayTime/4 {
		t.Errorf("at four times the speed the play takes %v", got)
	}
	if after, until, _ := c.Advance(100, 0, time.Nanosecond); after != 100 || until != 100 {
		t.Errorf("a play that has begun later goes from %d back to %d", after, until)
	}
}
