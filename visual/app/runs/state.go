package runs

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A State is the panel on the right with the state of a run: its answer or error, and while it is paused the queue of each PE and
// the suspended goals with the variables that they wait for.
type State struct {
	Open     bool
	goToText string

	run       *documents.Live // the run that rows are of
	reduction int64           // the reduction that rows are of
	snapshot  *experiment.Snapshot
	rows      []stateRow
	chosen    int
}

// A stateRow is a line of the panel: a heading, a goal, or a remark.
type stateRow struct {
	text, right string
	heading     bool
	task        uint64 // of a goal, 0 for none
}

// update asks a paused run for its queues, once for each reduction at which it stops.
func (s *State) update(l *documents.Live) {
	if s.run == l && s.reduction == l.Status.Reductions && (s.snapshot != nil || l.Status.State != session.Paused) {
		return
	}
	s.run, s.reduction, s.chosen, s.rows = l, l.Status.Reductions, -1, nil
	if s.snapshot = l.Snapshot(); s.snapshot != nil {
		s.rows = stateRows(s.snapshot)
	}
}

// stateRows returns the lines of a snapshot.
func stateRows(snap *experiment.Snapshot) (rows []stateRow) {
	goal := func(p *experiment.Pending, right string) {
		rows = append(rows, stateRow{text: p.Text, right: right, task: p.Task})
	}
	queue := func(q *experiment.Standing, name string) {
		right := q.Doing
		if q.PE >= 0 && q.Doing != "" {
			right += " at " + figures.Duration(q.Clock)
		}
		if q.Coming > 0 {
			right += fmt.Sprintf(", %d coming", q.Coming)
		}
		rows = append(rows, stateRow{text: fmt.Sprintf("%s: %d in its queue", name, q.Length), right: right, heading: true})
		if q.Current != nil {
			goal(q.Current, "next")
		}
		for i := range q.Queue {
			goal(&q.Queue[i], "")
		}
		if more := q.Length - len(q.Queue); more > 0 && len(q.Queue) > 0 {
			rows = append(rows, stateRow{text: fmt.Sprintf("and %s more", figures.Count(int64(more)))})
		}
	}
	if snap.Central != nil {
		queue(snap.Central, "Central queue")
	}
	for i := range snap.PEs {
		queue(&snap.PEs[i], fmt.Sprintf("PE %d", snap.PEs[i].PE))
	}
	if n := snap.TotalPEs - len(snap.PEs); n > 0 {
		rows = append(rows, stateRow{text: fmt.Sprintf("and %s more PEs", figures.Count(int64(n)))})
	}
	rows = append(rows, stateRow{text: fmt.Sprintf("Suspended: %s", figures.Count(int64(snap.Suspended))), heading: true})
	for i := range snap.Waiting {
		goal(&snap.Waiting[i], "waits for "+strings.Join(snap.Waiting[i].Waits, ", "))
	}
	return rows
}

// Chosen is a choice of the user in the panel.
type Chosen struct {
	Task uint64 // to select, 0 for none
	Go   bool   // go to the reduction
	To   int64
}

// Draw draws the panel for the run of a document, cut off the right side of r. The tip of its button for closing names a key.
func (s *State) Draw(c *ui.Context, r *ui.Rect, d *documents.Document, key string) (chosen Chosen) {
	l := d.Live
	s.update(l)
	panel := widget.Aside(c, r, min(c.Px(320), r.W()/2), (*ui.Rect).CutRight)
	edge := panel.CutLeft(c.Hair())
	c.Fill(edge, c.Theme.Line)
	c.Scope("state panel")
	defer c.Unscope()
	in := widget.Panel(c, panel, "State of the program")
	if widget.CloseButton(c, panel, "Close this panel ("+key+")") {
		s.Open = false
	}
	in.CutTop(c.Px(ui.Gap))
	facts := in.CutTop(c.Px(3*22)).Inset(c.Px(ui.Pad), 0)
	fact := func(name, value string) {
		row := facts.CutTop(c.Px(22))
		c.Label(row.CutLeft(c.Px(96)), name, ui.Type{Color: c.Theme.Muted})
		c.Label(row, value, ui.Type{})
	}
	counted := "Reductions"
	if l.Status.Steps {
		counted = "Forks, joins"
	}
	fact(counted, figures.Count(l.Status.Reductions))
	fact("Time", figures.Duration(l.Status.Virtual))
	fact("Goal", d.Source.Meta().Goal)
	chosen.To, chosen.Go = s.drawGoTo(c, in.CutTop(c.Px(c.Theme.Ctl+ui.Gap)).Inset(c.Px(ui.Pad), 0))
	if text := strings.TrimSpace(l.Status.Answer); text != "" {
		drawOutcome(c, &in, "Answer", text, scene.Color{})
	}
	if l.Status.Err != "" {
		drawOutcome(c, &in, "What happened", l.Status.Err, c.Theme.Danger)
	}
	empty := "Pause the program to see its queues."
	if l.Over {
		empty = "The program has ended."
	}
	changed := widget.List(c, in, "queues", widget.ListOptions{
		N: len(s.rows), Empty: empty, Height: 22, Draw: func(i int, r ui.Rect) { s.rows[i].draw(c, r) },
	}, &s.chosen)
	if changed && s.chosen >= 0 && s.chosen < len(s.rows) {
		chosen.Task = s.rows[s.chosen].task
	}
	return chosen
}

// drawGoTo draws the field for the reduction to go to. It returns that reduction once the user has confirmed it.
func (s *State) drawGoTo(c *ui.Context, r ui.Rect) (reduction int64, done bool) {
	r.CutBottom(c.Px(ui.Gap))
	c.Label(r.CutLeft(c.Px(96)), "Go to", ui.Type{Color: c.Theme.Muted})
	wrong := ""
	if s.goToText != "" {
		wrong = countError(s.goToText, 0, 1<<62)
	}
	if widget.Field(c, r, "go to", &s.goToText, widget.FieldOptions{Hint: "a reduction", Error: wrong}).Done && wrong == "" {
		n, err := strconv.ParseInt(s.goToText, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// drawOutcome draws a text of a few lines below its heading.
func drawOutcome(c *ui.Context, in *ui.Rect, title, text string, ink scene.Color) {
	in.CutTop(c.Px(4))
	box := in.CutTop(min(c.ParagraphHeight(in.W()-2*c.Px(ui.Pad), text, ui.Type{})+c.Px(24), c.Px(130))).Inset(c.Px(ui.Pad), 0)
	c.Label(box.CutTop(c.Px(20)), title, ui.Type{Face: scene.Bold})
	c.Paragraph(box, text, ui.Type{Color: ink})
}

func (row stateRow) draw(c *ui.Context, r ui.Rect) {
	r = r.Inset(c.Px(ui.Pad), 0)
	var ty ui.Type
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
