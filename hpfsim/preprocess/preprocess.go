// Package preprocess reads sources with directives of the C preprocessor, as compilers of Fortran read files whose names end in .F90.
//
// A directive is a line that begins with # in column 1. Macros are replaced outside of character constants and comments; the parameters of a macro
// are replaced in the constants of its text too, as by a traditional preprocessor, and # and ## work as in C. Comments as in C are removed. Lines
// without effect are empty in the result. The result holds the position of each line and each character in its file.
package preprocess

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"whorl/internal/fault"
	"whorl/internal/nearest"
)

// endings are those of the names of files that are preprocessed.
var endings = []string{".F", ".F90", ".F95", ".F03", ".F08", ".FOR", ".FTN", ".F77", ".FPP", ".fpp", ".HPF"}

// Applies reports whether a file of the name is preprocessed.
func Applies(name string) bool {
	for _, e := range endings {
		if filepath.Ext(name) == e {
			return true
		}
	}
	return false
}

// Options control how a source is read.
type Options struct {
	Fixed   bool     // fixed form: text after column 72 is no code
	Defines []string // macros, as NAME or NAME=VALUE
	// Include returns the text of a file that the file from includes, and its name in errors; nil allows none.
	Include func(from, name string) (text, path string, err error)
}

// A File is a source, or a file that it includes.
type File struct{ Name, Text string }

// A Line is the position of a line of a result in its file.
type Line struct {
	File, Number int     // the file and the line, from 0
	Columns      []int32 // offset in the line of the file of each character and of the end; nil if the line has not changed
}

// A Result is a source without directives.
type Result struct {
	Text  string
	Lines []Line
	Files []File
}

const (
	maxIncludes = 20      // nesting of included files
	maxText     = 1 << 26 // bytes of a result
)

// A reader reads the lines of a source.
type reader struct {
	Options
	out    *Result
	text   strings.Builder
	macros map[string]*macro
	errs   fault.Errors
	depth  int

	file, number int    // of the current line
	current      string // its text
	steps        int    // macros that were replaced in it
	quote        byte   // the quote of the character constant in which the line begins, 0 for none
}

// A condition is an #if with its #elif and #else.
type condition struct {
	on    bool // the lines of the current part are read
	taken bool // the lines of a part have been read
	last  bool // #else was read
	outer bool // the lines around the condition are read
	pos   fault.Pos
}

// Source preprocesses a source.
func Source(name, text string, o Options) (*Result, fault.Errors) {
	r := &reader{Options: o, out: &Result{}, macros: map[string]*macro{"__WHORL__": {text: "1"}}}
	for _, d := range o.Defines {
		if n, value, err := Definition(d); err == nil {
			r.macros[n] = &macro{text: value}
		}
	}
	r.read(name, text)
	r.out.Text = r.text.String()
	return r.out, r.errs
}

// Definition splits NAME or NAME=VALUE. The value is 1 without one.
func Definition(text string) (name, value string, err error) {
	name, value, given := strings.Cut(text, "=")
	if !given {
		value = "1"
	}
	if n := nameAt([]byte(name), 0); n == 0 || n < len(name) {
		return "", "", fmt.Errorf("%s does not define a macro: NAME or NAME=VALUE does", nearest.Quote(text))
	}
	return name, value, nil
}

// pos returns the position of a byte of the current line.
func (r *reader) pos(at int) fault.Pos {
	at = min(at, len(r.current))
	return fault.Pos{File: r.out.Files[r.file].Name, Line: int32(r.number) + 1, Column: int32(len([]rune(r.current[:at]))) + 1}
}

func (r *reader) fail(at int, want, format string, args ...any) {
	r.errs = append(r.errs, &fault.Error{Pos: r.pos(at), Msg: fmt.Sprintf(format, args...), Want: want})
}

// put adds a line to the result.
func (r *reader) put(text string, columns []int32) {
	r.text.WriteString(text)
	r.text.WriteByte('\n')
	r.out.Lines = append(r.out.Lines, Line{r.file, r.number, columns})
}

// fileOf enters a file, once for each name.
func (r *reader) fileOf(name, text string) int {
	for i, f := range r.out.Files {
		if f.Name == name {
			return i
		}
	}
	r.out.Files = append(r.out.Files, File{name, text})
	return len(r.out.Files) - 1
}

// read adds the lines of a file.
func (r *reader) read(name, text string) {
	file, number := r.file, r.number
	r.file = r.fileOf(name, text)
	var open []condition
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	comment := -1 // the line of a comment of C that is open
	var opened fault.Pos
	for n := 0; n < len(lines); n++ {
		r.number, r.current = n, strings.TrimSuffix(lines[n], "\r")
		if r.text.Len() > maxText {
			r.fail(0, "", "the preprocessed text has more than %d bytes", maxText)
			break
		}
		on := len(open) == 0 || open[len(open)-1].on
		p := whole(r.current)
		if comment >= 0 {
			end := strings.Index(r.current, "*/")
			if end < 0 {
				r.put("", nil)
				continue
			}
			comment = -1
			p = p.from(end + 2)
		}
		if r.quote == 0 && p.starts('#') {
			directive := p
			more := 0
			for ; directive.ends('\\') && n+1 < len(lines); n++ { // the lines of one directive
				next := written(strings.TrimSuffix(lines[n+1], "\r"), len(r.current))
				directive = directive.to(len(directive.text) - 1).join(next)
				more++
			}
			directive, ended := r.uncommented(directive)
			if !ended {
				comment, opened = n, r.pos(strings.LastIndex(r.current, "/*"))
			}
			open = r.directive(open, on, directive)
			for range more + 1 {
				r.put("", nil)
				r.number++
			}
			continue
		}
		if !on {
			r.put("", nil)
			continue
		}
		var ended bool
		if p, ended = r.uncommented(p); !ended {
			comment, opened = n, r.pos(strings.LastIndex(r.current, "/*"))
		}
		r.line(p)
	}
	if comment >= 0 {
		r.errs = append(r.errs, &fault.Error{Pos: opened, Msg: "a comment is not closed", Want: "*/"})
	}
	for _, c := range open {
		r.errs = append(r.errs, &fault.Error{Pos: c.pos, Msg: "a condition is not closed", Want: "#endif"})
	}
	r.file, r.number = file, number
}

// remark reports whether a line is a comment of Fortran and no directive of HPF.
func (r *reader) remark(line string) bool {
	if line == "" || len(line) > 4 && strings.EqualFold(line[1:5], "HPF$") {
		return false
	}
	return r.Fixed && strings.IndexByte("cC*!", line[0]) >= 0
}

// uncommented returns a line without comments of C. It returns false if one does not end in the line. In a #define an empty comment joins the texts
// beside it.
func (r *reader) uncommented(p piece) (piece, bool) {
	directive := r.quote == 0 && p.starts('#')
	define := directive && bytes.HasPrefix(p.from(1).trimmed().text, []byte("define"))
	if r.remark(r.current) || !bytes.Contains(p.text, []byte("/*")) {
		return p, true
	}
	quote := r.quote
	var out piece
	for i := 0; i < len(p.text); i++ {
		c := p.text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '!' && !directive:
			return out.join(p.from(i)), true
		case c == '/' && i+1 < len(p.text) && p.text[i+1] == '*':
			end := bytes.Index(p.text[i+2:], []byte("*/"))
			if end < 0 {
				return out, false
			}
			if i += end + 3; define && end == 0 {
				out = out.join(written("##", p.place(i)))
			}
			continue
		}
		out = out.join(p.part(i, i+1))
	}
	return out, true
}

// line adds a line of the program with its macros replaced.
func (r *reader) line(p piece) {
	if r.remark(string(p.text)) {
		r.put(string(p.text), nil)
		return
	}
	const last = 72
	code := p
	if r.Fixed && len(p.text) > last && !strings.ContainsRune(string(p.text[:6]), '\t') {
		code = p.to(last)
	}
	if r.Fixed && (len(code.text) < 6 || code.text[5] == ' ' || code.text[5] == '0') {
		r.quote = 0 // no continuation
	}
	r.steps = 0
	out, changed := r.expand(code, nil)
	switch text := strings.TrimRight(string(out.text), " \t"); {
	case r.quote == 0 || r.Fixed:
	case !strings.HasSuffix(text, "&"):
		r.quote = 0
	}
	if !changed && len(p.text) == len(r.current) {
		r.put(string(p.text), nil)
		return
	}
	r.put(string(out.text), append(out.origin, int32(len(r.current))))
}

// directive executes a directive, which has no comments of C. It returns the conditions that are open after it.
func (r *reader) directive(open []condition, on bool, p piece) []condition {
	p = p.from(1).trimmed()
	n := nameAt(p.text, 0)
	name, at := string(p.text[:n]), p.place(0)
	rest := p.from(n).trimmed()
	if len(open) == 0 && (name == "elif" || name == "else" || name == "endif") {
		r.fail(at, "#if, #ifdef or #ifndef before it", "#%s without a condition", name)
		return open
	}
	c := &condition{}
	if len(open) > 0 {
		c = &open[len(open)-1]
	}
	switch name {
	case "if", "ifdef", "ifndef":
		next := condition{outer: on, pos: r.pos(0)}
		if on {
			next.on = r.holds(name, rest)
		}
		next.taken = next.on
		return append(open, next)
	case "elif":
		if c.last {
			r.fail(at, "#endif", "#elif after #else")
		}
		if c.on = false; c.outer && !c.taken {
			c.on = r.holds("if", rest)
			c.taken = c.on
		}
		return open
	case "else":
		if c.last {
			r.fail(at, "#endif", "a second #else")
		}
		c.on, c.taken, c.last = c.outer && !c.taken, true, true
		return open
	case "endif":
		return open[:len(open)-1]
	}
	if !on {
		return open
	}
	switch name {
	case "define":
		r.define(rest)
	case "undef":
		if k := nameAt(rest.text, 0); k == 0 {
			r.fail(rest.place(0), "a name", "#undef without a name")
		} else {
			delete(r.macros, string(rest.text[:k]))
		}
	case "include":
		r.include(rest)
	case "error":
		r.fail(at, "", "#error %s", rest.text)
	case "warning":
		r.errs = append(r.errs, &fault.Error{Pos: r.pos(at), Msg: "#warning " + string(rest.text), Severity: fault.Warning})
	case "line", "pragma", "ident", "":
	default:
		known := []string{"if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "error", "warning", "line", "pragma"}
		r.fail(at, nearest.Suggest("a directive, such as #if or #define", nearest.Names(name, known)), "#%s is not a directive of the preprocessor", name)
	}
	return open
}

// holds evaluates the condition of an #if, #ifdef or #ifndef.
func (r *reader) holds(kind string, p piece) bool {
	if kind == "if" {
		return r.value(p) != 0
	}
	n := nameAt(p.text, 0)
	if n == 0 {
		r.fail(p.place(0), "a name", "#%s without a name", kind)
		return false
	}
	return r.defined(string(p.text[:n])) == (kind == "ifdef")
}

// include adds the lines of a file.
func (r *reader) include(p piece) {
	r.steps = 0
	if p.starts('<') || p.starts('"') {
		// the name is not expanded
	} else if q, changed := r.expand(p, nil); changed {
		p = q.trimmed()
	}
	r.quote = 0
	text := strings.TrimSpace(string(p.text))
	if len(text) < 3 || !(text[0] == '"' && text[len(text)-1] == '"' || text[0] == '<' && text[len(text)-1] == '>') {
		r.fail(p.place(0), `a name, as in #include "sizes.h"`, "#include without the name of a file")
		return
	}
	name := text[1 : len(text)-1]
	switch {
	case r.Include == nil:
		r.fail(p.place(0), "", "cannot include %q: files are not available", name)
	case r.depth == maxIncludes:
		r.fail(p.place(0), "", "files include each other more than %d deep", maxIncludes)
	default:
		text, path, err := r.Include(r.out.Files[r.file].Name, name)
		if err != nil {
			r.fail(p.place(0), "", "cannot include %q: %v", name, err)
			return
		}
		current := r.current
		r.depth++
		r.read(path, text)
		r.depth--
		r.current = current
	}
}
