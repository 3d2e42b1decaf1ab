// Package check finds the static errors of FGHC programs and queries: calls of procedures that do not exist, guards that are not flat,
// arithmetic that cannot be computed, variables that nothing can bind, and clauses of one procedure that do not stand together.
//
// It reports every error with its place, in the order of the text, together with warnings for what is allowed but hardly meant. What it
// accepts, the compiler need not look at again: every head and goal is an atom or a structure, every goal is a builtin or a procedure of
// the file, a guard reads from left to right only variables that the head or an earlier guard goal names, and an expression consists of
// the operators of Arithmetic, integers and variables.
package check

import (
	"fmt"
	"strings"

	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// Program reads a program and checks it. The file holds the clauses that could be read, also when there are errors.
func Program(name, src string) (*syntax.File, syntax.Errors) {
	f, errs := syntax.Parse(name, src)
	return f, append(errs, Check(f)...).Locate(src)
}

// Query reads the goals of a query and checks them against a program.
func Query(f *syntax.File, name, src string) ([]syntax.Goal, syntax.Errors) {
	goals, errs := syntax.ParseGoals(name, src)
	return goals, append(errs, CheckGoals(f, goals)...).Locate(src)
}

// Check returns the static errors and warnings of a file.
func Check(f *syntax.File) syntax.Errors {
	c := newChecker(f)
	var last syntax.Procedure
	for _, cl := range f.Clauses {
		if p, ok := c.head(cl.Head); ok {
			switch {
			case c.first[p] == cl:
				c.redefinition(cl.Head, p)
			case p != last:
				want := fmt.Sprintf("them behind one another; the first is in line %d", c.first[p].At.Line)
				c.fault(cl.Head.Term.Pos(), want, "the clauses of %v do not stand together", p)
			}
			last = p
		}
		c.guard(cl)
		for _, g := range cl.Body {
			c.goal(g)
		}
		c.singletons(cl)
	}
	return c.errs.Locate(f.Source)
}

// CheckGoals returns the static errors of the goals of a query against a program. The text of the query is not known here: Locate adds
// the lines (Query does).
func CheckGoals(f *syntax.File, goals []syntax.Goal) syntax.Errors {
	c := newChecker(f)
	for _, g := range goals {
		c.goal(g)
	}
	return c.errs
}

type checker struct {
	file    *syntax.File
	errs    syntax.Errors
	first   map[syntax.Procedure]*syntax.Clause // of each procedure
	arities map[string][]int                    // of the procedures of a name, in the order of the text; -1 for any
	names   []string                            // of the procedures and builtins, each once
	unknown int                                 // unknown procedures so far
}

// maxNearest bounds for how many unknown procedures the nearest names are sought, which takes time in the number of procedures each.
const maxNearest = 100

func newChecker(f *syntax.File) *checker {
	c := &checker{file: f, first: map[syntax.Procedure]*syntax.Clause{}, arities: map[string][]int{}}
	for _, cl := range f.Clauses {
		p := procedure(cl.Head)
		if c.first[p] == nil && p.Name != "" {
			c.first[p] = cl
			c.define(p)
		}
	}
	for _, p := range f.Damaged {
		if !c.defined(p) {
			c.define(p)
		}
	}
	for _, name := range names(BodyBuiltins) {
		if c.arities[name] == nil {
			c.names = append(c.names, name)
		}
	}
	return c
}

func (c *checker) define(p syntax.Procedure) {
	if _, ok := find(BodyBuiltins, p.Name, p.Arity); ok {
		return // an error of its own
	}
	if c.arities[p.Name] == nil {
		c.names = append(c.names, p.Name)
	}
	c.arities[p.Name] = append(c.arities[p.Name], p.Arity)
}

// defined reports whether a procedure has a clause, be it one that could not be read.
func (c *checker) defined(p syntax.Procedure) bool {
	for _, n := range c.arities[p.Name] {
		if n == p.Arity || n < 0 {
			return true
		}
	}
	return false
}

func procedure(g syntax.Goal) syntax.Procedure {
	name, args := g.Name()
	return syntax.Procedure{Name: name, Arity: len(args)}
}

func (c *checker) fault(at syntax.Pos, want, format string, args ...any) {
	c.errs = append(c.errs, &syntax.Error{Pos: at, Msg: cut(fmt.Sprintf(format, args...), 200), Want: cut(want, 400)})
}

// withNearest adds to what was expected the names that were probably meant.
func withNearest(want string, near []string) string {
	if len(near) == 0 {
		return want
	}
	return want + "; nearest: " + strings.Join(near, " ")
}

// nearestProcedures returns what a call of an unknown procedure may have meant: the same name with other arities first.
func (c *checker) nearestProcedures(p syntax.Procedure) []string {
	if c.unknown++; c.unknown > maxNearest {
		return nil
	}
	candidates := []string{p.Name}
	for _, name := range nearest.Names(p.Name, c.names) {
		if name != p.Name {
			candidates = append(candidates, name)
		}
	}
	var near []string
	for _, name := range candidates {
		for _, n := range c.arities[name] {
			if n >= 0 {
				near = append(near, syntax.Procedure{Name: name, Arity: n}.String())
			}
		}
		for _, b := range BodyBuiltins {
			if b.Name == name {
				near = append(near, syntax.Procedure{Name: name, Arity: b.Arity}.String())
			}
		}
	}
	return near[:min(3, len(near))]
}
