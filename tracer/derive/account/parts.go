package account

import (
	"cmp"
	"slices"

	"whorl/tracer"
)

// A Part holds the work of a procedure, a function or a line.
type Part struct {
	Owner uint32 // its code, 0 if unknown
	Code
}

// Functions returns the work of the procedures and functions to which the codes belong, most work first.
func (a *Account) Functions(codes []tracer.Code) []Part { return a.parts(codes, tracer.Owner) }

// Lines returns the work of the lines and clauses to which the codes belong, most work first. Code without a line stands for itself.
func (a *Account) Lines(codes []tracer.Code) []Part { return a.parts(codes, lineOf) }

// lineOf returns the line of an instruction, and any other code itself.
func lineOf(codes []tracer.Code, code uint32) uint32 {
	for int(code) < len(codes) && codes[code].Type == tracer.Instruction && codes[code].Parent > 0 && codes[code].Parent < code {
		code = codes[code].Parent
	}
	return code
}

// parts adds up codes by owner.
func (a *Account) parts(codes []tracer.Code, ownerOf func(codes []tracer.Code, code uint32) uint32) []Part {
	byOwner := make([]Code, len(codes))
	for i, c := range a.Codes {
		byOwner[ownerOf(codes, uint32(i))].Add(&c)
	}
	var all []Part
	for i, c := range byOwner {
		if c != (Code{}) {
			all = append(all, Part{uint32(i), c})
		}
	}
	slices.SortStableFunc(all, func(f, g Part) int { return cmp.Compare(g.Work, f.Work) })
	return all
}
