package source

import (
	"math"
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

const lineEms = 1.5 // height of a row

// A layout holds the positions of the columns of the listing in a frame, in pixels.
type layout struct {
	f                     *view.Frame
	em, line, digit       float64
	number, nodes, cost   float64 // right ends of the columns
	text                  float64 // left end of the text
	map0                  float64 // left end of the overview
	top                   float64 // first visible row
	visible               int     // number of whole rows with room
	nodesTitle, costTitle string
	times                 []string // costs of the parts, set by Base
}

func (g *Geometry) layout(f *view.Frame) *layout {
	em := float64(f.Style.Font)
	l := &layout{f: f, em: em, line: math.Round(lineEms * em), digit: float64(f.Text.Width("0", f.Style.Font, scene.Mono))}
	l.visible = max(int(f.Area.H()/l.line), 1)
	l.nodesTitle, l.costTitle = g.noun(2), "time"
	most := g.count
	if g.prof != nil || !g.timed {
		l.costTitle, most = "share", g.cost
	}
	width := func(s string) float64 { return float64(f.Text.Width(s, f.Style.Font, scene.Regular)) }
	x := f.Area.X0 + 0.5*em + l.digit*float64(len(strconv.Itoa(int(g.last))))
	l.number = math.Round(x)
	wide := f.Area.W() > 26*em // otherwise the numbers of the clauses do not fit
	if wide && len(g.parts) > 0 {
		x += 0.8*em + max(width(l.nodesTitle), width(g.amount(most)))
		l.nodes = math.Round(x)
		x += 0.8*em + max(width("999.999 ms"), 5*em)
		l.cost = math.Round(x)
	}
	l.text = math.Round(x + 1.2*em)
	l.map0 = f.Area.X1 - math.Round(0.8*em)
	l.top = g.scrolled(l, f.Camera.Y+g.start)
	return l
}

// scrolled returns the first visible row nearest to row, kept within the listing.
func (g *Geometry) scrolled(l *layout, row float64) float64 {
	return max(min(row, float64(len(g.rows)-l.visible)), 0)
}

// y returns the top of a row.
func (l *layout) y(row int32) float64 { return l.f.Area.Y0 + math.Round((float64(row)-l.top)*l.line) }

// row returns the row at a pixel, or -1 for none.
func (g *Geometry) row(l *layout, y float64) int32 {
	row := math.Floor((y-l.f.Area.Y0)/l.line + l.top)
	if y < l.f.Area.Y0 || y > l.f.Area.Y1 || row < 0 || row >= float64(len(g.rows)) {
		return -1
	}
	return int32(row)
}

// Base draws the visible lines with the counts of their clauses, and the overview of all lines.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	l := g.layout(f)
	if len(g.rows) == 0 {
		view.Say(f, out, "The trace has no program text.")
		return
	}
	counts := g.shown(f)
	most := int64(1)
	for _, c := range counts {
		most = max(most, c.cost, -c.cost)
	}
	l.times = g.costs(f, counts)
	ink := colours(f.Style)
	for row := int32(l.top); int(row) < len(g.rows); row++ {
		y := l.y(row)
		if y+l.line > f.Area.Y1+1 && row > int32(l.top) || y > f.Clip.Y1 { // draw whole rows only
			break
		}
		if y+l.line >= f.Clip.Y0 {
			g.drawRow(l, row, y, counts, most, &ink, out)
		}
	}
	g.drawMap(l, counts, most, out)
}

func (g *Geometry) drawRow(l *layout, row int32, y float64, counts []total, most int64, ink *[stop + 1]scene.TextStyle, out *scene.List) {
	f, r := l.f, &g.rows[row]
	baseline := float32(y + math.Round(1.08*l.em))
	muted := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted, Anchor: scene.End}
	right := func(x float64, s string, t scene.TextStyle) { out.Text(float32(x), baseline, s, t) }
	if r.line == 0 {
		if r.text != "" {
			bold := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink, Face: scene.Bold}
			f.WriteName(out, l.text, float64(baseline), r.text, l.map0-l.text-l.em, bold)
			if l.cost > 0 {
				right(l.nodes, l.nodesTitle, muted)
				right(l.cost, l.costTitle, muted)
			}
			bottom := float32(y+l.line) - 0.5
			out.Line(float32(f.Area.X0), bottom, float32(l.map0-0.5*l.em), bottom, 1, f.Style.Line)
		}
		return
	}
	mono := muted
	mono.Face = scene.Mono
	right(l.number, strconv.Itoa(int(r.line)), mono)
	l.drawRemarks(r, y, out)
	if k := r.part; k >= 0 && g.parts[k].first == row && l.cost > 0 {
		c := counts[k]
		if g.ran(f, k, c) {
			width := (l.cost - l.nodes - 0.5*l.em) * math.Abs(float64(c.cost)) / float64(most)
			color := g.colour(f.Style, c.cost, most)
			out.Rect(float32(l.cost-width), float32(y+1), float32(l.cost+0.3*l.em), float32(y+l.line-1), color)
			plain := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink, Anchor: scene.End}
			right(l.nodes, g.amount(c.nodes), plain)
			right(l.cost, l.times[k], plain)
		} else {
			right(l.nodes, "–", muted)
		}
	}
	// Cut the text at the overview.
	skip := max(f.Camera.X, 0) * l.digit
	room := max(l.map0-0.4*l.em-l.text, 0)
	if float64(f.Text.Width(r.text, f.Style.Font, scene.Mono))-skip > room {
		room = max(math.Floor(room/l.digit)-1, 0) * l.digit
		dots := muted
		dots.Anchor, dots.Face = scene.Start, scene.Mono
		out.Text(float32(l.text+room), baseline, "…", dots)
	}
	out.Clip(float32(l.text), float32(y), float32(l.text+room), float32(y+l.line))
	for _, s := range r.spans {
		x := l.text - skip + float64(f.Text.Width(r.text[:s.from], f.Style.Font, scene.Mono))
		if x > l.map0 {
			break
		}
		out.Text(float32(x), baseline, r.text[s.from:s.to], ink[s.class])
	}
	out.Pop()
}

// drawMap draws the overview: the heat of all clauses and a frame around the visible rows.
func (g *Geometry) drawMap(l *layout, counts []total, most int64, out *scene.List) {
	f := l.f
	x0, x1 := float32(l.map0), float32(f.Area.X1)
	out.Rect(x0, float32(f.Area.Y0), x1, float32(f.Area.Y1), f.Style.Ground.Mix(f.Style.Line, 0.35))
	for k, p := range g.parts {
		if counts[k].cost != 0 {
			y0, y1 := l.mapY(g, p.first), l.mapY(g, p.last+1)
			out.Rect(x0, float32(y0), x1, float32(max(y1, y0+1)), g.colour(f.Style, counts[k].cost, most))
		}
	}
	if l.visible < len(g.rows) {
		y0, y1 := l.mapY(g, int32(l.top)), l.mapY(g, int32(l.top)+int32(l.visible))
		out.Frame(x0+0.5, float32(y0)+0.5, x1-0.5, float32(y1)-0.5, 1, f.Style.Muted)
	}
}

// mapY returns the top of a row in the overview, which is not higher than the listing.
func (l *layout) mapY(g *Geometry, row int32) float64 {
	h := min(l.f.Area.H(), float64(len(g.rows))*l.line)
	return math.Round(l.f.Area.Y0 + h*float64(row)/float64(max(len(g.rows), 1)))
}

// heat returns the colour of a cost.
func heat(s view.Style, cost, most int64) scene.Color {
	warm := scene.Hex(0xf59e0b)
	if s.Dark {
		warm = scene.Hex(0xb45309)
	}
	return s.Ground.Mix(warm, 0.12+0.6*float32(cost)/float32(most))
}

// colours returns the text styles of the classes. Each has a contrast of at least 4.5:1 with the background.
func colours(s view.Style) (ink [stop + 1]scene.TextStyle) {
	light := [stop + 1]uint32{comment: 0x6a737d, variable: 0x0b5cad, number: 0x8a4600, text: 0x1a6b2f, sign: 0x57606a, pragma: 0x8b2fa8, stop: 0x57606a}
	dark := [stop + 1]uint32{comment: 0x8b949e, variable: 0x79b8ff, number: 0xf0b072, text: 0x8fd19e, sign: 0xa8b1bc, pragma: 0xd6a0ee, stop: 0xa8b1bc}
	for c := range ink {
		ink[c] = scene.TextStyle{Size: s.Font, Face: scene.Mono, Color: s.Ink}
		if c != int(plain) {
			ink[c].Color = scene.Hex(light[c])
			if s.Dark {
				ink[c].Color = scene.Hex(dark[c])
			}
		}
	}
	return ink
}
