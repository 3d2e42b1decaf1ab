package app

import (
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// TestFilter filters twice, which narrows the part; undo and the key lead back. The copied command and the saved workspace have the filter.
func TestFilter(t *testing.T) {
	d := opened(t, "pascal", 1200, 800)
	a := d.app
	reductions := func() int64 {
		d.settle()
		doc := a.model.Docs.Get("pascal")
		if doc.Data == nil {
			return 0
		}
		return doc.Fed.Events
	}
	d.key("&", 0)
	if !d.shows("Select what all views are to show") {
		t.Errorf("without a selection the window says\n%s", d.texts())
	}
	whole := reductions()
	selects := func(text, shown string) {
		t.Helper()
		a.selections.Select("pascal", text)
		d.until("the selection", func() bool { return !a.model.State.Shared.Selection.Empty() })
		d.key("&", 0)
		d.settle()
		if got := a.filters.Shown("pascal"); got != shown {
			t.Fatalf("%s leads to the filter %q, want %q", text, got, shown)
		}
		if !a.model.State.Shared.Selection.Empty() {
			t.Error("the selection stays")
		}
	}
	selects("pe in 1..3", "pe in 1..3")
	some := reductions()
	selects("procedure ~ /^make/", "pe in 1..3 and procedure ~ /^make/")
	fewer := reductions()
	if whole <= some || some <= fewer || fewer < 10 {
		t.Errorf("%d events, then %d, then %d", whole, some, fewer)
	}
	a.model.Focus = d.paneOf("kaleidoscope").ID
	where := a.filters.Shown("pascal")
	if cmd := a.export.PaneCommand(); !strings.Contains(cmd, "--filter '"+where+"'") {
		t.Errorf("the command is %s, want the filter %s in it", cmd, where)
	}
	a.saving.Write("/w/all.toml")
	d.settle()
	text := string(d.asks[len(d.asks)-1].Data)
	if !strings.Contains(text, "[[shared.filter]]") {
		t.Errorf("the workspace is\n%s", text)
	}
	a.actions.Apply(view.Action{Do: view.UndoAction})
	d.settle()
	if got := a.filters.Shown("pascal"); got != "pe in 1..3" {
		t.Errorf("undo leads to the filter %q", got)
	}
	if n := reductions(); n != some {
		t.Errorf("undo leads to %d events, want %d", n, some)
	}
	d.key("*", 0)
	if n := reductions(); n != whole || a.filters.Shown("pascal") != "" {
		t.Errorf("without the filter there are %d events, want %d", n, whole)
	}
	d.key("*", 0)
	if !d.shows("All of the trace is shown already") {
		t.Errorf("a second time the key says\n%s", d.texts())
	}
	a.saving.Open("all", "", text)
	d.settle()
	if got := a.filters.Shown("pascal"); got != where {
		t.Errorf("the file has the filter %q, want %q", got, where)
	}
}

// TestWrongFilter: a filter that the trace does not know leaves all of it, and the window says why.
func TestWrongFilter(t *testing.T) {
	d := opened(t, "pascal", 1200, 800)
	d.app.actions.Apply(view.Action{Do: view.SetFilter, Name: "pascal", Value: "procedure = nowhere"})
	d.settle()
	if !d.shows("all of pascal is shown") || !d.shows("nowhere") || d.app.filters.Shown("pascal") != "" || d.paneOf("kaleidoscope").Picture() == nil {
		t.Errorf("the window says\n%s", d.texts())
	}
	d.app.actions.Apply(view.Action{Do: view.SetFilter, Name: "pascal"})
	d.settle()
	if d.shows("all of pascal is shown") {
		t.Errorf("without the filter the window says\n%s", d.texts())
	}
}

// TestFilterCompared: a filter applies to the compared runs too.
func TestFilterCompared(t *testing.T) {
	d := drive(t, Options{}, 1280, 800, 1)
	d.add("one", run(t, "nrev", 4, ""), 7)
	d.add("two", run(t, "nrev", 4, ""), 7)
	for _, name := range []string{"one", "two"} {
		d.app.actions.Apply(view.Action{Do: view.OpenTrace, Name: name})
		d.app.actions.AddPane("timeline", name, d.app.model.Focus, 1)
	}
	d.settle()
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: "one", PEs: []view.Span{{First: 2, Last: 2}}}})
	d.key("&", 0)
	d.settle()
	if one, two := d.app.filters.Shown("one"), d.app.filters.Shown("two"); one != "pe = 2" || two != one {
		t.Errorf("the filters are %q and %q", one, two)
	}
	d.key("*", 0)
	d.settle()
	if f := d.app.model.State.Shared.Filters; len(f) > 0 {
		t.Errorf("the filters %v stay", f)
	}
}

// TestFilterGrows: the part of a trace that grows follows it.
func TestFilterGrows(t *testing.T) {
	d := opened(t, "pascal", 1200, 800)
	d.app.actions.Apply(view.Action{Do: view.SetFilter, Name: "pascal", Value: "pe = 1"})
	d.settle()
	doc := d.app.model.Docs.Get("pascal")
	before := doc.Fed.Events
	doc.Source = run(t, "nrev", 2, "") // as when a run starts again
	d.app.actions.Apply(view.Action{Do: view.SetFilter, Name: "pascal", Value: "pe = 0"})
	d.settle()
	if n := doc.Fed.Events; n == before || doc.Source.Counts()[tracer.Reduce] == 0 || doc.Filter() != "pe = 0" {
		t.Errorf("%d events of %s, before %d", n, doc.Filter(), before)
	}
}
