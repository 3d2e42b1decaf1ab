package cascade

import (
	"math"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A panel holds the positions of a level in a frame.
type panel struct {
	*level
	head  scene.Rect // its heading
	body  scene.Rect // its strip and the text beside it
	cells scene.Rect // its strip
	items int        // number of lines, instructions or columns
	pitch float64    // height of an item
	whole bool       // the program, without long runs of lines without ticks
}

// A row holds the panels of a frame, side by side.
type row struct {
	*view.Frame
	g      *Geometry
	across *lineplot.Across
	em     float64
	levels []level
	shown  []int // indices of the levels that fit
	panels []panel
}

// The least widths, in ems, of a panel with text and of a panel without (the program or a file).
const (
	leastPanel = 6.5
	leastStrip = 4.7
)

// slim reports whether a level is a strip without text.
func (l *level) slim() bool { return l.kind == "Program" || l.kind == "File" }

// wide returns the least width of a level with the gap before it, in ems.
func (l *level) wide() float64 {
	if l.slim() {
		return leastStrip + 1.6
	}
	return leastPanel + 1.6
}

// fit drops levels until the others fit: outer loops first, then the levels after the program, never the last one.
func (r *row) fit() {
	need := -1.6
	for i := range r.levels {
		r.shown = append(r.shown, i)
		need += r.levels[i].wide()
	}
	for need*r.em > r.Area.W() && len(r.shown) > 1 {
		k := slices.IndexFunc(r.shown, func(i int) bool {
			return i+1 < len(r.levels) && r.levels[i].kind == r.levels[i+1].kind
		})
		if k < 0 {
			k = min(1, len(r.shown)-2)
		}
		need -= r.levels[r.shown[k]].wide()
		r.shown = slices.Delete(r.shown, k, k+1)
	}
}

// layout returns the panels of a frame; none if the area is too small.
func layout(f *view.Frame, g *Geometry) *row {
	r := &row{Frame: f, g: g, across: g.across.In(f.Window), em: float64(f.Style.Font), levels: g.levels(f)}
	n := len(r.levels)
	if n == 0 || f.Area.W() < 3*r.em || f.Area.H() < 6*r.em {
		return r
	}
	r.fit()
	gap := math.Round(1.6 * r.em)
	strips, texts := 0.0, 0.0
	for _, i := range r.shown {
		if r.levels[i].slim() {
			strips++
		} else {
			texts++
		}
	}
	even := (f.Area.W() - gap*float64(len(r.shown)-1)) / float64(len(r.shown))
	strip := min(even, max(leastStrip*r.em, 0.6*even))
	width := even
	if texts > 0 {
		width = (f.Area.W() - gap*float64(len(r.shown)-1) - strip*strips) / texts
	} else {
		strip = even
	}
	x := f.Area.X0
	for _, i := range r.shown {
		p := panel{level: &r.levels[i]}
		x0, w := math.Round(x), width
		if p.slim() {
			w = strip
		}
		x1 := math.Round(x + w)
		x += w + gap
		p.head = scene.Rect{X0: x0, Y0: f.Area.Y0, X1: x1, Y1: f.Area.Y0 + math.Round(4.6*r.em)}
		p.body = scene.Rect{X0: x0, Y0: p.head.Y1, X1: x1, Y1: f.Area.Y1 - math.Round(0.5*r.em)}
		r.place(&p)
		r.panels = append(r.panels, p)
	}
	return r
}

// place sets the strip of a panel. If lines are high enough it leaves room for their text beside it.
func (r *row) place(p *panel) {
	line := math.Round(1.5 * r.em)
	switch {
	case p.kind == "Program":
		p.whole, p.items = true, r.g.kept.Kept
	case p.bars():
		p.items = r.across.N
	case p.single:
		p.items = len(p.codes)
	default:
		p.items = p.end - p.first
	}
	p.pitch = min(p.body.H()/float64(max(p.items, 1)), line)
	p.cells = p.body
	p.cells.Y1 = p.body.Y0 + p.pitch*float64(max(p.items, 1))
	if r.named(p) {
		p.cells.X1 = math.Round(p.body.X0 + min(0.4*p.body.W(), max(0.9*r.em*float64(r.across.N), 2*r.em)))
	}
	if p.bars() {
		p.cells.X0 = math.Round(p.body.X0 + min(float64(r.Text.Width(r.widest(), r.size(), scene.Regular))+0.6*r.em, 0.5*p.body.W()))
		p.cells.X1 = p.body.X1
	}
}

// bars reports whether a level has no parts and is drawn as a bar for each column.
func (l *level) bars() bool { return l.kind == "Instruction" || l.single && len(l.codes) == 0 }

// named reports whether the items of a panel have room for their text.
func (r *row) named(p *panel) bool { return !p.whole && !p.bars() && p.pitch >= 1.15*r.em }

func (r *row) size() float32 { return 0.92 * r.Style.Font }

// widest returns the longest name of a column.
func (r *row) widest() string {
	name := ""
	for k := range r.across.N {
		if s := r.across.Name(k); len(s) > len(name) {
			name = s
		}
	}
	return name
}

// y returns the top of an item.
func (p *panel) y(item int) float64 { return math.Round(p.body.Y0 + float64(item)*p.pitch) }

// item returns the item of a row of the program in a panel of lines.
func (r *row) item(p *panel, row int) int {
	if p.whole {
		item, _ := r.g.kept.Position(row)
		return item
	}
	return row - p.first
}

// rect returns the rectangle of the rows from first to end-1 in a panel of lines. It is at least 3 pixels high.
func (r *row) rect(p *panel, first, end int) scene.Rect {
	out := scene.Rect{X0: p.cells.X0, Y0: p.y(r.item(p, first)), X1: p.cells.X1, Y1: p.y(r.item(p, end))}
	if r.named(p) {
		out.X1 = p.body.X1
	}
	if least := 3.0; out.H() < least {
		out.Y0 -= (least - out.H()) / 2
		out.Y1 = out.Y0 + least
	}
	return out
}

// next returns the rectangle of panel k+1 in panel k. It reports false if there is none.
func (r *row) next(k int) (scene.Rect, bool) {
	if k+1 >= len(r.panels) {
		return scene.Rect{}, false
	}
	p, q := &r.panels[k], &r.panels[k+1]
	if !p.single {
		return r.rect(p, q.first, q.end), true
	}
	for i, c := range p.codes {
		if len(q.sel.Codes) == 1 && q.sel.Codes[0] == c {
			return scene.Rect{X0: p.cells.X0, Y0: p.y(i), X1: p.body.X1, Y1: p.y(i + 1)}, true
		}
	}
	return scene.Rect{}, false
}

// panelAt returns the panel and the item at a pixel. The item is -1 in the heading.
func (r *row) panelAt(x, y float64) (k, item int, ok bool) {
	for k := range r.panels {
		p := &r.panels[k]
		if x < p.body.X0 || x > p.body.X1 {
			continue
		}
		if p.head.Contains(x, y) {
			return k, -1, true
		}
		if i := int(math.Floor((y - p.body.Y0) / p.pitch)); y >= p.body.Y0 && i < p.items && y <= p.body.Y1 {
			return k, i, true
		}
	}
	return 0, 0, false
}

// lineOf returns the row of the program of an item in a panel of lines.
func (r *row) lineOf(p *panel, item int) int {
	if p.whole {
		return r.g.kept.Line(item)
	}
	return p.first + item
}
