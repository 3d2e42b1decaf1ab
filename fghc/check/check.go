// Package check finds what is wrong with FGHC programs and queries before they run.
//
// Errors are what cannot run: calls of procedures that do not exist, guards that are not flat, arithmetic that cannot be computed,
// variables that nothing can bind, and clauses of one procedure that do not stand together. Warnings are what can, but is hardly meant:
// variables that occur once, and, where Doubts is asked, clauses that can never commit, guards that always fail, and procedures that nothing
// calls.
//
// Every error is reported with its place, in the order of the text. What the checker accepts the compiler need not look at again: every
// head and goal is an atom or a structure, every goal is a builtin or a procedure of the files, a guard reads from left to right only
// variables that the head or an earlier guard goal names, and an expression consists of numbers, variables and the operators of package
// builtin.
package check

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// A Source is the text of a file.
type Source struct{ Name, Text string }

// Files are the files of one program, in the core of the language (syntax.Expand). Those of one module may call each other's procedures by
// their names, those of others as module:goal.
type Files []*syntax.File

// Program reads a program of one file and checks it. The file holds the clauses that could be read, also when there are errors.
func Program(name, src string) (*syntax.File, syntax.Errors) {
	files, errs := Read([]Source{{name, src}})
	return files[0], errs
}

// Read reads the files of a program and checks them together. The files are those of the sources, also when there are errors, which stand in
// the order of the sources, and behind them the modules of the library that they call.
func Read(sources []Source) (Files, syntax.Errors) {
	files := make(Files, len(sources))
	var errs syntax.Errors
	for i, s := range sources {
		f, more := syntax.Parse(s.Name, s.Text)
		errs = append(errs, more...)
		for _, c := range f.Clauses {
			errs = append(errs, singletons(c)...)
		}
		files[i], more = syntax.Expand(f)
		errs = append(errs, more...)
	}
	files = files.withLibrary(nil)
	return files, files.locate(append(errs, Check(files)...))
}

// Doubts returns warnings about files without errors: clauses that can never commit, guards that always fail, and procedures that neither
// the goals of a query nor main nor a public procedure leads to. Where there are none of these any procedure may be meant.
func (fs Files) Doubts(goals []syntax.Goal) syntax.Errors {
	errs := fs.never()
	if roots := fs.roots(goals); len(roots) > 0 {
		errs = append(errs, fs.unreached(roots)...)
	}
	return fs.locate(errs)
}

// Query reads the goals of a query and checks them against a program of one file.
func Query(f *syntax.File, name, src string) ([]syntax.Goal, syntax.Errors) {
	return Files{f}.Query(name, src)
}

// Query reads the goals of a query and checks them. A goal without a module is of the module main where that has such a procedure, else of
// the first that has one.
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

// Main returns the goal that a program begins with where no other is given: main of the module main, or of a file without modules.
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

// Check returns the static errors of files, which Expand has made, and what is odd in their procedures' names. The lines are not added: Read
// does.
func Check(files Files) syntax.Errors {
	c := newChecker(files)
	for _, f := range files {
		var last procedure
		for _, cl := range f.Clauses {
			c.module = cl.Module
			if p := of(cl); c.head(cl.Head) {
				switch {
				case c.first[p] == cl:
					c.redefinition(cl.Head, p)
				case p != last:
					want := fmt.Sprintf("them behind one another; the first is in line %d", c.first[p].At.Line)
					if at := c.first[p].At; at.File != cl.At.File {
						want += " of " + at.File
					}
					c.fault(cl.Head.Term.Pos(), want, "the clauses of %v do not stand together", p)
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

// locate sorts errors by file, in the order of the files, and by place, and gives each its line.
func (fs Files) locate(errs syntax.Errors) syntax.Errors {
	if len(fs) == 1 {
		return errs.Locate(fs[0].Source)
	}
	var sorted syntax.Errors
	for _, f := range fs {
		var own syntax.Errors
		for _, e := range errs {
			if e.Pos.File == f.Name {
				own = append(own, e)
			}
		}
		sorted = append(sorted, own.Locate(f.Source)...)
	}
	return sorted
}

// A procedure is told from others by its module, too; "" is that of a file without one.
type procedure struct {
	module string
	syntax.Procedure
}

type checker struct {
	files   Files
	module  string // of the clause in hand
	errs    syntax.Errors
	said    map[saying]bool
	first   map[procedure]*syntax.Clause
	arities map[[2]string][]int // of the procedures of a module and a name, in the order of the text; -1 for any
	names   map[string][]string // of the procedures of a module, each once
	modules []string            // of the files that are not of the library, each once
	library []string            // modules of the library
	unknown int                 // unknown procedures so far
}

// A saying is what has been said of a place: clauses that were made of one say it again.
type saying struct {
	at  syntax.Pos
	msg string
}

// maxNearest bounds for how many unknown procedures the nearest names are sought, which takes time in the number of procedures each.
const maxNearest = 100

func newChecker(files Files) *checker {
	c := &checker{files: files, said: map[saying]bool{}, first: map[procedure]*syntax.Clause{}, arities: map[[2]string][]int{}, names: map[string][]string{}}
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
			p := of(cl)
			if c.first[p] == nil && p.Name != "" {
				c.first[p] = cl
				c.define(p)
			}
		}
		within := []string{""} // where a damaged clause stands is not known
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

// defined reports whether a procedure has a clause, be it one that could not be read.
func (c *checker) defined(p procedure) bool {
	for _, n := range c.arities[[2]string{p.module, p.Name}] {
		if n == p.Arity || n < 0 {
			return true
		}
	}
	return false
}

// of returns the procedure of a clause.
func of(cl *syntax.Clause) procedure {
	name, args := cl.Head.Name()
	return procedure{cl.Module, syntax.Procedure{Name: name, Arity: len(args)}}
}

// called returns the procedure of a goal in a module.
func (c *checker) called(g syntax.Goal, module string) procedure {
	if g.Module != "" {
		module = g.Module
	}
	name, args := g.Name()
	return procedure{module, syntax.Procedure{Name: name, Arity: len(args)}}
}

// home returns the module of a query's goal.
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

// builtin returns the builtin that a goal calls; procedures of the program come first.
func (c *checker) builtin(g syntax.Goal) (*builtin.Builtin, bool) {
	name, args := g.Name()
	if c.defined(c.called(g, c.module)) {
		return nil, false
	}
	return find(g.Module, name, args)
}

// find returns the builtin of a name.
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

// builtins returns the names of the builtins of a module that f admits, each once.
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

func (c *checker) say(severity syntax.Severity, at syntax.Pos, want, format string, args ...any) {
	s := saying{at, cut(fmt.Sprintf(format, args...), 200)}
	if !c.said[s] {
		c.said[s] = true
		c.errs = append(c.errs, &syntax.Error{Pos: at, Msg: s.msg, Want: cut(want, 400), Severity: severity})
	}
}

func (c *checker) fault(at syntax.Pos, want, format string, args ...any) {
	c.say(syntax.Fault, at, want, format, args...)
}

func (c *checker) warn(at syntax.Pos, want, format string, args ...any) {
	c.say(syntax.Warning, at, want, format, args...)
}

// withNearest adds to what was expected the names that were probably meant.
func withNearest(want string, near []string) string {
	if len(near) == 0 {
		return want
	}
	return want + "; nearest: " + strings.Join(near, " ")
}

// nearestProcedures returns what a call of an unknown procedure may have meant: the same name with other arities first.
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
