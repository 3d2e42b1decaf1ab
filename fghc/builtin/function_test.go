package builtin_test

import (
	"testing"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// TestFunctions passes values of all types to Go functions and back.
func TestFunctions(t *testing.T) {
	a := newArena()
	echo := func(in []any) ([]any, bool) { return in, true }
	never := func([]any) ([]any, bool) { return nil, false }
	a.world.Functions = []world.Function{echo, never}
	values := []term.Word{
		term.MakeInt(-3), builtin.NewSmall(a, 1<<62), builtin.NewFloat(a, 2.5), builtin.NewString(a, "text"), term.MakeAtom(a.symbols.Atom("name")),
	}
	in := builtin.NewVector(a, values)
	v, args := a.do("inline", "call", term.MakeInt(0), in, term.Nil)
	if v != builtin.Yes {
		t.Fatal(v, a.fault)
	}
	for k, w := range builtin.Elements(a, args[2]) {
		same := w == values[k]
		if !same {
			var sign builtin.Verdict
			sign, _ = a.do("", "@=<", w, values[k])
			back, _ := a.do("", "@>=", w, values[k])
			same = sign == builtin.Yes && back == builtin.Yes
		}
		if !same {
			t.Errorf("%d: %s, expected %s", k, a.Show(w), a.Show(values[k]))
		}
	}
	list := a.Alloc(2)
	for _, c := range []struct {
		n, in term.Word
		fault string
	}{
		{term.MakeInt(1), in, ""},
		{term.MakeInt(2), in, "0: the number of a Go function"},
		{term.MakeInt(0), term.Nil, "1: a vector"},
		{term.MakeInt(0), builtin.NewVector(a, []term.Word{term.MakeList(list)}), ""},
	} {
		a.fault = ""
		if v, _ := a.do("inline", "call", c.n, c.in, term.Nil); v != builtin.No || a.fault != c.fault {
			t.Errorf("%v: %v, %q, expected %q", c, v, a.fault, c.fault)
		}
	}
}
