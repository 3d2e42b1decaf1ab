// Package syntax reads programs in High Performance Fortran.
//
// Parse makes a File of a source in fixed or free form. It works in two steps. A prescanner (fixed.go, free.go) cuts the text into
// statements: one clean run of characters each, upper case, continuations joined, comments gone and directives kept, with the place of
// every character. Fortran has no reserved words, so a parser (classify.go and the files named after its parts) first finds out what kind
// of statement it has before it and then reads it by recursive descent. Blanks mean nothing in fixed form; in free form they end names.
//
// Parse goes on after an error, at the next statement, and returns all errors in the order of the text. What is legal Fortran but not in
// the subset (outside.go) is named as that. No input makes it panic; expressions nest at most 200 deep.
//
// The language is that of the "High Performance Fortran Language Specification" 2.0 (Rice University, 1997) on Fortran 90, as far as
// programs in use need it; docs/hpf.md has the list.
package syntax

import (
	"path/filepath"
	"strings"

	"whorl/internal/fault"
)

// What is wrong with a program is said as in every language here.
type (
	Pos    = fault.Pos
	Error  = fault.Error
	Errors = fault.Errors
)

// A Form is how the lines of a source are laid out.
type Form uint8

// The forms.
const (
	Auto  Form = iota // by the name of the file, and where that does not say, by what the lines look like
	Fixed             // labels in columns 1 to 5, a continuation in column 6, the statement from column 7 to 72
	Free              // anywhere, and & at the end of a line that goes on
)

// Options tell how to read a source. The zero value is fine where nothing is included.
type Options struct {
	Form Form
	// Include returns the text of a file that the source named from includes, and the name that it has in errors.
	Include func(from, name string) (text, path string, err error)
}

// Parse reads a source. The file holds what could be read even where there are errors.
func Parse(name, text string, opts Options) (*File, Errors) {
	p := &parser{file: &File{Name: name, Text: text}}
	p.sources = &sources{include: opts.Include, form: opts.Form}
	p.stmts = p.sources.read(name, text)
	p.file.Form = p.sources.form
	p.errs = append(p.errs, p.sources.errs...)
	p.program()
	p.file.Included = p.sources.included
	return p.file, p.sources.locate(p.errs)
}

// formOf guesses the form of a source by its name, or by its lines: free when something stands where fixed form has none of it.
func formOf(name, text string) Form {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".f", ".for", ".ftn", ".f77":
		return Fixed
	case ".f90", ".f95", ".f03":
		return Free
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || strings.ContainsRune("cC*!", rune(line[0])) && !strings.HasPrefix(strings.ToLower(line), "call") {
			continue
		}
		if strings.HasSuffix(line, "&") {
			return Free
		}
		for i := 0; i < len(line) && i < 5 && line[i] != '\t'; i++ {
			if line[i] == '!' {
				break
			}
			if line[i] != ' ' && (line[i] < '0' || line[i] > '9') {
				return Free
			}
		}
	}
	return Fixed
}
