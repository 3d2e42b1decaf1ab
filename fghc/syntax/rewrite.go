package syntax

import "slices"

// rewrite applies f to every part of a term, innermost first. If f changes nothing it returns t itself. It does not recurse into the tails
// of lists, and f does not see tails that are lists.
func rewrite(t Term, f func(Term) Term) Term { return rewriter{f: f}.term(t) }

// A rewriter rewrites terms with f.
type rewriter struct {
	f      func(Term) Term
	quotes bool // terms in ``(...) are left unchanged
}

func (r rewriter) term(t Term) Term {
	switch x := t.(type) {
	case nil:
		return nil
	case *List:
		return r.f(r.list(x))
	case *Compound:
		if r.quotes && x.Name == "``" && len(x.Args) == 1 {
			break
		}
		if args, changed := r.terms(x.Args); changed {
			t = &Compound{x.Pos, x.Name, args}
		}
	case *Vector:
		if args, changed := r.terms(x.Args); changed {
			t = &Vector{x.Pos, args}
		}
	}
	return r.f(t)
}

func (r rewriter) terms(args []Term) ([]Term, bool) {
	out, changed := args, false
	for i, a := range args {
		b := r.term(a)
		if b == a {
			continue
		}
		if !changed {
			out, changed = slices.Clone(args), true
		}
		out[i] = b
	}
	return out, changed
}

func (r rewriter) list(l *List) Term {
	var cells []*List
	var heads []Term
	changed := false
	var tail Term = l
	for {
		cell, ok := tail.(*List)
		if !ok {
			break
		}
		head := r.term(cell.Head)
		changed = changed || head != cell.Head
		cells, heads, tail = append(cells, cell), append(heads, head), cell.Tail
	}
	end := r.term(tail)
	if !changed && end == tail {
		return l
	}
	for i := len(cells) - 1; i >= 0; i-- {
		end = &List{cells[i].Pos, heads[i], end}
	}
	return end
}

// Variables calls f for every occurrence of a variable in terms, from left to right. Terms may be nil. It does not recurse into the tails of
// lists.
func Variables(f func(*Var), terms ...Term) {
	for _, t := range terms {
		for l, ok := t.(*List); ok; l, ok = t.(*List) {
			Variables(f, l.Head)
			t = l.Tail
		}
		switch t := t.(type) {
		case *Var:
			f(t)
		case *Compound:
			Variables(f, t.Args...)
		case *Vector:
			Variables(f, t.Args...)
		}
	}
}
