package cascade

import (
	"math"
	"strings"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A stretch is the key of a cached heat strip: rows of the program in bins, in a time.
type stretch struct {
	first, end, bin int
	whole, limited  bool
	time            view.Span
	across          *lineplot.Across
}

// heat holds the counts of a stretch.
type heat struct{ counts []int64 } // by bin and column

// strip returns the heat of a panel of lines in bins of bin items. A cell has the largest count or difference of its lines. strip caches answers.
func (g *Geometry) strip(p *panel, bin int, f *view.Frame) *heat {
	across := g.across.In(f.Window)
	key := stretch{first: p.first, end: p.end, bin: bin, whole: p.whole, across: across}
	if time := f.Counted(); time != nil {
		key.limited, key.time = true, *time
	}
	g.mu.Lock()
	h := g.heat[key]
	g.mu.Unlock()
	if h != nil {
		return h
	}
	n := across.N
	h = &heat{counts: make([]int64, (p.items+bin-1)/bin*n)}
	t := g.Counted(f).Lines
	var counts []int64
	out := make([]int64, n)
	from, to := g.Range(t, p.first, p.end)
	for i := from; i < to; i++ {
		row := g.Column.Row(t.Rows[i].Line)
		item := row - p.first
		if p.whole {
			k, ok := g.kept.Position(row)
			if !ok {
				continue
			}
			item = k
		}
		pes, ns := t.Cells(i)
		counts = append(counts[:0], ns...)
		across.Fold(pes, counts, out)
		for k, c := range out {
			cell := &h.counts[item/bin*n+k]
			*cell = lineplot.Further(*cell, c)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.heat) > 64 {
		clear(g.heat)
	}
	g.heat[key] = h
	return h
}

// Base draws nothing: the whole picture depends on the selection and is an overlay.
func (g *Geometry) Base(*view.Frame, *scene.List) {}

// Overlay draws the cascade.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	r := layout(f, g)
	out.ClipTo(f.Clip)
	defer out.Pop()
	if len(r.levels) == 0 {
		view.Say(f, out, "The trace has no lines of the program.")
		return
	}
	scale := g.Scale(g.colours, g.Counted(f).Lines.Most, g.normal)
	for k := range r.panels {
		p := &r.panels[k]
		r.heading(out, p)
		switch {
		case p.bars():
			r.bars(out, p, scale)
		case p.single:
			r.instructions(out, p, scale)
		default:
			r.lines(out, p, scale)
		}
	}
	for k := range r.panels {
		r.leads(out, k)
	}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		for _, q := range r.rects(h) {
			out.Frame(float32(q.X0), float32(q.Y0), float32(q.X1), float32(q.Y1), 1, scene.Hex(0xffffff))
		}
	}
}

// heading writes the kind, the name and the total of a level above its panel.
func (r *row) heading(out *scene.List, p *panel) {
	f, room := r.Style, float32(p.head.W()+1.2*r.em) // part of the gap
	y := float32(p.head.Y0 + math.Round(1.1*r.em))
	put := func(s string, face scene.Face, c scene.Color, size float32) {
		r.Write(out, p.head.X0, float64(y), s, float64(room), scene.TextStyle{Size: size, Color: c, Face: face})
		y += float32(math.Round(1.35 * r.em))
	}
	put(p.kind, scene.Bold, f.Ink, f.Font)
	face := scene.Regular
	if p.single || p.kind == "Instruction" || p.kind == "Loop" || p.kind == "Clause" {
		face = scene.Mono
	}
	put(strings.Join(strings.Fields(p.name), " "), face, f.Ink, r.size())
	amount := r.g.Amount(p.total)
	if r.Text.Width(amount, r.size(), scene.Regular) > room {
		amount = r.g.Short(p.total)
	}
	if s := amount + ", " + figures.Percent(p.total, max(r.g.Counted(r.Frame).Whole, 1)); r.Text.Width(s, r.size(), scene.Regular) <= room {
		amount = s
	}
	put(amount, scene.Regular, f.Muted, r.size())
}

// lines draws a heat strip of lines. Lines less than two pixels high are put into bins; lines high enough have their text beside them.
func (r *row) lines(out *scene.List, p *panel, scale lineplot.Scale) {
	if p.items == 0 {
		return
	}
	out.Fill(p.cells, scale.None)
	bin := max(int(math.Ceil(2/p.pitch)), 1)
	h := r.g.strip(p, bin, r.Frame)
	n := r.across.N
	for b := range len(h.counts) / n {
		y0, y1 := p.y(b*bin), p.y(min((b+1)*bin, p.items))
		r.cells(out, p, y0, y1, h.counts[b*n:(b+1)*n], scale)
	}
	if !r.named(p) {
		return
	}
	texts := make([]string, p.items)
	for i := range texts {
		texts[i] = r.g.text.Line(r.g.Column.Line(p.first + i))
	}
	columns := int(float32(r.room(p)) / r.Text.Width("0", r.size(), scene.Mono))
	for i, t := range indented(texts, columns/3) {
		r.beside(out, p, i, t)
	}
}

// indented removes the indentation of the first non-empty line from all lines and limits the rest of it to most blanks. A directive of a
// loop may begin in column 1, so it is not the smallest indentation that counts.
func indented(texts []string, most int) []string {
	first := -1
	out := make([]string, len(texts))
	for i, s := range texts {
		t := strings.TrimLeft(s, " ")
		if t == "" {
			continue
		}
		lead := len(s) - len(t)
		if first < 0 {
			first = lead
		}
		out[i] = strings.Repeat(" ", min(max(lead-first, 0), most)) + t
	}
	return out
}

// cells draws the columns of a row of a heat strip.
func (r *row) cells(out *scene.List, p *panel, y0, y1 float64, counts []int64, scale lineplot.Scale) {
	n := float64(len(counts))
	w := p.cells.W()
	for k, c := range counts {
		if c == 0 {
			continue
		}
		x0, x1 := math.Round(p.cells.X0+w*float64(k)/n), math.Round(p.cells.X0+w*float64(k+1)/n)
		if w/n >= 5 && k+1 < len(counts) {
			x1--
		}
		bottom := y1
		if y1-y0 >= 6 {
			bottom--
		}
		out.Rect(float32(x0), float32(y0), float32(max(x1, x0+1)), float32(bottom), scale.Color(c))
	}
}

// room returns the width available for the text of an item.
func (r *row) room(p *panel) float64 { return p.body.X1 - p.cells.X1 - 0.5*r.em }

// beside writes the text of an item to the right of the strip.
func (r *row) beside(out *scene.List, p *panel, i int, text string) {
	if s := scene.Elide(r.Text, text, float32(r.room(p)), r.size(), scene.Mono); strings.TrimSpace(s) != "" {
		out.Text(float32(p.cells.X1+0.5*r.em), float32((p.y(i)+p.y(i+1))/2), s, scene.TextStyle{Size: r.size(), Color: r.Style.Ink, Face: scene.Mono, VAlign: scene.Center})
	}
}

// instructions draws the heat strip of a line's instructions.
func (r *row) instructions(out *scene.List, p *panel, scale lineplot.Scale) {
	out.Fill(p.cells, scale.None)
	counts := make([]int64, r.across.N)
	for i, c := range p.codes {
		if entry := p.table.RowOf(c); entry >= 0 {
			pes, ns := p.table.Cells(entry)
			r.across.Fold(pes, append([]int64(nil), ns...), counts)
			r.cells(out, p, p.y(i), p.y(i+1), counts, scale)
		}
		if r.named(p) {
			r.beside(out, p, i, strings.Join(strings.Fields(r.g.Run.Codes[c].Name), " "))
		}
	}
}

// bars draws the count of each column for a line or an instruction as a bar.
func (r *row) bars(out *scene.List, p *panel, scale lineplot.Scale) {
	counts := make([]int64, r.across.N)
	if p.own != nil {
		r.across.Fold(p.pes, append([]int64(nil), p.counts...), counts)
	}
	most := int64(1)
	for _, c := range counts {
		most = max(most, c, -c)
	}
	every := max(int(math.Ceil(1.3*r.em/p.pitch)), 1)
	for k, c := range counts {
		y0, y1 := p.y(k), p.y(k+1)
		if p.pitch >= 4 {
			y1 -= math.Max(math.Round(0.15*p.pitch), 1)
		}
		out.Rect(float32(p.cells.X0), float32(y0), float32(p.cells.X1), float32(y1), r.Style.Ground.Mix(r.Style.Line, 0.5))
		if w := p.cells.W() * math.Abs(float64(c)) / float64(most); c != 0 {
			out.Rect(float32(p.cells.X0), float32(y0), float32(p.cells.X0+math.Max(math.Round(w), 1)), float32(y1), scale.Color(c))
		}
		if k%every != 0 || p.pitch*float64(every) < r.em || y0+1.1*r.em > p.body.Y1 {
			continue
		}
		t := scene.TextStyle{Size: r.size(), Color: r.Style.Muted, VAlign: scene.Center}
		y := float32(p.y(k)) + float32(min(p.pitch*float64(every), 1.5*r.em)/2)
		name, room := r.across.Name(k), float32(p.cells.X0-p.body.X0-0.3*r.em)
		if r.Text.Width(name, t.Size, t.Face) > room {
			name = strings.TrimPrefix(strings.TrimPrefix(name, "PEs "), "PE ")
		}
		r.Write(out, p.body.X0, float64(y), name, float64(room), t)
	}
}

// leads outlines the next level in panel k and draws lines from the outline to the next panel.
func (r *row) leads(out *scene.List, k int) {
	q, ok := r.next(k)
	if !ok {
		return
	}
	p := &r.panels[k+1]
	c := lineplot.Gold
	if p.chosen {
		c = lineplot.Yellow
	}
	width := float32(max(r.em/8, 1))
	x0, x1 := float32(q.X1)+width, float32(p.body.X0)-2*width
	for _, y := range [2][2]float64{{q.Y0, p.body.Y0}, {q.Y1, p.cells.Y1}} {
		out.Line(x0, float32(y[0]), x1, float32(y[1]), 1, r.Style.Muted.Alpha(150))
	}
	out.Line(x1, float32(p.body.Y0), x1, float32(p.cells.Y1), 1, r.Style.Muted.Alpha(150))
	out.Frame(float32(q.X0), float32(q.Y0), float32(q.X1), float32(q.Y1), width+1.5, scene.Hex(0x101010).Alpha(150))
	out.Frame(float32(q.X0), float32(q.Y0), float32(q.X1), float32(q.Y1), width, c)
}
