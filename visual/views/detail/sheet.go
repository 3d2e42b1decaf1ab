package detail

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

const few = 2 // lines above the hottest one

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Revealer
	view.Shower
} = (*Listing)(nil)

// A Listing is the picture of instructions. Its camera's Y is the number of items scrolled out at the top.
type Listing struct{ *Geometry }

// An item is a row of the listing: a line of the program or, below it, one of its instructions.
type item struct {
	line lineprofile.Line
	code uint32 // 0 for a line
}

// A sheet is the layout of the listing in a frame.
type sheet struct {
	grid
	counts  *lineplot.Instructions
	items   []item
	bare    bool    // the trace has no instructions; lines have the counts
	rows    [2]int  // rows of the column whose instructions are listed, without the end
	top     float64 // top of the first item
	line    float64 // height of an item
	first   int     // first visible item
	visible int     // number of items with room
	number  float64 // right end of the line numbers
	text    float64 // left end of the text
	most    int64   // the largest count
}

// sheet lists the instructions of the detail's lines or, without a detail, of the lines around the hottest one.
func (l *Listing) sheet(f *view.Frame) *sheet {
	g := l.Geometry
	s := &sheet{grid: grid{f: f, g: g, em: float64(f.Style.Font), size: f.Style.Font}, counts: g.Instructions(f.Counted())}
	s.top = math.Round(f.Area.Y0 + 2.7*s.em)
	if f.Area.H() < 12*s.em {
		s.top = math.Round(f.Area.Y0 + 1.4*s.em)
	}
	s.line = math.Round(lineEms * s.em)
	s.visible = max(int((f.Area.Y1-s.top)/s.line), 1)
	if g.Column.Rows() > 0 {
		first, end := g.Detail(f.Detail)
		if f.Detail == nil {
			hot, _ := g.Hottest(g.All().Lines)
			low, high := g.Column.FileOf(hot)
			first = max(hot-few, low)
			if g.line > 0 {
				first = min(low+int(g.line)-1, high-1)
			}
			end = min(first+max(s.visible, 40), high)
		}
		s.rows = [2]int{first, end}
		line := g.Column.Line(first)
		codes := g.Profile.Instructions(line.File, line.Line, line.Line+int32(end-first)-1)
		slices.SortStableFunc(codes, func(a, b uint32) int {
			x, _ := g.Profile.LineOf(a)
			y, _ := g.Profile.LineOf(b)
			return cmp.Compare(x.Line, y.Line)
		})
		for _, c := range codes {
			l, _ := g.Profile.LineOf(c)
			if n := len(s.items); n == 0 || s.items[n-1].line != l {
				s.items = append(s.items, item{line: l})
			}
			s.items = append(s.items, item{l, c})
		}
		s.bare = len(g.Instructions(nil).Rows) == 0
		for row := first; s.bare && row < end; row++ {
			s.items = append(s.items, item{line: g.Column.Line(row)})
		}
	}
	s.first = s.scrolled(f.Camera.Y)
	width := func(t string) float64 { return float64(f.Text.Width(t, s.size, scene.Mono)) }
	s.number = math.Round(f.Area.X0 + 0.7*s.em)
	if f.Area.W() > 14*s.em {
		last := 1
		if s.rows[1] > 0 {
			last = int(g.Column.Line(s.rows[1] - 1).Line)
		}
		s.number += math.Round(width(strconv.Itoa(max(last, 1000))))
	}
	x := s.number + math.Round(0.7*s.em)
	s.most = s.counts.Most
	if s.bare {
		s.most = g.Counted(f).Lines.Most
	}
	s.place(x, 0.5*(f.Area.X1-x), s.most)
	s.text = math.Round(s.end() + 0.9*s.em)
	return s
}

// scrolled returns the first visible item for a camera's Y, kept within the listing.
func (s *sheet) scrolled(y float64) int {
	return int(max(min(math.Round(y), float64(len(s.items)-s.visible)), 0))
}

// y returns the top of an item.
func (s *sheet) y(item int) float64 { return s.top + float64(item-s.first)*s.line }

// itemAt returns the item at a pixel, or -1 for none.
func (s *sheet) itemAt(y float64) int {
	k := s.first + int(math.Floor((y-s.top)/s.line))
	if y < s.top || k < 0 || k >= min(len(s.items), s.first+s.visible) {
		return -1
	}
	return k
}

// scale returns the heat scale of the frame.
func (s *sheet) scale() lineplot.Scale {
	return s.g.Scale(s.g.colours, s.most, s.g.normalised)
}
