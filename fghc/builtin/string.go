package builtin

import (
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// stringInput has the arguments (normal(stream), string).
func stringInput(s *service, a []term.Word) Verdict {
	b, ok := Text(s, a[1])
	if !ok {
		return s.bad(a[1], "string_input", "a string")
	}
	return s.open(a[0], func() (int, error) {
		return s.World().Register(s.World().StringReader(b)), nil
	})
}

// stringOutput has the arguments (normal(stream), string at the end of the stream).
func stringOutput(s *service, a []term.Word) Verdict {
	stream := s.NewVar()
	box := newStream(s, s.Alloc(streamWords+1), stream, host)
	s.Store(box.Index(), term.BoxHeader(term.KindStream, streamWords))
	result := newStructure(s, term.MakeAtom(s.Symbols().Atom("normal")), []term.Word{stream})
	s.Store(box.Index()+streamText, a[1])
	s.Fork(append(append([]term.Word{}, s.args[:len(s.args)-1]...), box))
	s.Store(box.Index()+streamHandle, term.MakeInt(int64(s.World().Register(s.World().StringWriter()))))
	return s.answer(a[0], result)
}

// answerText answers with the text that was written to the stream of a string.
func (s *service) answerText() Verdict {
	s.file.Flush()
	return s.answer(s.Raw(s.box+streamText), NewString(s, s.file.Text.Bytes()))
}

// operatorTable has the argument (ops(prefix, infix, postfix operators)), where an operator is op(name, type, priority).
func operatorTable(c Context, args []term.Word) Verdict {
	b := &builder{c: c}
	var lists []term.Word
	for _, kind := range syntax.Streams.All() {
		var ops []term.Word
		for _, op := range kind {
			ops = append(ops, newStructure(c, b.atom("op"), []term.Word{b.atom(op.Name), b.atom(op.Type()), term.MakeInt(int64(op.Priority))}))
		}
		lists = append(lists, b.list(ops, term.Nil))
	}
	args[0] = newStructure(c, b.atom("ops"), lists)
	return Yes
}
