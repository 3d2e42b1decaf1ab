package semispace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whorl/fghc/term"
)

// An arena is a random graph of terms.
type arena struct {
	words   []term.Word
	cells   []int       // indices of cells that words may refer to
	objects []term.Word // lists, structures and boxes
}

// record marks the content of a cell with waiting goals: the payload is the index of a record of one word.
const record = term.Word(1) << 62

func (a *arena) add(words ...term.Word) int {
	a.words = append(a.words, words...)
	return len(a.words) - len(words)
}

// build makes n objects and fills them with words that refer to any of them. They begin at index base, before which
// there may be a list and a variable.
func build(r *rand.Rand, symbols *term.Symbols, n int, base int) *arena {
	a := &arena{words: make([]term.Word, 1)}
	if base > 1 {
		a.objects = append(a.objects, term.MakeList(a.add(term.Var, term.Var)))
		a.cells = append(a.cells, a.add(term.Var))
	}
	open := []int{a.add(term.Var), a.add(term.Var)} // words to fill
	a.objects = append(a.objects, term.MakeList(1))
	a.cells = append(a.cells, a.add(term.Var))
	for range n {
		switch r.IntN(6) {
		case 0:
			i := a.add(term.Var)
			a.cells = append(a.cells, i)
		case 1:
			i := a.add(term.MakeInt(int64(r.IntN(100))))
			cell := a.add(record | term.Word(i)<<term.TagBits | term.Var)
			a.cells = append(a.cells, cell)
		case 2:
			i := a.add(term.Var, term.Var)
			open = append(open, i, i+1)
			a.objects = append(a.objects, term.MakeList(i))
		case 3:
			arity := 1 + r.IntN(5)
			i := a.add(term.MakeInt(int64(symbols.Functor("f", arity))))
			for range arity {
				open = append(open, a.add(term.Var))
			}
			a.objects = append(a.objects, term.MakeStr(i))
		case 4: // its words look like anything
			i := a.add(term.BoxHeader(term.KindBig, 3), term.Word(r.Uint64()), term.Word(r.Uint64()), 5<<term.TagBits|term.Raw)
			a.objects = append(a.objects, term.MakeBox(i))
		case 5:
			i := a.add(term.BoxHeader(term.KindArray, 2), term.MakeInt(1), term.MakeInt(2))
			open = append(open, i+1, i+2)
			a.objects = append(a.objects, term.MakeBox(i))
		}
	}
	boxed := func(i int) bool { // the word at i belongs to a box, which contains no variable
		return slices.ContainsFunc(a.objects, func(w term.Word) bool { return w.Tag() == term.Box && w.Index() < i && i <= w.Index()+2 })
	}
	for _, i := range open {
		if !boxed(i) && r.IntN(3) == 0 {
			a.cells = append(a.cells, i) // stays unbound
			continue
		}
		a.words[i] = a.word(r, i)
	}
	return a
}

// word returns a random word. A reference leads to a cell below limit, so that no circle of references arises.
func (a *arena) word(r *rand.Rand, limit int) term.Word {
	switch r.IntN(4) {
	case 0:
		return term.MakeInt(int64(r.IntN(1000)))
	case 1:
		if i := a.cells[r.IntN(len(a.cells))]; i < limit {
			return term.MakeRef(i)
		}
	}
	return a.objects[r.IntN(len(a.objects))]
}

func deref(m []term.Word, w term.Word) term.Word {
	for w.Tag() == term.Ref && m[w.Index()].Tag() != term.Var {
		w = m[w.Index()]
	}
	return w
}

// A comparison compares the graphs that two words of two arenas refer to.
type comparison struct {
	old, moved []term.Word
	symbols    *term.Symbols
	forward    map[term.Word]term.Word // from objects and variables of the old arena to those of the new one
	back       map[term.Word]term.Word
}

func (c *comparison) equal(a, b term.Word) bool {
	stack := [][2]term.Word{{a, b}}
	for len(stack) > 0 {
		a, b := deref(c.old, stack[len(stack)-1][0]), deref(c.moved, stack[len(stack)-1][1])
		stack = stack[:len(stack)-1]
		if a.Tag() == term.Int || b.Tag() == term.Int {
			if a != b {
				return false
			}
			continue
		}
		to, seen := c.forward[a]
		from, reached := c.back[b]
		if seen != reached || seen && (to != b || from != a) || a.Tag() != b.Tag() {
			return false
		}
		if seen {
			continue
		}
		c.forward[a], c.back[b] = b, a
		i, j, first, n := a.Index(), b.Index(), 0, 2
		switch a.Tag() {
		case term.Ref:
			v, w := c.old[i], c.moved[j]
			if v == term.Var || w == term.Var {
				if v != w {
					return false
				}
				continue
			}
			if c.old[v.Index()] != c.moved[w.Index()] {
				return false
			}
			continue
		case term.Str:
			first, n = 1, 1+c.symbols.Lookup(int(c.old[i].Value())).Arity
			if c.old[i] != c.moved[j] {
				return false
			}
		case term.Box:
			n = 1 + c.old[i].BoxWords()
			if c.old[i].BoxKind() != term.KindArray {
				if !slices.Equal(c.old[i:i+n], c.moved[j:j+n]) {
					return false
				}
				continue
			}
			first = 1
			if c.old[i] != c.moved[j] {
				return false
			}
		}
		for k := first; k < n; k++ {
			v, w := c.old[i+k], c.moved[j+k]
			if v.Tag() == term.Var {
				v = term.MakeRef(i + k)
			}
			if w.Tag() == term.Var {
				w = term.MakeRef(j + k)
			}
			stack = append(stack, [2]term.Word{v, w})
		}
	}
	return true
}

// A copy of a random graph is the same graph: with the same sharing, the same variables and the same records. What lies
// outside the copied range stays where it is.
func TestRandomGraphs(t *testing.T) {
	symbols := term.NewSymbols()
	for seed := range uint64(600) {
		r, base := rand.New(rand.NewPCG(seed, 1)), 1+3*int(seed%2)
		a := build(r, symbols, 10+r.IntN(60), base)
		var roots []term.Word
		for range 1 + r.IntN(10) {
			roots = append(roots, a.word(r, len(a.words)))
		}
		old, n := slices.Clone(a.words), len(a.words)
		var c Copier[term.Word]
		waiters := func(content term.Word) term.Word {
			return record | term.Word(c.Add(c.Old(content.Index(), 1)...))<<term.TagBits | term.Var
		}
		if c = New(a.words, nil, symbols, waiters); base > 1 {
			c = Within(a.words[base:], base, nil, symbols, waiters)
		}
		moved := make([]term.Word, len(roots))
		half := len(roots) / 2
		for i, w := range roots[:half] {
			moved[i] = c.Move(w)
		}
		c.Scan()
		for i, w := range roots[half:] { // roots found later, as those of lost goals are
			moved[half+i] = c.Move(w)
		}
		c.Scan()
		if len(c.To) > 2*n {
			t.Errorf("seed %d: %d words have become %d", seed, n, len(c.To))
		}
		arena := c.To
		if base > 1 {
			arena = append(slices.Clone(old[:base]), c.To...)
		}
		same := &comparison{old: old, moved: arena, symbols: symbols, forward: map[term.Word]term.Word{}, back: map[term.Word]term.Word{}}
		for i, w := range roots {
			if !same.equal(w, moved[i]) {
				t.Fatalf("seed %d: root %d, %#x, differs from its copy %#x\nold %#x\nnew %#x", seed, i, uint64(w), uint64(moved[i]), old, arena)
			}
			if k := w.Index(); w.Tag() != term.Int && k > 0 && k < base && moved[i] != w {
				t.Errorf("seed %d: root %#x outside the range has moved to %#x", seed, uint64(w), uint64(moved[i]))
			}
		}
	}
}

// The new arena grows where cells move before their lists, which then take more words than before.
func TestCellsBeforeLists(t *testing.T) {
	const n = 1000
	from := slices.Repeat([]uint64{uint64(term.Var)}, 1+2*n)
	from[0] = 0
	c := New(from, make([]uint64, len(from)), term.NewSymbols(), nil)
	for i := 1; i < len(from); i++ {
		if w := c.Move(uint64(term.MakeRef(i))); w != uint64(term.MakeRef(i)) {
			t.Fatalf("cell %d moves to %d, want the same index", i, w>>term.TagBits)
		}
	}
	for i := 1; i < len(from); i += 2 {
		w := term.Word(c.Move(uint64(term.MakeList(i))))
		c.Scan()
		for k := range 2 {
			if got := term.Word(c.To[w.Index()+k]); got != term.MakeRef(i+k) {
				t.Fatalf("cell %d of the list at %d holds %#x, want a reference to %d", k, i, uint64(got), i+k)
			}
		}
	}
	if len(c.To) != 1+4*n {
		t.Errorf("%d words, want %d", len(c.To), 1+4*n)
	}
}

// The cells of a list move one behind the other, also if lists have grown in turn, share their ends, or refer to tails.
func TestLists(t *testing.T) {
	a := &arena{words: make([]term.Word, 1)}
	const cells = 10
	end := term.MakeList(a.add(term.MakeInt(0), term.Nil))
	lists := []term.Word{end, end}
	for n := range cells {
		for k, tail := range lists {
			if n%2 == k {
				tail = term.MakeRef(a.add(tail))
			}
			lists[k] = term.MakeList(a.add(term.MakeInt(int64(n)), tail))
		}
	}
	c := New(a.words, nil, term.NewSymbols(), nil)
	for k := range lists {
		lists[k] = c.Move(lists[k])
	}
	c.Scan()
	for k, w := range lists {
		for n := range cells {
			next := c.To[w.Index()+1]
			if behind := n < cells-1 || k == 0; next.Tag() != term.List || behind != (next.Index() == w.Index()+2) {
				t.Errorf("list %d: cell %d is at %d, the next one at %d", k, n, w.Index(), next.Index())
			}
			w = next
		}
		if w != lists[0].Tag()|term.Word(lists[0].Index()+2*cells)<<term.TagBits {
			t.Errorf("list %d ends at %d", k, w.Index())
		}
	}
}
