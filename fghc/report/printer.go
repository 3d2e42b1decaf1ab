// Package report formats terms, goals and run-time errors of FGHC programs for all engines.
package report

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A Printer converts terms of an arena to syntax terms. It gives each variable one name in everything that it prints.
type Printer struct {
	c     builtin.Context // used only to read
	names map[int]name    // by the index of the variable's cell
	given int             // number of names given
	taken map[string]bool // the names from the query and the program
	left  int             // number of terms that may still be shown
	brief bool            // the text will be shortened by Brief
	path  map[int]struct{}
}

// A name is the name of a variable. If variables are unified, the name with the lowest number remains.
type name struct {
	text   string
	number int
}

// Limits on the number of terms shown, and on their nesting.
const (
	All   = 1 << 22
	Short = 40

	depth = 2000 // not counting lists
)

// NewPrinter returns a Printer. It gives the name names[i] to the variable words[i] if that is unbound, for example a variable of a query.
func NewPrinter(c builtin.Context, names []string, words []term.Word) *Printer {
	p := &Printer{c: c, names: map[int]name{}, taken: map[string]bool{}, path: map[int]struct{}{}}
	for i, w := range words {
		if w = c.Deref(w); w.Tag() == term.Ref {
			if _, ok := p.names[w.Index()]; !ok {
				p.names[w.Index()] = name{names[i], i - len(words)}
				p.taken[names[i]] = true
				p.given++
			}
		}
	}
	return p
}

// A Binding is a variable of a query with its value.
type Binding struct{ Name, Value string }

// Answer returns the values of variables as far as they are bound.
func (p *Printer) Answer(names []string, words []term.Word) []Binding {
	out := make([]Binding, len(words))
	for i, w := range words {
		out[i] = Binding{names[i], p.Text(w, All)}
	}
	return out
}

// Join records that the variable with the cell at index i has been unified with v.
func (p *Printer) Join(i int, v term.Word) {
	n, ok := p.names[i]
	delete(p.names, i)
	if v = p.c.Deref(v); ok && v.Tag() == term.Ref {
		if other, ok := p.names[v.Index()]; !ok || n.number < other.number {
			p.names[v.Index()] = n
		}
	}
}

// Move records that a collection has moved the cells. The function to returns the new index of a cell, or false if its variable is gone.
// Names are not reused.
func (p *Printer) Move(to func(int) (int, bool)) {
	names := make(map[int]name, len(p.names))
	for i, n := range p.names {
		if at, ok := to(i); ok {
			names[at] = n
		}
	}
	p.names = names
}

// Text formats w as source text with at most the given number of terms.
func (p *Printer) Text(w term.Word, terms int) string { return syntax.Format(p.Term(w, terms)) }

// Brief formats w for an error message, with at most 2*Short terms and 240 characters.
func (p *Printer) Brief(w term.Word) string {
	p.brief = true
	defer func() { p.brief = false }()
	return Brief(p.Text(w, 2*Short))
}

// Term converts w with at most the given number of terms; "..." stands for the others.
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

// Name gives the variables of a goal that have no name the names that they have in the program at the site of the call. If another variable has
// the name, a number follows it.
func (p *Printer) Name(prog *compile.Program, proc, site int, args []term.Word) {
	t, errs := syntax.ParseTerm("", prog.Sites[site].Text+".", syntax.Standard)
	call, ok := t.(*syntax.Compound)
	if !ok || len(errs) > 0 {
		return
	}
	terms := call.Args
	if pr := &prog.Procs[proc]; pr.Builtin && len(terms) == 2 { // a computation waits with its operands, then its result
		switch pr.Name {
		case ":=", "$:=":
			terms = append(operands(terms[1], nil), terms[0])
		case "bigint":
			terms = append(operands(terms[0], nil), terms[1])
		}
	}
	if len(terms) == len(args) {
		for k, t := range terms {
			p.name(t, args[k])
		}
	}
}

// operands appends the variables of an expression, each once, in the order of the text.
func operands(t syntax.Term, all []syntax.Term) []syntax.Term {
	switch t := t.(type) {
	case *syntax.Var:
		if !slices.ContainsFunc(all, func(v syntax.Term) bool { return v.(*syntax.Var).Name == t.Name }) {
			return append(all, t)
		}
	case *syntax.Compound:
		for _, arg := range t.Args {
			all = operands(arg, all)
		}
	}
	return all
}

// name names the variables of w after those of t, a term of the program that w is an instance of.
func (p *Printer) name(t syntax.Term, w term.Word) {
	w = p.c.Deref(w)
	switch t := t.(type) {
	case *syntax.Var:
		if _, named := p.names[w.Index()]; w.Tag() == term.Ref && !named && !strings.HasPrefix(t.Name, "_") {
			p.given++
			own := t.Name
			for n := p.given; p.taken[own]; n++ {
				own = fmt.Sprintf("%s_%d", t.Name, n)
			}
			p.taken[own] = true
			p.names[w.Index()] = name{own, p.given}
		}
	case *syntax.List:
		if w.Tag() == term.List {
			p.name(t.Head, p.c.Load(w.Index()))
			p.name(t.Tail, p.c.Load(w.Index()+1))
		}
	case *syntax.Compound:
		if w.Tag() == term.Str && p.c.Symbols().Lookup(int(p.c.Raw(w.Index()).Value())).Arity == len(t.Args) {
			for k, arg := range t.Args {
				p.name(arg, p.c.Load(w.Index()+1+k))
			}
		}
	}
}

// Goal formats a goal of procedure proc that was called at a site.
func (p *Printer) Goal(prog *compile.Program, proc, site int, args []term.Word) string {
	return p.GoalWithin(prog, proc, site, args, Short)
}

// GoalWithin is like Goal, with at most the given number of terms for each argument.
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
		return ellipsis()
	}
	switch w.Tag() {
	case term.Ref:
		return &syntax.Var{Name: p.Variable(w)}
	case term.Int:
		return &syntax.Int{Value: w.Value()}
	case term.Atom:
		return &syntax.Atom{Name: c.Symbols().Name(w.Index())}
	}
	if _, inside := p.path[w.Index()]; inside { // the term contains itself
		return ellipsis()
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
			args = append(args, ellipsis())
		}
		return &syntax.Vector{Args: args}
	}
	if v, ok := builtin.Small(c, w); ok {
		return &syntax.Int{Value: v}
	}
	if v, ok := builtin.Integer(c, w); ok {
		if p.brief {
			return &syntax.Int{Big: ends(v)}
		}
		return &syntax.Int{Big: v.String()}
	}
	if v, ok := builtin.Float(c, w); ok {
		return &syntax.Float{Value: v}
	}
	text, _ := builtin.Text(c, w)
	return &syntax.Str{Value: string(text)}
}

// ellipsis returns the term that stands for omitted terms.
func ellipsis() syntax.Term { return &syntax.Var{Name: "..."} }

// list follows the tails without recursion. It ends at a tail that leads back into the list (R. P. Brent, "An Improved Monte Carlo
// Factorization Algorithm", 1980: a mark that advances at powers of two finds every cycle).
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
			l.Tail = ellipsis()
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

// briefly is the number of characters that Brief keeps.
const briefly = 240

// Brief shortens a text for an error message.
func Brief(s string) string { return Shorten(s, briefly) }

// ends returns a short text for v: Brief keeps the same characters of it as of all digits. All digits of an integer of millions of bits take a long
// time. If the first digits are not certain, ends returns all digits.
func ends(v *big.Int) string {
	const precision = 20 * briefly // bits, many more than those of the first digits
	if v.BitLen() < 2*precision {
		return v.String()
	}
	left := int64(float64(v.BitLen())*math.Log10(2)) - briefly // number of digits after the first ones
	scale, power := big.NewFloat(1).SetPrec(precision), big.NewFloat(10).SetPrec(precision)
	for n := left; n > 0; n >>= 1 {
		if n&1 == 1 {
			scale.Mul(scale, power)
		}
		power.Mul(power, power)
	}
	quotient := new(big.Float).SetPrec(precision).SetInt(v)
	quotient.Abs(quotient).Quo(quotient, scale)
	first, _ := quotient.Int(nil)
	rest, _ := quotient.Sub(quotient, new(big.Float).SetInt(first)).Float64()
	if rest < 1e-9 || rest > 1-1e-9 {
		return v.String()
	}
	last := new(big.Int).Exp(big.NewInt(10), big.NewInt(briefly), nil)
	last.Rem(new(big.Int).Abs(v), last)
	sign := ""
	if v.Sign() < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%v%0*v", sign, first, briefly, last)
}

// Shorten replaces the middle of a text of more than most characters by "...". An integer can have a million digits.
func Shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + " ... " + string(r[len(r)-most/2:])
	}
	return s
}
