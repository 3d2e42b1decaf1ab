package engine

import "whorl/fghc/term"

// A heap is the arena with all terms of a run, and the hooks and import records of their variables.
//
// An unbound variable is a Var cell. Its payload is the index of the first hook, 0 for none. A hook is two words: the
// waiting goal with its turn (hookOf), and Int(next hook). The hook of a PE that has fetched the value has the goal
// number remoteHook and a third word, Int(cell to fill). With the imported flag, the payload is the index of an import
// record instead: Int(first hook), the term on its owner, Int(owner<<1 | fetched), Int(PE of the cell).
type heap struct {
	m      []term.Word
	consts []term.Word // the program's boxed constants
}

const (
	imported    = term.Word(1) << 63
	remoteHook  = 1<<30 - 1
	importWords = 4
	minHeap     = 1 << 16 // words
)

// alloc returns the index of n new words, which the caller fills.
func (h *heap) alloc(n int) int {
	i := len(h.m)
	if i+n > cap(h.m) {
		h.grow(n)
	}
	h.m = h.m[:i+n]
	return i
}

func (h *heap) grow(n int) {
	m := make([]term.Word, len(h.m), max(2*cap(h.m), len(h.m)+n, minHeap))
	copy(m, h.m)
	h.m = m
}

func (h *heap) newVar() term.Word {
	i := h.alloc(1)
	h.m[i] = term.Var
	return term.MakeRef(i)
}

// fetch returns the content of cell i: for an unbound variable a reference to it.
func (h *heap) fetch(i int) term.Word {
	if w := h.m[i]; w.Tag() != term.Var {
		return w
	}
	return term.MakeRef(i)
}

// deref follows references. The result is a value, or a Ref to the cell of an unbound variable.
func (h *heap) deref(w term.Word) term.Word {
	for w.Tag() == term.Ref {
		v := h.m[w>>term.TagBits]
		if v.Tag() == term.Var {
			return w
		}
		w = v
	}
	return w
}

// functor returns the functor number of the structure w.
func (h *heap) functor(w term.Word) int { return int(h.m[w.Index()].Value()) }

func (h *heap) boxKind(w term.Word) int  { return h.m[w.Index()].BoxKind() }
func (h *heap) boxWords(w term.Word) int { return h.m[w.Index()].BoxWords() }
