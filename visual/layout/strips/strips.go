// Package strips lays a very long column of lines out as an overview that fits a screen: long runs of empty lines are left out, what
// remains is put into bins of a few lines each, and the column of bins is cut into strips that stand side by side, as pages of a listing
// would (PerfVisS, section 2.2.1). Every line has its place there and every place its lines, and a range of lines is a few rectangles.
//
// Lines, positions, bins, strips and rows count from 0. A position is the place of a line among those that are kept.
package strips

import (
	"slices"
	"sort"
)

// Params say how a column is laid out.
type Params struct {
	Skip int // runs of more empty lines than this are left out, as wholes; below 0 none are
	Bin  int // lines in a bin, at least 1
	Rows int // bins in a strip, at least 1
}

// A Layout is a column of lines in strips.
type Layout struct {
	Params
	Lines int // of the column
	Kept  int // that are not left out
	Bins  int
	runs  []run // of lines that are kept, ascending
}

// A run is lines that follow each other, from the line first on at the position at.
type run struct{ first, at, n int }

// New lays n lines out, of which busy, ascending and each once, are not empty. Those outside are passed over.
func New(n int, busy []int, p Params) *Layout {
	p.Bin, p.Rows = max(p.Bin, 1), max(p.Rows, 1)
	l := &Layout{Params: p, Lines: max(n, 0)}
	next := 0 // the first line that is not yet dealt with
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

// Strips is how many strips there are. The last may be shorter than the others.
func (l *Layout) Strips() int { return (l.Bins + l.Rows - 1) / l.Rows }

// Position is the place of a line among those that are kept; of one that is left out, and of one that is not there, that of the next one
// that is kept, and false.
func (l *Layout) Position(line int) (int, bool) {
	k := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].first+l.runs[k].n > line })
	switch {
	case k == len(l.runs):
		return l.Kept, false
	case l.runs[k].first > line:
		return l.runs[k].at, false
	}
	return l.runs[k].at + line - l.runs[k].first, true
}

// Line is the line at a position, from 0 to Kept-1.
func (l *Layout) Line(position int) int {
	k := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].at+l.runs[k].n > position })
	return l.runs[k].first + position - l.runs[k].at
}

// Cell is the strip and the row in it of a bin.
func (l *Layout) Cell(bin int) (strip, row int) { return bin / l.Rows, bin % l.Rows }

// BinAt is the bin of a strip and a row, false where there is none.
func (l *Layout) BinAt(strip, row int) (int, bool) {
	bin := strip*l.Rows + row
	return bin, strip >= 0 && row >= 0 && row < l.Rows && bin < l.Bins
}

// Positions is the range of positions of a bin.
func (l *Layout) Positions(bin int) (from, end int) {
	return bin * l.Bin, min((bin+1)*l.Bin, l.Kept)
}

// Span is the range of lines that a bin reaches over, what is left out between them included.
func (l *Layout) Span(bin int) (first, end int) {
	from, to := l.Positions(bin)
	return l.Line(from), l.Line(to-1) + 1
}

// A Piece is the part of a range of lines that lies in one strip: rows from From to End-1.
type Piece struct{ Strip, From, End int }

// Wrap is where the lines from first to end-1 are: a piece for each strip that they reach, in order; none where all of them are left out.
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

// Fit is the smallest number of lines in a bin with which a column has at most so many strips.
func (l *Layout) Fit(strips int) int {
	most := max(strips, 1) * l.Rows
	return max((l.Kept+most-1)/most, 1)
}

// With is the layout of the same lines with other bins and strips.
func (l *Layout) With(bin, rows int) *Layout {
	m := *l
	m.Bin, m.Rows = max(bin, 1), max(rows, 1)
	m.Bins = (m.Kept + m.Bin - 1) / m.Bin
	m.runs = slices.Clip(l.runs)
	return &m
}
