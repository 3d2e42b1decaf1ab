package syntax

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"whorl/hpfsim/preprocess"
	"whorl/internal/fault"
)

// A stmt is one statement as the prescanner makes it.
type stmt struct {
	label     int    // 0 for none
	labelAt   int32  // byte of the source
	text      []byte // upper case without blanks, except in quotes
	offsets   []int32
	gap       []bool // blanks or the beginning of a line precede the character
	src       *source
	directive bool
	end       int32 // byte of the source after the statement
}

// A source is the text of one file.
type source struct {
	name, text string
	starts     []int32 // first bytes of the lines
	last       int     // the line of the latest position that was looked up
	wide       bool    // the text has characters of several bytes
	directives bool    // lines with directives of the preprocessor are reported

	lines []preprocess.Line // positions of its lines before preprocessing; nil if it is not preprocessed
	files []*source         // the files of these positions
}

func newSource(name, text string) *source {
	s := &source{name: name, text: text, starts: []int32{0}}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			s.starts = append(s.starts, int32(i+1))
		case c >= 0x80:
			s.wide = true
		}
	}
	return s
}

// line returns the text of line n, from 0.
func (s *source) line(n int) string {
	end := len(s.text)
	if n+1 < len(s.starts) {
		end = int(s.starts[n+1])
	}
	return strings.TrimRight(s.text[s.starts[n]:end], "\r\n")
}

// pos returns the position of a byte.
func (s *source) pos(at int32) Pos {
	if s.starts[s.last] > at || s.last+1 < len(s.starts) && s.starts[s.last+1] <= at {
		s.last = sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > at }) - 1
	}
	line := s.last
	start := s.starts[line]
	if line == len(s.lines) && line > 0 {
		return s.files[0].pos(int32(len(s.files[0].text)))
	}
	if line < len(s.lines) {
		l := s.lines[line]
		if at -= start; l.Columns != nil {
			at = l.Columns[min(int(at), len(l.Columns)-1)]
		}
		of := s.files[l.File]
		return of.pos(of.starts[l.Number] + at)
	}
	column := int32(1)
	if !s.wide {
		return Pos{File: s.name, Line: int32(line) + 1, Column: min(at, int32(len(s.text))) - start + 1}
	}
	for i := start; i < min(at, int32(len(s.text))); i++ {
		if s.text[i]&0xC0 != 0x80 {
			column++
		}
	}
	return Pos{File: s.name, Line: int32(line) + 1, Column: column}
}

// replaced reports whether macros were replaced in line n, from 0.
func (s *source) replaced(n int) bool { return n < len(s.lines) && s.lines[n].Columns != nil }

// sources are a file and its included files.
type sources struct {
	defines  []string
	include  func(from, name string) (string, string, error)
	form     Form
	all      []*source
	included []Included
	errs     Errors
	depth    int
}

const maxIncludes = 20 // nesting of included files

func (s *sources) fail(src *source, at int32, want, format string, args ...any) {
	s.errs = append(s.errs, &Error{Pos: src.pos(at), Msg: fmt.Sprintf(format, args...), Want: want})
}

func (s *sources) warn(src *source, at int32, want, format string, args ...any) {
	s.errs = append(s.errs, &Error{Pos: src.pos(at), Msg: fmt.Sprintf(format, args...), Want: want, Severity: fault.Warning})
}

// read cuts a text into statements. The statements of an included file take the place of the INCLUDE line.
func (s *sources) read(name, text string) []stmt {
	if s.form == Auto {
		s.form = formOf(name, text)
	}
	src := newSource(name, text)
	if s.depth == 0 && preprocess.Applies(name) {
		src = s.preprocessed(name, text)
	} else {
		s.all = append(s.all, src)
	}
	var own []stmt
	if s.form == Fixed {
		own = s.fixed(src)
	} else {
		own = s.free(src)
	}
	var out []stmt
	for i := range own {
		file, ok := included(own[i].text)
		if !ok || own[i].directive {
			out = append(out, own[i])
			continue
		}
		out = append(out, s.inserted(src, own[i].offsets[0], file)...)
	}
	return out
}

// preprocessed returns the text of a file without directives of the preprocessor.
func (s *sources) preprocessed(name, text string) *source {
	r, errs := preprocess.Source(name, text, preprocess.Options{Fixed: s.form == Fixed, Defines: s.defines, Include: s.include})
	s.errs = append(s.errs, errs...)
	src := newSource(name, r.Text)
	src.lines = r.Lines
	for i, f := range r.Files {
		src.files = append(src.files, newSource(f.Name, f.Text))
		if i > 0 {
			s.included = append(s.included, Included{f.Name, f.Text})
		}
	}
	s.all = append(s.all, src.files...)
	return src
}

// unprocessed reports the first line of a source with a directive of the preprocessor, which only reads other files. It returns false for other lines.
func (s *sources) unprocessed(src *source, start int32, line string) bool {
	if line[0] != '#' {
		return false
	}
	if !src.directives {
		s.fail(src, start, "a file whose name ends in .F, .F90 or the like: others are not preprocessed", "a directive of the preprocessor")
		src.directives = true
	}
	return true
}

// included returns the file of an INCLUDE line.
func included(text []byte) (string, bool) {
	rest, ok := strings.CutPrefix(string(text), "INCLUDE")
	if !ok || len(rest) < 2 || rest[0] != '\'' && rest[0] != '"' || rest[len(rest)-1] != rest[0] {
		return "", false
	}
	return rest[1 : len(rest)-1], true
}

func (s *sources) inserted(from *source, at int32, file string) []stmt {
	if s.include == nil {
		s.fail(from, at, "", "cannot include %q: files are not available", file)
		return nil
	}
	if s.depth == maxIncludes {
		s.fail(from, at, "", "files include each other more than %d deep", maxIncludes)
		return nil
	}
	text, path, err := s.include(from.pos(at).File, file)
	if err != nil {
		s.fail(from, at, "", "cannot include %q: %v", file, err)
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	s.included = append(s.included, Included{path, text})
	return s.read(path, text)
}

// Add adds the units of another file to the program of this one.
func (f *File) Add(g *File) {
	f.Units = append(f.Units, g.Units...)
	f.Included = append(append(f.Included, Included{g.Name, g.Text}), g.Included...)
}

// Locate sorts errors that were found after parsing, and gives each its line of text. Errors of included files come
// last.
func (f *File) Locate(errs Errors) Errors {
	s := &sources{all: []*source{newSource(f.Name, f.Text)}}
	for _, i := range f.Included {
		s.all = append(s.all, newSource(i.Name, i.Text))
	}
	return s.locate(errs)
}

// locate sorts errors and gives each its line of text. Errors of included files come last.
func (s *sources) locate(errs Errors) Errors {
	order := map[string]int{}
	for i, src := range s.all {
		if _, ok := order[src.name]; !ok {
			order[src.name] = i
		}
	}
	slices.SortStableFunc(errs, func(a, b *Error) int { return cmp.Compare(order[a.Pos.File], order[b.Pos.File]) })
	for i := 0; i < len(errs); {
		j := i + 1
		for j < len(errs) && errs[j].Pos.File == errs[i].Pos.File {
			j++
		}
		_ = errs[i:j].Locate(s.all[order[errs[i].Pos.File]].text)
		i = j
	}
	return errs
}

// A collector builds a statement from characters.
type collector struct {
	stmt
	quote  byte // the quote of the character constant around; 0 outside of one
	left   int  // remaining characters of an H edit descriptor
	gapped bool
}

// taken returns the statement collected so far.
func (c *collector) taken() stmt {
	s := c.stmt
	s.text, s.offsets, s.gap = slices.Clip(s.text), slices.Clip(s.offsets), slices.Clip(s.gap)
	return s
}

// next prepares the collector for another statement. Its characters follow those of the last one in memory.
func (c *collector) next() {
	const block, long = 1 << 14, 1 << 8
	text, at, gap := c.text, c.offsets, c.gap
	*c = collector{}
	if n := len(text); min(cap(text), cap(at), cap(gap))-n >= long {
		c.text, c.offsets, c.gap = text[n:n:cap(text)], at[n:n:cap(at)], gap[n:n:cap(gap)]
		return
	}
	c.text, c.offsets, c.gap = make([]byte, 0, block), make([]int32, 0, block), make([]bool, 0, block)
}

// add adds a character outside of comments.
func (c *collector) add(ch byte, at int32) {
	if c.left > 0 {
		if c.put(ch, at); ch == '\'' {
			c.put(ch, at)
		}
		if c.left--; c.left == 0 {
			c.put('\'', at)
		}
		return
	}
	if c.quote != 0 {
		if ch == c.quote {
			c.quote = 0
		}
		c.put(ch, at)
		return
	}
	switch {
	case ch == ' ' || ch == '\t':
		c.gapped = true
		return
	case ch == '\'' || ch == '"':
		c.quote = ch
	case 'a' <= ch && ch <= 'z':
		ch -= 'a' - 'A'
	}
	if ch == 'H' && c.label > 0 && c.hollerith() {
		ch = '\''
	}
	c.put(ch, at)
}

// hollerith removes the length of an H edit descriptor of a FORMAT from the text. A constant of so many characters
// follows.
func (c *collector) hollerith() bool {
	n := len(c.text)
	for n > 0 && digit(c.text[n-1]) {
		n--
	}
	length, err := strconv.Atoi(string(c.text[n:]))
	if err != nil || length < 1 || !bytes.HasPrefix(c.text, []byte("FORMAT(")) || strings.IndexByte("(,/:X')", c.text[n-1]) < 0 {
		return false
	}
	c.text, c.offsets, c.gap, c.left = c.text[:n], c.offsets[:n], c.gap[:n], length
	return true
}

func (c *collector) put(ch byte, at int32) {
	c.text = append(c.text, ch)
	c.offsets = append(c.offsets, at)
	c.gap = append(c.gap, c.gapped || len(c.text) == 1)
	c.gapped = false
	c.end = at + 1
}

// sentinel returns the length of the sentinel at the beginning of a directive (!HPF$, in fixed form also CHPF$ and
// *HPF$), and 0 for other lines.
func sentinel(line string, fixed bool) int {
	if len(line) < 5 || !strings.EqualFold(line[1:5], "HPF$") {
		return 0
	}
	if line[0] == '!' || fixed && (line[0] == 'C' || line[0] == 'c' || line[0] == '*') {
		return 5
	}
	return 0
}
