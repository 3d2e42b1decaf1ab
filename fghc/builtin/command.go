package builtin

import (
	"bytes"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// FileCommands lists the commands of streams of files, those of KLIC's modules unix, klicio and io. A command that the file does not support
// is an error.
var FileCommands = []Command{
	{"putc", "i", "putc(C) writes the character C; the integer C alone does the same", putc},
	{"nl", "", "nl writes a newline", newLine},
	{"putt", "t", "putt(X) writes the term X with operators and quotes", writeTerm(quoted)},
	{"puttq", "t", "as putt", writeTerm(quoted)},
	{"write", "t", "as putt", writeTerm(quoted)},
	{"putwt", "t", "putwt(W) writes the term that the wrapped term W represents, with the names of its variables", writeTerm(typed)},
	{"putwtq", "t", "as putwt", writeTerm(typed)},
	{"print", "t", "print(X) writes the term X without operators and quotes", writeTerm(bare)},
	{"fwrite", "i", "fwrite(S) writes the string S", fwrite},
	{"fwrite", "io", "fwrite(S, N) writes the string S; N is its length", fwrite},
	{"puts", "i", "as fwrite(S)", fwrite},
	{"fflush", "o", "fflush(R) flushes the output; R is 0, or -1", flush},
	{"fflush", "", "flushes the output", flush},
	{"flush", "", "as fflush", flush},

	{"getc", "o", "getc(C) reads the next character; C is -1 at the end", getc},
	{"ungetc", "i", "ungetc(C) pushes the character C back", ungetc},
	{"getl", "o", "getl(S) reads the rest of the line as a string without the newline; S is -1 at the end of the file", getl},
	{"fread", "io", `fread(N, S) reads a string of at most N available characters; S is "" at the end`, fread},
	{"gett", "o", "gett(X) reads a term up to its full stop; X is end_of_file at the end", readTerm((*builder).termOf)},
	{"getwt", "o", "getwt(R) reads a term like gett; R is normal(W), where the ground term W names the types of its parts and its variables, or normal(end_of_file) at the end", readTerm((*builder).normalOf)},
	{"addop", "iii", "addop(A, T, P): the atom A is an operator of the type T (fx, fy, xfx, xfy, yfx, xf or yf) and the priority P in terms that this stream reads and writes", addOperator},
	{"rmop", "ii", "rmop(A, T): the atom A is no operator of the type T", removeOperator},
	{"operators", "t", "operators(T): the operators are those of T, a table in the form of klicio:default_operator_table(T)", setOperators},
	{"on_error", "i", "on_error(N): if N is negative, a term with an error ends the program with exit status N modulo 256; if N is 0, it is reported and skipped", onError},
	{"linecount", "o", "linecount(N): N is the number of lines read", linecount},

	{"feof", "o", "feof(R): R is 1 if a read has met the end, otherwise 0", feof},
	{"fseek", "iio", "fseek(N, From, R) moves to byte N from the beginning (From is 0), the current position (1) or the end (2); R is 0, or -1", fseek},
	{"ftell", "o", "ftell(N): N is the offset of the next byte", ftell},
	{"fclose", "o", "fclose(R) closes the file; R is 0, or -1", fclose},
	{"sync", "o", "sync(R): R is 0 when all earlier commands have been executed", done},
}

// write writes to the file.
func (s *service) write(b []byte) Verdict {
	if s.file.Out == nil {
		return s.Fault(-1, "%s cannot be written to", s.file.Name)
	}
	s.file.Out.Put(b)
	if s.file.Unbuffered {
		s.file.Flush()
	}
	return Yes
}

// writeTerm writes a term.
func writeTerm(style style) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		text, wrong := textOf(s, a[0], style, s.file.Ops)
		if wrong != term.Nil {
			return s.bad(wrong, "putwt", "a wrapped term, such as atom(a), variable(\"X\") or functor(f(integer(1)))")
		}
		return s.write(text)
	}
}

// operator returns the operator with a name, a type and a priority.
func (s *service) operator(name, kind term.Word, priority int, command string) (op syntax.Operator, v Verdict) {
	if name.Tag() != term.Atom {
		return op, s.bad(name, command, "an atom")
	}
	if kind.Tag() == term.Atom {
		var ok bool
		if op, ok = syntax.NewOperator(s.Symbols().Name(name.Index()), s.Symbols().Name(kind.Index()), priority); ok {
			return op, Yes
		}
	}
	return op, s.bad(kind, command, "a type of operators: fx, fy, xfx, xfy, yfx, xf or yf")
}

// addOperator has the arguments (name, type, priority).
func addOperator(s *service, a []term.Word) Verdict {
	if a[2].Tag() != term.Int || a[2].Value() < 1 || a[2].Value() > maxPriority {
		return s.bad(a[2], "addop", "a priority from 1 to 1200")
	}
	op, v := s.operator(a[0], a[1], int(a[2].Value()), "addop")
	if v == Yes {
		s.file.Ops = s.file.Ops.With(op)
	}
	return v
}

const maxPriority = 1200 // of operators

// removeOperator has the arguments (name, type).
func removeOperator(s *service, a []term.Word) Verdict {
	op, v := s.operator(a[0], a[1], maxPriority, "rmop")
	if v == Yes {
		s.file.Ops = s.file.Ops.Without(op)
	}
	return v
}

// setOperators has the argument (ops(prefix, infix, postfix operators)).
func setOperators(s *service, a []term.Word) Verdict {
	const want = "ops(Prefix, Infix, Postfix), lists of op(Name, Type, Priority)"
	f, n := functorOf(s, a[0])
	if a[0].Tag() != term.Str || n != 3 || s.Symbols().Name(f.Index()) != "ops" {
		return s.bad(a[0], "operators", want)
	}
	var all []syntax.Operator
	for _, list := range structureArgs(s, a[0], 3) {
		for l := s.Deref(list); l.Tag() == term.List; l = s.Deref(s.Load(l.Index() + 1)) {
			w := s.Deref(s.Load(l.Index()))
			if _, n := functorOf(s, w); w.Tag() != term.Str || n != 3 {
				return s.bad(w, "operators", want)
			}
			args := structureArgs(s, w, 3)
			op, v := s.operator(s.Deref(args[0]), s.Deref(args[1]), int(s.Deref(args[2]).Value()), "operators")
			if v != Yes {
				return v
			}
			all = append(all, op)
		}
	}
	s.file.Ops = syntax.NewOperatorTable(all...)
	return Yes
}

// onError has the argument (exit status).
func onError(s *service, a []term.Word) Verdict {
	if a[0].Tag() != term.Int || a[0].Value() > 0 {
		return s.bad(a[0], "on_error", "0, or a negative exit status")
	}
	s.file.OnError = a[0].Value()
	return Yes
}

func newLine(s *service, _ []term.Word) Verdict { return s.write([]byte{'\n'}) }

// flush has the arguments () or (status).
func flush(s *service, a []term.Word) Verdict {
	err := s.file.Flush()
	if len(a) == 0 {
		return Yes
	}
	return s.answerStatus(a[0], err)
}

func putc(s *service, a []term.Word) Verdict {
	if !isByte(a[0]) {
		return s.bad(a[0], "putc", "a character from 0 to 255")
	}
	return s.write([]byte{byte(a[0].Value())})
}

// fwrite has the arguments (string) or (string, bytes written).
func fwrite(s *service, a []term.Word) Verdict {
	b, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "fwrite", "a string")
	}
	if v := s.write(b); v != Yes || len(a) == 1 {
		return v
	}
	return s.answerInt(a[1], int64(len(b)))
}

// readable reports whether the file can be read. It flushes output, so that prompts appear before input is read.
func (s *service) readable() Verdict {
	if s.file.In == nil {
		return s.Fault(-1, "%s cannot be read", s.file.Name)
	}
	s.file.Flush()
	return Yes
}

// available waits for input and returns what can be read, which is empty at the end.
func (s *service) available() (b []byte, v Verdict) {
	if v = s.readable(); v != Yes {
		return nil, v
	}
	for {
		if b = s.file.In.Unread(); len(b) > 0 || s.file.In.Ended() {
			return b, Yes
		}
		if v = s.fill(); v != Yes {
			return nil, v
		}
	}
}

func getc(s *service, a []term.Word) Verdict {
	b, v := s.available()
	if v != Yes {
		return v
	}
	if len(b) == 0 {
		return s.answerInt(a[0], -1)
	}
	c := b[0]
	s.file.In.Consume(1)
	return s.answerInt(a[0], int64(c))
}

func ungetc(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	switch {
	case a[0] == term.MakeInt(-1): // the end of the file remains
	case isByte(a[0]):
		s.file.In.PushBack(byte(a[0].Value()))
	default:
		return s.bad(a[0], "ungetc", "a character from 0 to 255")
	}
	return Yes
}

// getl has the argument (line without its newline, or -1 at the end).
func getl(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	in := s.file.In
	for {
		b := in.Unread()
		n := bytes.IndexByte(b, '\n')
		if n < 0 && !in.Ended() && len(b) < maxText {
			if v := s.fill(); v != Yes {
				return v
			}
			continue
		}
		if len(b) == 0 {
			return s.answerInt(a[0], -1)
		}
		length := n + 1
		if n < 0 {
			n, length = len(b), len(b)
		}
		w := NewString(s, b[:n])
		in.Consume(length)
		return s.answer(a[0], w)
	}
}

// fread has the arguments (maximum number of bytes, string).
func fread(s *service, a []term.Word) Verdict {
	n := a[0]
	if n.Tag() != term.Int || n.Value() < 0 {
		return s.bad(n, "fread", "a number of bytes")
	}
	b, v := s.available()
	if v != Yes {
		return v
	}
	b = b[:min(int64(len(b)), n.Value())]
	w := NewString(s, b)
	s.file.In.Consume(len(b))
	return s.answer(a[1], w)
}

func linecount(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	lines, _ := s.file.In.Place()
	return s.answerInt(a[0], int64(lines))
}

// feof answers 1 after a read has met the end, otherwise 0.
func feof(s *service, a []term.Word) Verdict {
	if in := s.file.In; in != nil && in.Ended() && len(in.Unread()) == 0 {
		return s.answerInt(a[0], 1)
	}
	return s.answerInt(a[0], 0)
}

// fseek has the arguments (offset, whence, status).
func fseek(s *service, a []term.Word) Verdict {
	for _, w := range a[:2] {
		if w.Tag() != term.Int {
			return s.bad(w, "fseek", "an integer")
		}
	}
	return s.answerStatus(a[2], s.file.MoveTo(a[0].Value(), int(a[1].Value())))
}

func ftell(s *service, a []term.Word) Verdict { return s.answerInt(a[0], s.file.Tell()) }

func fclose(s *service, a []term.Word) Verdict { return s.answerStatus(a[0], s.file.Close()) }

func done(s *service, a []term.Word) Verdict { return s.answerInt(a[0], 0) }
