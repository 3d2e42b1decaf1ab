package builtin_test

import (
	"fmt"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// An arena is a minimal Context: words, and a record of calls.
type arena struct {
	m       []term.Word
	symbols *term.Symbols
	locked  map[int]bool
	blocked []term.Word
	fault   string
	work    int
	world   world.World
}

func newArena() *arena {
	return &arena{m: make([]term.Word, 1), symbols: term.NewSymbols(), locked: map[int]bool{}}
}

func (a *arena) Symbols() *term.Symbols { return a.symbols }

func (a *arena) Deref(w term.Word) term.Word {
	for w.Tag() == term.Ref && a.m[w.Index()].Tag() != term.Var {
		w = a.m[w.Index()]
	}
	return w
}

func (a *arena) Same(x, y term.Word) bool { return x == y }

func (a *arena) Load(i int) term.Word {
	if a.m[i].Tag() == term.Var {
		return term.MakeRef(i)
	}
	return a.m[i]
}

func (a *arena) Raw(i int) term.Word { return a.m[i] }

func (a *arena) Alloc(n int) int {
	if len(a.locked) > 0 {
		panic("Alloc while a box is locked")
	}
	a.m = append(a.m, make([]term.Word, n)...)
	return len(a.m) - n
}

func (a *arena) Store(i int, w term.Word) { a.m[i] = w }

func (a *arena) NewVar() term.Word {
	i := a.Alloc(1)
	a.m[i] = term.Var
	return term.MakeRef(i)
}

func (a *arena) Lock(i int) {
	if len(a.locked) > 0 {
		panic("two boxes are locked")
	}
	a.locked[i] = true
}

func (a *arena) Unlock(i int) { delete(a.locked, i) }

func (a *arena) Block(v term.Word) { a.blocked = append(a.blocked, v) }

func (a *arena) Unify(x, y term.Word) bool { return a.Deref(x) == a.Deref(y) }

func (a *arena) Fault(arg int, want string, values ...any) builtin.Verdict {
	a.fault = fmt.Sprintf("%d: ", arg) + fmt.Sprintf(want, values...)
	return builtin.No
}

func (a *arena) Show(w term.Word) string { return fmt.Sprintf("%#x", uint64(w)) }

func (a *arena) Work(components int) { a.work += components }

func (a *arena) Call(string, string, []term.Word) bool { return false }

func (a *arena) PE() (number, count int) { return 0, 1 }

func (a *arena) Fork(...[]term.Word) {}

func (a *arena) From(_ int, w term.Word) term.Word { return w }

func (a *arena) Priority() int64 { return builtin.TopPriority }

func (a *arena) World() *world.World { return &a.world }

func (a *arena) Await(*world.Input) bool { return false }
func (a *arena) AwaitDemand(term.Word)   {}

// do runs the builtin with the given name.
func (a *arena) do(module, name string, args ...term.Word) (builtin.Verdict, []term.Word) {
	i, ok := builtin.Find(module, name, len(args), "")
	if !ok {
		panic("no builtin " + name)
	}
	v := builtin.All[i].Do(a, args)
	return v, args
}
