package jsonscan

import "bytes"

// Skip skips a value. It looks at the brackets and the strings only.
func (s *Scanner) Skip() {
	switch s.Peek() {
	case 0:
		s.fail(ErrCut)
	case '"':
		s.skipString()
	case '{', '[':
		s.skipNested()
	default:
		s.word()
	}
}

// skipString skips a string of any length. The next byte must be its first quote.
func (s *Scanner) skipString() {
	s.pos++
	for {
		k := bytes.IndexByte(s.buf[s.pos:s.end], '"')
		to := s.pos + k
		if k < 0 {
			to = s.end
		}
		if k >= 0 && !s.escaped(s.pos, to) {
			s.pos = to + 1
			return
		}
		if k >= 0 {
			s.pos = to + 1
			continue
		}
		if s.escaped(s.pos, to) { // keep the backslash and what it escapes together
			to--
		}
		s.pos = to
		if !s.more(to) {
			s.fail(ErrCut)
			return
		}
		if s.buf[s.pos] == '\\' && s.pos+1 < s.end {
			s.pos += 2
		}
	}
}

func (s *Scanner) skipNested() {
	depth := 0
	for {
		for s.pos < s.end {
			switch s.buf[s.pos] {
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					s.pos++
					return
				}
			case '"':
				if s.skipString(); s.err != nil {
					return
				}
				continue
			}
			s.pos++
		}
		if !s.more(s.pos) {
			s.fail(ErrCut)
			return
		}
	}
}

// Raw skips a value and returns its text if it is an object of at most most bytes. The text is valid until the next call.
func (s *Scanner) Raw(most int) ([]byte, bool) {
	if s.Peek() != '{' {
		s.Skip()
		return nil, false
	}
	from, i, depth, quoted := s.pos, s.pos, 0, false
	for {
		for ; i < s.end; i++ {
			switch c := s.buf[i]; {
			case quoted:
				k := bytes.IndexByte(s.buf[i:s.end], '"')
				if k < 0 {
					i = s.end - 1
					continue
				}
				i += k
				quoted = s.escaped(from, i)
			case c == '"':
				quoted = true
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					s.pos = i + 1
					return s.buf[from:s.pos], true
				}
			}
		}
		if i-from > most {
			s.skipNested()
			return nil, false
		}
		n := i - from
		if !s.more(from) {
			s.fail(ErrCut)
			return nil, false
		}
		from, i = 0, n
	}
}
