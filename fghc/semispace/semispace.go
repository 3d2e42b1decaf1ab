// Package semispace copies the reachable terms of an arena to another arena.
//
// The algorithm is that of C. J. Cheney, "A Nonrecursive List Compacting Algorithm" (1970), with one difference: the
// cell of an unbound variable moves alone when a reference reaches it before its list or structure is reached. Objects
// move whole. In the old arena a Raw word without term.HeaderFlag is a forwarding address, of a whole object if
// wholeFlag is set.
package semispace

import "whorl/fghc/term"

const wholeFlag = 1 << 63

// A Copier copies terms from one arena to another. Its users move their roots, then scan; both may be repeated.
type Copier[W ~uint64] struct {
	From []W // the old arena; copying destroys it
	To   []W // the new arena, which grows as needed

	symbols *term.Symbols
	waiters func(content W) W
	scanned int
}

// New returns a Copier to the memory of an arena that is no longer used. Word 0 of the new arena is reserved, since no
// word refers to it. waiters moves what an unbound variable with waiting goals refers to: it takes the content of the
// variable's cell and returns the new content.
func New[W ~uint64](from, to []W, symbols *term.Symbols, waiters func(content W) W) Copier[W] {
	return Copier[W]{From: from, To: append(to[:0], W(term.Nil)), symbols: symbols, waiters: waiters, scanned: 1}
}

// Forwarded reports whether a word of the old arena is the new index of the cell or object that was there.
func Forwarded[W ~uint64](w W) bool {
	return term.Word(w)&(term.HeaderFlag|term.TagMask) == term.Raw
}

// Forward replaces cell i of the old arena by its new index.
func (c *Copier[W]) Forward(i, to int) { c.From[i] = W(to)<<term.TagBits | W(term.Raw) }

// Move returns w, with the object that it refers to in the new arena.
func (c *Copier[W]) Move(w W) W {
	for term.Word(w).Tag() == term.Ref {
		i := int(w >> term.TagBits)
		v := c.From[i]
		switch {
		case Forwarded(v):
			return v &^ (wholeFlag | term.TagMask)
		case term.Word(v).Tag() == term.Var:
			to := len(c.To)
			c.To = append(c.To, v)
			c.Forward(i, to)
			return W(to) << term.TagBits
		}
		w = v // skip a reference to a bound variable
	}
	tag, i := term.Word(w).Tag(), int(w>>term.TagBits)
	if tag != term.List && tag != term.Str && tag != term.Box {
		return w
	}
	first, n := c.From[i], 2
	switch {
	case Forwarded(first):
		if first&wholeFlag != 0 {
			return first&^(wholeFlag|term.TagMask) | W(tag)
		}
	case tag == term.Str:
		n = 1 + c.symbols.Lookup(int(first>>term.TagBits)).Arity
	case tag == term.Box:
		n = 1 + term.Word(first).BoxWords()
	}
	to := len(c.To)
	c.To = append(c.To, c.From[i:i+n]...)
	if tag != term.Box {
		for k := range n {
			if term.Word(c.From[i+k]).Tag() == term.Var {
				c.Forward(i+k, to+k)
			}
		}
	}
	c.From[i] = wholeFlag | W(to)<<term.TagBits | W(term.Raw)
	return W(to)<<term.TagBits | W(tag)
}

// Scan moves the objects that the new words refer to, until no new word is left.
func (c *Copier[W]) Scan() {
	s := c.scanned
	for ; s < len(c.To); s++ {
		w := c.To[s]
		switch word := term.Word(w); word.Tag() {
		case term.Ref, term.List, term.Str, term.Box:
			v := c.Move(w) // may replace c.To
			c.To[s] = v
		case term.Var:
			if word != term.Var {
				v := c.waiters(w)
				c.To[s] = v
			}
		case term.Raw:
			if Forwarded(w) { // the cell has moved before its object
				c.To[s] = w &^ (wholeFlag | term.TagMask)
			} else if !term.Scanned(word.BoxKind()) {
				s += word.BoxWords()
			}
		}
	}
	c.scanned = s
}
