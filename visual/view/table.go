package view

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"whorl/tracer"
	"whorl/visual/scene"
)

// A Table shows several traces in one view, side by side on one scale, with one legend. Rows and columns are the varied
// parameters.
type Table struct {
	Kind            *Kind
	Params          map[string]string // parameters of all cells, as users write them
	Title, Subtitle string
	Columns, Rows   []string // headings; those of rows may all be ""
	Cells           []TableCell
	Facts           []Fact // facts common to all cells
}

// A TableCell is one picture. Cells are in row order.
type TableCell struct {
	Source  tracer.Source // nil for no picture
	Name    string        // tooltip in SVG viewers
	Caption string
}

// Bounds of the side of a cell, in pixels.
const (
	wideCells = 1520 // sum of the cells along the longer side
	maxCell   = 480
	minCell   = 190
	leastCell = 48
)

// A tableLayout holds the places of a table's parts, in pixels.
type tableLayout struct {
	*page
	columns, rows int
	cell, high    float32 // width and height of a picture
	left, top     float32 // top left corner of the first picture
	edge          float32 // left end of the texts
	caption       float32 // height of a caption with the gap to the next row
	gap           float32 // between columns
}

// A survey holds what all pictures share. It is made before any is drawn.
type survey struct {
	world  scene.Rect // contains all pictures
	blocks []Block
}

// Picture draws the table in w by h pixels. With w and h 0 it chooses the size.
func (t *Table) Picture(ctx context.Context, w, h int, text scene.Measurer) (*scene.List, error) {
	if len(t.Columns) == 0 || len(t.Rows) == 0 || len(t.Cells) != len(t.Columns)*len(t.Rows) {
		return nil, fmt.Errorf("a table of %d columns and %d rows has %d cells", len(t.Columns), len(t.Rows), len(t.Cells))
	}
	own := w == 0 && h == 0
	if !own && (w < MinSide || h < MinSide || w > MaxSide || h > MaxSide) {
		return nil, fmt.Errorf("size %dx%d: expected each side from %d to %d pixels", w, h, MinSide, MaxSide)
	}
	cell := round(min(max(wideCells/float32(max(len(t.Columns), len(t.Rows))), minCell), maxCell))
	s, err := t.survey(ctx, cell, text)
	if err != nil {
		return nil, err
	}
	l := t.layout(cell, s, text)
	if !own {
		if l, err = t.fit(float32(w), float32(h), s, text); err != nil {
			return nil, err
		}
		if s, err = t.survey(ctx, l.cell, text); err != nil { // the visible part of trees depends on the size
			return nil, err
		}
	}
	return t.draw(ctx, l, s)
}

// fit returns the layout with the largest cells that a size allows, in whole pixels. It searches because the font size
// grows with the cells.
func (t *Table) fit(w, h float32, s survey, text scene.Measurer) (*tableLayout, error) {
	lo, hi := leastCell, int(max(w, h))
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if l := t.layout(float32(mid), s, text); l.w <= w && l.h <= h {
			lo = mid
		} else {
			hi = mid
		}
	}
	l := t.layout(float32(lo), s, text)
	if l.w > w || l.h > h {
		return nil, fmt.Errorf("size %.0fx%.0f is too small for %d by %d pictures: at least %.0fx%.0f", w, h, len(t.Columns), len(t.Rows), l.w, l.h)
	}
	dx, dy := round((w-l.w)/2), round((h-l.h)/2)
	l.w, l.h = w, h
	l.left, l.edge, l.top = l.left+dx, l.edge+dx, l.top+dy
	l.panel = scene.Rect{X0: l.panel.X0 + float64(dx), Y0: l.panel.Y0 + float64(dy), X1: l.panel.X1 + float64(dx), Y1: l.panel.Y1 + float64(dy)}
	return l, nil
}

// layout returns the layout for cells of a width.
func (t *Table) layout(cell float32, s survey, text scene.Measurer) *tableLayout {
	font := min(max(round(cell/28), 11), 16)
	style := NewStyle(t.Params[Background.Name] == "dark", font)
	p := &page{style: style, text: text, margin: round(1.5 * font), line: round(font * lineEms)}
	l := &tableLayout{page: p, rows: len(t.Rows), columns: len(t.Columns), cell: cell, gap: round(font), edge: p.margin, caption: round(2.4 * font)}
	aspect := float32(1)
	if s.world.W() > 0 {
		aspect = min(max(float32(s.world.H()/s.world.W()), 0.4), 1.5)
	}
	l.high = round(cell * aspect)
	head := float32(0)
	for _, r := range t.Rows {
		if r != "" {
			head = max(head, round(text.Width(r, font, scene.Bold)+1.5*font))
		}
	}
	l.left = l.edge + head
	l.top = p.margin + round(font*(titleEms+0.5+lineEms)+font) + p.line
	l.w = l.left + float32(l.columns)*(cell+l.gap) - l.gap + p.margin
	l.w = max(l.w, min(round(text.Width(t.Title, font*titleEms, scene.Bold))+2*p.margin+1, 40*font))
	l.w = max(l.w, min(round(text.Width(t.Subtitle, font, scene.Regular))+2*p.margin+1, 40*font))
	l.fitPanel(s.blocks)
	return l
}

// fitPanel places the legend below the pictures, with the least height that shows all of it.
func (l *tableLayout) fitPanel(blocks []Block) {
	y := l.top + float32(l.rows)*(l.high+l.caption) + 0.5*l.style.Font
	width := l.w - 2*l.margin
	l.panel = scene.Rect{X0: float64(l.margin), X1: float64(l.w - l.margin)}
	l.page.columns = min(max(int(width/(l.style.Font*columnEms)), 1), max(len(blocks), 1))
	n, room := 0, 0 // every block fits in one column, unless it is very long
	var starts []int
	for i := range blocks {
		starts = append(starts, n)
		rows := len(l.page.rows(&blocks[i], whole(&blocks[i]), l.columnWidth()))
		n += rows
		room = max(room, min(rows, 16)-1)
	}
	for all := n == 0; !all; {
		room++
		_, all = pack(n, starts, room, l.page.columns)
	}
	l.panel.Y0, l.panel.Y1 = float64(y), float64(y+float32(room)*l.line)
	l.h = round(float32(l.panel.Y1) + l.margin)
}

// open prepares a cell.
func (t *Table) open(c *TableCell, text scene.Measurer) (*Opened, error) {
	o, err := Open(t.Kind, c.Source, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		if err := o.Set(name, t.Params[name]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// each calls f with the picture of each cell that can be drawn. It holds one picture at a time, since those of large
// traces are large.
func (t *Table) each(ctx context.Context, cell float32, text scene.Measurer, f func(i int, p Picture)) error {
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Source == nil || t.Kind.CanOpen(c.Source) != nil {
			continue
		}
		o, err := t.open(c, text)
		if err != nil {
			return err
		}
		r, err := o.Geometry(ctx, 0, int(cell))
		if err == nil {
			f(i, r.Value)
		}
		o.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// survey returns the world that contains all pictures and the blocks of the common legend.
func (t *Table) survey(ctx context.Context, cell float32, text scene.Measurer) (survey, error) {
	var world scene.Rect
	var colours Block
	drawn, condensed, heading, differ := 0, false, "", false
	style := NewStyle(false, 12)
	area := scene.Rect{X1: float64(cell), Y1: float64(cell)}
	err := t.each(ctx, cell, text, func(i int, p Picture) {
		b := p.Bounds()
		f := &Frame{Area: area, Clip: area, Camera: Fit(b, area, 6), Style: style, Text: text, State: &State{}}
		blocks := p.Legend(f).Blocks
		if drawn > 0 {
			b = scene.Rect{X0: min(b.X0, world.X0), Y0: min(b.Y0, world.Y0), X1: max(b.X1, world.X1), Y1: max(b.Y1, world.Y1)}
		}
		world = b
		if len(blocks) > 0 {
			differ = differ || drawn > 0 && !slices.Equal(blocks[0].Notes, colours.Notes)
			if drawn == 0 || len(blocks[0].Swatches) >= len(colours.Swatches) {
				colours, heading = blocks[0], t.Columns[i%len(t.Columns)]
			}
			for _, b := range blocks[1:] {
				condensed = condensed || len(b.Notes) > 0
			}
		}
		drawn++
	})
	if err != nil {
		return survey{}, err
	}
	colours.Columns, colours.Swatches = nil, slices.Clone(colours.Swatches) // the values are of one cell only
	for i := range colours.Swatches {
		colours.Swatches[i].Values = nil
	}
	if differ {
		colours.Notes = append(slices.Clone(colours.Notes), "These are the colours of "+heading+"; other columns assign them differently.")
	}
	s := survey{world, []Block{{Title: "All runs", Facts: t.Facts}}}
	if drawn > 0 {
		s.blocks = []Block{colours, s.blocks[0]}
	}
	if condensed {
		s.blocks = append(s.blocks, Block{Title: "Condensed", Notes: []string{"Parts too thin or too close to distinguish are drawn together."}})
	}
	return s, nil
}

// area returns the rectangle of a cell's picture.
func (l *tableLayout) area(i int) scene.Rect {
	x := l.left + float32(i%l.columns)*(l.cell+l.gap)
	y := l.top + float32(i/l.columns)*(l.high+l.caption)
	return scene.Rect{X0: float64(x), Y0: float64(y), X1: float64(x + l.cell), Y1: float64(y + l.high)}
}

func (t *Table) draw(ctx context.Context, l *tableLayout, s survey) (*scene.List, error) {
	font, text := l.style.Font, l.text
	plain := scene.TextStyle{Size: font, Color: l.style.Ink, Anchor: scene.Middle}
	muted := scene.TextStyle{Size: font, Color: l.style.Muted}
	bold := scene.TextStyle{Size: font, Color: l.style.Ink, Face: scene.Bold}
	title := bold
	title.Size *= titleEms
	out := scene.New(l.w, l.h)
	out.Rect(0, 0, l.w, l.h, l.style.Ground)
	width := float32(l.panel.W())
	y := l.top - l.line - round(font*(0.5+lineEms)+font)
	put(out, l.edge, y, Elide(text, t.Title, width, title.Size, title.Face), title)
	put(out, l.edge, y+l.line+0.2*font, Elide(text, t.Subtitle, width, font, scene.Regular), muted)
	for i, s := range t.Rows {
		a := l.area(i * l.columns)
		put(out, l.edge, float32(a.Y0+a.Y1)/2+0.35*font, Elide(text, s, l.left-l.edge, font, scene.Bold), bold)
	}
	bold.Anchor = scene.Middle
	for i, s := range t.Columns {
		a := l.area(i)
		put(out, float32(a.X0+a.X1)/2, l.top-0.5*font, Elide(text, s, l.cell, font, scene.Bold), bold)
	}
	camera := Fit(s.world, l.area(0), float64(font)/2)
	drawn := make([]bool, len(t.Cells))
	err := t.each(ctx, l.cell, text, func(i int, p Picture) {
		out.Group(uint64(i+1), t.Cells[i].Name)
		Draw(p, &Frame{Area: l.area(i), Clip: l.area(i), Camera: camera, Style: l.style, Text: text, State: &State{}}, out)
		out.Pop()
		drawn[i] = true
	})
	muted.Anchor = scene.Middle
	for i := range t.Cells {
		a := l.area(i)
		x := float32(a.X0+a.X1) / 2
		if !drawn[i] {
			put(out, x, float32(a.Y0+a.Y1)/2, "no picture", muted)
		}
		put(out, x, float32(a.Y1)+1.1*font, Elide(text, t.Cells[i].Caption, l.cell+0.8*l.gap, font, scene.Regular), plain)
	}
	l.drawPanel(out, Legend{Blocks: s.blocks})
	return out, err
}
