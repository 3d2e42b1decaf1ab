package view

import (
	"slices"

	"whorl/visual/scene"
)

// row draws one line of the legend, whose top left corner and width are given.
type row func(out *scene.List, x, y, width float32)

// shown is how much of a block has room.
type shown struct{ swatches, facts, notes int }

// drawPanel sets the blocks into the columns of the panel, shortened until they have room.
func (p *page) drawPanel(out *scene.List, blocks []Block) {
	gap, width := p.columnGap(), p.columnWidth()
	room := int(float32(p.panel.H()) / p.line)
	limit := make([]shown, len(blocks))
	for i, b := range blocks {
		limit[i] = shown{len(b.Swatches), len(b.Facts), len(b.Notes)}
	}
	for {
		var rows []row
		var starts []int // of blocks
		for i := range blocks {
			starts = append(starts, len(rows))
			rows = append(rows, p.rows(&blocks[i], limit[i], width)...)
		}
		cells, all := pack(len(rows), starts, room, p.columns)
		if all || !shorten(limit) {
			for i, c := range cells { // of a panel that is too small even so, what has room
				rows[i](out, float32(p.panel.X0)+float32(c.column)*(width+gap), float32(p.panel.Y0)+float32(c.line)*p.line, width)
			}
			return
		}
	}
}

// columnGap is the distance of two columns of the panel.
func (p *page) columnGap() float32 { return round(1.5 * p.margin) }

// columnWidth is the width of a column of the panel.
func (p *page) columnWidth() float32 {
	width := (float32(p.panel.W()) - p.columnGap()*float32(p.columns-1)) / float32(p.columns)
	return round(min(width, p.style.Font*columnEms*1.15))
}

type cell struct{ column, line int }

// pack places n rows, in blocks that begin at starts, into columns of so many lines. A block that would have room in the next column
// but not in this one begins there; in one column an empty line parts blocks. It returns the cells of the rows that have room and
// whether all have.
func pack(n int, starts []int, room, columns int) ([]cell, bool) {
	var cells []cell
	column, line := 0, 0
	for b, from := range starts {
		to := n
		if b+1 < len(starts) {
			to = starts[b+1]
		}
		if from == to {
			continue
		}
		if line > 0 {
			line++
		}
		if line > 0 && line+to-from > room && column+1 < columns {
			column, line = column+1, 0
		}
		for range to - from {
			if line >= room {
				column, line = column+1, 0
			}
			if column >= columns || room < 1 {
				return cells, false
			}
			cells = append(cells, cell{column, line})
			line++
		}
	}
	return cells, true
}

// shorten takes one row away: a fact from the end while a block has more than three, then a swatch, then any fact, then a note. It returns
// false when nothing is left to take.
func shorten(limit []shown) bool {
	for i := range slices.Backward(limit) {
		if limit[i].facts > 3 {
			limit[i].facts--
			return true
		}
	}
	for i := range slices.Backward(limit) {
		if limit[i].swatches > 3 {
			limit[i].swatches--
			return true
		}
	}
	for i := range slices.Backward(limit) {
		if limit[i].facts > 0 {
			limit[i].facts--
			return true
		}
	}
	for i := range slices.Backward(limit) {
		if limit[i].notes > 0 {
			limit[i].notes--
			return true
		}
	}
	return false
}

// rows returns the lines of a block, none of one of which nothing but its heading is left.
func (p *page) rows(b *Block, limit shown, width float32) []row {
	if limit.swatches+limit.facts+limit.notes == 0 && b.Ramp == nil {
		return nil
	}
	font := p.style.Font
	base := round(font * 1.02) // of the text below the top of its line
	ink := scene.TextStyle{Size: font, Color: p.style.Ink}
	muted := scene.TextStyle{Size: font, Color: p.style.Muted}
	bold := scene.TextStyle{Size: font, Color: p.style.Ink, Face: scene.Bold}
	right := func(s scene.TextStyle) scene.TextStyle { s.Anchor = scene.End; return s }
	left := func(s string, room float32, t scene.TextStyle) string { return Elide(p.text, s, room, t.Size, t.Face) }

	var rows []row
	add := func(r row) { rows = append(rows, r) }
	columns, natural := p.valueColumns(b, width)
	nameRoom := natural
	for _, c := range columns {
		nameRoom -= c
	}
	values := func(out *scene.List, x, y, width float32, vs []string, t scene.TextStyle) {
		end := x + width
		for i := len(columns) - 1; i >= 0; i-- {
			if i < len(vs) {
				put(out, end, y+base, vs[i], right(t))
			}
			end -= columns[i]
		}
	}
	if b.Title != "" {
		add(func(out *scene.List, x, y, _ float32) {
			put(out, x, y+base, left(b.Title, nameRoom, bold), bold)
			values(out, x, y, natural, b.Columns, muted)
		})
	}
	if r := b.Ramp; r != nil && len(r.Colors) > 0 {
		add(func(out *scene.List, x, y, width float32) {
			p.gradient(out, x, y+font*0.2, x+width, y+font*1.2, r.Colors, true)
		})
		add(func(out *scene.List, x, y, width float32) { p.ticks(out, x, y, width, base, r.Ticks, muted) })
	}
	swatch := font * 1.5
	n := len(b.Swatches)
	if limit.swatches < n {
		n = max(limit.swatches-1, 0) // one row says how many more there are
	}
	for _, s := range b.Swatches[:n] {
		add(func(out *scene.List, x, y, _ float32) {
			p.swatch(out, x, y+font*0.2, x+swatch, y+font*1.15, s.Colors, s.Sign)
			put(out, x+swatch+font*0.5, y+base, ElideMiddle(p.text, s.Label, nameRoom-swatch-font*0.5, font, scene.Regular), ink)
			values(out, x, y, natural, s.Values, muted)
		})
	}
	if more := len(b.Swatches) - n; more > 0 {
		add(func(out *scene.List, x, y, width float32) {
			put(out, x+swatch+font*0.5, y+base, left("and "+Count(int64(more))+" more", width-swatch-font*0.5, muted), muted)
		})
	}
	labels := float32(0)
	for _, f := range b.Facts {
		labels = max(labels, p.text.Width(f.Label, font, scene.Regular))
	}
	labels = min(labels+font*0.8, width*0.5)
	for _, f := range b.Facts[:min(limit.facts, len(b.Facts))] {
		add(func(out *scene.List, x, y, width float32) {
			put(out, x, y+base, left(f.Label, labels-font*0.4, muted), muted)
			put(out, x+labels, y+base, left(f.Value, width-labels, ink), ink)
		})
	}
	for _, note := range b.Notes[:min(limit.notes, len(b.Notes))] {
		for _, l := range Wrap(p.text, note, width, font, scene.Regular) {
			add(func(out *scene.List, x, y, _ float32) { put(out, x, y+base, l, ink) })
		}
	}
	return rows
}

// valueColumns returns the widths of the columns of values that have room beside a name, gaps included, and the width of names and values
// together.
func (p *page) valueColumns(b *Block, width float32) (columns []float32, natural float32) {
	font := p.style.Font
	name := p.text.Width(b.Title, font, scene.Bold)
	for _, s := range b.Swatches {
		name = max(name, 2*font+p.text.Width(s.Label, font, scene.Regular)+1)
	}
	if len(b.Columns) == 0 {
		return nil, width
	}
	natural = min(name, width)
	left := width - min(name, max(width*0.5, font*7)) // for the first column; further ones do not cut names
	for i := range b.Columns {
		w := p.text.Width(b.Columns[i], font, scene.Regular)
		for _, s := range b.Swatches {
			if i < len(s.Values) {
				w = max(w, p.text.Width(s.Values[i], font, scene.Regular))
			}
		}
		w += font * 0.9
		if left -= w; left < 0 {
			break
		}
		if i == 0 {
			left = width - name - w
		}
		columns = append(columns, w)
		natural = min(natural+w, width)
	}
	if b.Ramp != nil { // flush with it
		return columns, width
	}
	return columns, min(max(natural, font*13), width)
}

// fewColors is up to how many colours a swatch shows side by side; more are a run.
const fewColors = 6

// gradient fills a rectangle with colours from left to right, a run or side by side; it has an outline, so that colours near the background
// show.
func (p *page) gradient(out *scene.List, x0, y0, x1, y1 float32, colors []scene.Color, run bool) {
	x0, y0, x1, y1 = round(x0), round(y0), round(x1), round(y1)
	switch n := float32(len(colors)); {
	case n == 0:
		return
	case n == 1 || !run:
		for i, c := range colors {
			out.Rect(x0+round(float32(i)*(x1-x0)/n), y0, x0+round(float32(i+1)*(x1-x0)/n), y1, c)
		}
	default:
		var points []float32
		var corners []scene.Color
		step := (x1 - x0) / float32(len(colors)-1)
		for i := range len(colors) - 1 {
			a, b := x0+float32(i)*step, x0+float32(i+1)*step
			c, d := colors[i], colors[i+1]
			points = append(points, a, y0, b, y0, b, y1, a, y0, b, y1, a, y1)
			corners = append(corners, c, d, d, c, d, c)
		}
		out.Mesh(points, corners)
	}
	line := p.style.Ink.Alpha(56)
	out.Frame(x0+0.5, y0+0.5, x1-0.5, y1-0.5, 1, line)
}

// swatch shows colours, or a sign.
func (p *page) swatch(out *scene.List, x0, y0, x1, y1 float32, colors []scene.Color, sign *Sign) {
	if sign == nil || len(colors) == 0 {
		p.gradient(out, x0, y0, x1, y1, colors, len(colors) > fewColors)
		return
	}
	mid := round((y0 + y1) / 2)
	if !sign.Line {
		out.Mark(sign.Shape, 0.85*sign.Size*(y1-y0), round((x0+x1)/2), mid, colors[0])
		return
	}
	line := scene.Stroke{Width: max(round(p.style.Font/9), 1), Color: colors[0]}
	if sign.Dash {
		line.Dash = []float32{0.25 * p.style.Font, 0.25 * p.style.Font}
	}
	out.Polyline([]float32{x0, mid, x1, mid}, line)
}

// ticks writes the texts of a ramp below it: the first flush left, the last flush right, and those between if none touches another.
func (p *page) ticks(out *scene.List, x, y, width, base float32, ticks []string, t scene.TextStyle) {
	n := len(ticks)
	if n == 0 {
		return
	}
	gap := 0.6 * t.Size
	if n > 2 {
		end := -gap // of the text before
		for i, s := range ticks {
			w := p.text.Width(s, t.Size, t.Face)
			from := width*float32(i)/float32(n-1) - w*float32(i)/float32(n-1)
			if i > 0 && i < n-1 {
				from = width*float32(i)/float32(n-1) - w/2
			}
			if from < end+gap {
				ticks, n = []string{ticks[0], ticks[n-1]}, 2
				break
			}
			end = from + w
		}
	}
	for i, s := range ticks {
		at := x + width*float32(i)/float32(max(n-1, 1))
		t.Anchor = scene.Middle
		switch i {
		case 0:
			t.Anchor = scene.Start
		case n - 1:
			t.Anchor = scene.End
		}
		room := width
		if n == 2 {
			room = (width - gap) / 2
		}
		put(out, at, y+base, Elide(p.text, s, room, t.Size, t.Face), t)
	}
}
