package app

import (
	"fmt"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// The state panel tells how a run stands: its answer or error, and while it is paused what each PE has in its queue and what waits for
// which variables.

// standing is what the panel holds of a run.
type standing struct {
	snapshot *experiment.Snapshot
	at       int64 // the reduction that it is of
	of       *live
	rows     []standingRow
	chosen   int
}

// standingRow is a line of the panel: a heading, or a goal.
type standingRow struct {
	text, right string
	heading     bool
	task        uint64 // of a goal, 0 for none
}

func (a *App) toggleState() {
	a.stateOpen = !a.stateOpen
	a.changed = true
}

// look asks a run that stands still what it holds, once for each place where it stands.
func (a *App) look(l *live) {
	s := &a.standing
	if s.of == l && s.at == l.status.Reductions && (s.snapshot != nil || l.status.State != Paused) {
		return
	}
	in, ok := l.session.(Inspector)
	if !ok || l.status.State != Paused {
		*s = standing{of: l, at: l.status.Reductions, chosen: -1}
		return
	}
	*s = standing{of: l, at: l.status.Reductions, chosen: -1, snapshot: in.Snapshot()}
	if s.snapshot != nil {
		s.fill()
	}
}

// fill makes the lines of a snapshot.
func (s *standing) fill() {
	snap := s.snapshot
	goal := func(p *experiment.Pending, right string) {
		s.rows = append(s.rows, standingRow{text: p.Text, right: right, task: p.Task})
	}
	queue := func(q *experiment.Standing, name string) {
		right := q.Doing
		if q.PE >= 0 && q.Doing != "" {
			right += " at " + figures.Duration(q.Clock)
		}
		if q.Coming > 0 {
			right += fmt.Sprintf(", %d coming", q.Coming)
		}
		s.rows = append(s.rows, standingRow{text: fmt.Sprintf("%s: %d in its queue", name, q.Length), right: right, heading: true})
		if q.Current != nil {
			goal(q.Current, "next")
		}
		for i := range q.Queue {
			goal(&q.Queue[i], "")
		}
		if more := q.Length - len(q.Queue); more > 0 && len(q.Queue) > 0 {
			s.rows = append(s.rows, standingRow{text: fmt.Sprintf("and %s more", figures.Count(int64(more)))})
		}
	}
	if snap.Central != nil {
		queue(snap.Central, "Central queue")
	}
	for i := range snap.PEs {
		queue(&snap.PEs[i], fmt.Sprintf("PE %d", snap.PEs[i].PE))
	}
	if n := snap.TotalPEs - len(snap.PEs); n > 0 {
		s.rows = append(s.rows, standingRow{text: fmt.Sprintf("and %s more PEs", figures.Count(int64(n)))})
	}
	s.rows = append(s.rows, standingRow{text: fmt.Sprintf("Suspended: %s", figures.Count(int64(snap.Suspended))), heading: true})
	for i := range snap.Waiting {
		goal(&snap.Waiting[i], "waits for "+strings.Join(snap.Waiting[i].Waits, ", "))
	}
}

// statePanel draws the panel, cut off the right side of r.
func (a *App) statePanel(c *ui.Context, r *ui.Rect, d *document) {
	l := d.live
	a.look(l)
	panel := r.CutRight(min(c.Px(320), r.W()/2))
	edge := panel.CutLeft(c.Hair())
	c.Fill(edge, c.Theme.Line)
	c.Scope("state panel")
	defer c.Unscope()
	in := c.Panel(panel, "State of the program")
	shut := ui.Rect{X0: panel.X1 - c.Px(34), Y0: panel.Y0 + c.Px(6), X1: panel.X1 - c.Px(10), Y1: panel.Y0 + c.Px(30)}
	if c.IconButton(shut, "close", icon.Close, "Close this panel (Q)") {
		a.toggleState()
	}
	in.CutTop(c.Px(ui.Gap))
	facts := in.CutTop(c.Px(3*22)).Inset(c.Px(ui.Pad), 0)
	fact := func(name, value string) {
		row := facts.CutTop(c.Px(22))
		c.Label(row.CutLeft(c.Px(96)), name, ui.Type{Color: c.Theme.Muted})
		c.Label(row, value, ui.Type{})
	}
	counted := "Reductions"
	if l.status.Steps {
		counted = "Forks, joins"
	}
	fact(counted, figures.Count(l.status.Reductions))
	fact("Time", figures.Duration(l.status.Virtual))
	fact("Goal", d.src.Meta().Goal)
	a.stepTo(c, in.CutTop(c.Px(ui.Ctl+ui.Gap)).Inset(c.Px(ui.Pad), 0), d)
	if text := strings.TrimSpace(l.status.Answer); text != "" {
		a.outcome(c, &in, "Answer", text, scene.Color{})
	}
	if l.status.Err != "" {
		a.outcome(c, &in, "What happened", l.status.Err, c.Theme.Danger)
	}
	s := &a.standing
	empty := "Pause the program to see its queues."
	if l.over {
		empty = "The program has ended."
	}
	did := c.List(in, "queues", ui.Rows{N: len(s.rows), Empty: empty, Height: 22, Draw: func(i int, r ui.Rect, ink scene.Color) { s.row(c, i, r, ink) }}, &s.chosen)
	if did.Changed && s.chosen >= 0 && s.chosen < len(s.rows) && s.rows[s.chosen].task != 0 {
		sel := view.Selection{Trace: d.name, Tasks: []view.Tasks{{First: s.rows[s.chosen].task}}}
		a.act(view.Action{Do: view.Select, Selection: &sel})
	}
}

// stepTo is a field for the reduction to go to.
func (a *App) stepTo(c *ui.Context, r ui.Rect, d *document) {
	r.CutBottom(c.Px(ui.Gap))
	c.Label(r.CutLeft(c.Px(96)), "Go to", ui.Type{Color: c.Theme.Muted})
	if c.Field(r, "go to", &a.goToText, ui.FieldLook{Hint: "a reduction", Error: goError(a.goToText)}).Done && goError(a.goToText) == "" {
		var n int64
		if _, err := fmt.Sscan(a.goToText, &n); err == nil {
			a.goTo(d, n)
		}
	}
}

func goError(s string) string {
	if s == "" {
		return ""
	}
	return countError(s, 0, 1<<62)
}

// outcome shows a text with its heading, in a few lines.
func (a *App) outcome(c *ui.Context, in *ui.Rect, title, text string, ink scene.Color) {
	in.CutTop(c.Px(4))
	box := in.CutTop(min(c.ParagraphHeight(in.W()-2*c.Px(ui.Pad), text, ui.Type{})+c.Px(24), c.Px(130))).Inset(c.Px(ui.Pad), 0)
	c.Label(box.CutTop(c.Px(20)), title, ui.Type{Face: scene.Bold})
	c.Paragraph(box, text, ui.Type{Color: ink})
}

func (s *standing) row(c *ui.Context, i int, r ui.Rect, ink scene.Color) {
	row := s.rows[i]
	r = r.Inset(c.Px(ui.Pad), 0)
	ty := ui.Type{Color: ink}
	switch {
	case row.heading:
		ty.Face = scene.Bold
	case row.task != 0:
		r.CutLeft(c.Px(ui.Gap))
		ty.Face, ty.Size = scene.Mono, ui.Small
	default:
		ty.Color = c.Theme.Muted
	}
	if row.right != "" {
		right := ui.Type{Size: ui.Small, Color: c.Theme.Muted, Align: scene.End}
		w := min(c.TextWidth(row.right, right), r.W()/2)
		c.Label(r.CutRight(w), row.right, right)
		r.CutRight(c.Px(ui.Gap))
	}
	c.Label(r, row.text, ty)
}
