package builtin

import (
	"slices"

	"whorl/fghc/term"
)

// A merger merges any number of input streams into one output stream in order of arrival. It is a box:
//
//	open inputs    Int
//	end            the unbound end of the output
//	PE             Int: the PE whose word end is
//
// Each input is a goal with the rest of its stream and the merger. It waits for its stream alone and passes on all available elements, so
// that the time for an element is constant for any number of inputs. An input that becomes a vector of streams is replaced by their inputs.
const (
	mergerOpen = 1 + iota
	mergerEnd
	mergerPE
	mergerWords
)

const (
	chunk    = 128 // elements passed on at a time
	patience = 64  // chunks before other goals run
)

// merge has the arguments (input, output) and later (rest of the input, merger).
func merge(c Context, args []term.Word) Verdict { return feed(c, args, 1) }

// mergeTwo has the arguments (input, input, output) and later (rest of an input, [], merger).
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

// feed passes the available elements of the stream args[0] to the merger args[out], which initially is the output.
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
				return c.Fault(-1, outputBound)
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

const outputBound = "the output of the merger is already bound"

// object returns the index of w, and whether w is an object of the given kind.
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

// passOn moves elements from the stream args[0] to the end of the output. It returns false if the end is already bound.
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

// extend binds the end of the output to w and stores the new end.
func extend(c Context, at int, w, end term.Word) bool {
	pe, _ := c.PE()
	c.Lock(at)
	old := c.From(int(c.Raw(at+mergerPE).Value()), c.Raw(at+mergerEnd))
	c.Store(at+mergerEnd, end)
	c.Store(at+mergerPE, term.MakeInt(int64(pe)))
	c.Unlock(at)
	return c.Unify(old, w)
}

// addInputs adds n to the number of open inputs, and closes the output if none is left.
func addInputs(c Context, at, n int) Verdict {
	c.Lock(at)
	open := c.Raw(at+mergerOpen).Value() + int64(n)
	c.Store(at+mergerOpen, term.MakeInt(open))
	c.Unlock(at)
	if open == 0 && !extend(c, at, term.Nil, term.Nil) {
		return c.Fault(-1, outputBound)
	}
	return Yes
}
