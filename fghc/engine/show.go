package engine

import (
	"fmt"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A printer turns terms of the arena into terms of the syntax. Variables of the query keep their names, others are numbered as they come.
type printer struct {
	e     *Engine
	names map[int]string
	left  int              // terms that may still be shown
	path  map[int]struct{} // objects that the term in hand lies in
}

const (
	showAll   = 1 << 22 // terms
	showShort = 40
	showDepth = 2000 // of terms in terms, lists apart
)

func (e *Engine) printer(terms int) *printer {
	p := &printer{e: e, names: map[int]string{}, path: map[int]struct{}{}, left: terms}
	for i, w := range e.answer {
		if w = p.value(w); w.Tag() == term.Ref {
			if _, ok := p.names[w.Index()]; !ok {
				p.names[w.Index()] = e.query.Variables[i]
			}
		}
	}
	return p
}

// Show returns w as a program could hold it.
func (e *Engine) Show(w term.Word) string { return syntax.Format(e.printer(showAll).term(w, 0)) }

// value follows references across PEs too, since whoever reads the output sees all of them.
func (p *printer) value(w term.Word) term.Word {
	h := &p.e.heap
	for {
		w = h.deref(w)
		if w.Tag() != term.Ref || h.m[w.Index()]&imported == 0 {
			return w
		}
		w = h.m[h.m[w.Index()].Index()+1]
	}
}

func (p *printer) name(v term.Word) string {
	v = p.value(v)
	n, ok := p.names[v.Index()]
	if !ok {
		n = fmt.Sprintf("_%d", len(p.names)+1)
		p.names[v.Index()] = n
	}
	return n
}

func (p *printer) term(w term.Word, depth int) syntax.Term {
	h, sy := &p.e.heap, p.e.prog.Symbols
	w = p.value(w)
	if p.left--; p.left < 0 || depth > showDepth {
		return more()
	}
	if w.Tag() == term.List || w.Tag() == term.Str || w.Tag() == term.Box {
		if _, inside := p.path[w.Index()]; inside { // it holds itself
			return more()
		}
		p.path[w.Index()] = struct{}{}
		defer delete(p.path, w.Index())
	}
	switch w.Tag() {
	case term.Ref:
		return &syntax.Var{Name: p.name(w)}
	case term.Int:
		return &syntax.Int{Value: w.Value()}
	case term.Atom:
		return &syntax.Atom{Name: sy.Name(w.Index())}
	case term.List:
		return p.list(w, depth)
	case term.Str:
		f := sy.Lookup(h.functor(w))
		args := make([]syntax.Term, f.Arity)
		for k := range args {
			args[k] = p.term(h.at(w.Index()+1+k), depth+1)
		}
		if f.Name == term.Vector {
			return &syntax.Vector{Args: args}
		}
		return &syntax.Compound{Name: sy.Name(f.Name), Args: args}
	}
	c := (*platform)(p.e)
	if n := p.e.arityOf(w); n >= 0 {
		args := make([]syntax.Term, n)
		for k, w := range builtin.Elements(c, w) {
			args[k] = p.term(w, depth+1)
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
func (p *printer) list(w term.Word, depth int) syntax.Term {
	h := &p.e.heap
	first := &syntax.List{}
	mark := w
	for l, n, turn := first, 0, 1; ; {
		l.Head = p.term(h.at(w.Index()), depth+1)
		w = p.value(h.at(w.Index() + 1))
		if w.Tag() != term.List || p.left <= 0 {
			l.Tail = p.term(w, depth+1)
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

// goal returns a goal as it stands, arguments and all.
func (p *printer) goal(g *goal) string {
	pr := &p.e.prog.Procs[g.proc]
	if pr.Builtin {
		return p.e.prog.Sites[g.site].Text
	}
	if pr.Arity == 0 {
		return syntax.FormatName(pr.Name)
	}
	c := &syntax.Compound{Name: pr.Name, Args: make([]syntax.Term, pr.Arity)}
	for k := range c.Args {
		p.left = showShort
		c.Args[k] = p.term(p.e.heap.m[g.args+k], 0)
	}
	return syntax.Format(c)
}
