package app

import (
	"fmt"

	"whorl/internal/figures"
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
	actions *actions
	out     *outbox

	pane  int
	trace string // the trace that the pane showed
	text  string
	found []search.Match
	now   int // the index of the match that is selected
}

// setting returns the search field of a pane that shows a trace.
func (f *finder) setting(pane int, trace string) settings.Setting {
	s := settings.Setting{Param: findParam}
	if pane != f.pane || trace != f.trace || f.text == "" {
		return s
	}
	s.Value, s.Note = f.text, "nothing found"
	if n := len(f.found); n > 0 {
		s.Note = fmt.Sprintf("%s of %s: %s", figures.Count(int64(f.now)+1), figures.Count(int64(n)), f.found[f.now].Name)
	}
	return s
}

// search looks for a text in the trace of a pane, whose document d is nil if it is not open, and selects the first match.
func (f *finder) search(pane int, trace string, d *documents.Document, text string) {
	f.pane, f.trace, f.text, f.found, f.now = pane, trace, text, nil, 0
	if d != nil {
		f.found = search.Find(d.Source, trace, text)
	}
	f.show(true)
}

// step selects another match, if the last search was in this pane and trace.
func (f *finder) step(pane int, trace string, by int) {
	if n := len(f.found); n > 0 && pane == f.pane && trace == f.trace {
		f.now = (f.now + by + n) % n
		f.show(false)
	}
}

// show selects the match. More matches of one text are one step of the undo.
func (f *finder) show(more bool) {
	f.out.redraw()
	if len(f.found) > 0 {
		f.actions.apply(view.Action{Do: view.Select, Selection: &f.found[f.now].Selection, More: more})
	}
}
