package page

import (
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A row draws one line of the legend of a width, with its top left corner at x, y.
type row func(out *scene.List, x, y, width float32)

// shown limits the rows of a block that are drawn. If dense is set, rows without columns of numbers are set two to a line.
type shown struct {
	swatches, facts, notes int
	ramp, dense            bool
}

// drawPanel draws the warning and the blocks of a legend in the columns of the panel.
func (p *page) drawPanel(out *scene.List, l view.Legend) {
	if p.legend == LegendBelow {
		DrawStrip(l, p.panel, belowLines, p.style, p.text, out)
		return
	}
	width := p.columnWidth()
	rows, cells := p.compose(l)
	for i, c := range cells {
		rows[i](out, float32(p.panel.X0)+float32(c.column)*(width+p.columnGap()), float32(p.panel.Y0)+float32(c.line)*p.line, width)
	}
}

// compose returns the rows of a legend and their cells in the panel. Blocks without room are first set two rows to a line, then shortened; a line says
// how many rows are missing. A panel that is still too small has cells for the rows that fit.
func (p *page) compose(l view.Legend) (rows []row, cells []cell) {
	width := p.columnWidth()
	room := int(float32(p.panel.H()) / p.line)
	l.Blocks = slices.Clone(l.Blocks)
	for i := range l.Blocks {
		b := &l.Blocks[i]
		if columns, _ := p.valueColumns(b, width); b.ValuesNote != "" && len(b.Columns) > 0 && len(columns) == len(b.Columns) {
			b.Notes = append(slices.Clip(b.Notes), b.ValuesNote)
		}
	}
	limit := make([]shown, len(l.Blocks))
	for i := range l.Blocks {
		limit[i] = whole(&l.Blocks[i])
	}
	for {
		rows = p.warning(l.Warning, width)
		starts := []int{0} // the first row of each block
		hidden := 0
		for i := range l.Blocks {
			starts = append(starts, len(rows))
			rows = append(rows, p.rows(&l.Blocks[i], limit[i], width)...)
			hidden += limit[i].hidden(&l.Blocks[i])
		}
		if hidden > 0 {
			rows = append(rows, p.more(hidden, 0))
		}
		cells, all := pack(len(rows), starts, room, p.columns)
		if all || !shorten(limit) {
			return rows, cells
		}
	}
}

// whole returns the limits that show all rows of a block.
func whole(b *view.Block) shown {
	return shown{swatches: len(b.Swatches), facts: len(b.Facts), notes: len(b.Notes), ramp: b.Ramp != nil && len(b.Ramp.Colors) > 0}
}

// hidden returns the number of rows left out that the block's own "more" line does not count.
func (s shown) hidden(b *view.Block) (n int) {
	n = len(b.Notes) - s.notes
	if s.swatches == 0 {
		n += len(b.Swatches)
	}
	if s.facts == 0 {
		n += len(b.Facts)
	}
	if whole(b).ramp && !s.ramp {
		n++
	}
	return n
}

// warning returns the lines of the legend's warning.
func (p *page) warning(text string, width float32) (rows []row) {
	style := scene.TextStyle{Size: p.style.Font, Color: p.style.Warn, Face: scene.Bold}
	for _, l := range view.Wrap(p.text, text, width, style.Size, style.Face) {
		rows = append(rows, func(out *scene.List, x, y, _ float32) { out.Text(x, y+p.base(), l, style) })
	}
	return rows
}

// more returns the line that says that n rows are left out, indented by at pixels.
func (p *page) more(n int, at float32) row {
	muted := scene.TextStyle{Size: p.style.Font, Color: p.style.Muted}
	return func(out *scene.List, x, y, width float32) {
		out.Text(x+at, y+p.base(), scene.Elide(p.text, "and "+figures.Count(int64(n))+" more", width-at, muted.Size, muted.Face), muted)
	}
}

// base returns the distance from the top of a line to its baseline.
func (p *page) base() float32 { return scene.Round(p.style.Font * 1.02) }

// columnGap returns the distance between two columns of the panel.
func (p *page) columnGap() float32 { return scene.Round(1.5 * p.margin) }

// columnWidth returns the width of a column of the panel.
func (p *page) columnWidth() float32 {
	width := (float32(p.panel.W()) - p.columnGap()*float32(p.columns-1)) / float32(p.columns)
	return scene.Round(min(width, p.style.Font*columnEms*1.15))
}

type cell struct{ column, line int }

// pack places n rows, in blocks that begin at starts, into columns of room lines each. A block that fits in the next
// column but not in this one moves there. An empty line separates the blocks of a column. pack returns the cells of the
// rows that fit, and whether all do.
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

// shorten makes the blocks one step shorter. It first sets the rows of a block two to a line, the last block first. Then
// it removes one row: the last fact of a block with more than three, then a swatch, any fact, a note, any swatch and the
// ramps. It returns false when nothing is left to remove.
func shorten(limit []shown) bool {
	for i := range slices.Backward(limit) {
		if !limit[i].dense {
			limit[i].dense = true
			return true
		}
	}
	for _, try := range []struct {
		rows  func(*shown) *int
		least int
	}{
		{func(s *shown) *int { return &s.facts }, 3},
		{func(s *shown) *int { return &s.swatches }, 3},
		{func(s *shown) *int { return &s.facts }, 0},
		{func(s *shown) *int { return &s.notes }, 0},
		{func(s *shown) *int { return &s.swatches }, 0},
	} {
		for i := range slices.Backward(limit) {
			if n := try.rows(&limit[i]); *n > try.least {
				*n--
				return true
			}
		}
	}
	for i := range slices.Backward(limit) {
		if limit[i].ramp {
			limit[i].ramp = false
			return true
		}
	}
	return false
}

// A piece is a part of a line that stays together.
type piece struct {
	width float32
	draw  row
}

// abreast sets pieces into lines, two to a line where both fit. The second pieces are aligned where the width allows it.
func abreast(pieces []piece, width, gap float32) (rows []row) {
	half := scene.Round((width + gap) / 2)
	for i := 0; i < len(pieces); i++ {
		left := pieces[i].draw
		if i+1 == len(pieces) || pieces[i].width+gap+pieces[i+1].width > width {
			rows = append(rows, left)
			continue
		}
		at := scene.Round(min(max(half, pieces[i].width+gap), width-pieces[i+1].width))
		i++
		right := pieces[i].draw
		rows = append(rows, func(out *scene.List, x, y, _ float32) {
			left(out, x, y, at-gap)
			right(out, x+at, y, width-at)
		})
	}
	return rows
}

// rows returns the lines of a block, or none if only its heading would remain.
func (p *page) rows(b *view.Block, limit shown, width float32) []row {
	if limit.swatches+limit.facts+limit.notes == 0 && !limit.ramp {
		return nil
	}
	font := p.style.Font
	ink := scene.TextStyle{Size: font, Color: p.style.Ink}
	muted := scene.TextStyle{Size: font, Color: p.style.Muted}
	bold := scene.TextStyle{Size: font, Color: p.style.Ink, Face: scene.Bold}
	columns, natural := p.valueColumns(b, width)
	nameRoom := natural
	for _, c := range columns {
		nameRoom -= c
	}
	values := func(out *scene.List, x, y float32, vs []string) {
		right := muted
		right.Anchor = scene.End
		end := x + natural
		for i := len(columns) - 1; i >= 0; i-- {
			if i < len(vs) {
				out.Text(end, y+p.base(), vs[i], right)
			}
			end -= columns[i]
		}
	}
	var rows []row
	switch {
	case b.Title == "":
	case len(b.Columns) == 0: // the heading has the whole width, and further lines if it needs them
		for _, l := range view.Wrap(p.text, b.Title, width, font, scene.Bold) {
			rows = append(rows, func(out *scene.List, x, y, _ float32) { out.Text(x, y+p.base(), l, bold) })
		}
	default:
		rows = append(rows, func(out *scene.List, x, y, _ float32) {
			out.Text(x, y+p.base(), scene.Elide(p.text, b.Title, nameRoom, font, scene.Bold), bold)
			values(out, x, y, b.Columns)
		})
	}
	if r := b.Ramp; limit.ramp {
		rows = append(rows,
			func(out *scene.List, x, y, width float32) {
				p.gradient(out, x, y+font*0.2, x+width, y+font*1.2, r.Colors, true)
			},
			func(out *scene.List, x, y, width float32) { p.ticks(out, x, y, width, p.base(), r.Ticks, muted) })
	}
	rows = append(rows, p.swatches(b, limit, width, nameRoom, values)...)
	rows = append(rows, p.facts(b, limit, width)...)
	for _, note := range b.Notes[:limit.notes] {
		for _, l := range view.Wrap(p.text, note, width, font, scene.Regular) {
			rows = append(rows, func(out *scene.List, x, y, _ float32) { out.Text(x, y+p.base(), l, ink) })
		}
	}
	return rows
}

// swatches returns the lines of a block's swatches.
func (p *page) swatches(b *view.Block, limit shown, width, nameRoom float32, values func(out *scene.List, x, y float32, vs []string)) []row {
	font := p.style.Font
	ink := scene.TextStyle{Size: font, Color: p.style.Ink}
	name := scene.Round(2 * font) // start of the names
	n := len(b.Swatches)
	if limit.swatches < n {
		n = max(limit.swatches-1, 0) // one row counts the rest
	}
	dense := limit.dense && len(b.Columns) == 0
	short := func(label string, room float32) string {
		return scene.ElideMiddle(p.text, label, room-name, font, scene.Regular)
	}
	alike := map[string]int{} // names by what is left of them
	for _, s := range b.Swatches[:n] {
		alike[short(s.Label, nameRoom)]++
	}
	var pieces []piece
	for _, s := range b.Swatches[:n] {
		rest := ""
		if !dense && alike[short(s.Label, nameRoom)] > 1 {
			s.Label, rest = p.broken(s.Label, nameRoom-name)
		}
		pieces = append(pieces, piece{name + p.text.Width(s.Label, font, scene.Regular) + 1, func(out *scene.List, x, y, width float32) {
			room := nameRoom
			if dense {
				room = width
			}
			p.swatch(out, x, y+font*0.2, x+font*1.5, y+font*1.15, s.Colors, s.Sign)
			out.Text(x+name, y+p.base(), short(s.Label, room), ink)
			values(out, x, y, s.Values)
		}})
		if rest != "" {
			pieces = append(pieces, piece{width, func(out *scene.List, x, y, width float32) { out.Text(x+name, y+p.base(), short(rest, width), ink) }})
		}
	}
	if more := len(b.Swatches) - n; more > 0 && limit.swatches > 0 {
		pieces = append(pieces, piece{name + 7*font, p.more(more, name)})
	}
	return p.lines(pieces, dense, width)
}

// broken divides a name that is longer than a width, after a space, dot or slash if one is near the end of the first part.
func (p *page) broken(name string, width float32) (first, rest string) {
	first = strings.TrimSuffix(scene.Elide(p.text, name, width, p.style.Font, scene.Regular), "…")
	if at := strings.LastIndexAny(first, " ./") + 1; at > len(first)/3 {
		first = first[:at]
	}
	return first, name[len(first):]
}

// facts returns the lines of a block's facts. The values of facts on lines of their own are aligned.
func (p *page) facts(b *view.Block, limit shown, width float32) []row {
	font := p.style.Font
	ink := scene.TextStyle{Size: font, Color: p.style.Ink}
	muted := scene.TextStyle{Size: font, Color: p.style.Muted}
	n := len(b.Facts)
	if limit.facts < n {
		n = max(limit.facts-1, 0)
	}
	column, longest := float32(0), float32(0) // start of the values, and their width
	for _, f := range b.Facts {
		column = max(column, p.text.Width(f.Label, font, scene.Regular))
		longest = max(longest, p.text.Width(f.Value, font, scene.Regular))
	}
	column = min(column+font*0.8, max(width*0.5, width-longest-1)) // long values shorten labels to half of the width
	var pieces []piece
	for _, f := range b.Facts[:n] {
		at, label, value := column, p.text.Width(f.Label, font, scene.Regular), p.text.Width(f.Value, font, scene.Regular)
		if limit.dense {
			at = min(label+font*0.6, max(width*0.5, width-value-1))
		}
		pieces = append(pieces, piece{at + value + 1, func(out *scene.List, x, y, width float32) {
			out.Text(x, y+p.base(), scene.Elide(p.text, f.Label, at-font*0.4, font, scene.Regular), muted)
			out.Text(x+at, y+p.base(), scene.Elide(p.text, f.Value, width-at, font, scene.Regular), ink)
		}})
	}
	if more := len(b.Facts) - n; more > 0 && limit.facts > 0 {
		pieces = append(pieces, piece{7 * font, p.more(more, 0)})
	}
	return p.lines(pieces, limit.dense, width)
}

// lines sets pieces one to a line, or two if dense.
func (p *page) lines(pieces []piece, dense bool, width float32) (rows []row) {
	if dense {
		return abreast(pieces, width, p.style.Font)
	}
	for _, it := range pieces {
		rows = append(rows, it.draw)
	}
	return rows
}

// valueColumns returns the widths, gaps included, of the columns of values that fit beside a name, and the width of
// names and values together.
func (p *page) valueColumns(b *view.Block, width float32) (columns []float32, natural float32) {
	font := p.style.Font
	name := p.text.Width(b.Title, font, scene.Bold)
	for _, s := range b.Swatches {
		name = max(name, 2*font+p.text.Width(s.Label, font, scene.Regular)+1)
	}
	if len(b.Columns) == 0 {
		return nil, width
	}
	natural = min(name, width)
	left := width - min(name, max(width*0.5, font*7)) // only the first column may shorten names
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
	if b.Ramp != nil { // align the values with the ramp's right end
		return columns, width
	}
	return columns, min(max(natural, font*13), width)
}
