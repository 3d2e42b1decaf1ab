package cascade

import (
	"slices"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Hit returns the selection of a click: in the heading of a panel its level, in the strip the part that the next level would show.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	r := layout(f, g)
	k, item, ok := r.panelAt(x, y)
	if !ok {
		return view.Selection{}, false
	}
	p := &r.panels[k]
	switch {
	case item < 0 || p.bars():
		return p.sel, !p.sel.Empty()
	case p.single:
		return view.Selection{Trace: f.Trace, Codes: []uint32{p.codes[item]}}, true
	}
	return g.within(f, r.levels, r.shown[k], r.lineOf(p, item))
}

// Tip describes the level, line, instruction or column under the pointer.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	r := layout(f, g)
	k, item, ok := r.panelAt(x, y)
	if !ok {
		return view.Tip{}, false
	}
	p := &r.panels[k]
	tip := view.Tip{X: x, Y: y}
	switch {
	case item < 0:
		tip.Lines = []string{p.kind, p.name, g.Amount(p.total)}
	case p.bars():
		counts := make([]int64, r.across.N)
		if p.own != nil {
			r.across.Fold(p.pes, append([]int64(nil), p.counts...), counts)
		}
		tip.Lines = []string{r.across.Name(item), g.Amount(counts[item])}
	case p.single:
		tip.Lines = []string{g.Run.Codes[p.codes[item]].Name}
		if i := p.table.RowOf(p.codes[item]); i >= 0 {
			tip.Lines = append(tip.Lines, g.Summary(f, &p.table.Rows[i])...)
		}
	default:
		row := r.lineOf(p, item)
		line := g.Column.Line(row)
		tip.Lines = []string{g.Named(g.Profile.FunctionAt(line)), g.Place(line)}
		for t := range g.Rows(g.Counted(f).Lines, row, row+1) {
			tip.Lines = append(tip.Lines, g.Summary(f, t)...)
		}
	}
	tip.Lines = slices.DeleteFunc(tip.Lines, func(s string) bool { return s == "" })
	return tip, len(tip.Lines) > 0
}

// Locate returns the rectangles of the selected lines and instructions in all panels.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	return layout(f, g).rects(s)
}

func (r *row) rects(s view.Selection) (out []scene.Rect) {
	lit := r.g.Highlight(r.Trace, s)
	if lit == nil {
		return nil
	}
	for k := range r.panels {
		p := &r.panels[k]
		if p.single && !p.bars() {
			for i, c := range p.codes {
				if slices.Contains(s.Codes, c) {
					out = append(out, scene.Rect{X0: p.cells.X0, Y0: p.y(i), X1: p.body.X1, Y1: p.y(i + 1)})
				}
			}
			continue
		}
		if p.bars() {
			continue
		}
		const most = 500 // rectangles in a panel
		for i, q := range lit.Rows {
			first, end := max(q[0], p.first), min(q[1], p.end)
			if i < most && first < end && r.item(p, first) < r.item(p, end) {
				out = append(out, r.rect(p, first, end))
			}
		}
	}
	return out
}

// Input moves between levels with the arrow keys and shows double-clicked lines in the detail. view.Navigate handles all other input.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	switch in.Kind {
	case view.Drag, view.DragStart, view.DragEnd, view.Wheel:
		return nil
	case view.DoubleClick:
		if s, ok := g.Hit(f, in.X, in.Y); ok {
			if lit := g.Highlight(f.Trace, s); lit != nil && len(lit.Rows) > 0 {
				l := g.Column.Lines(lit.Rows[0][0], lit.Rows[0][1])
				return []view.Action{{Do: view.SetDetail, Lines: &l}}
			}
		}
		return nil
	case view.Press:
		switch in.Key {
		case "ArrowLeft", "ArrowRight":
			levels := g.levels(f)
			current := 0
			for i, l := range levels {
				if l.chosen {
					current = i
				}
			}
			if in.Key == "ArrowLeft" {
				current--
			} else {
				current++
			}
			switch {
			case current == 0 && len(levels) > 0:
				return []view.Action{{Do: view.Select}}
			case current > 0 && current < len(levels):
				return []view.Action{{Do: view.Select, Selection: &levels[current].sel}}
			}
			return nil
		case "ArrowUp", "ArrowDown", "+", "-", "=":
			return nil
		case "a", "p", view.CompareKey.Key:
			return g.Press(f, in, g.normal, g.across)
		}
	}
	return view.Navigate(g, keys, f, in)
}

// Legend explains the heat scale and the rectangles.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := g.Plot.Legend(f, "Cascade: "+g.Noun()+" from the program down to an instruction")
	rectangles := view.Block{Title: "Rectangles"}
	if lit := g.Highlight(f.Trace, f.Selected()); lit != nil && len(lit.Rows) > 0 {
		rectangles.Swatches = append(rectangles.Swatches, view.Swatch{Colors: []scene.Color{lineplot.Yellow}, Label: "selected, shown to the right"})
	}
	rectangles.Swatches = append(rectangles.Swatches, view.Swatch{Colors: []scene.Color{lineplot.Gold}, Label: "hottest spot, shown to the right"})
	l.Blocks = append(l.Blocks, lineplot.Ramp(g.Plot, g.Scale(g.colours, g.Counted(f).Lines.Most, g.normal)),
		rectangles, view.Block{Title: "Run", Facts: g.Run.Facts()})
	var notes []string
	if g.kept.Kept < g.kept.Lines {
		notes = append(notes, "Program: runs of more than "+figures.Count(skip)+" lines without "+g.Noun()+" are left out.")
	}
	notes = append(notes, g.across.In(f.Window).Notes()...)
	if notes = append(notes, g.Notes()...); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}
