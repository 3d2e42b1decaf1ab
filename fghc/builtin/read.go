package builtin

import (
	"math/big"
	"strings"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// maxText bounds the length of terms and lines in the input.
const maxText = 1 << 24

// readTerm returns a command with the argument (term), which reads a term and converts it. Terms with errors are reported on stderr and skipped.
// At the end of the input convert gets nil.
func readTerm(convert func(b *builder, t syntax.Term) term.Word) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		if v := s.readable(); v != Yes {
			return v
		}
		return s.readTerm(a[0], convert)
	}
}

func (s *service) readTerm(to term.Word, convert func(b *builder, t syntax.Term) term.Word) Verdict {
	in := s.file.In
	for {
		text := string(in.Unread())
		n, more := syntax.TermEnd(text)
		if (n == 0 || more) && !in.Ended() && len(text) < maxText {
			if v := s.fill(); v != Yes {
				return v
			}
			continue
		}
		if n == 0 && syntax.Blank(text) {
			in.Consume(len(text))
			return s.answer(to, convert(&builder{c: s}, nil))
		}
		if n == 0 {
			n = len(text)
		}
		t, errs := syntax.ParseTerm(s.file.Name, text[:n], s.file.Ops)
		if errs.Failed() {
			s.complain(text[:n])
			in.Consume(n)
			if s.file.OnError < 0 {
				return end(s, s.file.OnError)
			}
			continue
		}
		w := convert(&builder{c: s, vars: map[string]term.Word{}}, t)
		in.Consume(n)
		return s.answer(to, w)
	}
}

// complain reports the errors of a text, which is the next of the input, on stderr.
func (s *service) complain(text string) {
	line, column := s.file.In.Place()
	_, errs := syntax.ParseTerm(s.file.Name, strings.Repeat(" ", column)+text, s.file.Ops)
	for _, e := range errs {
		e.Pos.Line += int32(line)
	}
	w := s.World().File(world.Stderr)
	w.Out.Put([]byte(errs.Error() + "\n"))
	w.Flush()
}

// A builder converts syntax terms to terms of an arena.
type builder struct {
	c    Context
	vars map[string]term.Word
}

func (b *builder) atom(name string) term.Word { return term.MakeAtom(b.c.Symbols().Atom(name)) }

func (b *builder) convertAll(ts []syntax.Term, convert func(t syntax.Term) term.Word) []term.Word {
	out := make([]term.Word, len(ts))
	for k, t := range ts {
		out[k] = convert(t)
	}
	return out
}

const endOfFile = "end_of_file"

// termOf returns the same term, or end_of_file for nil.
func (b *builder) termOf(t syntax.Term) term.Word {
	if t == nil {
		return b.atom(endOfFile)
	}
	return b.plain(t)
}

// plain converts a term to the same term.
func (b *builder) plain(t syntax.Term) term.Word {
	switch t := t.(type) {
	case *syntax.Var:
		v, ok := b.vars[t.Name]
		if !ok || t.Name == "_" {
			v = b.c.NewVar()
			b.vars[t.Name] = v
		}
		return v
	case *syntax.Int:
		return b.integer(t)
	case *syntax.Float:
		return NewFloat(b.c, t.Value)
	case *syntax.Str:
		return NewString(b.c, t.Value)
	case *syntax.Compound:
		return newStructure(b.c, b.atom(t.Name), b.convertAll(t.Args, b.plain))
	case *syntax.Vector:
		return NewVector(b.c, b.convertAll(t.Args, b.plain))
	case *syntax.List:
		heads, tail := elements(t)
		return b.list(b.convertAll(heads, b.plain), b.plain(tail))
	}
	return b.atom(t.(*syntax.Atom).Name)
}

func (b *builder) integer(t *syntax.Int) term.Word {
	if t.Big != "" {
		v, _ := new(big.Int).SetString(t.Big, 10)
		return NewInteger(b.c, v)
	}
	return NewSmall(b.c, t.Value)
}

func elements(l *syntax.List) (heads []syntax.Term, tail syntax.Term) {
	for {
		heads = append(heads, l.Head)
		next, ok := l.Tail.(*syntax.List)
		if !ok {
			return heads, l.Tail
		}
		l = next
	}
}

func (b *builder) list(heads []term.Word, tail term.Word) term.Word {
	if len(heads) == 0 {
		return tail
	}
	at := b.c.Alloc(2 * len(heads))
	for k, w := range heads {
		next := tail
		if k < len(heads)-1 {
			next = term.MakeList(at + 2*k + 2)
		}
		b.c.Store(at+2*k, w)
		b.c.Store(at+2*k+1, next)
	}
	return term.MakeList(at)
}

// wrapped converts a term to a ground term that names the types of its parts: variable("X"), integer(1), list([W|W]) and so on.
func (b *builder) wrapped(t syntax.Term) term.Word {
	wrap := func(name string, w term.Word) term.Word { return newStructure(b.c, b.atom(name), []term.Word{w}) }
	switch t := t.(type) {
	case *syntax.Var:
		return wrap("variable", NewString(b.c, t.Name))
	case *syntax.Int:
		return wrap("integer", b.integer(t))
	case *syntax.Float:
		return wrap("floating_point", NewFloat(b.c, t.Value))
	case *syntax.Str:
		return wrap("string", NewString(b.c, t.Value))
	case *syntax.Compound:
		return wrap("functor", newStructure(b.c, b.atom(t.Name), b.convertAll(t.Args, b.wrapped)))
	case *syntax.Vector:
		return wrap("vector", NewVector(b.c, b.convertAll(t.Args, b.wrapped)))
	case *syntax.List:
		heads, tail := elements(t)
		w := b.wrapped(tail)
		for k := len(heads) - 1; k >= 0; k-- {
			w = wrap("list", b.list([]term.Word{b.wrapped(heads[k])}, w))
		}
		return w
	}
	return wrap("atom", b.atom(t.(*syntax.Atom).Name))
}

// normalOf returns normal(W), where W is the wrapped term, or end_of_file for nil.
func (b *builder) normalOf(t syntax.Term) term.Word {
	w := b.atom(endOfFile)
	if t != nil {
		w = b.wrapped(t)
	}
	return newStructure(b.c, b.atom("normal"), []term.Word{w})
}
