// Package loops finds the loops in the text of a program by the first words of its statements and by its braces or
// indentation. It reads Fortran with HPF directives, languages with the braces of C, and Python. Traces name lines
// and procedures; a loop is a level between the two. The text need not be correct: an unclosed loop ends with the
// loop around it or with the text.
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

// Find returns the loops of a file ordered by first line, outer loops before inner ones. The extension of the name determines the language. Find
// returns nil for an unknown extension.
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

// nest sets the parents. It cuts a loop that ends after its parent, as an incorrect text may have.
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

// Around returns the index of the innermost loop around a line, -1 for none.
func Around(loops []Loop, line int32) int32 {
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
