// Package loops finds the loops in the text of a program, as far as the words at the beginning of its statements and its braces tell: of
// Fortran with its HPF directives, of the languages with the braces of C, and of Python. Traces say which line and which procedure was met;
// a loop is the grain between the two. The text need not be correct: what is never closed ends with the text or with what is around it.
package loops

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A Loop is the lines of a loop, from its head to its end, counted from 1.
type Loop struct {
	First, Last int32
	Parent      int32 // the innermost loop around it, as an index; -1 for none
}

// Find lists the loops of a file by the line of their heads, those around others first. The name says what language it is in; nil for one
// that is not known.
func Find(name string, lines []string) []Loop {
	var found []Loop
	switch strings.ToLower(path.Ext(name)) {
	case ".f", ".for", ".f77", ".ftn", ".hpf":
		found = fortran(lines, fixed(lines))
	case ".f90", ".f95", ".f03", ".f08":
		found = fortran(lines, false)
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".go", ".rs", ".java", ".js", ".ts", ".cu", ".swift", ".kt", ".cs":
		found = braces(lines)
	case ".py":
		found = indented(lines)
	}
	slices.SortFunc(found, func(a, b Loop) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last)) })
	found = slices.CompactFunc(found, func(a, b Loop) bool { return a.First == b.First && a.Last == b.Last })
	nest(found)
	return found
}

// nest finds the parents. Loops that cross, which a wrong text may have, are cut where the outer one ends.
func nest(loops []Loop) {
	var open []int32
	for i := range loops {
		l := &loops[i]
		for len(open) > 0 && loops[open[len(open)-1]].Last < l.First {
			open = open[:len(open)-1]
		}
		l.Parent = -1
		if n := len(open); n > 0 {
			l.Parent = open[n-1]
			l.Last = min(l.Last, loops[l.Parent].Last)
		}
		open = append(open, int32(i))
	}
}

// At is the innermost loop that a line stands in, -1 for none.
func At(loops []Loop, line int32) int32 {
	k, _ := slices.BinarySearchFunc(loops, line, func(l Loop, line int32) int {
		if l.First <= line {
			return -1
		}
		return 1
	})
	i := int32(k) - 1
	for i >= 0 && loops[i].Last < line {
		i = loops[i].Parent
	}
	return i
}
