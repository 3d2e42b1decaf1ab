package waits

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Base draws the headings, the sums, the visible rows and the chain.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	b := brush{sheet: s, out: out, states: timeplot.TaskColours(f.Style.Dark)}
	b.heads()
	first, end := s.Shown()
	for i := first; i < end; i++ {
		b.row(i)
	}
	muted := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted}
	if len(g.rows) == 0 && s.Visible > 0 {
		b.text(s.x0, s.Body.Y0, "No tasks here.", s.x1-s.x0, muted)
	}
	if s.rest != "" {
		b.text(s.x0, s.Body.Y1, s.rest, s.x1-s.x0, muted)
	}
	s.Thumb(out, s.Area.X1, s.em, s.Style.Line)
	b.chained()
}

// A brush draws one frame.
type brush struct {
	*sheet
	out    *scene.List
	states [waits.NumStates]scene.Color
}

// text writes a line into the row at y, shortened to a width.
func (b *brush) text(x, y float64, t string, room float64, style scene.TextStyle) {
	b.Write(b.out, x, y+math.Round(1.15*b.em), t, room, style)
}

// heads draws the headings and the sums.
func (b *brush) heads() {
	y := b.Area.Y0
	if b.Area.H() < b.Line {
		return
	}
	for _, c := range b.columns {
		style := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Muted}
		sorted := c.sort == b.g.sort
		if sorted {
			style.Color = b.Style.Ink
		}
		switch c.field {
		case &nameField:
			title := view.Capital(b.g.run.Unit())
			if b.g.byTask {
				title = "Task"
			}
			b.text(c.x0, y, title, c.x1-c.x0-1.1*b.em, style)
			if sorted {
				b.arrow(c.x0+b.width(title)+0.55*b.em, y+0.8*b.em)
			}
		case &barField:
			b.text(c.x0, y, "share of life", c.x1-c.x0, style)
		default:
			x := c.x1
			if style.Anchor = scene.End; sorted {
				x -= 0.9 * b.em
				b.arrow(c.x1-0.35*b.em, y+0.8*b.em)
			}
			b.text(x, y, c.title, c.x1-c.x0, style)
		}
	}
	rule := float32(max(math.Round(b.em/14), 1))
	b.out.Rect(float32(b.x0), float32(y+b.Line)-rule, float32(b.x1), float32(y+b.Line), b.Style.Line)
	if len(b.g.rows) == 0 || b.Body.Y0 > b.Area.Y1 {
		return
	}
	all := b.g.all()
	bold := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Ink, Face: scene.Bold}
	b.text(b.x0, y+b.Line, "all", b.columns[0].x1-b.x0, bold)
	b.cells(y+b.Line, func(f *field) string { return f.text(f.value(&all)) }, scene.Bold)
	b.bar(y+b.Line, &all)
}

// arrow draws the direction of the order.
func (b *brush) arrow(x, y float64) {
	d := 0.28 * b.em
	if b.g.reverse != (b.g.sort == sortName) {
		d = -d
	}
	b.out.Polygon([]float32{float32(x - 0.32*b.em), float32(y - d/2), float32(x + 0.32*b.em), float32(y - d/2), float32(x), float32(y + d)}, scene.NonZero, b.Style.Ink)
}

// cells writes the numbers of a row.
func (b *brush) cells(y float64, text func(f *field) string, face scene.Face) {
	for _, c := range b.columns {
		if c.field == &nameField || c.field == &barField {
			continue
		}
		t := text(c.field)
		style := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Ink, Face: face, Anchor: scene.End}
		if t == "0" {
			style.Color = b.Style.Muted
		}
		b.text(c.x1, y, t, c.x1-c.x0+b.em/2, style)
	}
}

// place returns the box of the bars, or false if they do not fit.
func (b *brush) place(y float64) (r scene.Rect, ok bool) {
	for _, c := range b.columns {
		if c.field == &barField {
			return scene.Rect{X0: math.Round(c.x0), Y0: math.Round(y + 0.42*b.em), X1: math.Round(c.x1), Y1: math.Round(y + b.Line - 0.42*b.em)}, true
		}
	}
	return r, false
}

// bar draws the shares of the states of an entry.
func (b *brush) bar(y float64, e *entry) {
	r, ok := b.place(y)
	whole := e.times.Sum()
	if !ok || whole <= 0 {
		return
	}
	sum, x := int64(0), r.X0
	for s, ns := range e.times {
		sum += ns
		to := math.Round(r.X0 + r.W()*float64(sum)/float64(whole))
		if to > x {
			b.out.Rect(float32(x), float32(r.Y0), float32(to), float32(r.Y1), b.states[s])
		}
		x = to
	}
}

// part draws the part of an entry's blocked time that has a cause. The causes before it take the time before.
func (b *brush) part(y float64, e *entry, cause int32) {
	r, ok := b.place(y)
	whole := e.times.Sum()
	if !ok || whole <= 0 {
		return
	}
	at := whole - e.times[waits.Blocked]
	causes := b.g.causesOf(e)
	for _, c := range causes[:cause] {
		at += c.Time
	}
	x := func(ns int64) float32 { return float32(math.Round(r.X0 + r.W()*float64(ns)/float64(whole))) }
	b.out.Rect(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), b.Style.Ground.Mix(b.Style.Line, 0.3))
	x0, x1 := x(at), x(at+causes[cause].Time)
	b.out.Rect(x0, float32(r.Y0), max(x1, x0+1), float32(r.Y1), b.states[waits.Blocked].Mix(b.Style.Ink, 0.35))
}

// row draws row i.
func (b *brush) row(i int) {
	r := &b.g.rows[i]
	y := b.Row(i).Y0
	e := b.g.entry(r.entry)
	x := b.x0 + 1.1*b.em
	style := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Ink}
	name := ""
	if r.cause >= 0 {
		c := &b.g.causesOf(&e)[r.cause]
		x += 1.1 * b.em
		name = b.g.cause(c)
		b.part(y, &e, r.cause)
		b.cells(y, func(f *field) string {
			if f.cause == nil {
				return ""
			}
			return f.text(f.cause(c))
		}, scene.Regular)
	} else {
		name = b.g.name(&e)
		if e.times[waits.Blocked] > 0 {
			b.sign(y, r.open)
		}
		b.cells(y, func(f *field) string { return f.text(f.value(&e)) }, scene.Regular)
		b.bar(y, &e)
	}
	t := scene.ElideMiddle(b.Text, name, float32(max(b.columns[0].x1-x, 0)), style.Size, style.Face)
	if r.marked && t != "" {
		w := math.Ceil(float64(b.Text.Width(t, style.Size, style.Face)))
		b.out.Rect(float32(x-0.2*b.em), float32(y+0.15*b.Line), float32(x+w+0.2*b.em), float32(y+0.88*b.Line), marking(b.Style.Dark))
	}
	b.text(x, y, t, b.columns[0].x1-x+1, style)
}

// marking returns the background of a match.
func marking(dark bool) scene.Color {
	if dark {
		return scene.Hex(0x6a5600)
	}
	return scene.Hex(0xffe27a)
}

// sign draws the sign that opens and closes a row.
func (b *brush) sign(y float64, open bool) {
	mid, cx, d := float32(y+b.Line/2), float32(b.x0+0.35*b.em), float32(0.3*b.em)
	points := []float32{cx - d/2, mid - d, cx + d/2, mid, cx - d/2, mid + d}
	if open {
		points = []float32{cx - d, mid - d/2, cx, mid + d/2, cx + d, mid - d/2}
	}
	b.out.Polyline(points, scene.Stroke{Width: max(float32(0.11*b.em), 1), Color: b.Style.Muted})
}

// title says which wait the chain is of.
func (g *Geometry) title() string {
	c := g.chain
	text := "Wait of " + g.run.TaskName(c.span.Task, g.codeOf(c.span.Task)) + ": " + figures.Duration(c.span.To-c.span.From)
	if n := c.path.Hops; n > 0 {
		text += ", " + figures.Counted(n, "hop") + " back to its cause"
	}
	if n := c.path.Inferred; n > 0 {
		text += ", " + figures.Count(n) + " inferred"
	}
	return text
}

// chained draws the chain.
func (b *brush) chained() {
	c := b.g.chain
	if c == nil || !b.chain.shown() {
		return
	}
	rule := float32(max(math.Round(b.em/14), 1))
	y := b.chain.Y0
	b.out.Rect(float32(b.x0), float32(y)-rule, float32(b.x1), float32(y), b.Style.Line)
	bold := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Ink, Face: scene.Bold}
	b.text(b.x0, y, b.g.title(), b.x1-b.x0-2*b.em, bold)
	d, cx, cy := float32(0.28*b.em), float32(b.x1-0.7*b.em), float32(y+b.Line/2)
	cross := scene.Stroke{Width: max(float32(0.1*b.em), 1), Color: b.Style.Muted}
	b.out.Polyline([]float32{cx - d, cy - d, cx + d, cy + d}, cross)
	b.out.Polyline([]float32{cx - d, cy + d, cx + d, cy - d}, cross)

	plain := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Ink}
	muted := scene.TextStyle{Size: b.Style.Font, Color: b.Style.Muted}
	names := math.Round(min(0.3*(b.x1-b.x0), 24*b.em))
	texts := math.Round(min(0.35*(b.x1-b.x0), 22*b.em))
	bars := scene.Rect{X0: b.x0 + names + texts + b.em, X1: b.x1}
	whole := float64(max(c.span.To-c.span.From, 1))
	x := func(at int64) float64 { return math.Round(bars.X0 + bars.W()*float64(at-c.span.From)/whole) }
	stripe := func(y float64, from, to int64, color scene.Color) {
		x0 := x(from)
		b.out.Rect(float32(x0), float32(math.Round(y+0.42*b.em)), float32(max(x(to), x0+1)), float32(math.Round(y+b.Line-0.42*b.em)), color)
	}
	y += b.Line
	name := func(y float64, task uint64, code uint32) { // the number of the task is at the end of its name
		b.WriteName(b.out, b.x0, y+math.Round(1.15*b.em), b.g.run.TaskName(task, code), names-0.5*b.em, plain)
	}
	name(y, c.span.Task, b.g.codeOf(c.span.Task))
	b.text(b.x0+names, y, "waits "+figures.Duration(c.span.To-c.span.From), texts, muted)
	stripe(y, c.span.From, c.span.To, b.states[waits.Blocked])
	colours := timeplot.PieceColours(b.Style.Dark)
	for i := range b.chain.lines {
		s := &c.segments[i]
		box := b.sheet.segment(i)
		name(box.Y0, s.task, s.code)
		b.text(b.x0+names, box.Y0, b.g.summary(s), texts, muted)
		for _, p := range s.pieces {
			stripe(box.Y0, p.From, p.To, colours[p.Activity])
		}
		if end := x(s.to); i > 0 || s.task != c.span.Task { // the hop to the task that s woke
			b.out.Rect(float32(end), float32(box.Y0-0.42*b.em), float32(end)+rule, float32(box.Y0+0.42*b.em), b.Style.Ink)
		}
	}
	if left := c.segments[b.chain.lines:]; len(left) > 0 {
		b.text(b.x0, b.sheet.segment(b.chain.lines).Y0, "and "+figures.Count(int64(len(left)))+" more before them, "+
			figures.Duration(left[0].to-c.span.From), b.x1-b.x0, muted)
	}
}

// summary describes the main activity in a segment of a chain.
func (g *Geometry) summary(s *segment) string {
	what, reason, ns, rest := s.longest()
	text := what.String() + " " + figures.Duration(ns)
	if what == waits.Outside {
		text = "waits " + figures.Duration(ns)
		if int(reason) < len(g.run.Codes) && reason != 0 {
			text += " for " + g.run.Codes[reason].Name
		}
	}
	if rest > 0 {
		text += ", other " + figures.Duration(rest)
	}
	return text
}

// codeOf returns the function of a task.
func (g *Geometry) codeOf(task uint64) uint32 { return g.waits.CodeOf(task) }
