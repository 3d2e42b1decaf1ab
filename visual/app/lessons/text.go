package lessons

import (
	"strings"

	"whorl/lesson"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A layoutKey says what a text looks like. Spans are told apart by the address of the first one.
type layoutKey struct {
	spans *lesson.Span
	width float32
	size  float32
	face  scene.Face
	scale float32
}

// A layout is a text in lines.
type layout struct {
	pieces []piece
	height float32
}

// A piece is text in one style on a line.
type piece struct {
	x, y, w float32
	text    string
	style   lesson.Style
}

// word is a part of a line that is not broken: pieces of several styles without a space between them.
type word struct {
	parts  []lesson.Span
	widths []float32
	w      float32
}

// lay breaks a text into lines of a width.
func (d *drawing) lay(spans []lesson.Span, width float32, base ui.Type) layout {
	if len(spans) == 0 {
		return layout{}
	}
	key := layoutKey{&spans[0], width, base.Size, base.Face, d.Scale}
	if l, ok := d.t.laid[key]; ok {
		return l
	}
	var l layout
	line, space := d.line(base), d.TextWidth(" ", base)
	x, y := float32(0), float32(0)
	for _, w := range d.words(spans, base) {
		if x > 0 && x+space+w.w > width {
			x, y = 0, y+line
		}
		if x > 0 {
			x += space
		}
		for i, part := range w.parts {
			last := len(l.pieces) - 1
			if i == 0 && last >= 0 && x > 0 && l.pieces[last].y == y && l.pieces[last].style == part.Style {
				q := &l.pieces[last]
				q.text += " " + part.Text
				q.w = d.TextWidth(q.text, styled(base, q.style))
				x = q.x + q.w
				continue
			}
			l.pieces = append(l.pieces, piece{x: x, y: y, w: w.widths[i], text: part.Text, style: part.Style})
			x += w.widths[i]
		}
	}
	l.height = y + line
	d.t.laid[key] = l
	return l
}

// words returns the words of a text.
func (d *drawing) words(spans []lesson.Span, base ui.Type) (all []word) {
	open := false // the last word may go on
	for _, s := range spans {
		for i, f := range scene.Words(s.Text) {
			if i > 0 || !open || strings.TrimLeft(s.Text, " \n\t") != s.Text {
				all = append(all, word{})
			}
			w := &all[len(all)-1]
			width := d.TextWidth(f, styled(base, s.Style))
			w.parts, w.widths, w.w = append(w.parts, lesson.Span{Text: f, Style: s.Style}), append(w.widths, width), w.w+width
			open = true
		}
		if strings.TrimRight(s.Text, " \n\t") != s.Text {
			open = false
		}
	}
	return all
}

// styled returns the type of a style.
func styled(base ui.Type, s lesson.Style) ui.Type {
	switch s {
	case lesson.Strong, lesson.Emphasis, lesson.Computed: // the font has no italics
		base.Face = scene.Bold
	case lesson.Mono:
		base.Face = scene.Mono
	}
	return base
}

// line returns the height of a line.
func (d *drawing) line(t ui.Type) float32 {
	size := t.Size
	if size == 0 {
		size = ui.Body
	}
	return ui.Whole(d.FontSize(size) * 1.5)
}

// rich writes a text with styles, cut off the top of r.
func (d *drawing) rich(r *ui.Rect, spans []lesson.Span, base ui.Type, role ui.Role) {
	l := d.lay(spans, r.W(), base)
	box := r.CutTop(l.height)
	d.spoken(role, box, lesson.Inline(spans))
	if box.Y1 < d.seen.Y0 || box.Y0 > d.seen.Y1 {
		return
	}
	line := d.line(base)
	for _, p := range l.pieces {
		at := ui.Rect{X0: box.X0 + p.x, Y0: box.Y0 + p.y, X1: min(box.X0+p.x+p.w+d.Px(2), box.X1), Y1: box.Y0 + p.y + line}
		if p.style == lesson.Mono {
			d.Round(ui.Rect{X0: at.X0 - d.Px(1), Y0: at.Y0 + d.Px(1), X1: at.X1, Y1: at.Y1 - d.Px(1)}, d.Px(2), d.Theme.Sunken)
		}
		d.Write(at, p.text, styled(base, p.style))
	}
}

// plain writes a text in one style, cut off the top of r.
func (d *drawing) plain(r *ui.Rect, text string, t ui.Type, role ui.Role) {
	box := r.CutTop(d.ParagraphHeight(r.W(), text, t))
	d.spoken(role, box, text)
	d.Paragraph(box, text, t)
	r.CutTop(d.Px(4))
}

// blocks draws blocks, cut off the top of r.
func (d *drawing) blocks(r *ui.Rect, all []lesson.Block) {
	for i := range all {
		d.block(r, &all[i])
	}
}

func (d *drawing) block(r *ui.Rect, b *lesson.Block) {
	switch b.Kind {
	case lesson.Heading:
		r.CutTop(d.Px(8))
		size := float32(ui.Title)
		if b.Level <= 1 {
			size = ui.Large
		}
		d.rich(r, b.Spans, ui.Type{Size: size, Face: scene.Bold}, ui.RoleHeading)
	case lesson.Paragraph:
		d.rich(r, b.Spans, ui.Type{}, ui.RoleParagraph)
	case lesson.List:
		d.list(r, b)
		return
	case lesson.Quote:
		d.quoted(r, b.Body, d.Theme.Line)
	case lesson.Code:
		d.code(r, b.Text)
	case lesson.Table:
		d.table(r, b.Cells)
	case lesson.PictureOf:
		d.picture(r, b.Picture)
	case lesson.ToDo:
		d.task(r, b)
	case lesson.Ask, lesson.Predict:
		d.ask(r, b)
	case lesson.Reveal:
		d.reveal(r, b)
		return
	case lesson.Hint:
		d.hint(r, b)
	case lesson.Summary:
		d.summary(r, b)
	}
	r.CutTop(d.Px(8))
}

// list draws the items of a list.
func (d *drawing) list(r *ui.Rect, b *lesson.Block) {
	for i, item := range b.Items {
		mark := "•"
		if b.Ordered {
			mark = figure(i+1) + "."
		}
		in := *r
		d.Write(ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + d.Px(20), Y1: r.Y0 + d.line(ui.Type{})}, mark, ui.Type{Color: d.Theme.Muted})
		in.CutLeft(d.Px(20))
		d.blocks(&in, item)
		r.Y0 = in.Y0
	}
}

// quoted draws blocks beside a line.
func (d *drawing) quoted(r *ui.Rect, body []lesson.Block, line scene.Color) {
	in := *r
	in.CutLeft(d.Px(14))
	d.blocks(&in, body)
	d.Fill(ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + d.Px(3), Y1: in.Y0 - d.Px(8)}, line)
	r.Y0 = in.Y0
}

// code draws lines of a program. Long lines are broken.
func (d *drawing) code(r *ui.Rect, text string) {
	t := ui.Type{Face: scene.Mono, Size: ui.Code}
	text = strings.TrimRight(text, "\n")
	pad := d.Px(8)
	box := r.CutTop(d.ParagraphHeight(r.W()-2*pad, text, t) + 2*pad)
	d.Round(box, d.Px(ui.Corner), d.Theme.Sunken)
	d.spoken(ui.RoleParagraph, box, text)
	d.Paragraph(box.Inset(pad, pad), text, t)
}

// table draws the rows of a table.
func (d *drawing) table(r *ui.Rect, cells [][][]lesson.Span) {
	for i, row := range cells {
		base := ui.Type{Size: ui.Small}
		if i == 0 {
			base.Face = scene.Bold
		}
		if len(row) == 0 {
			continue
		}
		columns, end := r.Columns(d.Px(8), make([]float32, len(row))...), r.Y0
		for k, spans := range row {
			cell := columns[k]
			cell.Y1 = r.Y1
			d.rich(&cell, spans, base, ui.RoleParagraph)
			end = max(end, cell.Y0)
		}
		r.Y0 = end + d.Px(2)
		d.Fill(r.CutTop(d.Hair()), d.Theme.Line)
		r.CutTop(d.Px(2))
	}
}
