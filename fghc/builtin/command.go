package builtin

import (
	"bytes"

	"whorl/fghc/term"
)

// FileCommands are what a stream of a file knows: those of KLIC's unix, klicio and io modules alike. A command that does not fit the file
// is an error.
var FileCommands = []Command{
	{"putc", "i", "putc(C) writes the character C; the integer C alone does the same", putc},
	{"nl", "", "nl ends a line", newLine},
	{"putt", "t", "putt(X) writes the term X, with operators, and quotes where they are needed", put(false)},
	{"puttq", "t", "as putt", put(false)},
	{"write", "t", "as putt", put(false)},
	{"print", "t", "print(X) writes the term X without operators and quotes", put(true)},
	{"fwrite", "i", "fwrite(S) writes the string S", fwrite},
	{"fwrite", "io", "fwrite(S, N) writes the string S; N is its length", fwrite},
	{"puts", "i", "as fwrite(S)", fwrite},
	{"fflush", "o", "fflush(R) has all that was written appear; R is 0, or -1", flush},
	{"fflush", "", "has all that was written appear", flush},
	{"flush", "", "as fflush", flush},

	{"getc", "o", "getc(C) reads the next character, -1 at the end", getc},
	{"ungetc", "i", "ungetc(C) has C come next", ungetc},
	{"getl", "o", "getl(S) reads the rest of the line, a string, without its end; -1 at the end of the file", getl},
	{"fread", "io", `fread(N, S) reads the string S of at most N characters: what is there; "" at the end`, fread},
	{"gett", "o", "gett(X) reads the term X up to its full stop; end_of_file at the end", readTerm((*builder).plain)},
	{"getwt", "o", "getwt(R), as gett, but R is normal(W), and W is a ground term that names the kinds of the parts and the variables", readTerm((*builder).normalOf)},
	{"linecount", "o", "linecount(N): N lines have been read", linecount},

	{"feof", "o", "feof(R): R is 1 when a try to read has met the end, else 0", feof},
	{"fseek", "iio", "fseek(N, From, R) moves to byte N from the beginning (From is 0), from here (1) or from the end (2); R is 0, or -1", fseek},
	{"ftell", "o", "ftell(N): the next byte is number N", ftell},
	{"fclose", "o", "fclose(R) closes the file; R is 0, or -1", fclose},
	{"sync", "o", "sync(R): R is 0 when all before it has been done", done},
}

// write writes to the file.
func (s *service) write(b []byte) Verdict {
	if s.file.out == nil {
		return s.Fault(-1, "%s cannot be written to", s.file.name)
	}
	s.file.out.write(b)
	if s.file.world.file(stderr) == s.file {
		s.file.flush()
	}
	return Yes
}

// put writes a term.
func put(plain bool) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict { return s.write(textOf(s, a[0], plain)) }
}

func newLine(s *service, _ []term.Word) Verdict { return s.write([]byte{'\n'}) }

// flush is () or (status).
func flush(s *service, a []term.Word) Verdict {
	err := s.file.flush()
	if len(a) == 0 {
		return Yes
	}
	return s.giveStatus(a[0], err)
}

func putc(s *service, a []term.Word) Verdict {
	if !isByte(a[0]) {
		return s.bad(a[0], "putc", "a character from 0 to 255")
	}
	return s.write([]byte{byte(a[0].Value())})
}

// fwrite is (string) or (string, bytes written).
func fwrite(s *service, a []term.Word) Verdict {
	b, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "fwrite", "a string")
	}
	if v := s.write(b); v != Yes || len(a) == 1 {
		return v
	}
	return s.giveInt(a[1], int64(len(b)))
}

// readable says whether the file can be read.
func (s *service) readable() Verdict {
	if s.file.in == nil {
		return s.Fault(-1, "%s cannot be read", s.file.name)
	}
	s.file.flush() // who reads has seen what was written
	return Yes
}

// some waits until there is something to read. At the end there is nothing.
func (s *service) some() (b []byte, v Verdict) {
	if v = s.readable(); v != Yes {
		return nil, v
	}
	for {
		if b = s.file.in.Unread(); len(b) > 0 || s.file.in.Ended() {
			return b, Yes
		}
		if v = s.more(); v != Yes {
			return nil, v
		}
	}
}

func getc(s *service, a []term.Word) Verdict {
	b, v := s.some()
	if v != Yes {
		return v
	}
	if len(b) == 0 {
		return s.giveInt(a[0], -1)
	}
	c := b[0]
	s.file.in.take(1)
	return s.giveInt(a[0], int64(c))
}

func ungetc(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	switch {
	case a[0] == term.MakeInt(-1): // the end stays where it is
	case isByte(a[0]):
		s.file.in.back(byte(a[0].Value()))
	default:
		return s.bad(a[0], "ungetc", "a character from 0 to 255")
	}
	return Yes
}

// getl is (line without its end, or -1 at the end).
func getl(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	in := s.file.in
	for {
		b := in.Unread()
		n := bytes.IndexByte(b, '\n')
		if n < 0 && !in.Ended() && len(b) < maxText {
			if v := s.more(); v != Yes {
				return v
			}
			continue
		}
		if len(b) == 0 {
			return s.giveInt(a[0], -1)
		}
		taken := n + 1
		if n < 0 {
			n, taken = len(b), len(b)
		}
		w := NewString(s, b[:n])
		in.take(taken)
		return s.give(a[0], w)
	}
}

// fread is (most bytes, string).
func fread(s *service, a []term.Word) Verdict {
	n := a[0]
	if n.Tag() != term.Int || n.Value() < 0 {
		return s.bad(n, "fread", "a number of bytes")
	}
	b, v := s.some()
	if v != Yes {
		return v
	}
	b = b[:min(int64(len(b)), n.Value())]
	w := NewString(s, b)
	s.file.in.take(len(b))
	return s.give(a[1], w)
}

func linecount(s *service, a []term.Word) Verdict {
	if v := s.readable(); v != Yes {
		return v
	}
	return s.giveInt(a[0], int64(s.file.in.lineCount()))
}

// feof hands back 1 where a try to read has met the end.
func feof(s *service, a []term.Word) Verdict {
	if in := s.file.in; in != nil && in.Ended() && len(in.Unread()) == 0 {
		return s.giveInt(a[0], 1)
	}
	return s.giveInt(a[0], 0)
}

// fseek is (offset, from where, status).
func fseek(s *service, a []term.Word) Verdict {
	for _, w := range a[:2] {
		if w.Tag() != term.Int {
			return s.bad(w, "fseek", "an integer")
		}
	}
	return s.giveStatus(a[2], s.file.seek(a[0].Value(), int(a[1].Value())))
}

func ftell(s *service, a []term.Word) Verdict { return s.giveInt(a[0], s.file.tell()) }

func fclose(s *service, a []term.Word) Verdict { return s.giveStatus(a[0], s.file.close()) }

func done(s *service, a []term.Word) Verdict { return s.giveInt(a[0], 0) }
