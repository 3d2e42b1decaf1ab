package view

import (
	"cmp"
	"strconv"

	"whorl/tracer"
)

// Clause says the how-manieth clause of its procedure a code is, from 1 and in the order of the source, and how many there are; 0, 0 for
// other codes.
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

// Place is where a code stands in the source, as file:line; "" where that is not known.
func (r *Run) Place(code uint32) string {
	if int(code) >= len(r.Codes) || r.Codes[code].Line == 0 {
		return ""
	}
	c := &r.Codes[code]
	return c.File + ":" + strconv.Itoa(int(c.Line))
}

// Described is the lines that tell of a code: its owner's name; its clause and its place.
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
