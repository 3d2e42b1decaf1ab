// Package strips lays out a very long column of lines as an overview that fits a screen (PerfVisS, section 2.2.1).
// Long runs of empty lines are left out, the remaining lines are put into bins of a few lines each, and the column of
// bins is cut into strips that stand side by side like the pages of a listing. Lines and places map to each other in
// both directions, and a range of lines maps to a few rectangles.
//
// Lines, positions, bins, strips and rows count from 0. A position is the index of a line among the kept lines.
package strips

import (
	"slices"
	"sort"
)

// Params are the parameters of a layout.
type Params struct {
	Skip int // runs of more empty lines than this are left out entirely; negative to keep all
	Bin  int // lines in a bin, at least 1
	Rows int // bins in a strip, at least 1
}

// A Layout is a column of lines in strips.
type Layout struct {
	Params
	Lines int // all lines of the column
	Kept  int // lines that are not left out
	Bins  int
	runs  []run // the kept lines, ascending
}

// A run is n consecutive kept lines from first on. The first of them has the given position.
type run struct{ first, position, n int }

// New lays out n lines. busy lists those that are not empty, ascending and each once; lines outside the column are
// ignored.
func New(n int, busy []int, p Params) *Layout {
	p.Bin, p.Rows = max(p.Bin, 1), max(p.Rows, 1)
	l := &Layout{Params: p, Lines: max(n, 0)}
	next := 0 // the first line not yet handled
	gap := func(end int) {
		if p.Skip < 0 || end-next <= p.Skip {
			l.keep(next, end)
		}
		next = end
	}
	for _, b := range busy {
		if b >= next && b < l.Lines {
			gap(b)
			l.keep(b, b+1)
			next = b + 1
		}
	}
	gap(l.Lines)
	l.Bins = (l.Kept + p.Bin - 1) / p.Bin
	return l
}

func (l *Layout) keep(first, end int) {
	if end <= first {
		return
	}
	if k := len(l.runs) - 1; k >= 0 && l.runs[k].first+l.runs[k].n == first {
		l.runs[k].n += end - first
	} else {
		l.runs = append(l.runs, run{first, l.Kept, end - first})
	}
	l.Kept += end - first
}

// Strips returns the number of strips. The last may be shorter than the others.
func (l *Layout) Strips() int { return (l.Bins + l.Rows - 1) / l.Rows }

// Position returns the index of a line among the kept lines and true. For any other line it returns the index of the
// next kept line and false.
func (l *Layout) Position(line int) (int, bool) {
	k := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].first+l.runs[k].n > line })
	switch {
	case k == len(l.runs):
		return l.Kept, false
	case l.runs[k].first > line:
		return l.runs[k].position, false
	}
	return l.runs[k].position + line - l.runs[k].first, true
}

// Line returns the line at a position from 0 to Kept-1.
func (l *Layout) Line(position int) int {
	k := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].position+l.runs[k].n > position })
	return l.runs[k].first + position - l.runs[k].position
}

// Cell returns the strip of a bin and the row in that strip.
func (l *Layout) Cell(bin int) (strip, row int) { return bin / l.Rows, bin % l.Rows }

// BinAt returns the bin in a row of a strip, and false if there is none.
func (l *Layout) BinAt(strip, row int) (int, bool) {
	bin := strip*l.Rows + row
	return bin, strip >= 0 && row >= 0 && row < l.Rows && bin < l.Bins
}

// Positions returns the range of positions of a bin.
func (l *Layout) Positions(bin int) (from, end int) {
	return bin * l.Bin, min((bin+1)*l.Bin, l.Kept)
}

// Span returns the range of lines from the first to the last of a bin, including left-out lines between them.
func (l *Layout) Span(bin int) (first, end int) {
	from, to := l.Positions(bin)
	return l.Line(from), l.Line(to-1) + 1
}

// A Piece is the part of a range of lines that lies in one strip: rows from From to End-1.
type Piece struct{ Strip, From, End int }

// Wrap returns the cells of the lines from first to end-1 as one piece for each strip, in order. It returns none if
// all of the lines are left out.
func (l *Layout) Wrap(first, end int) []Piece {
	from, _ := l.Position(first)
	to, _ := l.Position(end)
	if from >= to {
		return nil
	}
	var pieces []Piece
	last := (to - 1) / l.Bin
	for bin := from / l.Bin; bin <= last; {
		strip, row := l.Cell(bin)
		rows := min(l.Rows-row, last-bin+1)
		pieces = append(pieces, Piece{strip, row, row + rows})
		bin += rows
	}
	return pieces
}

// Fit returns the smallest bin size with which the column needs at most the given number of strips.
func (l *Layout) Fit(strips int) int {
	most := max(strips, 1) * l.Rows
	return max((l.Kept+most-1)/most, 1)
}

// With returns a layout of the same lines with other sizes of bins and strips.
func (l *Layout) With(bin, rows int) *Layout {
	m := *l
	m.Bin, m.Rows = max(bin, 1), max(rows, 1)
	m.Bins = (m.Kept + m.Bin - 1) / m.Bin
	m.runs = slices.Clip(l.runs)
	return &m
}
