// Package semispace copies the reachable terms of an arena to another arena.
//
// The algorithm is that of C. J. Cheney, "A Nonrecursive List Compacting Algorithm" (1970), with two differences. The
// cells of a list move one behind the other, so that a program that reads the list, and the collector itself, find
// several of them in a line of the processor's cache. The cell of an unbound variable moves alone when a reference
// reaches it before its list or structure is reached; all other objects move whole.
//
// In the old arena a Raw word without term.HeaderFlag is a forwarding address, of a whole object if wholeFlag is set. In
// the new arena it stands, until it is scanned, for a reference to a cell that has moved alone, or with wholeFlag for a
// list.
package semispace

import "whorl/fghc/term"

const wholeFlag = 1 << 63

// A Copier copies terms from one range of an arena to another. Its users move their roots, then scan; both may be
// repeated. Words that refer to cells outside the range stay as they are.
type Copier[W ~uint64] struct {
	From []W // the old words; copying destroys them
	To   []W // the new words, which grow as needed

	base    int // index in the arena of the first old and the first new word
	symbols *term.Symbols
	waiters func(content W) W
	scanned int
}

// New returns a Copier of all words of an arena to the memory of one that is no longer used. Word 0 of the new arena is
// reserved, since no word refers to it. waiters moves what an unbound variable with waiting goals refers to: it takes
// the content of the variable's cell and returns the new content.
func New[W ~uint64](from, to []W, symbols *term.Symbols, waiters func(content W) W) Copier[W] {
	return Copier[W]{From: from, To: append(to[:0], W(term.Nil)), symbols: symbols, waiters: waiters, scanned: 1}
}

// Within returns a Copier of the words of an arena from index base on, to the memory of to. The new words are for the
// same place. No word outside the range may refer to one inside, except those that the users move.
func Within[W ~uint64](from []W, base int, to []W, symbols *term.Symbols, waiters func(content W) W) Copier[W] {
	return Copier[W]{From: from, To: to[:0], base: base, symbols: symbols, waiters: waiters}
}

// Contains reports whether the cell at an index of the arena is among those that the Copier moves.
func (c *Copier[W]) Contains(i int) bool { return uint(i-c.base) < uint(len(c.From)) }

// Old returns n words of the old arena.
func (c *Copier[W]) Old(i, n int) []W { return c.From[i-c.base:][:n] }

// New returns n words of the new arena.
func (c *Copier[W]) New(i, n int) []W { return c.To[i-c.base:][:n] }

// Add adds words to the new arena and returns the index of the first.
func (c *Copier[W]) Add(words ...W) int {
	c.To = append(c.To, words...)
	return c.base + len(c.To) - len(words)
}

// Forwarded reports whether a word of the old arena is the new index of the cell or object that was there.
func Forwarded[W ~uint64](w W) bool {
	return term.Word(w)&(term.HeaderFlag|term.TagMask) == term.Raw
}

// Forward replaces cell i of the old arena by its new index.
func (c *Copier[W]) Forward(i, to int) { c.From[i-c.base] = forward[W](to) }

func forward[W ~uint64](to int) W { return W(to)<<term.TagBits | W(term.Raw) }

// Move returns w, with the object that it refers to in the new arena.
func (c *Copier[W]) Move(w W) W {
	for term.Word(w).Tag() == term.Ref {
		i := int(w>>term.TagBits) - c.base
		if uint(i) >= uint(len(c.From)) {
			return w
		}
		v := c.From[i]
		switch {
		case Forwarded(v):
			return v &^ (wholeFlag | term.TagMask)
		case term.Word(v).Tag() == term.Var:
			to := c.base + len(c.To)
			c.To = append(c.To, v)
			c.From[i] = forward[W](to)
			return W(to) << term.TagBits
		}
		w = v // skip a reference to a bound variable
	}
	tag, i := term.Word(w).Tag(), int(w>>term.TagBits)-c.base
	if tag != term.List && tag != term.Str && tag != term.Box || uint(i) >= uint(len(c.From)) {
		return w
	}
	first, to := c.From[i], c.base+len(c.To)
	switch {
	case Forwarded(first):
		if first&wholeFlag != 0 {
			return first&^(wholeFlag|term.TagMask) | W(tag)
		}
		fallthrough // the cell of its first component has moved
	case tag == term.List:
		c.list(i, first)
		return W(to)<<term.TagBits | W(tag)
	case tag == term.Str:
		n := 1 + c.symbols.Lookup(int(first>>term.TagBits)).Arity
		c.To = append(c.To, c.From[i:i+n]...)
		for k, v := range c.From[i+1 : i+n] {
			if term.Word(v).Tag() == term.Var {
				c.From[i+1+k] = forward[W](to + 1 + k)
			}
		}
	default:
		c.To = append(c.To, c.From[i:i+1+term.Word(first).BoxWords()]...)
	}
	c.From[i] = wholeFlag | forward[W](to)
	return W(to)<<term.TagBits | W(tag)
}

// list moves the cells of a list, the first at index i of the old words with this first component, up to one whose tail
// is no list or has moved.
func (c *Copier[W]) list(i int, first W) {
	for {
		to := c.base + len(c.To)
		second := c.From[i+1]
		c.From[i] = wholeFlag | forward[W](to)
		next, ok := c.next(second)
		if !ok {
			c.To = append(c.To, first, second)
			if term.Word(second).Tag() == term.Var {
				c.From[i+1] = forward[W](to + 1)
			}
			return
		}
		c.To = append(c.To, first, wholeFlag|forward[W](to+2))
		i, first = next, c.From[next]
	}
}

// next returns the index among the old words of the list w. It returns false if w is no list of the old arena, or has
// moved.
func (c *Copier[W]) next(w W) (i int, ok bool) {
	for {
		i = int(w>>term.TagBits) - c.base
		tag := term.Word(w).Tag()
		if tag != term.List && tag != term.Ref || uint(i) >= uint(len(c.From)) || Forwarded(c.From[i]) {
			return 0, false
		}
		if tag == term.List {
			return i, true
		}
		w = c.From[i] // skip a reference to a bound variable
	}
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
			if Forwarded(w) { // the cell has moved before its object, or a list is the next one
				v := w &^ (wholeFlag | term.TagMask)
				if w&wholeFlag != 0 {
					v |= W(term.List)
				}
				c.To[s] = v
			} else if !term.Scanned(word.BoxKind()) {
				s += word.BoxWords()
			}
		}
	}
	c.scanned = s
}
