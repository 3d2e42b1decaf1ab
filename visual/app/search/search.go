// Package search finds the procedures, the tasks, the PEs and the source lines of a trace by a text. The matches are selections, which every view
// shows.
package search

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/tracer"
	"whorl/tracer/query"
	"whorl/visual/view"
)

// A Match is a part of a trace that a search has found.
type Match struct {
	Name      string // for the user
	Text      string // of a line, without the blanks around it
	Selection view.Selection
}

// Bounds of a search.
const (
	Most      = 10000   // matches
	mostText  = 1 << 12 // bytes of the text to search for
	mostShown = 200     // bytes of the text of a match
	mostLine  = 1 << 14 // bytes of a line that are searched: a regular expression takes up to 10 µs a byte
)

// A Search goes through a trace step by step, so that a large trace does not delay the window.
type Search struct {
	Found []Match // in the order of the trace: numbers, names, lines
	Wrong error   // why the text is no regular expression and is searched for as it is, nil if it is one

	trace   string
	pattern *regexp.Regexp
	place   view.Lines // of a text such as p.fghc:35: the file may be a part of its name
	codes   []tracer.Code
	code    int                 // the next one
	named   map[string]int      // the index in Found of the match of a name
	clauses map[string][]uint32 // the codes of clauses, by file as the code names it
	files   []tracer.SourceFile // from the next one on
	open    *file               // nil between two files
}

// A file is a source file whose lines are searched.
type file struct {
	name    string
	rest    string   // of its text
	line    int32    // the number of lines before rest
	clauses []uint32 // by line
	last    int      // the index of the clause found last, -1 for none
}

// New returns the search for a text in src, a trace with the given name. The text finds the task and the PE of a number, "PE 3" alone for a PE, the
// procedures and functions whose names match a regular expression, then the clauses or the source lines whose text matches it. "p.fghc:35" and ":35"
// find a line by its place. The case of letters
// does not matter. A text that is no regular expression is searched for as it is.
func New(src tracer.Source, trace, text string) *Search {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if text == "" || len(text) > mostText {
		return new(Search)
	}
	meta := src.Meta()
	s := &Search{trace: trace, codes: src.Dict().Codes(), files: meta.Source, named: map[string]int{}, clauses: map[string][]uint32{}}
	if _, s.Wrong = query.Search(text); s.Wrong == nil {
		s.pattern, s.Wrong = regexp.Compile("(?i)" + text)
	}
	if s.Wrong != nil {
		s.pattern = regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
	}
	s.addNumber(text, meta.PEs)
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		n, _ := strconv.ParseInt(text[i+1:], 10, 32)
		s.place = view.Lines{File: text[:i], First: int32(n)}
	}
	return s
}

// Work continues the search for about the time of a budget. It reports whether there is more to do.
func (s *Search) Work(budget time.Duration) (more bool) {
	const steps = 64 // between two looks at the clock
	begun := time.Now()
	for n := 1; s.step(); n++ {
		if n%steps == 0 && time.Since(begun) >= budget {
			return true
		}
	}
	*s = Search{Found: s.Found, Wrong: s.Wrong}
	return false
}

// step searches in the next name or line. It returns false at the end.
func (s *Search) step() bool {
	switch {
	case len(s.Found) >= Most:
		return false
	case s.code < len(s.codes):
		s.addName()
	case s.open != nil:
		s.addLine()
	case len(s.files) > 0:
		s.openFile()
	default:
		return false
	}
	return true
}

// add adds a match.
func (s *Search) add(name, text string, x view.Selection) {
	x.Trace = s.trace
	s.Found = append(s.Found, Match{name, text, x})
}

// addNumber adds the task and the PE of a number.
func (s *Search) addNumber(text string, pes int) {
	digits, onlyPE := text, false
	if len(text) > 2 && strings.EqualFold(text[:2], "PE") {
		digits, onlyPE = strings.TrimSpace(text[2:]), true
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return
	}
	if !onlyPE && n > 0 {
		s.add(fmt.Sprintf("task %d", n), "", view.Selection{Tasks: []view.Tasks{{First: n}}})
	}
	if n < uint64(pes) {
		s.add(fmt.Sprintf("PE %d", n), "", view.Selection{PEs: []view.Span{{First: int64(n), Last: int64(n)}}})
	}
}

// addName adds the next code if it is a procedure or a function whose name matches. Those of the same name are one match. It notes clauses for their
// lines.
func (s *Search) addName() {
	c, k := uint32(s.code), &s.codes[s.code]
	s.code++
	switch {
	case k.Type == tracer.Clause && k.Line > 0:
		s.clauses[k.File] = append(s.clauses[k.File], c)
	case k.Type != tracer.Procedure && k.Type != tracer.Function || !s.pattern.MatchString(k.Name):
	default:
		i, known := s.named[k.Name]
		if !known {
			s.named[k.Name] = len(s.Found)
			s.add(k.Name, "", view.Selection{Codes: []uint32{c}})
			return
		}
		s.Found[i].Selection.Codes = append(s.Found[i].Selection.Codes, c)
	}
}

// openFile begins the next file.
func (s *Search) openFile() {
	f := &file{name: s.files[0].Name, rest: s.files[0].Text, last: -1}
	s.files, s.open = s.files[1:], f
	for name, codes := range s.clauses {
		if view.SameFile(name, f.name) {
			f.clauses = append(f.clauses, codes...)
		}
	}
	slices.SortFunc(f.clauses, func(a, b uint32) int { return cmp.Or(cmp.Compare(s.codes[a].Line, s.codes[b].Line), cmp.Compare(a, b)) })
}

// addLine adds the next line of the open file if it matches: its clause, or the line itself in a file without clauses. Comments between clauses are
// left out.
func (s *Search) addLine() {
	f := s.open
	if f.rest == "" {
		s.open = nil
		return
	}
	line, rest, _ := strings.Cut(f.rest, "\n")
	line, f.rest = strings.TrimSuffix(line, "\r"), rest
	f.line++
	named := f.line == s.place.First && strings.Contains(f.name, s.place.File)
	if !named && !s.pattern.MatchString(line[:min(len(line), mostLine)]) {
		return
	}
	place, text := fmt.Sprintf("%s:%d", f.name, f.line), strings.TrimSpace(line[:min(len(line), mostShown)])
	if len(f.clauses) == 0 {
		s.add(place, text, view.Selection{Lines: []view.Lines{{File: f.name, First: f.line}}})
		return
	}
	if !named && strings.HasPrefix(strings.TrimSpace(line), "%") {
		return
	}
	i, exact := slices.BinarySearchFunc(f.clauses, f.line, func(c uint32, n int32) int { return cmp.Compare(s.codes[c].Line, n) })
	if !exact {
		i--
	}
	if i >= 0 && i != f.last {
		s.add(place, text, view.Selection{Codes: []uint32{f.clauses[i]}})
		f.last = i
	}
}
