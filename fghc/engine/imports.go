package engine

import (
	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// importOf returns a word on PE to for the term w of PE from: a new import, or w itself if it is a constant or belongs
// to PE to.
func (e *Engine) importOf(w term.Word, from, to int32) term.Word {
	h := &e.heap
	w = h.deref(w)
	if w.Tag() == term.Ref {
		if cell := h.m[w.Index()]; cell&imported != 0 { // it belongs to a third PE
			rec := cell.Index()
			w, from = h.m[rec+1], e.owner(rec)
		}
	}
	if from == to || w.Tag() == term.Int || w.Tag() == term.Atom || e.isObject(w) {
		return w
	}
	i := h.alloc(1 + importWords)
	h.m[i] = imported | term.Word(i+1)<<term.TagBits | term.Var
	h.m[i+1] = term.MakeInt(0)
	h.m[i+2] = w
	h.m[i+3] = term.MakeInt(int64(from) << 1)
	h.m[i+4] = term.MakeInt(int64(to))
	return term.MakeRef(i)
}

// isObject reports whether all PEs know a value by the same word.
func (e *Engine) isObject(w term.Word) bool {
	return w.Tag() == term.Box && term.Object(e.heap.boxKind(w))
}

func (e *Engine) owner(rec int) int32 { return int32(e.heap.m[rec+2].Value() >> 1) }

// importArgs imports the arguments of a goal that has come from PE g.home.
func (e *Engine) importArgs(g *goal) {
	n, home, args := e.prog.Procs[g.proc].Arity, g.home, g.args
	for k := range n {
		w := e.importOf(e.heap.m[args+k], home, e.pe)
		e.heap.m[args+k] = w
	}
}

// A hole is a word of a copy that is not filled in yet: it gets a copy of w.
type hole struct {
	index int
	w     term.Word
}

// export copies the term w of PE e.pe for PE to, breadth first, and returns the number of words. Subterms beyond a
// chunk and unbound variables become imports.
func (e *Engine) export(w term.Word, to int32) (out term.Word, words int) {
	h, holes := &e.heap, e.holes[:0]
	copyOf := func(w term.Word) term.Word {
		w = h.deref(w)
		n := 0
		switch w.Tag() {
		case term.List:
			n = 2
		case term.Str:
			n = 1 + e.arity(w)
		case term.Box:
			n = 1 + h.boxWords(w)
			if size := e.arityOf(w); size >= 0 {
				n = builtin.VectorWords(size)
			}
		case term.Ref:
			return e.importOf(w, e.pe, to)
		default:
			return w
		}
		if words+n > chunkWords && words > 0 {
			return e.importOf(w, e.pe, to)
		}
		words += n
		if size := e.arityOf(w); w.Tag() == term.Box && size >= 0 {
			work := e.work // the caller charges for the words
			v, i := builtin.Blank((*platform)(e), size, term.Nil)
			for k, w := range builtin.Elements((*platform)(e), w) {
				holes = append(holes, hole{i + k, w})
			}
			e.work = work
			return v
		}
		i := h.alloc(n)
		first := 0
		if w.Tag() != term.List {
			h.m[i], first = h.m[w.Index()], 1
		}
		for k := first; k < n; k++ {
			if w.Tag() == term.Box {
				h.m[i+k] = h.m[w.Index()+k]
			} else {
				h.m[i+k] = term.Nil // until the hole is filled
				holes = append(holes, hole{i + k, h.fetch(w.Index() + k)})
			}
		}
		return term.Word(i)<<term.TagBits | w.Tag()
	}
	out = copyOf(w)
	for k := 0; k < len(holes); k++ {
		c := copyOf(holes[k].w)
		h.m[holes[k].index] = c
	}
	e.holes = holes
	return out, words
}

// ask queues a fetch of the import v, once.
func (e *Engine) ask(v term.Word) {
	rec := e.heap.m[v.Index()].Index()
	if w := e.heap.m[rec+2].Value(); w&1 == 0 {
		e.heap.m[rec+2] = term.MakeInt(w | 1)
		e.asked = append(e.asked, v)
	}
}

// boundImport tells the owner that an import, whose cell held old, has been bound to w, and wakes the goals that wait
// for it here.
func (e *Engine) boundImport(old, w term.Word) {
	rec := old.Index()
	e.tells = append(e.tells, notice{e.owner(rec), e.heap.m[rec+1], w, e.site})
	if first := int(e.heap.m[rec].Value()); first != 0 {
		e.wakeHooks(first)
	}
}

// aliasImports unifies two unbound variables; one or both are imports. On every PE the variable of the higher PE refers
// to that of the lower, so that no cycle of references arises across PEs.
func (e *Engine) aliasImports(a, b term.Word) {
	m := e.heap.m
	place := func(v term.Word) int32 {
		if cell := m[v.Index()]; cell&imported != 0 {
			return e.owner(cell.Index())
		}
		return e.pe
	}
	if place(a) < place(b) {
		a, b = b, a
	}
	old := m[a.Index()]
	m[a.Index()] = b
	e.joined(a, b)
	switch {
	case old&imported != 0:
		e.boundImport(old, b)
	case old != term.Var:
		e.wakeHooks(old.Index())
	}
}
