package builtin

import (
	"slices"

	"whorl/fghc/term"
)

// A merger takes the elements of any number of streams, which are its inputs, to one, its output, each as soon as it is there. It is a box:
//
//	open inputs    Int
//	end            the unbound end of the output
//	PE             Int: whose word the end is
//
// Each input is a goal that holds the rest of its stream and the merger. It waits for its stream alone and passes on all that is there at a
// time, so that an element takes constant time whatever the number of inputs. An input that becomes a vector of streams becomes that many.
const (
	mergerOpen = 1 + iota
	mergerEnd
	mergerPE
	mergerWords
)

const (
	chunk    = 128 // elements that are passed on at a time
	patience = 64  // chunks after which other goals have their turn
)

// merge is (input, output), and then (rest of the input, merger).
func merge(c Context, args []term.Word) Verdict { return feed(c, args, 1) }

// mergeTwo is (input, input, output), and then (rest of an input, [], merger).
func mergeTwo(c Context, args []term.Word) Verdict {
	if _, ok := object(c, args[2], term.KindMerger); !ok {
		at := newMerger(c, args[2])
		merger := term.MakeBox(at)
		c.Fork([]term.Word{args[1], term.Nil, merger})
		args[1], args[2] = term.Nil, merger
		addInputs(c, at, 1)
	}
	return feed(c, args, 2)
}

// feed passes on what is there of the stream args[0] to the merger args[out], which is the output at first.
func feed(c Context, args []term.Word, out int) Verdict {
	at, ok := object(c, args[out], term.KindMerger)
	if !ok {
		at = newMerger(c, args[out])
		args[out] = term.MakeBox(at)
	}
	for chunks := 0; ; chunks++ {
		in := c.Deref(args[0])
		switch {
		case chunks == patience:
			c.Fork(args)
			return Yes
		case in.Tag() == term.Ref:
			args[0] = in
			c.Block(in)
			return Rest
		case in.Tag() == term.List:
			if !passOn(c, at, args) {
				return c.Fault(-1, taken)
			}
			continue
		case in == term.Nil:
			return addInputs(c, at, -1)
		}
		if _, ok := Size(c, in); !ok {
			return c.Fault(0, "a stream: a list, or a vector of streams")
		}
		var goals [][]term.Word
		for _, w := range Elements(c, in) {
			g := slices.Clone(args)
			g[0] = w
			goals = append(goals, g)
		}
		c.Fork(goals...)
		return addInputs(c, at, len(goals)-1)
	}
}

const taken = "the output of the merger has been bound by somebody else"

// object returns the index of a box that is a thing of that kind.
func object(c Context, w term.Word, kind int) (at int, ok bool) {
	w = c.Deref(w)
	return w.Index(), w.Tag() == term.Box && c.Raw(w.Index()).BoxKind() == kind
}

func newMerger(c Context, out term.Word) (at int) {
	pe, _ := c.PE()
	at = c.Alloc(mergerWords)
	c.Store(at, term.BoxHeader(term.KindMerger, mergerWords-1))
	c.Store(at+mergerOpen, term.MakeInt(1))
	c.Store(at+mergerEnd, out)
	c.Store(at+mergerPE, term.MakeInt(int64(pe)))
	return at
}

// passOn moves elements from the stream args[0] to the end of the output. It returns false where that is taken.
func passOn(c Context, at int, args []term.Word) bool {
	in := c.Deref(args[0])
	n := 0
	for w := in; w.Tag() == term.List && n < chunk; n++ {
		w = c.Deref(c.Load(w.Index() + 1))
	}
	cells := c.Alloc(2 * n)
	end := cells + 2*n - 1
	for k := cells; k < end; k += 2 {
		c.Store(k, c.Load(in.Index()))
		c.Store(k+1, term.MakeList(k+2))
		in = c.Deref(c.Load(in.Index() + 1))
	}
	c.Store(end, term.Var)
	c.Work(2 * n)
	ok := extend(c, at, term.MakeList(cells), term.MakeRef(end))
	if ok {
		args[0] = in
	}
	return ok
}

// extend binds the end of the output, and makes another its end.
func extend(c Context, at int, w, end term.Word) bool {
	pe, _ := c.PE()
	c.Lock(at)
	old := c.From(int(c.Raw(at+mergerPE).Value()), c.Raw(at+mergerEnd))
	c.Store(at+mergerEnd, end)
	c.Store(at+mergerPE, term.MakeInt(int64(pe)))
	c.Unlock(at)
	return c.Unify(old, w)
}

// addInputs counts so many more open inputs, and ends the output when there are none.
func addInputs(c Context, at, n int) Verdict {
	c.Lock(at)
	open := c.Raw(at+mergerOpen).Value() + int64(n)
	c.Store(at+mergerOpen, term.MakeInt(open))
	c.Unlock(at)
	if open == 0 && !extend(c, at, term.Nil, term.Nil) {
		return c.Fault(-1, taken)
	}
	return Yes
}
