package engine

import (
	"math/big"

	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// A heap is the arena that all terms of a run live in, and what the cells of unbound variables point at.
//
// A Var cell is the content of an unbound variable. Its payload is the index of the first hook, 0 for none: a hook is two words, Int(goal
// <<32 | the goal's turn) and Int(next hook); one for a PE that asked for the value has a third, Int(cell to fill), and the goal number
// remoteHook. With the imported flag the payload is the index of an import record instead: Int(first hook), the term on its own PE,
// Int(owner<<1 | asked already), Int(PE that the cell stands on).
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
	at := len(h.m)
	if at+n > cap(h.m) {
		h.grow(n)
	}
	h.m = h.m[:at+n]
	return at
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

// at returns what the cell at i holds, as a word that can stand elsewhere.
func (h *heap) at(i int) term.Word {
	if w := h.m[i]; w.Tag() != term.Var {
		return w
	}
	return term.MakeRef(i)
}

// deref follows references. The result is a value, or a Ref of an unbound variable's cell.
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

func (h *heap) box(kind int, words int) (int, term.Word) {
	i := h.alloc(1 + words)
	h.m[i] = term.BoxHeader(kind, words)
	return i + 1, term.MakeBox(i)
}

// integer makes an integer term of any 64-bit value.
func (h *heap) integer(v int64) term.Word {
	if term.FitsWord(v) {
		return term.MakeInt(v)
	}
	i, w := h.box(term.KindInt, 1)
	h.m[i] = term.Word(v)
	return w
}

// bigInteger makes an integer term of any size: the shortest form of v.
func (h *heap) bigInteger(v *big.Int) term.Word {
	if v.IsInt64() {
		return h.integer(v.Int64())
	}
	bits := v.Bits()
	i, w := h.box(term.KindBig, 1+len(bits))
	if v.Sign() < 0 {
		h.m[i] = 1
	} else {
		h.m[i] = 0
	}
	for k, b := range bits {
		h.m[i+1+k] = term.Word(b)
	}
	return w
}

func (h *heap) str(s string) term.Word {
	n := (len(s) + 7) / 8
	i, w := h.box(term.KindString, 1+n)
	h.m[i] = term.Word(len(s))
	for k := range n {
		var x uint64
		for j := 0; j < 8 && k*8+j < len(s); j++ {
			x |= uint64(s[k*8+j]) << (8 * j)
		}
		h.m[i+1+k] = term.Word(x)
	}
	return w
}

// text returns the string in a box.
func (h *heap) text(w term.Word) string {
	i := w.Index() + 1
	b := make([]byte, int(h.m[i]))
	for k := range b {
		b[k] = byte(h.m[i+1+k/8] >> (8 * (k % 8)))
	}
	return string(b)
}

// small returns the value of an integer term of up to 64 bits.
func (h *heap) small(w term.Word) (int64, bool) {
	switch {
	case w.Tag() == term.Int:
		return w.Value(), true
	case w.Tag() == term.Box && h.boxKind(w) == term.KindInt:
		return int64(h.m[w.Index()+1]), true
	}
	return 0, false
}

// big returns the value of an integer term.
func (h *heap) big(w term.Word) (*big.Int, bool) {
	if v, ok := h.small(w); ok {
		return big.NewInt(v), true
	}
	if w.Tag() != term.Box || h.boxKind(w) != term.KindBig {
		return nil, false
	}
	i := w.Index() + 1
	bits := make([]big.Word, h.boxWords(w)-1)
	for k := range bits {
		bits[k] = big.Word(h.m[i+1+k])
	}
	v := new(big.Int).SetBits(bits)
	if h.m[i] == 1 {
		v.Neg(v)
	}
	return v, true
}

// isInteger says whether a value is an integer of any size.
func (h *heap) isInteger(w term.Word) bool {
	if w.Tag() == term.Box {
		k := h.boxKind(w)
		return k == term.KindInt || k == term.KindBig
	}
	return w.Tag() == term.Int
}

// sameBox compares two boxes.
func (h *heap) sameBox(a, b term.Word) bool {
	i, j := a.Index(), b.Index()
	if h.m[i] != h.m[j] {
		return false
	}
	for k := range h.boxWords(a) {
		if h.m[i+1+k] != h.m[j+1+k] {
			return false
		}
	}
	return true
}

// load puts the program's constants on the heap, and the words that nothing may refer to before them.
func (h *heap) load(cs []compile.Constant) {
	h.alloc(1)
	h.m[0] = term.Nil
	h.consts = make([]term.Word, len(cs))
	for i, c := range cs {
		if c.Int != nil {
			h.consts[i] = h.bigInteger(c.Int)
		} else {
			h.consts[i] = h.str(c.Str)
		}
	}
}
