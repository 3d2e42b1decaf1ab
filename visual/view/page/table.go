package page

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Table shows several traces in one or more views, side by side, with one legend. Rows and columns are the varied parameters; each view has all
// rows.
type Table struct {
	Views           []TableView
	Dark            bool
	Own             bool        // each row has its own scale of time; otherwise all rows of a view have one
	Fill            bool        // pictures take all the room that a given size leaves; otherwise they keep their shapes
	Font            float32     // pixels, 0 if it follows from the size
	Detail          *view.Lines // as in view.Frame
	Title, Subtitle string
	Columns, Rows   []string // headings; those of rows may all be ""
	Cells           []TableCell
	Facts           []view.Fact // facts common to all cells
}

// A TableView is a view with its parameters, as users write them.
type TableView struct {
	Kind   *view.Kind
	Params map[string]string
}

// A TableCell is a run. Cells are in row order.
type TableCell struct {
	Source  tracer.Source // nil for no picture
	Name    string        // tooltip in SVG viewers
	Caption string
	Time    int64      // ns that the run takes
	Until   *int64     // as in view.Frame
	Window  *view.Span // as in view.Frame
}

// frame returns a frame of the run in a view, without its place. The time until which the picture p shows the run is set if p is not nil.
func (t *Table) frame(kind, i int, p view.Picture) *view.Frame {
	c := &t.Cells[i]
	f := &view.Frame{Until: c.Until, Detail: t.Detail, State: &view.State{Shared: view.Shared{Until: c.Until, Window: c.Window, Detail: t.Detail}}}
	if t.Views[kind].Kind.Windowed {
		f.Window = c.Window
	}
	if p != nil {
		f.Until = stillTime(p, c.Until)
	}
	return f
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
	columns, rows int       // rows of each view
	cell          float32   // width of a picture
	high          []float32 // height of a picture, by view
	left, top     float32   // top left corner of the first picture
	edge          float32   // left end of the texts
	caption       float32   // height of a caption with the gap to the next row
	gap           float32   // between columns
	subtitle      []string  // its lines
}

// A scale is the world that the pictures of a row share. With Table.Own rows have different scales.
type scale struct {
	world scene.Rect // contains all pictures
	drawn bool
}

// add includes a picture in the scale.
func (s *scale) add(b scene.Rect) {
	if s.drawn {
		b = scene.Rect{X0: min(b.X0, s.world.X0), Y0: min(b.Y0, s.world.Y0), X1: max(b.X1, s.world.X1), Y1: max(b.Y1, s.world.Y1)}
	}
	*s = scale{b, true}
}

// Picture draws the table in w by h pixels. With w and h 0 it chooses the size.
func (t *Table) Picture(ctx context.Context, w, h int, text scene.Measurer) (*scene.List, error) {
	if len(t.Views) == 0 || len(t.Columns) == 0 || len(t.Rows) == 0 || len(t.Cells) != len(t.Columns)*len(t.Rows) {
		return nil, fmt.Errorf("a table of %d columns and %d rows has %d cells", len(t.Columns), len(t.Rows), len(t.Cells))
	}
	own := w == 0 && h == 0
	if !own && (w < MinSide || h < MinSide || w > MaxSide || h > MaxSide) {
		return nil, fmt.Errorf("size %dx%d: expected each side from %d to %d pixels", w, h, MinSide, MaxSide)
	}
	cell := scene.Round(min(max(wideCells/float32(max(len(t.Columns), len(t.Rows)*len(t.Views))), minCell), maxCell))
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
	if t.Fill {
		for k := range s.aspect {
			s.aspect[k] = flatAspect
		}
	}
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
	if err := t.checkRoom(w, h, l); err != nil {
		return nil, err
	}
	if spare := h - l.h; t.Fill && spare > 0 {
		for k := range s.aspect {
			s.aspect[k] += float32(math.Floor(float64(spare)/float64(len(l.high)*l.rows))) / l.cell
		}
		l = t.layout(float32(lo), s, text)
	}
	dx, dy := scene.Round((w-l.w)/2), scene.Round((h-l.h)/2)
	l.w, l.h = w, h
	l.left, l.edge, l.top = l.left+dx, l.edge+dx, l.top+dy
	l.panel = scene.Rect{X0: l.panel.X0 + float64(dx), Y0: l.panel.Y0 + float64(dy), X1: l.panel.X1 + float64(dx), Y1: l.panel.Y1 + float64(dy)}
	return l, nil
}

// CheckRoom returns an error for a size that is too small whatever the cells show. The table needs no cells yet.
func (t *Table) CheckRoom(w, h int, text scene.Measurer) error {
	return t.checkRoom(float32(w), float32(h), t.layout(leastCell, survey{aspect: make([]float32, len(t.Views))}, text))
}

// checkRoom returns an error for a size that is too small for a layout.
func (t *Table) checkRoom(w, h float32, l *tableLayout) error {
	if l.w > w || l.h > h {
		return fmt.Errorf("size %.0fx%.0f is too small for %d by %d pictures: at least %.0fx%.0f", w, h, len(t.Columns), len(t.Rows)*len(t.Views), l.w, l.h)
	}
	return nil
}

// layout returns the layout for cells of a width.
func (t *Table) layout(cell float32, s survey, text scene.Measurer) *tableLayout {
	font := min(max(scene.Round(cell/28), 11), 16)
	if t.Font > 0 {
		font = t.Font
	}
	style := view.NewStyle(t.Dark, font)
	p := &page{style: style, text: text, margin: scene.Round(1.5 * font), line: scene.Round(font * view.LineEms)}
	l := &tableLayout{page: p, rows: len(t.Rows), columns: len(t.Columns), cell: cell, gap: scene.Round(font), edge: p.margin, caption: scene.Round(2.4 * font)}
	head := float32(0)
	for k, v := range t.Views {
		l.high = append(l.high, scene.Round(cell*s.aspect[k]))
		if len(t.Views) > 1 {
			head = max(head, scene.Round(text.Width(v.Kind.Title, font, scene.Bold)+1.5*font))
		}
	}
	for _, r := range t.Rows {
		if r != "" {
			head = max(head, scene.Round(text.Width(r, font, scene.Bold)+1.5*font))
		}
	}
	l.left = l.edge + head
	l.w = l.left + float32(l.columns)*(cell+l.gap) - l.gap + p.margin
	l.w = max(l.w, min(scene.Round(text.Width(t.Title, font*titleEms, scene.Bold))+2*p.margin+1, 40*font))
	l.w = max(l.w, min(scene.Round(text.Width(t.Subtitle, font, scene.Regular))+2*p.margin+1, 40*font))
	l.subtitle = view.Wrap(text, t.Subtitle, l.w-2*p.margin, font, scene.Regular)
	l.top = p.margin + scene.Round(font*(titleEms+0.5+view.LineEms)+font) + float32(max(len(l.subtitle), 1))*p.line
	l.fitPanel(s.blocks)
	return l
}

// fitPanel places the legend below the pictures, with the least height that shows all of it.
func (l *tableLayout) fitPanel(blocks []view.Block) {
	y := l.rowTop(len(l.high)*l.rows) + 0.5*l.style.Font
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
	l.h = scene.Round(float32(l.panel.Y1) + l.margin)
}

// longest returns the time of the longest run of a row, or of all rows.
func (t *Table) longest(row int) (ns int64) {
	for i := range t.Cells {
		if !t.Own || i/len(t.Columns) == row {
			ns = max(ns, t.Cells[i].Time)
		}
	}
	return ns
}

// open prepares a picture of a run. span is the time that the height of the picture stands for.
func (t *Table) open(kind int, i int, span int64, text scene.Measurer) (*view.Opened, error) {
	k := t.Views[kind].Kind
	o, err := view.Open(k, t.Cells[i].Source, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Cells[i].Name, err)
	}
	params := maps.Clone(t.Views[kind].Params)
	if params == nil {
		params = map[string]string{}
	}
	for _, p := range k.Params {
		switch {
		case p.Name == view.TimeRange:
			params[p.Name] = strconv.FormatInt(t.longest(i/len(t.Columns)), 10)
		case p.Name == view.TimeSpan:
			params[p.Name] = strconv.FormatInt(span, 10)
		case p.Name == view.Background.Name && t.Dark:
			params[p.Name] = "dark"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := o.Set(name, params[name]); err != nil {
			o.Close()
			return nil, err
		}
	}
	return o, nil
}

// each calls f with each picture that can be drawn, by view and then by cell. It holds one picture at a time, since those of large traces are large.
func (t *Table) each(ctx context.Context, cell float32, text scene.Measurer, span func(kind, i int) int64, f func(kind, i int, p view.Picture)) error {
	for kind := range t.Views {
		for i := range t.Cells {
			c := &t.Cells[i]
			if c.Source == nil || t.Views[kind].Kind.CanOpen(c.Source) != nil {
				continue
			}
			o, err := t.open(kind, i, span(kind, i), text)
			if err != nil {
				return err
			}
			o.SetCounted(t.frame(kind, i, nil).Counted())
			r, err := o.Geometry(ctx, 0, int(cell))
			if d, ok := r.Value.(view.Doubter); err == nil && ok {
				err = d.Wrong()
			}
			if err == nil {
				f(kind, i, r.Value)
			}
			o.Close()
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return nil
}

// plainAspect is the height of a picture whose axes have separate scales, as a share of its width.
const plainAspect = 0.62

// flatAspect is the least height of a picture that takes all the room there is, as a share of its width.
const flatAspect = 0.2

// CommonScale describes the scale that the pictures of a view share, "" if each has its own.
func CommonScale(k *view.Kind) string {
	switch _, err := k.Param(view.Root); {
	case stretched(k):
		return "on one scale of time"
	case k.Space || err == nil:
		return "on one scale"
	}
	return ""
}

// stretched reports whether the pictures of a view have separate scales for x and y, with time along one of them.
func stretched(k *view.Kind) bool {
	return view.Implements[view.Timed](k) || slices.ContainsFunc(k.Params, func(p view.Param) bool { return p.Name == view.TimeSpan })
}

// scale returns the scale of a picture.
func (t *Table) scale(s *survey, kind, i int) *scale {
	row := i / len(t.Columns)
	if !t.Own {
		row = 0
	}
	return &s.scales[kind*len(t.Rows)+row]
}

// rowTop returns the top of a row of pictures, counted over all views.
func (l *tableLayout) rowTop(row int) float32 {
	y := l.top
	for k, high := range l.high {
		y += float32(min(max(row-k*l.rows, 0), l.rows)) * (high + l.caption)
	}
	return y
}

// area returns the rectangle of a cell's picture in a view.
func (l *tableLayout) area(kind, i int) scene.Rect {
	x, y := l.left+float32(i%l.columns)*(l.cell+l.gap), l.rowTop(kind*l.rows+i/l.columns)
	return scene.Rect{X0: float64(x), Y0: float64(y), X1: float64(x + l.cell), Y1: float64(y + l.high[kind])}
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
	y := l.margin + scene.Round(font*(titleEms+0.5+view.LineEms)+font) - scene.Round(font*(0.5+view.LineEms)+font)
	out.Text(l.edge, y, scene.Elide(text, t.Title, width, title.Size, title.Face), title)
	for i, s := range l.subtitle {
		out.Text(l.edge, y+float32(i+1)*l.line+0.2*font, s, muted)
	}
	for row := range len(t.Views) * len(t.Rows) {
		a := l.area(row/len(t.Rows), row%len(t.Rows)*l.columns)
		name, y := t.Rows[row%len(t.Rows)], float32(a.Y0+a.Y1)/2+0.35*font
		if len(t.Views) > 1 {
			out.Text(l.edge, y, scene.Elide(text, t.Views[row/len(t.Rows)].Kind.Title, l.left-l.edge, font, scene.Bold), bold)
			y += l.line
		}
		out.Text(l.edge, y, scene.Elide(text, name, l.left-l.edge, font, scene.Bold), bold)
	}
	bold.Anchor = scene.Middle
	for i, s := range t.Columns {
		a := l.area(0, i)
		out.Text(float32(a.X0+a.X1)/2, l.top-0.5*font, scene.Elide(text, s, l.cell, font, scene.Bold), bold)
	}
	drawn := make([]bool, len(t.Views)*len(t.Cells))
	span := func(kind, i int) int64 { return max(int64(math.Ceil(t.scale(&s, kind, i).world.H())), 1) }
	err := t.each(ctx, l.cell, text, span, func(k, i int, p view.Picture) {
		n := k*len(t.Cells) + i
		out.Group(uint64(n+1), t.Cells[i].Name)
		f := t.frame(k, i, p)
		f.Area, f.Clip, f.Style, f.Text, f.Still = l.area(k, i), l.area(k, i), l.style, text, t.Fill
		f.Camera = view.Fit(t.scale(&s, k, i).world, f.Area, float64(font)/2)
		if view.Implements[view.Timed](t.Views[k].Kind) {
			from, _ := t.Cells[i].Source.Span()
			f.Span = view.Span{First: from, Last: from + t.longest(i/len(t.Columns))}
			f.Camera = view.Fit(p.Bounds(), f.Area, float64(font)/2)
		}
		view.Draw(p, f, out)
		if t.Fill {
			view.Overlay(p, f, out)
		}
		out.Pop()
		drawn[n] = true
	})
	muted.Anchor = scene.Middle
	for n := range drawn {
		i := n % len(t.Cells)
		a := l.area(n/len(t.Cells), i)
		x := float32(a.X0+a.X1) / 2
		if !drawn[n] {
			out.Text(x, float32(a.Y0+a.Y1)/2, "no picture", muted)
		}
		out.Text(x, float32(a.Y1)+1.1*font, scene.Elide(text, t.Cells[i].Caption, l.cell+0.8*l.gap, font, scene.Regular), plain)
	}
	l.drawPanel(out, view.Legend{Blocks: s.blocks})
	return out, err
}
