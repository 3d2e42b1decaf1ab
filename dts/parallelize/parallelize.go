// Package parallelize rewrites a Go source file so that marked functions run on the threads of package dts.
//
// A function with the line //dts:fork in its doc comment gets typed stubs that fork it and join it. Calls of it are then rewritten where it
// pays and is known to change no answer: the call becomes a fork, and what was done with its result moves down to the last place that comes
// before every use. The steps are those of a compiler:
//
//	mark.go     which functions are marked, and under which condition threads are worth it
//	effects.go  what each function of the package does beside computing results (on the SSA form of golang.org/x/tools)
//	plan.go     which calls become forks, where their joins go (move.go, loops.go), and why the others stay
//	emit.go     the new text: edits of the old one, so that comments and layout stay as they were; second.go has the versions for workers,
//	            stubs.go what forks and joins
//
// The functions of the file stay as they are, and so do all who call them from elsewhere. A function f that forks gets a second version,
// fOn, whose first parameter is the worker that it runs on; main becomes a dts.Run of its own second version.
//
// What is assumed: a call that is forked returns (a loop without end would let what follows it be seen), and of several calls that panic any
// may be the one that is reported.
package parallelize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Options say how to rewrite. The zero Options fork however small the work is.
type Options struct {
	Grain int // functions whose mark has no condition fork from this size on, where a size is found
}

// A Result is a rewritten file.
type Result struct {
	Text  []byte // formatted by gofmt
	Notes []Note // in the order of the file
}

// A Note says what became of a call or of a function.
type Note struct {
	Pos    token.Position
	Forked bool   // false: it was left as it is
	Text   string // why, or where it is joined
}

func (n Note) String() string { return fmt.Sprintf("%v: %s", n.Pos, n.Text) }

// An Error is what keeps a file from being rewritten. Its text is a line for each fault that names file, line and column.
type Error struct{ Notes []Note }

func (e *Error) Error() string {
	lines := make([]string, len(e.Notes))
	for i, n := range e.Notes {
		lines[i] = n.String()
	}
	return strings.Join(lines, "\n")
}

// File rewrites the file at path, which belongs to a package that compiles. It needs the go command. The errors of the file itself, and of
// the marks in it, are an *Error.
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
		f.plan()
	}
	r.spreadWorkers()
	text, err := r.emit()
	if err != nil {
		return nil, err
	}
	if err := r.compiles(text); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.notes, func(a, b Note) int { return a.Pos.Offset - b.Pos.Offset })
	return &Result{text, r.notes}, nil
}

// A rewriter is the file at work.
type rewriter struct {
	path         string
	grain        int
	text         []byte
	pkg          *packages.Package
	file         *ast.File
	prog         *ssa.Program
	dts, context string // what the file calls those packages

	effects map[*ssa.Function]*effects
	recover token.Pos // of a call of recover in the package

	funcs  []*function // of the file, in its order
	byObj  map[*types.Func]*function
	notes  []Note
	faults []Note
}

// A function of the file.
type function struct {
	r      *rewriter
	decl   *ast.FuncDecl
	obj    *types.Func
	ssa    *ssa.Function
	mark   *mark // nil: it is not marked
	fit    bool  // it is marked, and calls of it may be forked
	worker bool  // it has a version for a worker

	calls []*call // of functions of the file, outside function literals, in the order of the text
	forks []*forked
	loops []*loop
	names map[string]bool          // identifiers that stand in it
	text  map[*ast.CallExpr]string // what calls become that are forked, or computed in front of their statement
}

// load reads the package of the file.
func load(path string) (*rewriter, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &rewriter{path: path, text: text, byObj: map[*types.Func]*function{}, effects: map[*ssa.Function]*effects{}}
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
		return nil, fmt.Errorf("%s: the go command finds no package that it belongs to", path)
	}
	prog, _ := ssautil.Packages([]*packages.Package{r.pkg}, 0)
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
		f := &function{r: r, decl: decl, obj: obj, ssa: prog.FuncValue(obj), names: map[string]bool{}, text: map[*ast.CallExpr]string{}}
		if f.ssa == nil || f.ssa.Blocks == nil {
			continue // as func _()
		}
		r.funcs = append(r.funcs, f)
		r.byObj[obj] = f
	}
	return r, nil
}

// listErrors are the errors of a package that does not compile.
func (r *rewriter) listErrors(p *packages.Package) error {
	var e, vague Error
	for _, x := range p.Errors {
		n := Note{Pos: token.Position{Filename: r.path}, Text: x.Msg}
		file, rest, _ := strings.Cut(x.Pos, ":")
		if file == "" || file == "-" { // the go command's, which says the same with other words where the file is at fault
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

// compiles looks whether the package compiles with the new text, so that no broken file is ever written. That the module does not have dts
// yet is none of the text's faults.
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

// dtsPath is the import path of the library.
const dtsPath = "whorl/dts"

// position is where pos is, the file as the user calls it.
func (r *rewriter) position(pos token.Pos) token.Position {
	p := r.pkg.Fset.Position(pos)
	if p.Filename == r.pkg.Fset.File(r.file.FileStart).Name() {
		p.Filename = r.path
	} else {
		p.Filename = shorter(p.Filename)
	}
	return p
}

// shorter is a path as seen from the working folder, where it lies below that.
func shorter(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}

// place is a position within the sentence of a note: the line, with its file where that is another.
func (r *rewriter) place(pos token.Pos) string {
	p := r.position(pos)
	if p.Filename == r.path {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

func (r *rewriter) left(pos token.Pos, format string, args ...any) {
	r.notes = append(r.notes, Note{Pos: r.position(pos), Text: fmt.Sprintf(format, args...)})
}

func (r *rewriter) fault(pos token.Pos, format string, args ...any) {
	r.faults = append(r.faults, Note{Pos: r.position(pos), Text: fmt.Sprintf(format, args...)})
}
