// Package measuring computes the numbers of compared runs for the tables that show them.
package measuring

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whorl/internal/figures"
	"whorl/tracer/report"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/views/comparison"
)

// A Measuring computes the numbers of compared runs, one run after the other, while a pane shows the table of them (view.Kind.Group).
type Measuring struct {
	model    *panes.Model
	links    *panes.Links
	actions  *panes.Actions
	window   *panes.Window
	readings map[*documents.Document]*reading
	groups   map[*documents.Document]*comparison.Group // by the document of a pane with the table
}

// A reading is the measurement of one run.
type reading struct {
	reader   *flow.Reader[*report.Run]
	data     *view.Data // that the reader reads
	revision uint64     // of the trace
	result   flow.Result[*report.Run]
	err      error
}

// New returns a measuring without numbers.
func New(m *panes.Model, l *panes.Links, a *panes.Actions, w *panes.Window) *Measuring {
	return &Measuring{m, l, a, w, map[*documents.Document]*reading{}, map[*documents.Document]*comparison.Group{}}
}

// pending reports whether the run is yet to be measured.
func (r *reading) pending() bool { return r == nil || !r.result.Done && r.err == nil }

// state describes how far the measurement is, "" if it is done.
func (r *reading) state() string {
	switch {
	case r != nil && r.err != nil:
		return "not readable: " + r.err.Error()
	case !r.pending():
		return ""
	case r == nil || r.result.Total == 0:
		return "to be read"
	}
	return fmt.Sprintf("read %d %%", min(100*r.result.Progress/r.result.Total, 100))
}

// grouped returns the runs that the table of a document shows: those that it is compared with, or it alone.
func (m *Measuring) grouped(d *documents.Document) []*documents.Document {
	if all := m.links.Compared(d); all != nil {
		return all
	}
	return []*documents.Document{d}
}

// Work measures for a while the next run of a visible table that is yet to be measured, and gives the tables the known results. It reports whether there
// is more to do. Without a visible table it stops the work and releases the results.
func (m *Measuring) Work(budget time.Duration) (more bool) {
	var wanted []*documents.Document
	for _, p := range m.model.Visible() {
		if d := m.model.Document(p); d != nil && p.Kind.Group {
			wanted = append(wanted, m.grouped(d)...)
		}
	}
	for d, r := range m.readings {
		if !slices.Contains(wanted, d) {
			r.reader.Rest()
			delete(m.readings, d)
		}
	}
	for _, d := range wanted {
		if d.Live != nil && !d.Live.Over {
			continue
		}
		if r := m.reading(d); r.pending() {
			r.result, r.err = r.reader.Get(context.Background(), budget)
			more = true
			break
		}
	}
	return m.supply() || more
}

// reading returns the measurement of a run that has ended.
func (m *Measuring) reading(d *documents.Document) *reading {
	if d.Fed.Revision != d.Revision() {
		d.Supply(m.window.Now)
	}
	r := m.readings[d]
	if r == nil || r.data != d.Data {
		r = &reading{reader: view.Read(d.Data, comparison.Numbers), data: d.Data}
		m.readings[d] = r
	}
	if r.revision != d.Fed.Revision {
		r.revision, r.result.Done, r.err = d.Fed.Revision, false, nil
	}
	return r
}

// supply gives the visible tables the runs with the numbers known so far. It reports whether any table has changed.
func (m *Measuring) supply() (fresh bool) {
	for d := range m.groups {
		if m.model.Docs.Get(d.Name) != d {
			delete(m.groups, d)
		}
	}
	for _, p := range m.model.Visible() {
		d := m.model.Document(p)
		if d == nil || d.Data == nil || !p.Kind.Group || !p.Open() {
			continue
		}
		group := m.group(d)
		if before := m.groups[d]; before == nil || !slices.EqualFunc(before.Runs, group.Runs, func(a, b comparison.Run) bool {
			return a.Trace == b.Trace && a.Title == b.Title && a.Numbers == b.Numbers && a.State == b.State && a.Reading == b.Reading
		}) {
			m.groups[d] = group
		}
		if d.SetGroup(m.groups[d]) {
			p.Restart()
			fresh = true
		}
	}
	return fresh
}

// group returns the runs of the table of a document.
func (m *Measuring) group(d *documents.Document) *comparison.Group {
	titles := m.model.Titles()
	group := &comparison.Group{}
	for _, e := range m.grouped(d) {
		run := comparison.Run{Trace: e.Name, Title: titles[e.Name], Meta: e.Source.Meta()}
		switch r := m.readings[e]; {
		case e.Live != nil && !e.Live.Over:
			run.State = "running: " + figures.Duration(e.Live.Status.Virtual)
		case r.pending():
			run.State, run.Reading = r.state(), true
		case r.err != nil:
			run.State = r.state()
		default:
			run.Numbers = r.result.Value
		}
		group.Runs = append(group.Runs, run)
	}
	return group
}

// ShowTable brings the table of the compared runs to the front and gives it the keys. It opens the table among the texts beside the runs, or as a tab
// beside the focused pane.
func (m *Measuring) ShowTable() {
	d := m.model.Focused()
	if d == nil {
		return
	}
	group := m.grouped(d)
	beside := m.model.Focus
	for _, leaf := range m.model.Root.Leaves() {
		for _, id := range leaf.Panes {
			w := m.model.Pane(id)
			k := m.model.Arranger.Kind(w.View)
			if k != nil && k.Group && slices.ContainsFunc(group, func(e *documents.Document) bool { return e.Name == w.Trace }) {
				m.actions.Front(id)
				return
			}
		}
		if m.model.Arranger.Reads(&m.model.Workspace, leaf) {
			beside = leaf.Shown
		}
	}
	m.actions.AddPane(comparison.Kind().Name, d.Name, beside, 0)
}
