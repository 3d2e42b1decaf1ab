package measures

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet holds the positions of the tables in a frame: side by side if they fit, otherwise one below the other.
type sheet struct {
	*view.Frame
	g       *Geometry
	em      float64
	line    float64 // height of a line, in pixels
	scroll  float64 // lines above the area
	visible float64 // lines in the area
	total   float64 // lines of the sheet
	parts   []part
}

// A part is a table with its position.
type part struct {
	*table
	x0, x1  float64   // both ends, in pixels
	top     float64   // line of the title in the sheet
	height  float64   // in lines
	name    float64   // width of the names
	columns []float64 // widths of the columns
	bar     float64   // width of the bars, 0 for none
}

const (
	barEms  = 7
	gapEms  = 2.4 // space between tables
	padEms  = 1.3 // space between columns
	nameEms = 17  // largest width of names
	measure = 500 // number of names measured
)

// layout places the tables in a frame for its camera.
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

// page returns the lines of a page, without the headings and the line for omitted rows.
func (s *sheet) page() float64 { return max(s.visible-3, 1) }

// place arranges the tables in bands, from left to right.
func (s *sheet) place() {
	inset := 0.5 * s.em
	room := s.Area.W() - inset
	x, top, band := 0.0, 0.0, 0.0 // band is the height of the current band
	for i := range s.g.tables {
		p := s.size(&s.g.tables[i])
		w := p.x1
		if x > 0 && x+w > room && x+w-p.bar <= room { // the table fits without bars
			w, p.bar = w-p.bar, 0
		}
		if x > 0 && x+w > room {
			x, top, band = 0, top+band+1, 0
		}
		if w > room {
			w, p.bar = w-p.bar, 0
		}
		if len(p.columns) > 0 { // shorten names for the first column
			p.name -= max(min(p.name+p.columns[0]+1-room, p.name-3*s.em), 0)
		}
		p.x0 = s.Area.X0 + inset + x
		p.x1, p.top = p.x0+min(w, room), top
		x += w + gapEms*s.em
		band = max(band, p.height)
		s.parts = append(s.parts, p)
	}
}

// size measures a table. x1 of the result is its width.
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

// y returns the top of a line of the sheet.
func (s *sheet) y(line float64) float64 { return s.Area.Y0 + (line-s.scroll)*s.line }

// head returns the top of the headings of a table, which stay visible as long as its rows. It reports false if the table is out of sight.
func (s *sheet) head(p *part) (y float64, ok bool) {
	y = max(s.y(p.top), s.Area.Y0)
	y = min(y, s.y(p.top+p.height-1))
	return y, y >= s.Area.Y0-1 && y+s.line <= s.Area.Y1+1
}

// rows returns the visible rows of a table from first to end-1; row -1 has the sums. more is the number of rows after them, which a line reports.
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

// row returns the top of row i of a table.
func (s *sheet) row(p *part, i int) float64 {
	if p.sums {
		i++
	}
	return s.y(p.top + 1 + float64(i))
}

// rect returns the rectangle of row i.
func (s *sheet) rect(p *part, i int) scene.Rect {
	y := s.row(p, i)
	return scene.Rect{X0: p.x0, Y0: y, X1: p.x1, Y1: y + s.line}
}
