package view

import (
	"math"
	"path"
	"slices"
	"strings"

	"whorl/tracer"
)

// Lines are the lines of a source file from First to Last, counted from 1. Last 0 means First. The lines need not have run.
type Lines struct {
	File  string `json:"file"`
	First int32  `json:"first"`
	Last  int32  `json:"last,omitempty"`
}

// End returns the last line.
func (l Lines) End() int32 { return max(l.First, l.Last) }

// SameFile reports whether two names may be of one source file. It compares the base names, since some traces leave out
// the folders.
func SameFile(a, b string) bool {
	return a == b || path.Base(strings.ReplaceAll(a, `\`, "/")) == path.Base(strings.ReplaceAll(b, `\`, "/"))
}

// noCode is a code that occurs in no trace.
const noCode = math.MaxUint32

// Coded returns a selection with its lines replaced by the codes at these lines, for views without lines: clauses, lines
// and functions. If the selection names codes, only those with such a code or owner remain.
func (r *Run) Coded(s Selection) Selection {
	if len(s.Lines) == 0 {
		return s
	}
	var codes []uint32
	for c := range r.Codes {
		k := &r.Codes[c]
		if k.Type != tracer.Clause && k.Type != tracer.Line && k.Type != tracer.Function || k.Line < 1 {
			continue
		}
		if !slices.ContainsFunc(s.Lines, func(l Lines) bool { return l.First <= k.Line && k.Line <= l.End() && SameFile(l.File, k.File) }) {
			continue
		}
		if len(s.Codes) == 0 || slices.Contains(s.Codes, uint32(c)) || slices.Contains(s.Codes, r.Owner(uint32(c))) {
			codes = append(codes, uint32(c))
		}
	}
	if len(codes) == 0 {
		codes = []uint32{noCode}
	}
	s.Codes, s.Lines = codes, nil
	return s
}
