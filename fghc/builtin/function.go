package builtin

import (
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// callFunction has the arguments (number of the function, vector of inputs, vector of outputs).
func callFunction(c Context, args []term.Word) Verdict {
	functions := c.World().Functions
	n := args[0]
	if n.Tag() != term.Int || n.Value() < 0 || n.Value() >= int64(len(functions)) {
		return c.Fault(0, "the number of a Go function")
	}
	if _, ok := Size(c, args[1]); !ok {
		return c.Fault(1, "a vector")
	}
	var in []any
	for _, w := range Elements(c, args[1]) {
		v, ok := goValue(c, c.Deref(w))
		if !ok {
			return No
		}
		in = append(in, v)
	}
	out, ok := functions[n.Value()](in)
	if !ok {
		return No
	}
	words := make([]term.Word, len(out))
	for k, v := range out {
		words[k] = fromGo(c, v)
	}
	args[2] = NewVector(c, words)
	return Yes
}

func goValue(c Context, w term.Word) (v any, ok bool) {
	if n, ok := Small(c, w); ok {
		return n, true
	}
	if f, ok := Float(c, w); ok {
		return f, true
	}
	if b, ok := Text(c, w); ok {
		return string(b), true
	}
	if w.Tag() == term.Atom {
		return world.AtomName(c.Symbols().Name(w.Index())), true
	}
	return nil, false
}

func fromGo(c Context, v any) term.Word {
	switch v := v.(type) {
	case int64:
		return NewSmall(c, v)
	case float64:
		return NewFloat(c, v)
	case world.AtomName:
		return term.MakeAtom(c.Symbols().Atom(string(v)))
	}
	return NewString(c, v.(string))
}
