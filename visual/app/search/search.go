// Package search finds the procedures, the tasks, the PEs and the source lines of a trace by a text. What it finds are selections, which every view
// shows.
package search

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/visual/view"
)

// A Match is something that a search has found.
type Match struct {
	Name      string // for the user
	Selection view.Selection
}

// Most bounds the matches of a search.
const Most = 10000

// Find finds the parts of a trace that match a text: the task and the PE of a number, "PE 3" alone for a PE, the procedures and functions whose names
// match a regular expression, then the clauses or the source lines whose text matches it. The case of letters does not matter. A text that is no
// regular expression is looked for as it is.
func Find(src tracer.Source, trace, text string) (found []Match) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	f := finder{codes: src.Dict().Codes(), trace: trace}
	pattern, err := regexp.Compile("(?i)" + text)
	if err != nil {
		pattern = regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
	}
	meta := src.Meta()
	f.numbers(text, meta.PEs)
	f.names(pattern)
	for i := range meta.Source {
		f.lines(pattern, &meta.Source[i])
	}
	return f.found[:min(len(f.found), Most)]
}

// A finder is one search.
type finder struct {
	codes []tracer.Code
	trace string
	found []Match
}

// add adds a match of the searched trace.
func (f *finder) add(name string, s view.Selection) {
	s.Trace = f.trace
	f.found = append(f.found, Match{name, s})
}

// numbers finds the task and the PE of a number.
func (f *finder) numbers(text string, pes int) {
	digits, onlyPE := text, false
	if len(text) > 2 && strings.EqualFold(text[:2], "PE") {
		digits, onlyPE = strings.TrimSpace(text[2:]), true
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return
	}
	if !onlyPE && n > 0 {
		f.add(fmt.Sprintf("task %d", n), view.Selection{Tasks: []view.Tasks{{First: n}}})
	}
	if n < uint64(pes) {
		f.add(fmt.Sprintf("PE %d", n), view.Selection{PEs: []view.Span{{First: int64(n), Last: int64(n)}}})
	}
}

// names finds procedures and functions. Those of the same name are one match.
func (f *finder) names(pattern *regexp.Regexp) {
	index := map[string]int{} // in found, by name
	for c := range f.codes {
		k := &f.codes[c]
		if k.Type != tracer.Procedure && k.Type != tracer.Function || !pattern.MatchString(k.Name) {
			continue
		}
		if i, ok := index[k.Name]; ok {
			f.found[i].Selection.Codes = append(f.found[i].Selection.Codes, uint32(c))
			continue
		}
		index[k.Name] = len(f.found)
		f.add(k.Name, view.Selection{Codes: []uint32{uint32(c)}})
	}
}

// lines finds the clauses of a file whose text matches, or, of a file without clauses, the lines. Comments between clauses are left out.
func (f *finder) lines(pattern *regexp.Regexp, file *tracer.SourceFile) {
	var clauses []uint32 // by line
	for c := range f.codes {
		if k := &f.codes[c]; k.Type == tracer.Clause && k.Line > 0 && view.SameFile(k.File, file.Name) {
			clauses = append(clauses, uint32(c))
		}
	}
	slices.SortFunc(clauses, func(a, b uint32) int { return cmp.Compare(f.codes[a].Line, f.codes[b].Line) })
	last, number := -1, int32(0) // the clause found last
	for line := range strings.Lines(file.Text) {
		number++
		place := fmt.Sprintf("%s:%d", file.Name, number)
		switch {
		case len(f.found) >= Most:
			return
		case !pattern.MatchString(line):
		case len(clauses) == 0:
			f.add(place, view.Selection{Lines: []view.Lines{{File: file.Name, First: number}}})
		case !strings.HasPrefix(strings.TrimSpace(line), "%"):
			i, exact := slices.BinarySearchFunc(clauses, number, func(c uint32, n int32) int { return cmp.Compare(f.codes[c].Line, n) })
			if !exact {
				i--
			}
			if i >= 0 && i != last {
				f.add(place, view.Selection{Codes: []uint32{clauses[i]}})
				last = i
			}
		}
	}
}
