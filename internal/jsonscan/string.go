package jsonscan

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// raw returns a string without its quotes, as it is in the text. The next byte must be its first quote.
func (s *Scanner) raw() ([]byte, bool) {
	from, i := s.pos, s.pos+1
	for {
		k := bytes.IndexByte(s.buf[i:s.end], '"')
		if k < 0 {
			i = s.end
			if i-from > mostString {
				s.failAt(s.offset+int64(from), "a string of more than %d bytes", mostString)
				return nil, false
			}
			n := i - from
			if !s.more(from) {
				s.fail(ErrCut)
				return nil, false
			}
			from, i = 0, n
			continue
		}
		i += k
		if s.escaped(from+1, i) {
			i++
			continue
		}
		s.pos = i + 1
		return s.buf[from+1 : i], true
	}
}

// escaped reports whether an odd number of backslashes precedes a position.
func (s *Scanner) escaped(from, at int) bool {
	k := at
	for k > from && s.buf[k-1] == '\\' {
		k--
	}
	return (at-k)&1 == 1
}

// String reads a string. It is valid until the next call. For another value, which it skips, it returns false.
func (s *Scanner) String() ([]byte, bool) {
	if s.Peek() != '"' {
		s.Skip()
		return nil, false
	}
	b, ok := s.raw()
	if ok && bytes.IndexByte(b, '\\') >= 0 {
		b = s.unescape(b)
	}
	return b, ok
}

// unescape returns a string without its escapes. Wrong ones stay as they are.
func (s *Scanner) unescape(b []byte) []byte {
	out := s.scratch[:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch b[i] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, ok := hex4(b[i+1:])
			if !ok {
				out = append(out, '\\', 'u')
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) && i+2 < len(b) && b[i+1] == '\\' && b[i+2] == 'u' {
				if low, ok := hex4(b[i+3:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						r = pair
						i += 6
					}
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, b[i])
		}
	}
	s.scratch = out
	return out
}

// hex4 returns the number of four hexadecimal digits.
func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 16)
	return rune(n), err == nil
}
