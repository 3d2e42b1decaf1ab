package lineplot

import (
	"slices"
	"sort"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
)

// A Column is all lines of the program below each other: file after file, each as long as its text or, where the trace does not hold that,
// as far as its lines are known. Rows count from 0.
type Column struct {
	files []lineprofile.File
	first []int // the row of line 1 of each file, and the end
}

// NewColumn is the column of a profile.
func NewColumn(p *lineprofile.Profile) *Column {
	c := &Column{files: p.Files, first: make([]int, 1, len(p.Files)+1)}
	for _, f := range p.Files {
		c.first = append(c.first, c.first[len(c.first)-1]+int(max(f.Lines, 0)))
	}
	return c
}

// Rows is how many lines there are.
func (c *Column) Rows() int { return c.first[len(c.files)] }

// Row is where a line stands, kept within its file.
func (c *Column) Row(l lineprofile.Line) int {
	f := c.files[l.File]
	return c.first[l.File] + int(min(max(l.Line, 1), max(f.Lines, 1))) - 1
}

// Line is the line of a row, from 0 to Rows-1.
func (c *Column) Line(row int) lineprofile.Line {
	k := sort.SearchInts(c.first, row+1) - 1
	return lineprofile.Line{File: int32(k), Line: int32(row - c.first[k] + 1)}
}

// File is the name of the file of a row.
func (c *Column) File(row int) string { return c.files[c.Line(row).File].Name }

// Of is the rows of some lines, from first to end-1; false where there is no such file.
func (c *Column) Of(l view.Lines) (first, end int, ok bool) {
	k := slices.IndexFunc(c.files, func(f lineprofile.File) bool { return f.Name == l.File })
	if k < 0 {
		k = slices.IndexFunc(c.files, func(f lineprofile.File) bool { return view.SameFile(f.Name, l.File) })
	}
	if k < 0 || l.First < 1 || l.First > c.files[k].Lines {
		return 0, 0, false
	}
	f := int32(k)
	return c.Row(lineprofile.Line{File: f, Line: l.First}), c.Row(lineprofile.Line{File: f, Line: l.End()}) + 1, true
}

// Lines are the lines of the rows from first to end-1, those of the file of the first.
func (c *Column) Lines(first, end int) view.Lines {
	l := c.Line(first)
	return view.Lines{File: c.files[l.File].Name, First: l.Line, Last: c.Line(min(end, c.first[l.File+1]) - 1).Line}
}

// FileOf is the range of rows of the file that a row is of.
func (c *Column) FileOf(row int) (first, end int) {
	k := c.Line(min(max(row, 0), max(c.Rows()-1, 0))).File
	return c.first[k], c.first[k+1]
}
