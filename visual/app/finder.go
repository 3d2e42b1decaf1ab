package app

import (
	"fmt"
	"time"

	"whorl/internal/figures"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/search"
	"whorl/visual/app/settings"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// findParam is the search of views that have none of their own. What it finds is selected, in all views.
var findParam = view.Param{
	Name: view.Find, Label: "Find", Default: "",
	Doc: "select the procedures and lines that match this regular expression, or the task or PE of a number",
}

// A finder is the search in the trace of a pane whose view has no search of its own.
type finder struct {
	actions *panes.Actions
	out     *outbox.Outbox

	pane   int
	trace  string // the trace that the pane showed
	text   string
	search *search.Search // nil if the trace was not open
	works  bool           // the search goes on
	shown  bool           // its first match was selected
	now    int            // the index of the match that is selected
}

// setting returns the search field of a pane that shows a trace.
func (f *finder) setting(pane int, trace string) settings.Setting {
	s := settings.Setting{Param: findParam}
	if pane != f.pane || trace != f.trace || f.text == "" {
		return s
	}
	s.Value = f.text
	plain := ""
	if f.search != nil && f.search.Wrong != nil {
		s.Wrong, plain = f.search.Wrong.Error(), " as plain text"
	}
	switch n := len(f.found()); {
	case n > 0:
		s.Note = fmt.Sprintf("%s of %s%s: %s", figures.Count(int64(f.now)+1), figures.Count(int64(n)), plain, f.found()[f.now].Name)
	case f.works:
		s.Note = "searching ..."
	case plain != "":
		s.Note = s.Wrong
	default:
		s.Note = "nothing found"
	}
	return s
}

// found returns the matches until now.
func (f *finder) found() []search.Match {
	if f.search == nil {
		return nil
	}
	return f.search.Found
}

// begin begins to search for a text in the trace of a pane, whose document d is nil if it is not open.
func (f *finder) begin(pane int, trace string, d *documents.Document, text string) {
	f.pane, f.trace, f.text, f.search, f.works, f.shown, f.now = pane, trace, text, nil, d != nil, false, 0
	if d != nil {
		f.search = search.New(d.Source, trace, text)
	}
	f.out.Redraw()
}

// work continues the search for about the time of a budget, and selects the first match. It reports whether there is more to do.
func (f *finder) work(budget time.Duration) bool {
	if !f.works {
		return false
	}
	f.works = f.search.Work(budget)
	if !f.shown && len(f.found()) > 0 {
		f.shown = true
		f.show(true)
	}
	f.out.Redraw()
	return f.works
}

// step selects another match. If the last search was not in this pane and trace, or has found nothing, it says how to search.
func (f *finder) step(pane int, trace string, by int) {
	n := len(f.found())
	if n == 0 || pane != f.pane || trace != f.trace {
		f.actions.Apply(view.Action{Do: view.Nothing, Value: "nothing was found in this pane: Ctrl+F searches"})
		return
	}
	f.now = (f.now + by + n) % n
	f.show(false)
}

// show selects the match. With more, one undo reverts it together with the action before.
func (f *finder) show(more bool) {
	f.out.Redraw()
	if found := f.found(); len(found) > 0 {
		f.actions.Apply(view.Action{Do: view.Select, Selection: &found[f.now].Selection, More: more})
	}
}
