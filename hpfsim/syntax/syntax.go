// Package syntax reads programs in High Performance Fortran.
//
// Parse reads a source in fixed or free form in two steps. A prescanner (fixed.go, free.go) cuts the text into
// statements. Each is one run of characters in upper case, with continuations joined, comments removed, directives
// kept, and the position of every character. Fortran has no reserved words, so the parser (classify.go and the files
// named after its parts) first finds the kind of a statement and then reads it by recursive descent. Blanks mean
// nothing in fixed form; in free form they end names.
//
// After an error Parse continues with the next statement. It returns all errors in the order of the text. Statements
// that are legal Fortran but not in the subset (outside.go) are reported as such. No input makes Parse panic;
// expressions nest at most 200 deep.
//
// The language is a subset of the "High Performance Fortran Language Specification" 2.0 (Rice University, 1997) on
// Fortran 90. docs/hpf.md lists the subset.
package syntax

import (
	"path/filepath"
	"strings"

	"whorl/internal/fault"
)

// Positions and errors are those of package fault.
type (
	Pos    = fault.Pos
	Error  = fault.Error
	Errors = fault.Errors
)

// A Form is the layout of the lines of a source.
type Form uint8

// The forms.
const (
	Auto  Form = iota // determined by the name of the file, or else by its lines
	Fixed             // labels in columns 1 to 5, a continuation in column 6, the statement from column 7 to 72
	Free              // statements anywhere, & at the end of a continued line
)

// Options control how a source is read. The zero value reads sources that include no files.
type Options struct {
	Form    Form
	Defines []string // macros of the preprocessor, as NAME or NAME=VALUE, for files whose names preprocess.Applies accepts
	// Include returns the text of a file that the source from includes, and the name of the file in errors.
	Include func(from, name string) (text, path string, err error)
}

// Parse reads a source. If there are errors, the file holds the statements without errors.
func Parse(name, text string, opts Options) (*File, Errors) {
	p := &parser{file: &File{Name: name, Text: text}}
	p.sources = &sources{include: opts.Include, form: opts.Form, defines: opts.Defines}
	p.stmts = p.sources.read(name, text)
	p.file.Form = p.sources.form
	p.errs = append(p.errs, p.sources.errs...)
	p.program()
	p.file.Included = p.sources.included
	return p.file, p.sources.locate(p.errs)
}

// formOf finds the form of a source from its name or its lines: free if columns 1 to 5 of a line hold more than a label.
func formOf(name, text string) Form {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".f", ".for", ".ftn", ".f77", ".fpp":
		return Fixed
	case ".f90", ".f95", ".f03", ".f08":
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

// Once adds the intrinsic modules that the file uses and calls do at the first call. It returns the errors of that call.
func (f *File) Once(do func() Errors) Errors {
	f.once.Do(func() {
		f.bringModules()
		f.changed = do()
	})
	return f.changed
}
