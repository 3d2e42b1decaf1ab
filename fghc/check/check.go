// Package check reports static errors and warnings of FGHC programs and queries.
//
// Errors make a program unfit to run: calls of procedures that do not exist, guards that are not flat, invalid arithmetic, variables that
// nothing can bind, and procedures whose clauses are not adjacent. Warnings mark probable mistakes: variables that occur once and, from
// Doubts, clauses that can never commit, guards that always fail, and procedures that nothing calls.
//
// Errors are reported with their positions in source order. The compiler relies on the following properties of a program without errors:
// every head and goal is an atom or a structure; every goal calls a builtin or a procedure of the files; a guard, read from left to right,
// uses only variables of the head and of earlier guard goals; and expressions consist of numbers, variables and the operators of package
// builtin.
package check

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/inline"
	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// A Source is the name and the text of a file. Functions are the names of the C codes that Go functions replace (inline.Code), the same for all files of
// a program.
type Source struct {
	Name, Text string
	Functions  []string
}

// Files are the files of a program in core form (syntax.Expand). Files of one module call each other's procedures by name, other files by
// module:goal.
type Files []*syntax.File

// Program reads and checks a program of one file. If there are errors the file contains the clauses that could be read.
func Program(name, src string) (*syntax.File, syntax.Errors) {
	files, errs := Read([]Source{{Name: name, Text: src}})
	return files[0], errs
}

// Read reads and checks the files of a program. The result contains a file for each source, even if there are errors, followed by the
// library modules that they call. Errors are in the order of the sources.
func Read(sources []Source) (Files, syntax.Errors) {
	files := make(Files, len(sources))
	var errs syntax.Errors
	for i, s := range sources {
		f, more := syntax.Parse(s.Name, s.Text)
		errs = append(errs, more...)
		if len(f.Clauses) == 0 && !more.Failed() {
			errs = append(errs, NoClauses(s))
		}
		for _, c := range f.Clauses {
			errs = append(errs, singletons(c)...)
		}
		_, more = inline.Translate(f, s.Functions)
		errs = append(errs, more...)
		files[i], more = syntax.Expand(f)
		errs = append(errs, more...)
	}
	files = files.withLibrary(nil)
	return files, files.locate(append(errs, Check(files)...))
}

// NoClauses returns the warning about a source without clauses.
func NoClauses(s Source) *syntax.Error {
	e := &syntax.Error{Pos: syntax.Pos{File: s.Name, Line: 1, Column: 1}, Msg: "the file has no clauses", Severity: syntax.Warning, Want: "clauses, such as main :- p(X)."}
	if strings.TrimSpace(s.Text) == "" {
		e.Msg = "the file is empty"
	}
	return e
}

// Doubts returns warnings about files without errors: clauses that can never commit, guards that always fail, and procedures that cannot be
// reached from the query goals, main or a public procedure. Without any of these roots it does not report unreachable procedures.
func (fs Files) Doubts(goals []syntax.Goal) syntax.Errors {
	errs := fs.never()
	if roots := fs.roots(goals); len(roots) > 0 {
		errs = append(errs, fs.unreached(roots)...)
	}
	return fs.locate(errs)
}

// Query parses and checks the goals of a query. A goal without a module belongs to the module main if that defines its procedure, otherwise
// to the first module that does.
func (fs Files) Query(name, src string) ([]syntax.Goal, syntax.Errors) {
	goals, errs := syntax.ParseGoals(name, src)
	goals, more := syntax.ExpandGoals(goals, fs...)
	errs = append(errs, more...)
	c := newChecker(fs)
	for i := range goals {
		c.module = c.home(goals[i])
		c.goal(goals[i])
		if _, ok := c.builtin(goals[i]); !ok && goals[i].Module == "" {
			goals[i].Module = c.module
		}
	}
	return goals, append(errs, c.errs...).Locate(src)
}

// Main returns the goal that a program starts with by default: main of the module main, or main of a file without modules.
func (fs Files) Main() (string, bool) {
	c := newChecker(fs)
	switch {
	case c.defined(procedure{"main", syntax.Procedure{Name: "main"}}):
		return "main:main", true
	case c.defined(procedure{"", syntax.Procedure{Name: "main"}}):
		return "main", true
	}
	return "", false
}

// Check returns the errors of expanded files and the warnings about the names of their procedures. The errors lack their source lines, which
// Read adds.
func Check(files Files) syntax.Errors {
	c := newChecker(files)
	for _, f := range files {
		var last procedure
		for _, cl := range f.Clauses {
			c.module = cl.Module
			if p := procedureOf(cl); c.head(cl.Head) {
				switch {
				case c.first[p] == cl:
					c.redefinition(cl.Head, p)
				case p != last:
					first := c.first[p].Pos
					msg, want := fmt.Sprintf("the clauses of %v are not adjacent", p), fmt.Sprintf("adjacent clauses; the first is in line %d", first.Line)
					if first.File != cl.Pos.File {
						msg, want = fmt.Sprintf("%v has clauses in two files", p), fmt.Sprintf("all of them in one file; the first is in line %d of %s", first.Line, first.File)
					}
					c.fault(cl.Head.Term.Position(), want, "%s", msg)
				}
				last = p
			}
			c.guard(cl)
			for _, g := range cl.Body {
				c.goal(g)
			}
		}
	}
	return c.errs
}

// locate sorts errors by file and position and adds their source lines.
func (fs Files) locate(errs syntax.Errors) syntax.Errors {
	if len(fs) == 1 {
		return errs.Locate(fs[0].Source)
	}
	sources := make([]Source, len(fs))
	for i, f := range fs {
		sources[i] = Source{Name: f.Name, Text: f.Source}
	}
	return Locate(errs, sources)
}

// Locate sorts the errors in sources by file and position and adds their source lines. It leaves out other errors.
func Locate(errs syntax.Errors, sources []Source) (sorted syntax.Errors) {
	for _, s := range sources {
		var own syntax.Errors
		for _, e := range errs {
			if e.Pos.File == s.Name {
				own = append(own, e)
			}
		}
		sorted = append(sorted, own.Locate(s.Text)...)
	}
	return sorted
}

// A procedure is a procedure of a module. The module is "" in a file without modules.
type procedure struct {
	module string
	syntax.Procedure
}

// A checker checks the clauses of a program.
type checker struct {
	files    Files
	module   string // of the current clause
	errs     syntax.Errors
	reported map[message]bool
	first    map[procedure]*syntax.Clause
	arities  map[[2]string][]int // by module and name, in source order; -1 for an unknown arity
	names    map[string][]string // names of procedures by module
	modules  []string            // modules of the program
	library  []string            // modules of the library
	unknown  int                 // number of unknown procedures so far
}

// A message is an error at a position. Clauses expanded from one clause repeat their messages.
type message struct {
	pos syntax.Pos
	msg string
}

// maxNearest bounds the number of unknown procedures that get near names. Near names take time linear in the number of procedures.
const maxNearest = 100

func newChecker(files Files) *checker {
	c := &checker{files: files, reported: map[message]bool{}, first: map[procedure]*syntax.Clause{}, arities: map[[2]string][]int{}, names: map[string][]string{}}
	for _, f := range files {
		for _, m := range f.Modules {
			switch {
			case f.Library:
				c.library = append(c.library, m.Name)
			case !slices.Contains(c.modules, m.Name):
				c.modules = append(c.modules, m.Name)
			}
		}
		for _, cl := range f.Clauses {
			p := procedureOf(cl)
			if c.first[p] == nil && p.Name != "" {
				c.first[p] = cl
				c.define(p)
			}
		}
		within := []string{""} // the module of a damaged clause is unknown
		for i, m := range f.Modules {
			within = append(within[:i], m.Name)
		}
		for _, d := range f.Damaged {
			for _, m := range within {
				if p := (procedure{m, d}); !c.defined(p) {
					c.define(p)
				}
			}
		}
	}
	return c
}

func (c *checker) define(p procedure) {
	key := [2]string{p.module, p.Name}
	if c.arities[key] == nil {
		c.names[p.module] = append(c.names[p.module], p.Name)
	}
	c.arities[key] = append(c.arities[key], p.Arity)
}

// defined reports whether a procedure has a clause, including clauses with syntax errors.
func (c *checker) defined(p procedure) bool {
	for _, n := range c.arities[[2]string{p.module, p.Name}] {
		if n == p.Arity || n < 0 {
			return true
		}
	}
	return false
}

// procedureOf returns the procedure of a clause.
func procedureOf(cl *syntax.Clause) procedure {
	name, args := cl.Head.Name()
	return procedure{cl.Module, syntax.Procedure{Name: name, Arity: len(args)}}
}

// called returns the procedure that a goal calls in a module.
func (c *checker) called(g syntax.Goal, module string) procedure {
	if g.Module != "" {
		module = g.Module
	}
	name, args := g.Name()
	return procedure{module, syntax.Procedure{Name: name, Arity: len(args)}}
}

// home returns the module of a goal of a query.
func (c *checker) home(g syntax.Goal) string {
	all := append([]string{"main"}, append(c.modules, "")...)
	for _, m := range all {
		if c.defined(c.called(g, m)) {
			return m
		}
	}
	if len(c.modules) > 0 && c.names[""] == nil {
		return c.modules[0]
	}
	return ""
}

// builtin returns the builtin that a goal calls. Procedures of the program take precedence.
func (c *checker) builtin(g syntax.Goal) (*builtin.Builtin, bool) {
	name, args := g.Name()
	if c.defined(c.called(g, c.module)) {
		return nil, false
	}
	return find(g.Module, name, args)
}

// find returns the builtin with a name and arguments.
func find(module, name string, args []syntax.Term) (*builtin.Builtin, bool) {
	class := ""
	if len(args) > 0 {
		if a, ok := args[0].(*syntax.Atom); ok {
			class = a.Name
		}
	}
	i, ok := builtin.Find(module, name, len(args), class)
	if !ok {
		return nil, false
	}
	return &builtin.All[i], true
}

// builtins returns the distinct names of the builtins of a module that f accepts.
func builtins(module string, f func(*builtin.Builtin) bool) []string {
	var list []string
	for i := range builtin.All {
		if b := &builtin.All[i]; b.Module == module && f(b) && !slices.Contains(list, b.Name) {
			list = append(list, b.Name)
		}
	}
	return list
}

func inBody(b *builtin.Builtin) bool  { return b.Body }
func inGuard(b *builtin.Builtin) bool { return b.Guard }

func (c *checker) report(severity syntax.Severity, pos syntax.Pos, want, format string, args ...any) {
	m := message{pos, syntax.Cut(fmt.Sprintf(format, args...), 200)}
	if !c.reported[m] {
		c.reported[m] = true
		c.errs = append(c.errs, &syntax.Error{Pos: pos, Msg: m.msg, Want: syntax.Cut(want, 400), Severity: severity})
	}
}

func (c *checker) fault(pos syntax.Pos, want, format string, args ...any) {
	c.report(syntax.Fault, pos, want, format, args...)
}

func (c *checker) warn(pos syntax.Pos, want, format string, args ...any) {
	c.report(syntax.Warning, pos, want, format, args...)
}

// nearestProcedures returns the procedures that a call of an unknown one may have meant, those with the same name first.
func (c *checker) nearestProcedures(p procedure, library string) []string {
	if c.unknown++; c.unknown > maxNearest {
		return nil
	}
	candidates := []string{p.Name}
	known := slices.Concat(c.names[p.module], builtins(library, inBody))
	slices.Sort(known)
	for _, name := range nearest.Names(p.Name, slices.Compact(known)) {
		if name != p.Name {
			candidates = append(candidates, name)
		}
	}
	var near []string
	for _, name := range candidates {
		for _, n := range c.arities[[2]string{p.module, name}] {
			if n >= 0 {
				near = append(near, syntax.Procedure{Name: name, Arity: n}.String())
			}
		}
		for i := range builtin.All {
			if b := &builtin.All[i]; b.Name == name && b.Module == library && b.Body && !slices.Contains(near, b.Title()) {
				near = append(near, b.Title())
			}
		}
	}
	return near[:min(3, len(near))]
}
