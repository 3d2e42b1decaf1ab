package detail

import (
	"math"
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

const (
	lineEms  = 1.5  // preferred height of a line
	textEms  = 1.22 // least height of a line for text of 1 em
	leastEm  = 5.5  // pixels; smaller text is not drawn
	leastRow = 1    // pixels

	wideCells   = 0.42 // share of the width that cells may have
	narrowCells = 0.25 // the same, if there is room for the mean and the variance then
)

// A layout holds the positions of all parts of a frame, in pixels.
type layout struct {
	grid
	sums *lineplot.Sums

	first, end int     // visible rows of the column
	count      int     // rows of the detail
	row        float64 // height of a row
	digit      float64 // width of a character of program text
	top        float64 // top of the rows

	number     float64 // right end of the line numbers
	text, stop float64 // both ends of the program text; equal if there is none
	bars       bars
	map0       float64 // left end of the overview of the file
}

// layout places the columns. In a narrow pane it drops the mean and the variance first, then the bars, then the text.
func (g *Geometry) layout(f *view.Frame) *layout {
	l := &layout{grid: grid{f: f, g: g, em: float64(f.Style.Font)}, sums: g.Counted(f)}
	l.top = math.Round(f.Area.Y0 + 2.7*l.em)
	if f.Area.H() < 12*l.em {
		l.top = math.Round(f.Area.Y0 + 1.4*l.em)
	}
	l.rows()
	l.size = float32(min(l.em, l.row/textEms))
	if l.size < leastEm {
		l.size = 0
	}
	l.digit = float64(f.Text.Width("0", max(l.size, leastEm), scene.Mono))
	l.columns()
	return l
}

// rows finds the visible rows and their height: the rows of the detail and, if there is room, those after it or, at the end of the file, before it.
func (l *layout) rows() {
	room := max(l.f.Area.Y1-l.top, 1)
	good := math.Round(lineEms * l.em)
	fit := max(int(room/good), 1)
	low, high := 0, l.g.Column.Rows()
	if d := l.f.Detail; d != nil {
		if first, end, ok := l.g.Column.RowsOf(*d); ok {
			l.first, l.count = first, end-first
			low, high = l.g.Column.FileOf(first)
		}
	}
	if l.count == 0 {
		l.count = fit
		hot, _ := l.g.Hottest(l.g.All().Lines)
		if high > 0 {
			low, high = l.g.Column.FileOf(hot)
		}
		l.first = hot - fit/2
		if first, end := l.g.Detail(nil); fit >= end-first { // the rows outlined by the overview
			l.first = first
		}
		if l.g.line > 0 {
			l.first = low + int(l.g.line) - 1
		}
		l.first = max(min(l.first, high-fit), low)
	}
	l.row = max(min(room/float64(l.count), good), leastRow)
	if n := int(room/l.row + 0.01); l.first+n > high { // fill the room after the end with rows before it
		l.first = max(min(l.first, high-n), low)
	}
	l.end = min(l.first+int(room/l.row+0.01), high) // whole rows
}

// y returns the top of a row.
func (l *layout) y(row int) float64 { return l.top + math.Round(float64(row-l.first)*l.row) }

// rowAt returns the row at a pixel, or -1 for none.
func (l *layout) rowAt(y float64) int {
	row := l.first + int(math.Floor((y-l.top)/l.row))
	if y < l.top || y > l.f.Area.Y1 || row >= l.end || row < l.first {
		return -1
	}
	return row
}

// columns places the columns side by side.
func (l *layout) columns() {
	f, em := l.f, l.em
	low, high := 0, 0
	if l.end > l.first {
		low, high = l.g.Column.FileOf(l.first)
	}
	l.number = math.Round(f.Area.X0 + 0.7*em)
	if f.Area.W() > 12*em {
		l.number += math.Round(l.digit * float64(len(strconv.Itoa(max(high-low, 1)))))
	}
	l.map0 = f.Area.X1 - math.Round(0.8*em)
	x, right := l.number+math.Round(0.7*em), l.map0-math.Round(0.5*em)
	l.across = &lineplot.Across{Order: &lineplot.Order{}, Size: 1}
	longest := l.longest()
	text := float64(longest+1) * l.digit
	all, from := l.newBars(), x
	var barsWidth float64
	fit := func(share float64) {
		if l.g.heatmap() {
			l.place(from, share*(right-from), l.sums.Lines.Most)
			x = math.Round(l.grid.end() + 0.9*em)
		}
		l.bars = all
		barsWidth = l.bars.fit(right-x-0.9*em, text, l.g.heatmap())
	}
	fit(wideCells)
	if l.g.heatmap() && len(l.bars.kinds) < len(titles) {
		if fit(narrowCells); len(l.bars.kinds) < len(titles) {
			fit(wideCells)
		}
	}
	l.text, l.stop = x, x
	least := 12 * em
	if longest > 0 {
		least = min(least, text)
	}
	if left := right - x - barsWidth; left >= least || barsWidth == 0 { // as wide as the longest line; the bars get the rest
		l.stop = x + left
		if barsWidth > 0 {
			l.stop = min(l.stop, x+max(16*em, text))
			if most := x + max(60*l.digit, left-8*em); l.stop > most {
				l.stop = most
			}
		}
	}
	if barsWidth == 0 {
		l.bars = bars{}
		return
	}
	begin := l.stop
	if l.stop > l.text {
		begin += 0.9 * em
	}
	l.bars.place(math.Round(begin), right)
}

// longest returns the length of the longest line of the file in characters.
func (l *layout) longest() int {
	if l.end <= l.first {
		return 0
	}
	return l.g.text.Longest(l.g.Column.Line(l.first).File)
}

// mapY returns the top of a row in the overview of its file.
func (l *layout) mapY(row int) float64 {
	low, high := l.file()
	return math.Round(l.top + (l.f.Area.Y1-l.top)*float64(row-low)/float64(max(high-low, 1)))
}

// file returns the rows of the visible file, from low to high-1.
func (l *layout) file() (low, high int) {
	if l.g.Column.Rows() == 0 {
		return 0, 0
	}
	return l.g.Column.FileOf(min(l.first, l.g.Column.Rows()-1))
}

// table calls f for each visible row with counts; i is its index in the table.
func (l *layout) table(f func(row int, i int, r *lineprofile.Row)) {
	t := l.sums.Lines
	if l.end <= l.first {
		return
	}
	line := l.g.Column.Line(l.first)
	low, _ := l.file()
	from, end := t.Lines(line.File, line.Line, int32(l.end-low))
	for i := from; i < end; i++ {
		f(l.g.Column.Row(t.Rows[i].Line), i, &t.Rows[i])
	}
}
