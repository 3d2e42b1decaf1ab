package app

import (
	"time"

	"whorl/visual/app/gallery"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// questions is the dialog with the default workspaces. It shows each of them as a small picture of the very trace.
type questions struct {
	open  bool
	trace string // the one that the cards are about, "" for none
	cards []gallery.Card
	work  []thumbOf // the pictures that are not computed yet
}

// A thumbOf is a small picture of a document.
type thumbOf struct {
	thumb *gallery.Thumb
	doc   *documents.Document
}

// drawQuestions draws the dialog while it is open, and arranges the window for the chosen question.
func (a *App) drawQuestions(c *ui.Context) {
	q := &a.questions
	w := a.model.Pane(a.model.Focus)
	if !q.open || w == nil {
		q.close()
		return
	}
	if q.trace != w.Trace {
		q.close()
		q.open = true
		a.fillQuestions(w.Trace)
	}
	const most, margin, lines = 880, 2 * (16 + 20), 3
	width := min(float32(a.window.W)-margin, most)
	chosen := -1
	widget.Dialog(c, "questions", &q.open, widget.DialogOptions{Title: "What do you want to know about " + w.Trace + "?", W: width, H: gallery.Height(width-ui.ScrollWidth, len(q.cards), lines)}, func(r ui.Rect) {
		chosen = gallery.Cards(c, r, q.cards, lines)
	})
	if chosen >= 0 {
		trace := w.Trace
		q.open = false
		a.actions.Edit(func(w *workspace.Workspace) error {
			return a.model.Arranger.Ask(w, &workspace.Questions[chosen], trace)
		})
		a.model.FocusFirst()
		c.Again()
	}
}

// close stops the work on the pictures and forgets them.
func (q *questions) close() {
	for _, t := range q.work {
		t.thumb.Stop()
	}
	*q = questions{}
}

// fillQuestions makes the cards for a trace. Their pictures show the front views of the workspace as it would be.
func (a *App) fillQuestions(trace string) {
	q := &a.questions
	q.trace = trace
	for i := range workspace.Questions {
		question := &workspace.Questions[i]
		card := gallery.Card{Name: question.Name, Title: question.Title, Doc: question.Doc}
		after := a.model.Workspace
		if err := a.model.Arranger.Ask(&after, question, trace); err != nil {
			card.Why = reason(err)
		} else {
			a.addParts(&card, &after, after.Root, scene.Rect{X1: 1, Y1: 1})
		}
		q.cards = append(q.cards, card)
	}
}

// addParts adds the small pictures of the front views of a node to a card.
func (a *App) addParts(card *gallery.Card, w *workspace.Workspace, n *workspace.Node, r scene.Rect) {
	first, other := r, r
	switch n.Split {
	case workspace.Tabs:
		p := w.Pane(n.Shown)
		t := gallery.NewThumb(a.model.Arranger.Kind(p.View), a.thumbParams(p))
		card.Parts = append(card.Parts, gallery.Part{Place: r, Thumb: t})
		a.questions.work = append(a.questions.work, thumbOf{t, a.model.Docs.Get(p.Trace)})
		return
	case workspace.Columns:
		first.X1 = r.X0 + r.W()*n.Share
		other.X0 = first.X1
	default:
		first.Y1 = r.Y0 + r.H()*n.Share
		other.Y0 = first.Y1
	}
	a.addParts(card, w, n.A, first)
	a.addParts(card, w, n.B, other)
}

// thumbParams returns the parameters of a small picture of a pane, in the colours of the window.
func (a *App) thumbParams(p *view.Pane) map[string]string {
	params := map[string]string{}
	for name, value := range p.Params {
		params[name] = value
	}
	k := a.model.Arranger.Kind(p.View)
	if a.model.Dark && panes.HasParam(k, view.Background.Name) {
		params[view.Background.Name] = "dark"
	}
	if s := a.model.State.Shared.Palette; s != "" && panes.HasParam(k, view.Palette.Name) {
		params[view.Palette.Name] = s
	}
	return params
}

// workQuestions computes the small pictures, one after the other. It reports whether there is more to do.
func (a *App) workQuestions(budget time.Duration) bool {
	q := &a.questions
	for len(q.work) > 0 {
		next := q.work[0]
		if next.doc != nil && next.thumb.Work(next.doc, a.window.Text, a.memory, a.window.Now, budget) {
			return true
		}
		q.work = q.work[1:]
		a.out.Redraw()
	}
	return false
}
