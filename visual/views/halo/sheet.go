package halo

import (
	"math"
	"sort"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame: the tree, and the row of functions, which stays at the bottom.
type sheet struct {
	*view.Frame
	view.Axes // of the tree: leaves and levels
	g         *Geometry
	em        float64
	largest   float64           // radius
	labels    placing           // of names
	row       float64           // middle of the functions
	shown     int               // number of functions that fit
	rooms     map[int][]float64 // widths for names, by level and index among the visible nodes; see names
	boxes     map[int][]box     // by level; see obstacles
}

// A placing is the position of names relative to their nodes.
type placing uint8

const (
	nowhere placing = iota // levels are too low for names
	below
	beside // to the right
)

// besideHalo is the height of a level without its halo: the name below it, and edges, in em.
const besideHalo = 2.5

// placingAt returns the position of names in levels of a height.
func placingAt(height, em float64) placing {
	switch {
	case height >= (besideHalo+1)*em:
		return below
	case height >= 1.25*namePart*em:
		return beside
	}
	return nowhere
}

// Sizes in em.
const (
	broad, high = 12, 7.5 // largest width of a leaf and height of a level that fill the pane, unless the whole tree has room to be larger
	nearest     = 60      // largest width of a leaf after zooming
	roomiest    = 2.2     // largest factor by which a small tree is enlarged in a large pane
	rowEms      = 4.4     // height of the row of functions
	cellEms     = 3       // least width of a function
)

func newSheet(f *view.Frame, g *Geometry) *sheet {
	em := float64(f.Style.Font)
	s := &sheet{Frame: f, g: g, em: em}
	a := f.Area
	top, bottom, side := 0.8*em, 0.5*em, 0.6*em
	if g.root != 0 {
		top = 2.6 * em // for the trail
	}
	if len(g.functions) > 0 && a.H() > 14*em && a.W() > 8*em {
		bottom = (0.5 + (rowEms-0.5)*g.strip) * em
		s.row = a.Y1 - 2.6*em
		s.shown = min(len(g.functions), int((a.W()-2*side)/(cellEms*em)))
	}
	if a.H() < 8*em {
		top, bottom = 1, 1
	}
	s.In = scene.Rect{X0: math.Round(a.X0 + side), Y0: math.Round(a.Y0 + top), X1: math.Round(a.X1 - side), Y1: math.Round(a.Y1 - bottom)}
	s.In.X1, s.In.Y1 = max(s.In.X1, s.In.X0+1), max(s.In.Y1, s.In.Y0+1)
	w, h := max(g.width, 1), max(g.depth, 1)
	tall := a.H() - (0.8+rowEms)*em // does not depend on the row of functions, so that pictures move smoothly when it comes and goes
	roomy := min(max(min(s.In.W()/(w*broad*em), tall/(h*high*em)), 1), roomiest)
	s.Y = view.Axis{World: h, Begin: true, Fit: min(s.In.H()/h, roomy*high*em), Most: nearest / 3 * em}
	if placingAt(s.Y.Fit, em) == beside && s.In.W() > 40*em { // for the names of the rightmost nodes
		s.In.X1 -= math.Round(7 * em)
	}
	s.X = view.Axis{World: w, Fit: min(s.In.W()/w, roomy*broad*em), Most: nearest * em}
	s.Look(f.Camera)
	zoom := min(max(math.Sqrt(s.X.Scale/s.X.Fit), 1), 2.2)
	s.largest = 0.34 * s.Y.Scale
	if s.labels = placingAt(s.Y.Scale, em); s.labels == below {
		s.largest = (s.Y.Scale - besideHalo*em) / 2
	}
	s.largest = min(s.largest, 1.3*em*max(zoom, roomy))
	return s
}

// position returns the middle of a node in pixels.
func (s *sheet) position(k int32) (x, y float64) {
	return s.X.ToPixel(s.g.x[k]), s.levelY(int(s.g.level[k]))
}

// levelY returns the middle of the halos of a level, which is in its upper part if names stand below.
func (s *sheet) levelY(level int) float64 {
	top := s.Y.ToPixel(float64(level) + s.g.rise)
	if s.labels == below {
		return top + 0.3*s.em + s.largest
	}
	return top + s.Y.Scale/2
}

// levels returns the range of visible levels.
func (s *sheet) levels() (from, to int) {
	y0 := s.Y.From - s.g.rise
	from = min(max(int(y0), 0), len(s.g.rows))
	to = min(int(y0+s.In.H()/s.Y.Scale)+2, len(s.g.rows))
	return from, max(to, from)
}

// seen returns the visible places of a level and a neighbour on each side.
func (s *sheet) seen(level int) []int32 {
	row := s.g.rows[level]
	left, right := s.X.From-1, s.X.From+s.In.W()/s.X.Scale+1
	from := sort.Search(len(row), func(i int) bool { return s.g.x[row[i]] >= left })
	to := sort.Search(len(row), func(i int) bool { return s.g.x[row[i]] > right })
	return row[max(from-1, 0):min(to+1, len(row))]
}

// radius returns the radius of the i-th node of a level, which is smaller if its neighbours are near.
func (s *sheet) radius(row []int32, i int) float64 {
	d := math.Inf(1)
	if i > 0 {
		d = s.g.x[row[i]] - s.g.x[row[i-1]]
	}
	if i+1 < len(row) {
		d = min(d, s.g.x[row[i+1]]-s.g.x[row[i]])
	}
	return min(s.largest, 0.44*d*s.X.Scale)
}

// radiusOf returns the radius of a node.
func (s *sheet) radiusOf(k int32) float64 {
	return s.radius(s.g.rows[s.g.level[k]], int(s.g.nth[k]))
}

// node returns the node at a pixel, or false.
func (s *sheet) node(x, y float64) (int32, bool) {
	if !s.In.Grow(0.3*s.em).Contains(x, y) {
		return 0, false
	}
	best, found := math.Inf(1), int32(-1)
	from, to := s.levels()
	reach := max(0.7*s.em, s.largest)
	for l := from; l < to; l++ {
		if dy := y - s.levelY(l); math.Abs(dy) > reach+1.6*s.em {
			continue
		}
		row := s.seen(l)
		// The two neighbours of the pixel on this level.
		i := sort.Search(len(row), func(i int) bool { nx, _ := s.position(row[i]); return nx >= x })
		for _, i := range []int{i - 1, i} {
			if i < 0 || i >= len(row) {
				continue
			}
			nx, ny := s.position(row[i])
			r := s.radiusOf(row[i])
			d := math.Hypot(x-nx, y-ny)
			if s.labels == below && y > ny+r && y < ny+s.largest+1.5*s.em && math.Abs(x-nx) < max(r, 2*s.em) { // its name
				d = min(d, r)
			}
			if sx, sy, sr, ok := s.signOf(row[i]); ok && math.Hypot(x-sx, y-sy) <= sr+1.5 {
				d = min(d, r)
			}
			if d <= max(r, 0.6*s.em) && d-r < best {
				best, found = d-r, row[i]
			}
		}
	}
	return found, found >= 0
}

// functionX returns the x of the middle of a function at the bottom.
func (s *sheet) functionX(i int) float64 {
	position := (float64(i) + 0.5) / float64(s.shown)
	if p, ok := s.g.placed[s.g.functions[i].code]; ok {
		position = p
	}
	return s.In.X0 + position*s.In.W()
}

// functionRadius returns the radius of functions.
func (s *sheet) functionRadius() float64 { return 0.75 * s.em }

// function returns the function at a pixel, or false.
func (s *sheet) function(x, y float64) (int, bool) {
	if s.shown == 0 || math.Abs(y-s.row) > 1.1*s.em && (y < s.row || y > s.row+2.4*s.em) {
		return 0, false
	}
	i := int(math.Floor((x - s.In.X0) / s.In.W() * float64(s.shown)))
	if i < 0 || i >= s.shown || math.Abs(x-s.functionX(i)) > 2.5*s.em {
		return 0, false
	}
	return i, true
}
