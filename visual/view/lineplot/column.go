package lineplot

import (
	"slices"
	"sort"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
)

// A Column lists all lines of the program, file after file. A file has the length of its text or, if the trace does not hold the text,
// ends with its last known line. Rows count from 0.
type Column struct {
	files []lineprofile.File
	first []int // the row of line 1 of each file, then the number of rows
}

// NewColumn returns the column of a profile.
func NewColumn(p *lineprofile.Profile) *Column {
	c := &Column{files: p.Files, first: make([]int, 1, len(p.Files)+1)}
	for _, f := range p.Files {
		c.first = append(c.first, c.first[len(c.first)-1]+int(max(f.Lines, 0)))
	}
	return c
}

// Rows returns the number of rows.
func (c *Column) Rows() int { return c.first[len(c.files)] }

// Row returns the row of a line. A line outside its file is moved to the nearest line of the file.
func (c *Column) Row(l lineprofile.Line) int {
	f := c.files[l.File]
	return c.first[l.File] + int(min(max(l.Line, 1), max(f.Lines, 1))) - 1
}

// Line returns the line of a row from 0 to Rows-1.
func (c *Column) Line(row int) lineprofile.Line {
	k := sort.SearchInts(c.first, row+1) - 1
	return lineprofile.Line{File: int32(k), Line: int32(row - c.first[k] + 1)}
}

// File returns the name of the file of a row.
func (c *Column) File(row int) string { return c.files[c.Line(row).File].Name }

// RowsOf returns the rows of l, from first to end-1. It reports false if the column has no such file or line.
func (c *Column) RowsOf(l view.Lines) (first, end int, ok bool) {
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

// Lines returns the lines of the rows from first to end-1 that lie in the file of the first row.
func (c *Column) Lines(first, end int) view.Lines {
	l := c.Line(first)
	return view.Lines{File: c.files[l.File].Name, First: l.Line, Last: c.Line(min(end, c.first[l.File+1]) - 1).Line}
}

// FileOf returns the rows of the file that contains a row, from first to end-1.
func (c *Column) FileOf(row int) (first, end int) {
	k := c.Line(min(max(row, 0), max(c.Rows()-1, 0))).File
	return c.first[k], c.first[k+1]
}
