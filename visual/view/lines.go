package view

import (
	"math"
	"path"
	"slices"
	"strings"

	"whorl/tracer"
)

// Lines are the lines of a source file from First to Last, counted from 1; Last 0 stands for First alone. Nothing need have run there.
type Lines struct {
	File  string `json:"file"`
	First int32  `json:"first"`
	Last  int32  `json:"last,omitempty"`
}

// End is the last of the lines.
func (l Lines) End() int32 { return max(l.First, l.Last) }

// SameFile says whether two names are those of one source file: traces have them with and without their folders.
func SameFile(a, b string) bool {
	return a == b || path.Base(strings.ReplaceAll(a, `\`, "/")) == path.Base(strings.ReplaceAll(b, `\`, "/"))
}

// noCode is a code that no trace has.
const noCode = math.MaxUint32

// Coded is a selection with the codes that stand at its lines in place of the lines, for views that know no lines: the clauses, lines and
// functions there, of those that it names.
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
