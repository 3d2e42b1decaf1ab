package surface

import (
	"math"

	"whorl/internal/figures"
	"whorl/visual/layout/terrain"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// pick returns the row of the program and the column of across at a pixel. Among the lines of a row of the field it picks the hottest.
func (s *stage) pick(x, y float64) (row, column int, ok bool) {
	if s.see == nil || !s.Area.Contains(x, y) {
		return 0, 0, false
	}
	i, j, ok := s.see.Pick(x, y)
	if !ok {
		return 0, 0, false
	}
	first := s.d.first + min(i, s.d.rows-1)*s.d.bin
	row, _ = s.g.Hottest(s.g.Counted(s.Frame).Lines, [2]int{first, min(first+s.d.bin, s.d.end)})
	return row, min(j, s.d.columns-1) * s.d.group, true
}

// Hit returns the line at a pixel.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	row, _, ok := setStage(f, g).pick(x, y)
	if !ok {
		return view.Selection{}, false
	}
	return g.Select(f.Trace, row, row+1), true
}

// Tip describes the counts of the line and the column at a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := setStage(f, g)
	row, column, ok := s.pick(x, y)
	if !ok {
		return view.Tip{}, false
	}
	line := g.Column.Line(row)
	lines := []string{g.Named(g.Profile.FunctionAt(line)), g.Place(line)}
	i, _ := s.rowOf(row)
	lines = append(lines, s.d.across.Name(column)+": "+g.Amount(s.d.count(i, column/s.d.group)))
	for r := range g.Rows(g.Counted(f).Lines, row, row+1) {
		lines = append(lines, g.Summary(f, r)...)
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

// ridges returns the rows of the field with selected lines.
func (s *stage) ridges(sel view.Selection) (rows []int) {
	lit := s.g.Highlight(s.Trace, sel)
	if lit == nil || s.see == nil {
		return nil
	}
	for _, r := range lit.Rows {
		for row := max(r[0], s.d.first); row < min(r[1], s.d.end); row += s.d.bin {
			if i, _ := s.rowOf(row); len(rows) == 0 || rows[len(rows)-1] != i {
				rows = append(rows, i)
			}
		}
	}
	return rows
}

// ridge returns the polyline of a row on the surface.
func (s *stage) ridge(row int) []float32 {
	var points []float32
	for j := range s.see.Columns {
		x, y, _ := s.see.Vertex(min(row, s.see.Rows-1), j)
		points = append(points, float32(x), float32(y))
	}
	return points
}

// few is the number of consecutive rows from which on they share an outline; a line for each would hide the surface.
const few = 4

// around returns the outline of the rows from first to last on the surface.
func (s *stage) around(first, last int) []float32 {
	points := s.ridge(first)
	side := func(row, column int) {
		x, y, _ := s.see.Vertex(min(row, s.see.Rows-1), column)
		points = append(points, float32(x), float32(y))
	}
	for row := first + 1; row < last; row++ {
		side(row, s.see.Columns-1)
	}
	for column := s.see.Columns - 1; column >= 0; column-- {
		side(last, column)
	}
	for row := last - 1; row > first; row-- {
		side(row, 0)
	}
	return points
}

// Locate returns the bounding boxes of the selected lines on the surface.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := setStage(f, g)
	var places []scene.Rect
	for _, i := range s.ridges(sel) {
		p := s.ridge(i)
		r := scene.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
		for k := 0; k < len(p); k += 2 {
			x, y := float64(p[k]), float64(p[k+1])
			r = scene.Rect{X0: min(r.X0, x), Y0: min(r.Y0, y), X1: max(r.X1, x), Y1: max(r.Y1, y)}
		}
		if r.Meets(f.Clip) {
			places = append(places, r)
		}
	}
	return places
}

// Overlay draws the selected and the hovered lines over the surface. Peaks in front do not hide them.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := setStage(f, g)
	out.ClipTo(f.Area)
	defer out.Pop()
	draw := func(sel view.Selection, width float32, c scene.Color) {
		line := func(points []float32, closed bool) {
			stroke := scene.Stroke{Width: width + 2, Color: scene.Hex(0x101010).Alpha(160), Cap: scene.RoundCap, Closed: closed}
			out.Polyline(points, stroke)
			stroke.Width, stroke.Color = width, c
			out.Polyline(points, stroke)
		}
		rows := s.ridges(sel)
		for k := 0; k < len(rows); {
			end := k + 1
			for end < len(rows) && rows[end] == rows[end-1]+1 {
				end++
			}
			if end-k >= few {
				line(s.around(rows[k], rows[end-1]), true)
			} else {
				for _, i := range rows[k:end] {
					line(s.ridge(i), false)
				}
			}
			k = end
		}
	}
	width := float32(max(s.em/6, 1.5))
	draw(f.State.Shared.Selection, width, lineplot.Yellow)
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		draw(h, width/2, scene.Hex(0xffffff))
	}
}

// Input turns the surface by a drag and by the arrow keys, and zooms by the wheel. view.Navigate handles all other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := setStage(f, g)
	look := func(side terrain.Side, zoom float64) []view.Action {
		c := camera(side, zoom)
		return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
	}
	turned := func(dx, dy float64) []view.Action {
		const most = 1e6
		return look(terrain.Side{Azimuth: s.side.Azimuth + min(max(dx, -most), most), Elevation: s.side.Elevation + min(max(dy, -most), most)}, s.zoom)
	}
	switch in.Kind {
	case view.Drag:
		const perPixel = 0.4 // degrees, at a font size of 13 pixels
		return turned(in.DX*perPixel*13/s.em, in.DY*perPixel*13/s.em)
	case view.DragStart, view.DragEnd:
		return nil
	case view.Wheel:
		return look(s.side, s.zoom*math.Pow(1.15, min(max(in.DY, -20), 20)))
	case view.Press:
		switch in.Key {
		case "ArrowLeft":
			return turned(-5, 0)
		case "ArrowRight":
			return turned(5, 0)
		case "ArrowUp":
			return turned(0, -5)
		case "ArrowDown":
			return turned(0, 5)
		case "+", "=":
			return look(s.side, s.zoom*1.15)
		case "-":
			return look(s.side, s.zoom/1.15)
		case "7":
			return look(terrain.Side{Elevation: 90}, 1)
		case "8":
			return look(terrain.Side{}, 1)
		case "9":
			return look(terrain.Side{Azimuth: -90}, 1)
		case "a", "p", view.CompareKey.Key, "PageUp", "PageDown":
			return g.Press(f, in, g.normal, g.across)
		}
	}
	return view.Navigate(g, keys, f, in)
}

// Legend explains the heat scale and names the lines of the surface.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	s := setStage(f, g)
	l := g.Plot.Legend(f, "Surface: "+g.Noun()+" of the "+f.DetailName())
	l.Blocks = append(l.Blocks, lineplot.Ramp(g.Plot, s.d.scale))
	if s.see == nil {
		l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: g.Run.Facts()})
		return l
	}
	lines := g.Column.Lines(s.d.first, s.d.end)
	l.Blocks = append(l.Blocks, view.Block{Title: "Lines", Facts: []view.Fact{
		{Label: "File", Value: lines.File},
		{Label: "Lines", Value: figures.Count(int64(lines.First)) + "–" + figures.Count(int64(lines.End()))},
		{Label: "Highest", Value: g.Amount(s.d.most)},
	}}, view.Block{Title: "Run", Facts: g.Run.Facts()})
	var notes []string
	if g.Compared() {
		notes = append(notes, "A height is the size of a difference: red is more, and blue is less.")
	}
	if s.d.bin > 1 {
		notes = append(notes, "A row shows the maximum of "+figures.Count(int64(s.d.bin))+" lines.")
	}
	notes = append(notes, g.across.In(f.Window).Notes()...)
	if s.d.group > 1 {
		notes = append(notes, "A column shows the maximum of "+figures.Count(int64(s.d.group))+" PEs.")
	}
	if notes = append(notes, g.Notes()...); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}
