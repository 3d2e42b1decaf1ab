// Package shown has the views of the values that modules compute: the heat map of a matrix and the sheet of a table.
package shown

import (
	"cmp"
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/network"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Matrix is the matrix that a heat map shows. A network has the stage of a module in its place.
var Matrix = flow.NewSource[*network.Matrix]("matrix")

var numbers = view.Param{
	Name: "numbers", Label: "Numbers", Doc: "print the numbers into the cells where they fit", Default: true,
}

var title = view.Param{Name: "title", Label: "Title", Doc: "the title of the picture; empty names the numbers", Default: ""}

var heatPalette = view.Param{
	Name: view.Palette.Name, Label: view.Palette.Label, Doc: view.Palette.Doc, Default: "safe", Choices: view.Palette.Choices,
}

// Heat describes the heat map of a matrix.
func Heat() *view.Kind {
	return &view.Kind{
		Name: "heat", Title: "Heat map", Icon: icon.Chart,
		Doc:     "a heat map of a matrix, in strips side by side if it has strips; numbers below 0 have colours of their own",
		Picture: view.Draws(heatStage),
		Params:  []view.Param{title, numbers, heatPalette, view.Background},
	}
}

var heatStage = flow.Derive("heat", "the colours of the heat map", flow.In(Matrix),
	flow.Params{title.Name, numbers.Name, heatPalette.Name, view.Background.Name},
	func(c *flow.Call[*Map]) (*Map, error) {
		scheme, err := palette.Named(c.Params.Text(heatPalette.Name))
		if err != nil {
			return nil, err
		}
		m := &Map{title: c.Params.Text(title.Name), matrix: Matrix.In(c), scheme: scheme, dark: c.Params.Text(view.Background.Name) == "dark", numbers: c.Params.Bool(numbers.Name)}
		m.least, m.most = m.matrix.Range()
		m.full = max(m.most, -m.least)
		rows := m.matrix.Rows.Len()
		if m.high = rows; m.matrix.Strip > 0 {
			m.high = min(m.matrix.Strip, rows)
		}
		m.strips = (rows + max(m.high, 1) - 1) / max(m.high, 1)
		return m, nil
	})

// A Map is the picture of a matrix.
type Map struct {
	title             string
	matrix            *network.Matrix
	scheme            palette.Scheme
	dark, numbers     bool
	least, most, full float64
	high, strips      int // rows of a strip, and strips
}

var _ interface {
	view.Linked
	view.Overlayer
	view.Responder
} = (*Map)(nil)

// Bounds returns the rectangle of all strips. In world coordinates a strip is 1 wide and a row 1 high.
func (m *Map) Bounds() scene.Rect {
	return scene.Rect{X1: float64(max(m.strips, 1)), Y1: float64(max(m.high, 1))}
}

// color returns the colour of a number.
func (m *Map) color(x float64) scene.Color {
	switch {
	case x == 0 || m.full == 0 || math.IsNaN(x):
		return scene.NRGBA(palette.Unknown(m.dark)).Alpha(40)
	case m.least >= 0:
		return scene.NRGBA(m.scheme.Heat(max(x/m.full, 0.001), m.dark))
	case x < 0:
		return scene.NRGBA(palette.Blues.Color(0.05+0.95*-x/m.full, m.dark))
	}
	return scene.NRGBA(palette.Oranges.Color(0.05+0.95*x/m.full, m.dark))
}

// text formats a number of the matrix.
func (m *Map) text(x float64) string { return number(x, m.matrix.Unit, m.matrix.Shares) }

// number formats a number for people.
func number(x float64, unit string, share bool) string {
	switch {
	case math.IsNaN(x):
		return ""
	case share:
		return figures.Share(x, 1)
	case unit == "ns" && math.Abs(x) < 1<<62:
		return figures.Duration(int64(math.Round(x)))
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return figures.Count(int64(x))
	case math.Abs(x) >= 100:
		return figures.Fixed(x, 0)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Legend returns the colours of the numbers.
func (m *Map) Legend(*view.Frame) view.Legend {
	a := m.matrix
	l := view.Legend{Title: cmp.Or(m.title, a.Title), Subtitle: "a row for each " + a.Rows.Name + ", a column for each " + a.Cols.Name}
	const steps = 9
	ramp := &view.Ramp{}
	from := 0.0
	if m.least < 0 {
		from = -m.full
	}
	for i := range steps {
		x := from + (m.full-from)*float64(i)/(steps-1)
		if x == 0 {
			x = m.full / 1000
		}
		ramp.Colors = append(ramp.Colors, m.color(x))
	}
	ramp.Ticks = []string{m.text(from), m.text((from + m.full) / 2), m.text(m.full)}
	quantity := a.Title
	if a.Unit != "" && a.Unit != "ns" && a.Unit != a.Title && !a.Shares {
		quantity += " (" + a.Unit + ")"
	}
	l.Blocks = append(l.Blocks, view.Block{Title: quantity, Ramp: ramp}, view.Block{Facts: []view.Fact{
		{Label: "rows", Value: figures.Count(int64(a.Rows.Len()))},
		{Label: "columns", Value: figures.Count(int64(a.Cols.Len()))},
		{Label: "least", Value: m.text(m.least)},
		{Label: "most", Value: m.text(m.most)},
	}})
	return l
}

// A plate is the layout of a map in a frame.
type plate struct {
	*view.Frame
	view.Axes
	m     *Map
	em    float64
	gap   float64 // between strips, in world coordinates
	label float64 // width of the labels of rows left of each strip, in world coordinates; 0 for none
}

func (m *Map) plate(f *view.Frame) *plate {
	p := &plate{Frame: f, m: m, em: float64(f.Style.Font)}
	p.In = f.Area
	p.In.Y1 -= 1.6 * p.em
	if p.In.Y1 < p.In.Y0+p.em {
		p.In = f.Area
	}
	w, h := float64(max(m.strips, 1)), float64(max(m.high, 1))
	p.X = view.Axis{World: w, Fit: p.In.W() / w, Most: 1e5}
	p.Y = view.Axis{World: h, Fit: p.In.H() / h, Most: 200, Begin: true}
	p.Look(f.Camera)
	if m.strips > 1 {
		p.gap = 0.08
	}
	widest := 0.0
	for i, text := range m.matrix.Rows.Labels {
		if i > 2000 {
			break
		}
		widest = max(widest, float64(f.Text.Width(text, p.size(), scene.Regular)))
	}
	if widest = min(widest, 0.4*p.X.Scale) + p.em; p.X.Scale > 6*p.em && p.Y.Scale >= 0.35*p.em || m.strips == 1 {
		p.label = widest / p.X.Scale
	}
	return p
}

func (p *plate) size() float32 { return 0.85 * p.Style.Font }

// cell returns the rectangle of a row and a column.
func (p *plate) cell(row, col int) scene.Rect {
	n := float64(max(p.m.matrix.Cols.Len(), 1))
	strip, y := float64(row/p.m.high), float64(row%p.m.high)
	x0, w := strip+p.label, (1-p.label-p.gap)/n
	return scene.Rect{
		X0: math.Round(p.X.ToPixel(x0 + w*float64(col))), X1: math.Round(p.X.ToPixel(x0 + w*float64(col+1))),
		Y0: math.Round(p.Y.ToPixel(y)), Y1: math.Round(p.Y.ToPixel(y + 1)),
	}
}

// Base draws the strips.
func (m *Map) Base(f *view.Frame, out *scene.List) {
	rows, cols := m.matrix.Rows.Len(), m.matrix.Cols.Len()
	if rows == 0 || cols == 0 {
		view.Say(f, out, "The matrix is empty.")
		return
	}
	p := m.plate(f)
	out.ClipTo(p.In)
	first, last := p.line(p.In.Y0), p.line(p.In.Y1)
	for strip := range m.strips {
		next := -math.MaxFloat64 // where the next label may begin
		for y := first; y <= last && strip*m.high+y < rows; y++ {
			row := strip*m.high + y
			p.row(out, row, cols)
			if r := p.cell(row, 0); p.label > 0 && r.Y0 >= next {
				style := scene.TextStyle{Size: p.size(), Color: f.Style.Muted, Anchor: scene.End, VAlign: scene.Center}
				text := scene.ElideMiddle(f.Text, m.matrix.Rows.Labels[row], float32(p.label*p.X.Scale-0.6*p.em), p.size(), scene.Regular)
				out.Text(float32(r.X0-0.4*p.em), float32((r.Y0+r.Y1)/2), text, style)
				next = r.Y0 + 1.1*p.em
			}
		}
	}
	out.Pop()
	p.columns(out, cols)
}

// line returns the row in a strip that is nearest to a pixel. Pictures less than a pixel high may have no numbers for their pixels.
func (p *plate) line(y float64) int {
	y = p.Y.Value(y)
	if !(y > 0) {
		return 0
	}
	return int(min(y, float64(p.m.high-1)))
}

// row draws the cells of a row.
func (p *plate) row(out *scene.List, row, cols int) {
	values := p.m.matrix.Row(row)
	for c := 0; c < cols; {
		r := p.cell(row, c)
		x, end := values[c], c+1
		for end < cols && p.cell(row, end).X1 <= r.X0+1 { // columns in one pixel: the one furthest from 0
			if math.Abs(values[end]) > math.Abs(x) {
				x = values[end]
			}
			end++
		}
		r.X1 = max(p.cell(row, end-1).X1, r.X0+1)
		color := p.m.color(x)
		fill := r
		if r.W() >= 5 && cols > 1 {
			fill.X1--
		}
		if r.H() >= 5 {
			fill.Y1--
		}
		fill.Y1 = max(fill.Y1, fill.Y0+1)
		out.Fill(fill, color)
		if text := p.m.text(x); p.m.numbers && x != 0 && r.H() >= 1.1*p.em && float64(p.Text.Width(text, p.size(), scene.Regular)) < r.W()-4 {
			ink := scene.Hex(0x000000)
			if color.Dark() {
				ink = scene.Hex(0xffffff)
			}
			out.Text(float32((r.X0+r.X1)/2), float32((r.Y0+r.Y1)/2), text, scene.TextStyle{Size: p.size(), Color: ink, Anchor: scene.Middle, VAlign: scene.Center})
		}
		c = end
	}
}

// columns draws the labels of the columns.
func (p *plate) columns(out *scene.List, cols int) {
	if p.In == p.Area {
		return
	}
	style := scene.TextStyle{Size: p.size(), Color: p.Style.Muted, Anchor: scene.Middle}
	next := p.Area.X0 // where the next label may begin; narrow strips share labels
	for strip := range p.m.strips {
		if strip*p.m.high >= p.m.matrix.Rows.Len() {
			break
		}
		for c := range cols {
			r := p.cell(strip*p.m.high, c)
			text := p.m.matrix.Cols.Labels[c]
			x, w := (r.X0+r.X1)/2, float64(p.Text.Width(text, style.Size, style.Face))
			if x-w/2 >= next && x+w/2 <= p.Area.X1 && x-w/2 >= p.Area.X0 {
				out.Text(float32(x), float32(p.In.Y1+1.15*p.em), text, style)
				next = x + w/2 + 0.7*p.em
			}
		}
	}
}

// find returns the cell at a pixel.
func (p *plate) find(x, y float64) (row, col int, ok bool) {
	a := p.m.matrix
	if !p.In.Contains(x, y) || a.Rows.Len() == 0 || a.Cols.Len() == 0 {
		return 0, 0, false
	}
	strip, line := math.Floor(p.X.Value(x)), math.Floor(p.Y.Value(y))
	part := (p.X.Value(x) - strip - p.label) / (1 - p.label - p.gap)
	row, col = int(strip)*p.m.high+int(line), int(math.Floor(part*float64(a.Cols.Len())))
	ok = strip >= 0 && strip < float64(p.m.strips) && line >= 0 && line < float64(p.m.high) && row < a.Rows.Len() && part < 1
	return row, max(col, -1), ok
}

// Hit returns the thing of the row and the column at a pixel.
func (m *Map) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	row, col, ok := m.plate(f).find(x, y)
	if !ok {
		return view.Selection{}, false
	}
	var s view.Selection
	if t := m.matrix.Rows.Things; t != nil {
		s = t[row]
	}
	if t := m.matrix.Cols.Things; t != nil && col >= 0 {
		s = narrowed(s, t[col])
	}
	s.Trace = f.Trace
	return s, !s.Empty()
}

// narrowed returns a selection with the lists of another that it does not have.
func narrowed(s, t view.Selection) view.Selection {
	if len(s.PEs) == 0 {
		s.PEs = t.PEs
	}
	if s.Time == nil {
		s.Time = t.Time
	}
	if len(s.Codes) == 0 {
		s.Codes = t.Codes
	}
	if len(s.Lines) == 0 {
		s.Lines = t.Lines
	}
	return s
}

// Tip describes the cell at a pixel.
func (m *Map) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	row, col, ok := m.plate(f).find(x, y)
	if !ok || col < 0 {
		return view.Tip{}, false
	}
	a := m.matrix
	return view.Tip{X: x, Y: y, Lines: []string{
		a.Rows.Name + " " + a.Rows.Labels[row], a.Cols.Name + " " + a.Cols.Labels[col], a.Title + " " + m.text(a.At(row, col)),
	}}, true
}

// Locate returns the rectangles of the rows of the selected things.
func (m *Map) Locate(f *view.Frame, s view.Selection) (out []scene.Rect) {
	if s.Trace != f.Trace || s.Empty() {
		return nil
	}
	a := m.matrix
	p := m.plate(f)
	cols := a.Cols.Len()
	for row, t := range a.Rows.Things {
		if !meets(t, s) {
			continue
		}
		r := p.cell(row, 0)
		r.X1 = p.cell(row, cols-1).X1
		if r.Y0 < p.In.Y1 && r.Y1 > p.In.Y0 {
			out = append(out, r)
		}
	}
	if len(out) == 0 && m.strips == 1 {
		for col, t := range a.Cols.Things {
			if meets(t, s) {
				r := p.cell(0, col)
				r.Y0, r.Y1 = p.In.Y0, min(p.cell(a.Rows.Len()-1, col).Y1, p.In.Y1)
				out = append(out, r)
			}
		}
	}
	return out
}

// Overlay frames the selected and the hovered things.
func (m *Map) Overlay(f *view.Frame, out *scene.List) {
	mark := func(s view.Selection, width float32, c scene.Color) {
		for _, r := range m.Locate(f, s) {
			out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), width, c)
		}
	}
	mark(f.State.Personal.Hover, 1, f.Style.Muted)
	mark(f.State.Shared.Selection, max(f.Style.Font/7, 1), f.Style.Accent)
}

// Input zooms and moves both axes apart.
func (m *Map) Input(f *view.Frame, in view.Input) []view.Action {
	return m.plate(f).Navigate(m, nil, f, in)
}
