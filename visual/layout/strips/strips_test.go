package strips

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A plain layout is computed line by line.
type plain struct {
	kept  []int // lines
	cells map[int][2]int
}

// slowly lays out lines as the paper words it: it drops runs of more than skip empty lines and counts off the rest.
func slowly(n int, busy map[int]bool, p Params) plain {
	out := plain{cells: map[int][2]int{}}
	for i := 0; i < n; {
		j := i
		for j < n && !busy[j] {
			j++
		}
		if p.Skip < 0 || j-i <= p.Skip {
			for k := i; k < j; k++ {
				out.kept = append(out.kept, k)
			}
		}
		if j < n {
			out.kept = append(out.kept, j)
		}
		i = j + 1
	}
	strip, row, inBin := 0, 0, 0
	for _, line := range out.kept {
		if inBin == p.Bin {
			inBin = 0
			row++
		}
		if row == p.Rows {
			row = 0
			strip++
		}
		out.cells[line] = [2]int{strip, row}
		inBin++
	}
	return out
}

type column struct {
	n    int
	busy []int
	is   map[int]bool
	p    Params
}

func columns(t *rapid.T) column {
	c := column{n: rapid.IntRange(0, 400).Draw(t, "lines"), is: map[int]bool{}}
	c.p = Params{rapid.IntRange(-1, 60).Draw(t, "skip"), rapid.IntRange(1, 9).Draw(t, "bin"), rapid.IntRange(1, 30).Draw(t, "rows")}
	line := 0
	for line < c.n {
		if rapid.Bool().Draw(t, "busy") {
			for range rapid.IntRange(1, 20).Draw(t, "run") {
				if line < c.n {
					c.busy, c.is[line] = append(c.busy, line), true
				}
				line++
			}
		}
		line += rapid.IntRange(1, 80).Draw(t, "gap")
	}
	return c
}

// TestRoundTrip checks that every kept line maps to a strip and a bin and back, in agreement with a count line by
// line.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := columns(t)
		l := New(c.n, c.busy, c.p)
		want := slowly(c.n, c.is, c.p)
		if l.Kept != len(want.kept) {
			t.Fatalf("%d lines are kept, want %d", l.Kept, len(want.kept))
		}
		cells := map[[2]int]int{} // lines in each cell
		for _, cell := range want.cells {
			cells[cell]++
		}
		if l.Bins != len(cells) {
			t.Fatalf("%d bins, want %d", l.Bins, len(cells))
		}
		for line := -1; line <= c.n; line++ {
			p, ok := l.Position(line)
			cell, kept := want.cells[line]
			if ok != kept {
				t.Fatalf("Position of line %d returns %v, want %v", line, ok, kept)
			}
			if !ok { // it stands where the next kept line does
				if next, there := slices.BinarySearch(want.kept, line); there || p != next {
					t.Fatalf("line %d is left out and has position %d, want %d", line, p, next)
				}
				continue
			}
			if back := l.Line(p); back != line {
				t.Fatalf("line %d at %d is line %d", line, p, back)
			}
			strip, row := l.Cell(p / l.Bin)
			if [2]int{strip, row} != cell {
				t.Fatalf("line %d is in %d,%d, want %v", line, strip, row, cell)
			}
			bin, ok := l.BinAt(strip, row)
			from, end := l.Positions(bin)
			if !ok || p < from || p >= end || end-from != cells[cell] {
				t.Fatalf("line %d, position %d: bin %d from %d to %d of %d lines", line, p, bin, from, end, cells[cell])
			}
			if first, end := l.Span(bin); line < first || line >= end {
				t.Fatalf("line %d is not in bin %d, %d to %d", line, bin, first, end)
			}
		}
		if l.Strips() > 0 {
			if _, ok := l.BinAt(l.Strips()-1, 0); !ok {
				t.Fatalf("the last of %d strips is empty", l.Strips())
			}
		}
		if _, ok := l.BinAt(l.Strips(), 0); ok {
			t.Fatalf("there are more than %d strips", l.Strips())
		}
	})
}

// TestWrap checks that the pieces of a range of lines are exactly the cells of its lines, one piece for each strip.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := columns(t)
		l := New(c.n, c.busy, c.p)
		cells := slowly(c.n, c.is, c.p).cells
		first, end := rapid.IntRange(-2, c.n+2).Draw(t, "first"), rapid.IntRange(-2, c.n+2).Draw(t, "end")
		want := map[[2]int]bool{}
		for line := first; line < end; line++ {
			if cell, ok := cells[line]; ok {
				want[cell] = true
			}
		}
		n, last := 0, -1
		for _, p := range l.Wrap(first, end) {
			if p.Strip <= last && last >= 0 || p.End <= p.From || p.End > l.Rows {
				t.Fatalf("piece %+v after strip %d", p, last)
			}
			last = p.Strip
			for row := p.From; row < p.End; row++ {
				if n++; !want[[2]int{p.Strip, row}] {
					t.Fatalf("lines %d to %d are not in strip %d, row %d", first, end, p.Strip, row)
				}
			}
		}
		if n != len(want) {
			t.Fatalf("lines %d to %d lie in %d cells, want %d", first, end, n, len(want))
		}
	})
}

// TestWith checks that With equals a new layout with the same parameters, and that Fit returns the least bin that
// fits.
func TestWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := columns(t)
		l := New(c.n, c.busy, c.p)
		bin, rows := rapid.IntRange(1, 9).Draw(t, "other bin"), rapid.IntRange(1, 30).Draw(t, "other rows")
		if got, want := fmt.Sprint(*l.With(bin, rows)), fmt.Sprint(*New(c.n, c.busy, Params{c.p.Skip, bin, rows})); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		strips := rapid.IntRange(1, 20).Draw(t, "strips")
		fit := l.Fit(strips)
		if l.With(fit, l.Rows).Strips() > strips || fit > 1 && l.With(fit-1, l.Rows).Strips() <= strips {
			t.Fatalf("bins of %d lines for %d strips", fit, strips)
		}
	})
}

// TestByHand checks a layout worked out by hand.
func TestByHand(t *testing.T) {
	// lines 0 . . 3 4 . . . 8 .; without the run of three empty lines: 0 1 2 3 4 8 9
	l := New(10, []int{0, 3, 4, 8}, Params{Skip: 2, Bin: 2, Rows: 3})
	if l.Kept != 7 || l.Bins != 4 || l.Strips() != 2 {
		t.Fatalf("%d lines in %d bins in %d strips", l.Kept, l.Bins, l.Strips())
	}
	if got := l.Wrap(4, 10); !slices.Equal(got, []Piece{{0, 2, 3}, {1, 0, 1}}) {
		t.Errorf("lines 4 to 9 are at %v", got)
	}
	if first, end := l.Span(2); first != 4 || end != 9 {
		t.Errorf("bin 2 reaches from %d to %d", first, end)
	}
	if got := l.Wrap(5, 8); got != nil {
		t.Errorf("lines that are left out are at %v", got)
	}
	none := New(0, nil, Params{})
	if none.Strips() != 0 || none.Wrap(0, 5) != nil {
		t.Error("a column without lines is not empty")
	}
	empty := New(100, nil, Params{Skip: 50, Bin: 4, Rows: 80})
	if empty.Kept != 0 || empty.Strips() != 0 || empty.Fit(14) != 1 {
		t.Error("a column of empty lines keeps some")
	}
	if l := New(3, []int{-4, 1, 1, 7}, Params{Skip: 0}); l.Kept != 1 || l.Line(0) != 1 {
		t.Errorf("lines outside: %d kept", l.Kept)
	}
}
