package view

import (
	"cmp"
	"slices"
	"strconv"

	"whorl/tracer"
)

// Clause returns the number of a clause in its procedure, from 1 in source order, and the number of clauses. It returns
// 0, 0 for other codes.
func (r *Run) Clause(code uint32) (number, of int) {
	if int(code) >= len(r.Codes) || r.Codes[code].Type != tracer.Clause {
		return 0, 0
	}
	c := &r.Codes[code]
	for i := range r.Codes {
		d := &r.Codes[i]
		if d.Type != tracer.Clause || d.Parent != c.Parent {
			continue
		}
		of++
		if cmp.Or(cmp.Compare(d.File, c.File), cmp.Compare(d.Line, c.Line), cmp.Compare(d.Column, c.Column), cmp.Compare(i, int(code))) <= 0 {
			number++
		}
	}
	return number, of
}

// Among reports for each code whether codes contains it or its owner. It is false for code 0. The last entry is for codes outside the table.
func (r *Run) Among(codes []uint32) []bool {
	among := make([]bool, len(r.Codes)+1)
	for c := range r.Codes {
		among[c] = c > 0 && (slices.Contains(codes, uint32(c)) || slices.Contains(codes, r.Owner(uint32(c))))
	}
	return among
}

// File returns the file of a code's owner, "" if it is unknown.
func (r *Run) File(code uint32) string {
	if owner := r.Owner(code); int(owner) < len(r.Codes) {
		return r.Codes[owner].File
	}
	return ""
}

// Place returns the source position of a code as file:line, or "" if it is unknown.
func (r *Run) Place(code uint32) string {
	if int(code) >= len(r.Codes) || r.Codes[code].Line == 0 {
		return ""
	}
	c := &r.Codes[code]
	return c.File + ":" + strconv.Itoa(int(c.Line))
}

// Described returns lines that describe a code: its owner's name; its clause and source position.
func (r *Run) Described(code uint32) []string {
	lines := []string{r.Name(code)}
	second := r.Place(code)
	if n, of := r.Clause(code); of > 1 && r.Codes[code].Parent != 0 {
		s := "clause " + strconv.Itoa(n) + " of " + strconv.Itoa(of)
		if second != "" {
			s += ", "
		}
		second = s + second
	}
	if second != "" {
		lines = append(lines, second)
	}
	return lines
}
