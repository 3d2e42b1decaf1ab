package shown

import (
	"cmp"
	"math"

	"whorl/internal/figures"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Table is the table that a sheet shows. A network has the stage of a module in its place.
var Table = flow.NewSource[*network.Table]("table")

// Sheet describes the sheet of a table.
func Sheet() *view.Kind {
	return &view.Kind{
		Name: "sheet", Title: "Table", Icon: icon.Table,
		Doc:     "the rows of a table, with a bar for each number",
		Picture: view.Draws(sheetStage),
		Params:  []view.Param{title, view.Palette, view.Background},
	}
}

var sheetStage = flow.Derive("sheet", "the rows of the table", flow.In(Table), flow.Params{title.Name}, func(c *flow.Call[*List]) (*List, error) {
	l := &List{title: c.Params.Text(title.Name), table: Table.In(c)}
	for _, column := range l.table.Columns {
		most := 0.0
		for _, x := range column.Numbers {
			if !math.IsNaN(x) {
				most = max(most, math.Abs(x))
			}
		}
		l.most = append(l.most, most)
	}
	return l, nil
})

// A List is the picture of a table.
type List struct {
	title string
	table *network.Table
	most  []float64 // by column
}

var _ interface {
	view.Linked
	view.Overlayer
	view.Responder
} = (*List)(nil)

// Bounds returns a rectangle with a unit for each row.
func (l *List) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: float64(max(l.table.Len(), 1))} }

// Legend returns the name of the table and its size.
func (l *List) Legend(*view.Frame) view.Legend {
	return view.Legend{Title: cmp.Or(l.title, l.table.Title), Blocks: []view.Block{{Facts: []view.Fact{
		{Label: "rows", Value: figures.Count(int64(l.table.Len()))},
		{Label: "columns", Value: figures.Count(int64(len(l.table.Columns)))},
	}}}}
}

// A leaf is the layout of a list in a frame.
type leaf struct {
	*view.Frame
	view.Rows
	l      *List
	em     float64
	ends   []float64 // x where each shown column ends
	starts []float64
}

// cellText returns the text of a cell.
func (l *List) cellText(row, col int) string {
	c := l.table.Columns[col]
	if c.Texts != nil {
		return c.Texts[row]
	}
	return number(c.Numbers[row], c.Unit, c.Unit == network.ShareUnit)
}

// heading returns the heading of a column. Times and shares have their units in the cells.
func (l *List) heading(col int) string {
	c := l.table.Columns[col]
	if c.Unit == "ns" || c.Unit == network.ShareUnit {
		return c.Name
	}
	return c.Heading()
}

func (l *List) leaf(f *view.Frame) *leaf {
	em := float64(f.Style.Font)
	body := f.Area
	body.Y0 = min(body.Y0+1.9*em, body.Y1)
	p := &leaf{Frame: f, l: l, em: em, Rows: view.NewRows(body, math.Round(1.55*em), l.table.Len(), f.Camera)}
	x := f.Area.X0 + 0.5*em
	for col := range l.table.Columns {
		w := float64(f.Text.Width(l.heading(col), f.Style.Font, scene.Bold))
		for row := range min(l.table.Len(), 500) {
			w = max(w, float64(f.Text.Width(l.cellText(row, col), f.Style.Font, scene.Regular)))
		}
		w = min(w, 0.45*f.Area.W()) + 1.2*em
		if l.table.Columns[col].Texts == nil {
			w = max(w, 6*em)
		}
		if x+w > f.Area.X1 {
			if col > 0 {
				break
			}
			w = f.Area.X1 - x
		}
		p.starts, p.ends = append(p.starts, x), append(p.ends, x+w)
		x += w
	}
	return p
}

// Base draws the headings and the visible rows.
func (l *List) Base(f *view.Frame, out *scene.List) {
	if len(l.table.Columns) == 0 {
		view.Say(f, out, "The table is empty.")
		return
	}
	p := l.leaf(f)
	bold := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink, Face: scene.Bold}
	plain := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink}
	for col := range p.ends {
		p.write(out, col, f.Area.Y0+1.2*p.em, l.heading(col), bold)
	}
	out.Rect(float32(f.Area.X0), float32(f.Area.Y0+1.7*p.em), float32(f.Area.X1), float32(f.Area.Y0+1.7*p.em)+1, f.Style.Line)
	first, end := p.Shown()
	for row := first; row < end; row++ {
		r := p.Row(row)
		for col := range p.ends {
			if x := l.table.Columns[col].Numbers; x != nil && l.most[col] > 0 && !math.IsNaN(x[row]) {
				w := (p.ends[col] - p.starts[col] - p.em) * math.Abs(x[row]) / l.most[col]
				out.Rect(float32(p.ends[col]-0.5*p.em-w), float32(r.Y0+2), float32(p.ends[col]-0.5*p.em), float32(r.Y1-2), f.Style.Ground.Mix(scene.Hex(0x4292c6), 0.35))
			}
			p.write(out, col, r.Y0+1.12*p.em, l.cellText(row, col), plain)
		}
	}
	if hidden := len(l.table.Columns) - len(p.ends); hidden > 0 {
		note := scene.TextStyle{Size: 0.85 * f.Style.Font, Color: f.Style.Muted, Anchor: scene.End}
		out.Text(float32(f.Area.X1-0.5*p.em), float32(f.Area.Y0+1.2*p.em), "and "+figures.Counted(int64(hidden), "column"), note)
	}
	p.Thumb(out, f.Area.X1, p.em, f.Style.Line)
}

// write writes the text of a column: numbers at its end, texts at its start.
func (p *leaf) write(out *scene.List, col int, y float64, text string, style scene.TextStyle) {
	x := p.starts[col]
	if p.l.table.Columns[col].Texts == nil {
		style.Anchor, x = scene.End, p.ends[col]-0.8*p.em
	}
	text = scene.ElideMiddle(p.Text, text, float32(p.ends[col]-p.starts[col]-p.em), style.Size, style.Face)
	out.Text(float32(x), float32(y), text, style)
}

// Hit returns the thing of the row at a pixel.
func (l *List) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	row, ok := l.leaf(f).RowAt(x, y)
	if !ok || l.table.Things == nil {
		return view.Selection{}, false
	}
	s := l.table.Things[row]
	s.Trace = f.Trace
	return s, !s.Empty()
}

// Tip describes the row at a pixel.
func (l *List) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	row, ok := l.leaf(f).RowAt(x, y)
	if !ok {
		return view.Tip{}, false
	}
	var lines []string
	for col := range l.table.Columns {
		text := l.cellText(row, col)
		if col > 0 {
			text = l.heading(col) + " " + text
		}
		lines = append(lines, text)
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// Locate returns the rows of the selected things.
func (l *List) Locate(f *view.Frame, s view.Selection) (out []scene.Rect) {
	if s.Trace != f.Trace || s.Empty() {
		return nil
	}
	p := l.leaf(f)
	first, end := p.Shown()
	for row := first; row < end && row < len(l.table.Things); row++ {
		if meets(l.table.Things[row], s) {
			out = append(out, p.Row(row))
		}
	}
	return out
}

// Overlay marks the selected and the hovered rows.
func (l *List) Overlay(f *view.Frame, out *scene.List) {
	for _, r := range l.Locate(f, f.State.Personal.Hover) {
		out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), 1, f.Style.Muted)
	}
	for _, r := range l.Locate(f, f.State.Shared.Selection) {
		out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), max(f.Style.Font/7, 1), f.Style.Accent)
	}
}

// Input scrolls the rows.
func (l *List) Input(f *view.Frame, in view.Input) []view.Action {
	p := l.leaf(f)
	if actions, ok := p.Scrolled(in); ok {
		return actions
	}
	return view.Navigate(l, nil, f, in)
}
