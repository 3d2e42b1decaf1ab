package widget

import (
	"strconv"

	"whorl/visual/edit"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// draw draws the visible lines.
func (ed *editing) draw(r ui.Rect) {
	c, th, caret := ed.c, &ed.c.Theme, ed.b.Caret()
	c.Fill(r, th.Ground)
	c.Fill(ed.gutter, th.Surface)
	c.Clip(r)
	from, to := ed.b.Selection()
	first := max(int(ed.s.scroll/float64(ed.line)), 0)
	top := func(i int) float32 {
		return ed.area.Y0 + ui.Whole(float32(float64(i)*float64(ed.line)-ed.s.scroll))
	}
	last := first
	for last+1 < ed.b.Lines() && top(last+1) < r.Y1 {
		last++
	}
	if y := top(caret.Line); from == to && ed.t.Focus { // the line of the caret
		c.Fill(ui.Rect{X0: ed.gutter.X0, Y0: y, X1: r.X1, Y1: y + ed.line}, th.Hover.Mix(th.Ground, 0.4))
	}
	for i := first; i <= last; i++ {
		ed.number(i, top(i))
	}
	c.Fill(ui.Rect{X0: ed.gutter.X1 - c.Hair(), Y0: r.Y0, X1: ed.gutter.X1, Y1: r.Y1}, th.Line)
	c.Clip(ui.Rect{X0: ed.gutter.X1, Y0: r.Y0, X1: ed.area.X1, Y1: ed.area.Y1})
	for i := first; i <= last; i++ {
		y := top(i)
		ed.ground(i, y, from, to)
		ed.letters(i, y)
		ed.problems(i, y)
	}
	if y := top(caret.Line); ed.t.Focus && blink(c, &ed.s.blink, caret) {
		x := ed.left + ui.Whole(ed.x(ed.b.Line(caret.Line), caret.Col))
		c.Fill(ui.Rect{X0: x, Y0: y + c.Px(2), X1: x + max(c.Hair(), c.Px(1.5)), Y1: y + ed.line - c.Px(1)}, th.Ink)
	}
	c.Unclip()
	c.Unclip()
}

// number draws the number of a line and the sign of its problem.
func (ed *editing) number(i int, y float32) {
	c, th := ed.c, &ed.c.Theme
	row := ui.Rect{X0: ed.gutter.X0, Y0: y, X1: ed.gutter.X1 - c.Px(10), Y1: y + ed.line}
	ink := th.Muted
	if i == ed.b.Caret().Line && ed.t.Focus {
		ink = th.Ink
	}
	c.Write(ui.Rect{X0: row.X0 + c.Px(18), Y0: row.Y0, X1: row.X1, Y1: row.Y1}, strconv.Itoa(i+1), ui.Type{Face: scene.Mono, Size: ui.Small, Color: ink, Align: scene.End})
	if p := ed.worst(i); p != nil {
		col, g := c.SeverityLook(p.Severity)
		c.Icon(ui.Rect{X0: row.X0 + c.Px(2), Y0: y, X1: row.X0 + c.Px(2+ui.Icon), Y1: y + ed.line}, g, col)
	}
}

// worst returns the most severe problem of a line, nil if it has none.
func (ed *editing) worst(line int) *Problem {
	var worst *Problem
	for k := range ed.e.Problems {
		if p := &ed.e.Problems[k]; p.Line == line && (worst == nil || p.Severity > worst.Severity) {
			worst = p
		}
	}
	return worst
}

// ground draws the selection behind a line.
func (ed *editing) ground(i int, y float32, from, to edit.Pos) {
	if from == to || i < from.Line || i > to.Line {
		return
	}
	s, col := ed.b.Line(i), ed.c.Theme.Soft
	if !ed.t.Focus {
		col = col.Mix(ed.c.Theme.Ground, 0.35)
	}
	x0, x1 := float32(0), ed.x(s, len(s))+ed.cell/2 // room for the end of the line
	if i == from.Line {
		x0 = ed.x(s, from.Col)
	}
	if i == to.Line {
		x1 = ed.x(s, to.Col)
	}
	ed.c.Fill(ui.Rect{X0: ed.left + ui.Whole(x0), Y0: y, X1: ed.left + ui.Whole(x1), Y1: y + ed.line}, col)
}

// letters draws the visible part of a line in its colours.
func (ed *editing) letters(i int, y float32) {
	s := ed.b.Line(i)
	if s == "" {
		return
	}
	a, b := 0, len(s)
	if len(s) > 256 { // only the visible part of a long line, and a little more
		a = max(ed.col(s, ed.area.X0-ed.left)-8, 0)
		b = min(ed.col(s, ed.area.X1-ed.left)+8, len(s))
		for a > 0 && s[a]&0xc0 == 0x80 {
			a--
		}
		for b < len(s) && s[b]&0xc0 == 0x80 {
			b++
		}
	}
	var spans []Span
	if ed.e.Color != nil && !ed.c.Disabled {
		spans = ed.e.Color(i, s)
	}
	at := a
	for _, sp := range spans {
		from, to := min(max(sp.From, at), b), min(max(sp.To, at), b)
		ed.piece(s, at, from, y, ed.st.Color)
		ed.piece(s, from, to, y, sp.Color)
		at = to
	}
	ed.piece(s, at, b, y, ed.st.Color)
}

// piece draws a part of a line in one colour. Tabs divide it, since fonts have no width for them.
func (ed *editing) piece(s string, from, to int, y float32, col scene.Color) {
	if from >= to {
		return
	}
	st := ed.st
	st.Color = col
	mid := ed.c.TextY(ui.Rect{X0: 0, Y0: y, X1: 0, Y1: y + ed.line}, st)
	for at := from; at < to; {
		for at < to && (s[at] == '\t' || s[at] == ' ') {
			at++
		}
		end := at
		for end < to && s[end] != '\t' {
			end++
		}
		if at < end {
			ed.c.Out().Text(ed.left+ed.x(s, at), mid, s[at:end], st)
		}
		at = end
	}
}

// problems draws waves below the problems of a line, and the text of the worst one behind the line.
func (ed *editing) problems(i int, y float32) {
	c := ed.c
	s := ed.b.Line(i)
	for _, p := range ed.e.Problems {
		if p.Line != i {
			continue
		}
		from, to := min(max(p.From, 0), len(s)), min(p.To, len(s))
		x0 := ed.x(s, from)
		x1 := x0 + ed.cell
		if to > from {
			x1 = ed.x(s, to)
		}
		col, _ := c.SeverityLook(p.Severity)
		wave(c, max(ed.left+x0, ed.area.X0-ed.cell), min(ed.left+x1, ed.area.X1+ed.cell), y+ed.line-c.Px(3), col)
	}
	if p := ed.worst(i); p != nil {
		col, _ := c.SeverityLook(p.Severity)
		x := ed.left + ui.Whole(ed.x(s, len(s))+3*ed.cell)
		room := ui.Rect{X0: x, Y0: y, X1: ed.area.X1 - c.Px(4), Y1: y + ed.line}
		if room.W() >= 12*ed.cell {
			c.Write(room, p.Text, ui.Type{Size: 12, Color: col})
		}
	}
}

// wave draws a wavy line.
func wave(c *ui.Context, x0, x1, y float32, col scene.Color) {
	step := c.Px(2)
	var points []float32
	for i, x := 0, x0; x <= x1+step/2 && i < 4096; i, x = i+1, x+step {
		points = append(points, x, y+float32(i%2)*step)
	}
	c.Out().Polyline(points, scene.Stroke{Width: max(c.Scale, 1), Color: col})
}
