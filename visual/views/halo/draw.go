package halo

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// Base draws the edges, the halos with their names, and the functions at the bottom with their links.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	bottom := f.Clip.Y1
	if s.shown > 0 {
		bottom = min(bottom, s.In.Y1)
		for i := range s.shown {
			s.links(out, i, g.scales.link.Alpha(120), g.scales.link.Alpha(48))
		}
	}
	out.Clip(float32(f.Clip.X0), float32(f.Clip.Y0), float32(f.Clip.X1), float32(bottom))
	from, to := s.levels()
	for l := max(from-1, 0); l < to; l++ {
		s.edges(out, l)
	}
	for l := from; l < to; l++ {
		s.halos(out, l)
	}
	out.Pop()
	s.functions(out)
}

// edges draws the edges from the nodes of a level to those of the next.
func (s *sheet) edges(out *scene.List, level int) {
	g := s.g
	if level+1 >= len(g.rows) {
		return
	}
	plain, lit := float32(max(s.em/13, 0.8)), float32(max(0.24*s.em, 2))
	row := s.seen(level + 1)
	for i := 0; i < len(row); {
		up, first := g.parent[row[i]], i
		for i < len(row) && g.parent[row[i]] == up {
			i++
		}
		family := row[first:i]
		px, py := s.position(up)
		py += s.foot(up)
		x0, y := s.position(family[0])
		x1, _ := s.position(family[len(family)-1])
		if n := len(family) - 1; n > 0 && x1-x0 < crowded*float64(n) { // single lines would merge into grey
			out.Polygon([]float32{float32(px), float32(py), float32(x1), float32(y), float32(x0), float32(y)}, scene.NonZero, s.Style.Ground.Mix(s.Style.Line, 0.6))
			continue
		}
		for _, k := range family {
			if g.isHot(k) {
				continue
			}
			c := s.Style.Line.Mix(s.Style.Muted, 0.35)
			if s.radiusOf(k) < ringed {
				c = s.Style.Line
			}
			x, y := s.position(k)
			s.curve(out, px, py, x, y-s.radiusOf(k), plain, c)
		}
	}
	for _, k := range row { // lit paths are above the others
		if g.isHot(k) {
			up := g.parent[k]
			px, py := s.position(up)
			x, y := s.position(k)
			s.curve(out, px, py+s.foot(up), x, y-s.radiusOf(k), lit, g.scales.lit)
		}
	}
}

// crowded is the mean distance of siblings, in pixels, below which their edges are drawn as one polygon.
const crowded = 3

// foot returns the distance from the middle of a node to the start of its edges below it.
func (s *sheet) foot(k int32) float64 {
	if s.labels == below && s.named(k) {
		return s.largest + 1.4*s.em
	}
	return s.radiusOf(k)
}

// curve draws a line with vertical ends.
func (s *sheet) curve(out *scene.List, x0, y0, x1, y1 float64, width float32, c scene.Color) {
	if y1 <= y0 || math.Abs(x1-x0) < 2 || y1-y0 < 4 {
		out.Line(float32(x0), float32(y0), float32(x1), float32(y1), width, c)
		return
	}
	parts := int(min(max(math.Hypot(x1-x0, y1-y0)/8, 8), 64))
	points := make([]float32, 0, 2*parts+2)
	for i := range parts + 1 {
		t := float64(i) / float64(parts)
		u := t * t * (3 - 2*t)
		points = append(points, float32(x0+(x1-x0)*u), float32(y0+(y1-y0)*t))
	}
	out.Polyline(points, scene.Stroke{Width: width, Color: c})
}

// halos draws the nodes of a level.
func (s *sheet) halos(out *scene.List, level int) {
	g := s.g
	row := s.seen(level)
	y := float32(s.levelY(level))
	dot := int32(-1) // the most notable node of a pixel
	dotX := math.Inf(-1)
	flush := func() {
		if dot >= 0 {
			s.glyph(out, dot, float32(dotX), y, 1)
		}
		dot = -1
	}
	room := s.names(level)
	for i, k := range row {
		x, _ := s.position(k)
		r := s.radiusOf(k)
		if r < 1 {
			if x-dotX >= 1 {
				flush()
				dot, dotX = k, x
			} else if dot < 0 || g.notable(k) > g.notable(dot) {
				dot = k
			}
			continue
		}
		s.glyph(out, k, float32(x), y, float32(r))
		if g.closed[k] {
			s.sign(out, k)
		}
		if room != nil {
			s.name(out, k, x, float64(y), room[i])
		}
	}
	flush()
}

// sign draws the button beside a node that hides or shows its callees.
func (s *sheet) sign(out *scene.List, k int32) {
	x, y, r, ok := s.signOf(k)
	if !ok {
		return
	}
	line := float32(max(s.em/9, 1))
	cx, cy, half := float32(x), float32(y), float32(0.55*r)
	out.Circle(cx, cy, float32(r+1), s.Style.Ground)
	out.Circle(cx, cy, float32(r), s.Style.Ink)
	out.Rect(cx-half, cy-line/2, cx+half, cy+line/2, s.Style.Ground)
	if s.g.closed[k] {
		out.Rect(cx-line/2, cy-half, cx+line/2, cy+half, s.Style.Ground)
	}
}

// signOf returns the position and radius of a node's sign, or false for leaves and small halos.
func (s *sheet) signOf(k int32) (x, y, r float64, ok bool) {
	v, radius := s.g.nodes[k], s.radiusOf(k)
	if s.g.End[v] == v+1 || radius < 0.45*s.em {
		return 0, 0, 0, false
	}
	x, y = s.position(k)
	return x + 0.8*radius, y + 0.8*radius, max(0.36*s.em, 3), true
}

// signAt returns the node whose sign is at a pixel.
func (s *sheet) signAt(px, py float64) (int32, bool) {
	if s.State == nil {
		return 0, false
	}
	k, ok := s.node(px, py)
	if !ok {
		return 0, false
	}
	x, y, r, ok := s.signOf(k)
	return k, ok && math.Hypot(px-x, py-y) <= r+1.5
}

// namePart is the font size of names, in em.
const namePart = 0.88

// named reports whether a node has a name below it.
func (s *sheet) named(k int32) bool {
	level := int(s.g.level[k])
	row, room := s.seen(level), s.names(level)
	if len(row) == 0 {
		return false
	}
	i := int(s.g.nth[k] - s.g.nth[row[0]])
	return i >= 0 && i < len(room) && s.below(k, room[i]) != ""
}

// names returns the width for each name of a level, or nil if levels are too low for names.
func (s *sheet) names(level int) []float64 {
	row := s.seen(level)
	if s.labels == nowhere || len(row) == 0 {
		return nil
	}
	if room, ok := s.rooms[level]; ok {
		return room
	}
	room := s.share(row)
	if s.rooms == nil {
		s.rooms = map[int][]float64{}
	}
	s.rooms[level] = room
	return room
}

// share divides the width of a level among the names of neighbours.
func (s *sheet) share(row []int32) []float64 {
	size := namePart * s.Style.Font
	room := make([]float64, len(row))
	most := max(s.X.Scale*4, 14*s.em)
	for i, k := range row {
		room[i] = min(float64(s.Text.Width(s.g.label(k), size, s.face(k))), most)
	}
	pad := 0.7 * s.em
	if s.labels == beside {
		for i := range len(row) - 1 {
			d := (s.g.x[row[i+1]] - s.g.x[row[i]]) * s.X.Scale
			room[i] = max(min(room[i], d-s.radiusOf(row[i])-s.radiusOf(row[i+1])-2*pad), 0)
		}
		return room
	}
	for i := range len(row) - 1 {
		d := max(2*((s.g.x[row[i+1]]-s.g.x[row[i]])*s.X.Scale-pad), 0)
		switch a, b := room[i], room[i+1]; {
		case a+b <= d:
		case a <= d/2:
			room[i+1] = d - a
		case b <= d/2:
			room[i] = d - b
		default:
			room[i], room[i+1] = d/2, d/2
		}
	}
	return room
}

// below returns the part of a node's name that fits below it, or "".
func (s *sheet) below(k int32, room float64) string {
	if s.radiusOf(k) <= 0.7*s.largest {
		return ""
	}
	x, _ := s.position(k)
	half := min(room/2, x-s.Area.X0-0.2*s.em, s.Area.X1-0.2*s.em-x)
	name := s.g.label(k)
	t := scene.ElideMiddle(s.Text, name, float32(2*half+0.5), namePart*s.Style.Font, s.face(k))
	if t == name || half >= 1.2*s.em {
		return t
	}
	return ""
}

func (s *sheet) ink(k int32) scene.Color {
	if s.g.isHot(k) {
		return s.Style.Ink
	}
	return s.Style.Ink.Mix(s.Style.Muted, 0.5)
}

func (s *sheet) face(k int32) scene.Face {
	if s.g.isHot(k) {
		return scene.Bold
	}
	return scene.Regular
}

// name writes the name of a node below or beside it, if it fits.
func (s *sheet) name(out *scene.List, k int32, x, y, room float64) {
	size := namePart * s.Style.Font
	name := s.g.label(k)
	if s.labels == beside {
		x += s.radiusOf(k) + 0.4*s.em
		room = min(room, s.Area.X1-0.2*s.em-x)
		if t := scene.ElideMiddle(s.Text, name, float32(room+0.5), size, s.face(k)); t == name || t != "" && room >= 2.4*s.em {
			out.Text(float32(x), float32(y), t, scene.TextStyle{Size: size, Color: s.ink(k), Face: s.face(k), VAlign: scene.Center})
		}
		return
	}
	if t := s.below(k, room); t != "" {
		out.Text(float32(x), float32(y+s.largest+1.05*s.em), t, scene.TextStyle{Size: size, Color: s.ink(k), Face: s.face(k), Anchor: scene.Middle})
	}
}

// functions draws the row at the bottom.
func (s *sheet) functions(out *scene.List) {
	g := s.g
	if s.shown == 0 {
		return
	}
	size := namePart * s.Style.Font
	cell := s.In.W() / float64(s.shown)
	for i := range s.shown {
		f := &g.functions[i]
		x := s.functionX(i)
		relative, whole := g.parts(f)
		g.scales.disc(out, &s.Style, float32(x), float32(s.row), float32(s.functionRadius()), relative, whole)
		s.WriteName(out, x, s.row+s.functionRadius()+1.1*s.em, g.FunctionName(f.code), min(cell-0.7*s.em, 16*s.em), scene.TextStyle{Size: size, Color: s.Style.Ink, Anchor: scene.Middle})
	}
}

// parts returns the exclusive value of a function as a share of the largest one at the bottom and of the total, from 0 to 1.
func (g *Geometry) parts(f *function) (relative, whole float64) {
	relative = float64(f.exclusive) / float64(max(g.most, 1))
	if all := g.In[0]; all > 0 {
		whole = float64(f.exclusive) / float64(all)
	}
	return min(relative, 1), min(whole, 1)
}
