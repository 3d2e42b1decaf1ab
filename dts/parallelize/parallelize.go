package parallelize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"whorl/dts/parallelize/effects"
)

// Options configure the rewriting. The zero Options fork calls of any size.
type Options struct {
	Grain int // minimum size of calls of functions whose mark has no condition, if they have a size
}

// A Result is a rewritten file.
type Result struct {
	Text  []byte // formatted by gofmt
	Notes []Note // ordered by position
}

// A Note describes the treatment of a call or a function.
type Note struct {
	Pos    token.Position
	Forked bool   // false: it stays unchanged
	Text   string // the reason, or the place of the join

	stmt ast.Stmt // the statement that its remark precedes, nil for the innermost one around Pos
}

func (n Note) String() string { return fmt.Sprintf("%v: %s", n.Pos, n.Text) }

// An Error reports why a file cannot be rewritten. Its text has a line for each fault, with file, line and column.
type Error struct{ Notes []Note }

func (e *Error) Error() string {
	lines := make([]string, len(e.Notes))
	for i, n := range e.Notes {
		lines[i] = n.String()
	}
	return strings.Join(lines, "\n")
}

// File rewrites the file at path, whose package must compile. It runs the go command. Errors of the file and its
// marks are an *Error.
func File(path string, o Options) (*Result, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	r, err := load(path)
	if err != nil {
		return nil, err
	}
	r.grain = o.Grain
	r.findMarks()
	if len(r.faults) > 0 {
		return nil, &Error{r.faults}
	}
	r.judge()
	for _, f := range r.funcs {
		f.plan = newPlan(f)
	}
	r.spreadWorkers()
	slices.SortStableFunc(r.notes, func(a, b Note) int { return a.Pos.Offset - b.Pos.Offset })
	text, err := r.emit()
	if err != nil {
		return nil, err
	}
	if err := r.compiles(text); err != nil {
		return nil, err
	}
	for i := range r.notes {
		r.notes[i].Text = inWords(r.notes[i].Text, numbered)
	}
	return &Result{text, r.notes}, nil
}

// A rewriter holds the file and its analysis.
type rewriter struct {
	path         string
	grain        int
	text         []byte
	pkg          *packages.Package
	file         *ast.File
	prog         *ssa.Program
	dts, context string // names of these packages in the file

	analysis *effects.Analysis

	funcs  []*function // functions of the file, in order
	byObj  map[*types.Func]*function
	notes  []Note
	faults []Note
}

// A function is a function of the file, with the names and texts that are generated for it.
type function struct {
	body
	r    *rewriter
	ssa  *ssa.Function
	mark *mark // nil if it is not marked
	fit  bool  // it is marked and its calls may be forked
	// Calls of it may be forked beside what uses other memory: it writes only to elements of slices that are its parameters.
	inPlace bool
	plan    *plan
	worker  bool            // it has a version for a worker
	names   map[string]bool // identifiers in it
}

// load loads the package of the file.
func load(path string) (*rewriter, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &rewriter{path: path, text: text, byObj: map[*types.Func]*function{}}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: filepath.Dir(abs)}, "file="+abs)
	if err != nil {
		return nil, fmt.Errorf("%s: the go command cannot load its package: %w", path, err)
	}
	for _, p := range pkgs {
		if err := r.listErrors(p); err != nil {
			return nil, err
		}
		for _, f := range p.Syntax {
			if p.Fset.File(f.FileStart).Name() == abs {
				r.pkg, r.file = p, f
			}
		}
	}
	if r.file == nil {
		return nil, fmt.Errorf("%s: the go command finds no package with this file", path)
	}
	prog, _ := ssautil.Packages([]*packages.Package{r.pkg}, ssa.GlobalDebug)
	prog.Build()
	r.prog = prog
	for _, d := range r.file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		obj, ok := r.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
		if !ok {
			continue
		}
		f := &function{r: r, body: body{decl, obj, r.pkg.TypesInfo}, ssa: prog.FuncValue(obj), names: map[string]bool{}}
		if f.ssa == nil || f.ssa.Blocks == nil {
			continue // such as func _()
		}
		r.funcs = append(r.funcs, f)
		r.byObj[obj] = f
	}
	return r, nil
}

// listErrors returns the errors of a package that does not compile.
func (r *rewriter) listErrors(p *packages.Package) error {
	var e, vague Error
	for _, x := range p.Errors {
		n := Note{Pos: token.Position{Filename: r.path}, Text: x.Msg}
		file, rest, _ := strings.Cut(x.Pos, ":")
		if file == "" || file == "-" { // from the go command, which repeats errors of the file in other words
			vague.Notes = append(vague.Notes, n)
			continue
		}
		n.Pos.Filename = shorter(file)
		_, _ = fmt.Sscanf(rest, "%d:%d", &n.Pos.Line, &n.Pos.Column)
		e.Notes = append(e.Notes, n)
	}
	switch {
	case len(e.Notes) > 0:
		return &e
	case len(vague.Notes) > 0:
		return &vague
	}
	return nil
}

// compiles checks that the package compiles with the new text, so that no broken file is written. A module that does
// not require dts yet is not an error.
func (r *rewriter) compiles(text []byte) error {
	abs := r.pkg.Fset.File(r.file.FileStart).Name()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: filepath.Dir(abs), Overlay: map[string][]byte{abs: text}}, "file="+abs)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		var first *packages.Error
		for i, x := range p.Errors {
			if strings.Contains(x.Msg, dtsPath) {
				return nil
			}
			if first == nil {
				first = &p.Errors[i]
			}
		}
		if first != nil {
			return fmt.Errorf("%s: cannot be rewritten: the new text would not compile: %s", r.path, first.Msg)
		}
	}
	return nil
}

// dtsPath is the import path of package dts.
const dtsPath = "whorl/dts"

// position returns the position of pos, with the file as the user named it.
func (r *rewriter) position(pos token.Pos) token.Position {
	p := r.pkg.Fset.Position(pos)
	if p.Filename == r.pkg.Fset.File(r.file.FileStart).Name() {
		p.Filename = r.path
	} else {
		p.Filename = shorter(p.Filename)
	}
	return p
}

// shorter returns a path relative to the working directory, if it lies in it.
func shorter(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}

// place returns a position for the text of a note: the line, with the file if it is another one. A line of this file is
// a number between lineMarks until inWords resolves it.
func (r *rewriter) place(pos token.Pos) string {
	p := r.position(pos)
	if p.Filename == r.path {
		return fmt.Sprintf("%c%d%c", lineMark, p.Line, lineMark)
	}
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

const lineMark = '\x00'

// inWords returns the text of a note with its lines as the given function writes them.
func inWords(text string, line func(n int) string) string {
	parts := strings.Split(text, string(lineMark))
	for i := 1; i < len(parts); i += 2 {
		n, _ := strconv.Atoi(parts[i])
		parts[i] = line(n)
	}
	return strings.Join(parts, "")
}

func numbered(n int) string { return fmt.Sprintf("line %d", n) }

// left records why code stays sequential.
func (r *rewriter) left(pos token.Pos, format string, args ...any) {
	r.notes = append(r.notes, Note{Pos: r.position(pos), Text: fmt.Sprintf(format, args...)})
}

// parallel records what becomes parallel in a statement.
func (r *rewriter) parallel(pos token.Pos, s ast.Stmt, format string, args ...any) {
	r.notes = append(r.notes, Note{Pos: r.position(pos), Forked: true, Text: fmt.Sprintf(format, args...), stmt: s})
}

func (r *rewriter) fault(pos token.Pos, format string, args ...any) {
	r.faults = append(r.faults, Note{Pos: r.position(pos), Text: inWords(fmt.Sprintf(format, args...), numbered)})
}
