// Package questions asks what the user wants to know about a trace, and arranges the window for the answer.
package questions

import (
	"time"

	"whorl/visual/app/gallery"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/workspace"
)

// A Dialog is the dialog with the questions. Each shows the default workspace that answers it, as a small picture of the trace.
type Dialog struct {
	model   *panes.Model
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	memory  int64 // bytes that a picture may take, 0 for no limit

	Open    bool
	Cards   []gallery.Card
	Waiting []Thumb // the pictures that are not computed yet
	trace   string  // the one that the cards are about, "" for none
}

// A Thumb is a small picture of a document.
type Thumb struct {
	thumb *gallery.Thumb
	doc   *documents.Document
}

// New returns a dialog that is closed.
func New(model *panes.Model, actions *panes.Actions, window *panes.Window, out *outbox.Outbox, memory int64) *Dialog {
	return &Dialog{model: model, actions: actions, window: window, out: out, memory: memory}
}

// Draw draws the dialog while it is open, and arranges the window for the chosen question.
func (q *Dialog) Draw(c *ui.Context) {
	w := q.model.Pane(q.model.Focus)
	if !q.Open || w == nil {
		q.close()
		return
	}
	if q.trace != w.Trace {
		q.close()
		q.Open = true
		q.fill(w.Trace)
	}
	const most, margin, lines = 880, 2 * (16 + 20), 3
	width := min(float32(q.window.W)-margin, most)
	chosen := -1
	widget.Dialog(c, "questions", &q.Open, widget.DialogOptions{Title: "What do you want to know about " + w.Trace + "?", W: width, H: gallery.Height(width-ui.ScrollWidth, len(q.Cards), lines)}, func(r ui.Rect) {
		chosen = gallery.Cards(c, r, q.Cards, lines)
	})
	if chosen >= 0 {
		q.Open = false
		q.actions.Ask(&workspace.Questions[chosen], w.Trace)
		c.Again()
	}
}

// close stops the work on the pictures and forgets them.
func (q *Dialog) close() {
	for _, t := range q.Waiting {
		t.thumb.Stop()
	}
	q.Open, q.trace, q.Cards, q.Waiting = false, "", nil, nil
}

// fill makes the cards for a trace. Their pictures show the front views of the workspace as it would be.
func (q *Dialog) fill(trace string) {
	q.trace = trace
	for i := range workspace.Questions {
		question := &workspace.Questions[i]
		card := gallery.Card{Name: question.Name, Title: question.Title, Doc: question.Doc}
		after := q.model.Workspace
		if err := q.model.Arranger.Ask(&after, question, trace); err != nil {
			card.Why = panes.Reason(err)
		} else {
			q.addParts(&card, &after, after.Root, scene.Rect{X1: 1, Y1: 1})
		}
		q.Cards = append(q.Cards, card)
	}
}

// addParts adds the small pictures of the front views of a node to a card.
func (q *Dialog) addParts(card *gallery.Card, w *workspace.Workspace, n *workspace.Node, r scene.Rect) {
	first, other := r, r
	switch n.Split {
	case workspace.Tabs:
		p := w.Pane(n.Shown)
		t := gallery.NewThumb(q.model.Arranger.Kind(p.View), p.Params, q.model.Dark, q.model.State.Shared.Palette)
		card.Parts = append(card.Parts, gallery.Part{Place: r, Thumb: t})
		if !q.model.Hides(q.model.Arranger.Kind(p.View), p.Trace) {
			q.Waiting = append(q.Waiting, Thumb{t, q.model.Docs.Get(p.Trace)})
		}
		return
	case workspace.Columns:
		first.X1 = r.X0 + r.W()*n.Share
		other.X0 = first.X1
	default:
		first.Y1 = r.Y0 + r.H()*n.Share
		other.Y0 = first.Y1
	}
	q.addParts(card, w, n.A, first)
	q.addParts(card, w, n.B, other)
}

// Work computes the small pictures, one after the other. It reports whether there is more to do.
func (q *Dialog) Work(budget time.Duration) bool {
	for len(q.Waiting) > 0 {
		next := q.Waiting[0]
		if next.doc != nil && next.thumb.Work(next.doc, q.window.Text, q.memory, q.window.Now, budget) {
			return true
		}
		q.Waiting = q.Waiting[1:]
		q.out.Redraw()
	}
	return false
}
