package measures

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the tables placed in a frame: beside each other where they have room, else below.
type sheet struct {
	*view.Frame
	g       *Geometry
	em      float64
	line    float64 // height of a line, in pixels
	scroll  float64 // lines above the area
	visible float64 // lines in it
	total   float64 // lines of all
	parts   []part
}

// A part is a table with its place.
type part struct {
	*table
	x0, x1  float64 // pixels
	top     float64 // of the title, in lines from the beginning of the sheet
	height  float64 // lines
	name    float64 // width of the names
	columns []float64
	bar     float64 // width of the bars, 0 for none
}

const (
	barEms  = 7
	gapEms  = 2.4 // between tables
	padEms  = 1.3 // between columns
	nameEms = 17  // at most
	measure = 500 // names whose width is asked for
)

func layout(f *view.Frame, g *Geometry) *sheet {
	em := float64(f.Style.Font)
	s := &sheet{Frame: f, g: g, em: em, line: math.Round(1.6 * em)}
	s.visible = max(math.Floor(f.Area.H()/s.line), 1)
	s.place()
	for i := range s.parts {
		s.total = max(s.total, s.parts[i].top+s.parts[i].height)
	}
	if f.Camera.ScaleY > 0 {
		s.scroll = s.clamp(math.Round(f.Camera.Y - s.visible/2))
	}
	return s
}

func (s *sheet) clamp(scroll float64) float64 {
	return max(min(scroll, s.total-s.visible), 0)
}

// page is how many lines a page has besides the headings and the line that says how many more there are.
func (s *sheet) page() float64 { return max(s.visible-3, 1) }

// place puts the tables into bands.
func (s *sheet) place() {
	room := s.Area.W()
	x, top, band := 0.0, 0.0, 0.0 // height of the band so far
	for i := range s.g.tables {
		p := s.size(&s.g.tables[i])
		w := p.x1
		if x > 0 && x+w > room && x+w-p.bar <= room { // without bars it still fits
			w, p.bar = w-p.bar, 0
		}
		if x > 0 && x+w > room {
			x, top, band = 0, top+band+1, 0
		}
		if w > room {
			w, p.bar = w-p.bar, 0
		}
		if len(p.columns) > 0 { // names give way to the first number
			p.name -= max(min(p.name+p.columns[0]+1-room, p.name-3*s.em), 0)
		}
		p.x0, p.x1, p.top = s.Area.X0+x, s.Area.X0+x+min(w, room), top
		x += w + gapEms*s.em
		band = max(band, p.height)
		s.parts = append(s.parts, p)
	}
}

// size measures a table; x1 is its width.
func (s *sheet) size(t *table) part {
	p := part{table: t, height: float64(t.lines())}
	width := func(text string, face scene.Face) float64 { return float64(s.Text.Width(text, s.Style.Font, face)) }
	p.name = width(t.title, scene.Bold)
	for i := range min(t.n, measure) {
		p.name = max(p.name, width(t.name(i), scene.Regular))
	}
	if t.n > 0 {
		p.name = max(p.name, width(t.name(t.n-1), scene.Regular))
	}
	p.name = math.Ceil(min(p.name, nameEms*s.em)) + 0.4*s.em
	p.x1 = p.name
	for _, c := range t.columns {
		w := max(width(c.title, scene.Regular), width(c.widest, scene.Regular))
		if t.sums {
			w = max(w, width(c.cell(-1), scene.Bold))
		} else {
			for i := range t.n {
				w = max(w, width(c.cell(i), scene.Regular))
			}
		}
		w = math.Ceil(w + padEms*s.em)
		p.columns = append(p.columns, w)
		p.x1 += w
	}
	if t.bar != nil {
		p.bar = (barEms + 1) * s.em
		p.x1 += p.bar
	}
	p.x1 += 0.4 * s.em
	return p
}

// y is where a line of the sheet begins.
func (s *sheet) y(line float64) float64 { return s.Area.Y0 + (line-s.scroll)*s.line }

// head is where the headings of a table stand: they stay in sight while its rows do. ok is false when nothing of it is seen.
func (s *sheet) head(p *part) (y float64, ok bool) {
	y = max(s.y(p.top), s.Area.Y0)
	y = min(y, s.y(p.top+p.height-1))
	return y, y >= s.Area.Y0-1 && y+s.line <= s.Area.Y1+1
}

// rows is the range of rows of a table that are seen; -1 is that of the sums. more is how many follow that have no room: a line says so.
func (s *sheet) rows(p *part) (first, end, more int) {
	head, ok := s.head(p)
	if !ok {
		return 0, 0, 0
	}
	least := 0
	if p.sums {
		least = -1
	}
	first = least + max(int(math.Ceil((head+s.line-s.row(p, least))/s.line-1e-6)), 0)
	end = min(least+int(math.Floor((s.Area.Y1-s.row(p, least))/s.line+1e-6)), p.n)
	if end < p.n {
		end--
	}
	end = max(end, first)
	return first, end, p.n - end
}

// row is where row i of a table begins.
func (s *sheet) row(p *part, i int) float64 {
	if p.sums {
		i++
	}
	return s.y(p.top + 1 + float64(i))
}

// rect is the place of row i.
func (s *sheet) rect(p *part, i int) scene.Rect {
	y := s.row(p, i)
	return scene.Rect{X0: p.x0, Y0: y, X1: p.x1, Y1: y + s.line}
}
