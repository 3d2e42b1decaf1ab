// Package report says to a person what an FGHC program holds and why it cannot go on, whatever engine runs it.
package report

import (
	"fmt"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A Printer turns terms of an arena into terms of the syntax. A variable has the same name in all that one Printer prints.
type Printer struct {
	c     builtin.Context // only reads
	names map[int]name    // by the index of the variable's cell
	given int             // names so far
	left  int             // terms that may still be shown
	path  map[int]struct{}
}

// A name is that of a variable; of variables that become one, the name that was given first remains.
type name struct {
	text   string
	number int
}

// How many terms are shown.
const (
	All   = 1 << 22
	Short = 40

	depth = 2000 // of terms in terms, lists apart
)

// NewPrinter returns a Printer. Variables that have names of their own, such as those of a query, keep them: the i-th of words is the
// variable names[i], if it is unbound.
func NewPrinter(c builtin.Context, names []string, words []term.Word) *Printer {
	p := &Printer{c: c, names: map[int]name{}, path: map[int]struct{}{}}
	for i, w := range words {
		if w = c.Deref(w); w.Tag() == term.Ref {
			if _, ok := p.names[w.Index()]; !ok {
				p.names[w.Index()] = name{names[i], i - len(words)}
				p.given++
			}
		}
	}
	return p
}

// Join says that the variable with the cell at index i has become one with v.
func (p *Printer) Join(i int, v term.Word) {
	n, ok := p.names[i]
	delete(p.names, i)
	if v = p.c.Deref(v); ok && v.Tag() == term.Ref {
		if other, ok := p.names[v.Index()]; !ok || n.number < other.number {
			p.names[v.Index()] = n
		}
	}
}

// Move says that a collection has moved the cells: to returns where the variable with the cell at an index is now, and false for one that is
// no more. A name is never given twice.
func (p *Printer) Move(to func(int) (int, bool)) {
	names := make(map[int]name, len(p.names))
	for i, n := range p.names {
		if at, ok := to(i); ok {
			names[at] = n
		}
	}
	p.names = names
}

// Text prints w, as a program could hold it, with so many terms at most.
func (p *Printer) Text(w term.Word, terms int) string { return syntax.Format(p.Term(w, terms)) }

// Term returns w with so many terms at most; what is left out is "...".
func (p *Printer) Term(w term.Word, terms int) syntax.Term {
	p.left = terms
	return p.term(w, 0)
}

// Variable returns the name of an unbound variable.
func (p *Printer) Variable(v term.Word) string {
	v = p.c.Deref(v)
	n, ok := p.names[v.Index()]
	if !ok {
		p.given++
		n = name{fmt.Sprintf("_%d", p.given), p.given}
		p.names[v.Index()] = n
	}
	return n.text
}

// Goal prints a goal of procedure proc, written at a site.
func (p *Printer) Goal(prog *compile.Program, proc, site int, args []term.Word) string {
	return p.GoalWithin(prog, proc, site, args, Short)
}

// GoalWithin is Goal with so many terms of each argument at most.
func (p *Printer) GoalWithin(prog *compile.Program, proc, site int, args []term.Word, terms int) string {
	pr := &prog.Procs[proc]
	if pr.Builtin {
		return prog.Sites[site].Text
	}
	name, module := pr.Name, ""
	if pr.Module != "" {
		name, module = strings.TrimPrefix(pr.Name, pr.Module+":"), syntax.FormatName(pr.Module)+":"
	}
	if pr.Arity == 0 {
		return module + syntax.FormatName(name)
	}
	c := &syntax.Compound{Name: name, Args: make([]syntax.Term, pr.Arity)}
	for k := range c.Args {
		c.Args[k] = p.Term(args[k], terms)
	}
	return module + syntax.Format(c)
}

func (p *Printer) term(w term.Word, level int) syntax.Term {
	c := p.c
	w = c.Deref(w)
	if p.left--; p.left < 0 || level > depth {
		return more()
	}
	switch w.Tag() {
	case term.Ref:
		return &syntax.Var{Name: p.Variable(w)}
	case term.Int:
		return &syntax.Int{Value: w.Value()}
	case term.Atom:
		return &syntax.Atom{Name: c.Symbols().Name(w.Index())}
	}
	if _, inside := p.path[w.Index()]; inside { // it holds itself
		return more()
	}
	p.path[w.Index()] = struct{}{}
	defer delete(p.path, w.Index())
	switch w.Tag() {
	case term.List:
		return p.list(w, level)
	case term.Str:
		f := c.Symbols().Lookup(int(c.Raw(w.Index()).Value()))
		args := make([]syntax.Term, f.Arity)
		for k := range args {
			args[k] = p.term(c.Load(w.Index()+1+k), level+1)
		}
		if f.Name == term.Vector {
			return &syntax.Vector{Args: args}
		}
		return &syntax.Compound{Name: c.Symbols().Name(f.Name), Args: args}
	}
	if n, ok := builtin.Size(c, w); ok {
		var args []syntax.Term
		for k := range min(n, max(p.left, 0)) {
			args = append(args, p.term(builtin.Element(c, w, k), level+1))
		}
		if len(args) < n {
			args = append(args, more())
		}
		return &syntax.Vector{Args: args}
	}
	if v, ok := builtin.Small(c, w); ok {
		return &syntax.Int{Value: v}
	}
	if v, ok := builtin.Integer(c, w); ok {
		return &syntax.Int{Big: v.String()}
	}
	if v, ok := builtin.Float(c, w); ok {
		return &syntax.Float{Value: v}
	}
	text, _ := builtin.Text(c, w)
	return &syntax.Str{Value: string(text)}
}

// more stands for what is not shown.
func more() syntax.Term { return &syntax.Var{Name: "..."} }

// list follows the tails without recursion. A list whose tail leads back into it ends there (R. P. Brent, "An Improved Monte Carlo
// Factorization Algorithm", 1980: a mark that moves up at powers of two meets every circle).
func (p *Printer) list(w term.Word, level int) syntax.Term {
	c := p.c
	first := &syntax.List{}
	mark := w
	for l, n, turn := first, 0, 1; ; {
		l.Head = p.term(c.Load(w.Index()), level+1)
		w = c.Deref(c.Load(w.Index() + 1))
		if w.Tag() != term.List || p.left <= 0 {
			l.Tail = p.term(w, level+1)
			return first
		}
		if w == mark {
			l.Tail = more()
			return first
		}
		if n++; n == turn {
			mark, n, turn = w, 0, 2*turn
		}
		p.left--
		next := &syntax.List{}
		l.Tail = next
		l = next
	}
}

// Brief shortens a text for an error.
func Brief(s string) string { return Shorten(s, 240) }

// Shorten shortens a text of more than so many characters in its middle: an integer can have a million digits.
func Shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + " ... " + string(r[len(r)-most/2:])
	}
	return s
}
