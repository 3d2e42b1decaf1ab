// Package jsonscan reads JSON from a stream, value by value, in the memory of one buffer. Package encoding/json takes five times as long for the
// files of hundreds of megabytes that tracing tools write.
//
// The caller asks for the values that it expects and skips the others:
//
//	for s.Object(); s.Key(); {
//		switch string(s.Name) {
//		case "ts":
//			ts, ok := s.Decimal(3)
//		default:
//			s.Skip()
//		}
//	}
//
// An error of the syntax, of the reader or of a bound ends everything: Key and Element return false, and Err tells why. The scanner is lenient
// where tools are: commas may be missing or doubled.
package jsonscan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
)

// Bounds of a text.
const (
	mostString = 1 << 24 // bytes of a string that is wanted
	mostNumber = 1 << 9  // bytes of a number
)

// A Scanner reads a text.
type Scanner struct {
	Name []byte // the name of the member that Key has found, valid until the next call

	r        io.Reader
	buf      []byte
	pos, end int
	offset   int64 // of buf[0] in the text
	err      error
	scratch  []byte
}

// New returns a Scanner of the text from r.
func New(r io.Reader) *Scanner { return &Scanner{r: r, buf: make([]byte, 1<<18)} }

// Errors of a text that ends within a value, and of one without a value.
var (
	ErrCut   = errors.New("the text ends within a value")
	ErrEmpty = errors.New("the file is empty")
)

// Err returns the error that has ended the text, nil for none.
func (s *Scanner) Err() error { return s.err }

// Offset returns the number of bytes before the next value.
func (s *Scanner) Offset() int64 { return s.offset + int64(s.pos) }

// fail ends the text.
func (s *Scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// failAt ends the text with an error at a byte.
func (s *Scanner) failAt(offset int64, format string, args ...any) {
	s.fail(placed{fmt.Errorf("byte %d: "+format, append([]any{offset}, args...)...)})
}

// A placed error names its byte.
type placed struct{ error }

// located returns the error that has ended the text, with its place.
func (s *Scanner) located() error {
	if s.err == nil || errors.As(s.err, new(placed)) {
		return s.err
	}
	return fmt.Errorf("after byte %d: %w", s.Offset(), s.err)
}

// expected ends the text with an error about the next byte.
func (s *Scanner) expected(what string) {
	if s.err != nil {
		return
	}
	if s.pos >= s.end {
		s.fail(ErrCut)
		return
	}
	s.failAt(s.Offset(), "%q; expected %s", s.buf[s.pos], what)
}

// more reads on. It keeps the bytes from keep on and moves them to the beginning, so keep becomes 0. It returns false at the end of the text.
func (s *Scanner) more(keep int) bool {
	if s.err != nil {
		return false
	}
	if keep > 0 {
		copy(s.buf, s.buf[keep:s.end])
		s.offset += int64(keep)
		s.pos, s.end = s.pos-keep, s.end-keep
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, max(len(s.buf), 1<<9))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if n > 0 {
			return true
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.fail(err)
			}
			return false
		}
	}
	s.fail(io.ErrNoProgress)
	return false
}

// Peek returns the first byte of the next value, or the bracket that comes next. It skips commas. It returns 0 at the end of the text.
func (s *Scanner) Peek() byte {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\n', '\r', ',':
				s.pos++
			case mark[0]:
				if s.Offset() != 0 || !s.marked() {
					return c
				}
			default:
				return c
			}
		}
		if !s.more(s.pos) {
			return 0
		}
	}
}

// mark is the mark of the byte order, with which some editors begin a text.
const mark = "\ufeff"

// Start returns the beginning of a text without the mark of the byte order and blanks.
func Start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
}

// marked skips the mark if the text begins with it.
func (s *Scanner) marked() bool {
	for s.end < len(mark) && s.more(0) {
	}
	if s.end < len(mark) || string(s.buf[:len(mark)]) != mark {
		return false
	}
	s.pos = len(mark)
	return true
}

// open reads a bracket.
func (s *Scanner) open(bracket byte, what string) bool {
	if s.Peek() != bracket {
		s.expected(what)
		return false
	}
	s.pos++
	return true
}

// Object reads the beginning of an object.
func (s *Scanner) Object() bool { return s.open('{', "an object") }

// Array reads the beginning of an array.
func (s *Scanner) Array() bool { return s.open('[', "an array") }

// TryObject reads the beginning of an object. It skips any other value and returns false.
func (s *Scanner) TryObject() bool { return s.try('{') }

// TryArray reads the beginning of an array. It skips any other value and returns false.
func (s *Scanner) TryArray() bool { return s.try('[') }

func (s *Scanner) try(bracket byte) bool {
	if s.Peek() != bracket {
		s.Skip()
		return false
	}
	s.pos++
	return true
}

// EachObject calls f for each object in an array, which f reads. It skips the other elements, and any other value.
func (s *Scanner) EachObject(f func()) {
	if !s.TryArray() {
		return
	}
	for s.Element() {
		if s.Peek() == '{' {
			f()
		} else {
			s.Skip()
		}
	}
}

// Values calls f for each value of the text, which f reads. If a value is damaged it calls skipped with the error and its position, and goes on with the
// next line that begins as the first value does. It returns the error that has ended the text.
func (s *Scanner) Values(f func(), skipped func(error)) error {
	bracket := s.Peek()
	if s.Ended() {
		return cmp.Or(s.err, ErrEmpty)
	}
	for !s.Ended() && s.err == nil {
		from := s.Offset()
		if f(); s.err == nil {
			continue
		}
		err := s.located()
		if !s.resume(from, bracket) {
			return err
		}
		skipped(err)
	}
	return s.located()
}

// Ended reports whether the text has no further value.
func (s *Scanner) Ended() bool { return s.Peek() == 0 && s.pos >= s.end }

// resume goes to the next line that begins with a bracket and clears the error. It returns false if there is none. It begins the search where the
// damaged value begins, if the buffer still has that: a string without an end has taken in the lines after it.
func (s *Scanner) resume(from int64, bracket byte) bool {
	if from >= s.offset {
		s.pos = int(from - s.offset)
	}
	err, begin := s.err, []byte{'\n', bracket}
	for s.err = nil; ; {
		if i := bytes.Index(s.buf[s.pos:s.end], begin); i >= 0 {
			s.pos += i + 1
			return true
		}
		s.pos = max(s.pos, s.end-1) // the line may end there
		if !s.more(s.pos) {
			s.err = err
			return false
		}
	}
}

// Key reads the name of the next member of an object. At the end of the object it reads the bracket and returns false.
func (s *Scanner) Key() bool {
	if s.err != nil {
		return false
	}
	switch s.Peek() {
	case '}':
		s.pos++
		return false
	case '"':
	default:
		s.expected("a name in quotes or }")
		return false
	}
	name, ok := s.raw()
	if !ok {
		return false
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name = s.unescape(name)
	}
	if s.pos < s.end && s.buf[s.pos] == ':' {
		s.pos++
		s.Name = name
		return s.err == nil
	}
	s.scratch = append(s.scratch[:0], name...) // reading on moves it
	if s.Peek() != ':' {
		s.expected(":")
		return false
	}
	s.pos++
	s.Name = s.scratch
	return true
}

// Element reports whether an array has another element. It reads the end of the array.
func (s *Scanner) Element() bool {
	if s.err != nil {
		return false
	}
	switch s.Peek() {
	case ']':
		s.pos++
		return false
	case 0:
		s.fail(ErrCut)
		return false
	}
	return true
}

// Text reads a string, or a number or word as it is in the text. It is valid until the next call. It skips objects and arrays and returns false.
func (s *Scanner) Text() ([]byte, bool) {
	switch s.Peek() {
	case '"':
		return s.String()
	case '{', '[', '}', ']', 0:
		s.Skip()
		return nil, false
	}
	return s.word(), s.err == nil
}

// Bytes returns what Text reads, nil for an object or an array.
func (s *Scanner) Bytes() []byte {
	b, _ := s.Text()
	return b
}

// word reads a number or a word.
func (s *Scanner) word() []byte {
	from, i := s.pos, s.pos
	for {
		for ; i < s.end; i++ {
			switch s.buf[i] {
			case ',', '}', ']', ' ', '\n', '\r', '\t', ':', '"', '{', '[':
				if i == from {
					s.expected("a value")
				}
				s.pos = i
				if i-from > mostNumber {
					s.failAt(s.offset+int64(from), "a number of more than %d bytes", mostNumber)
				}
				return s.buf[from:i]
			}
		}
		if i-from > mostNumber {
			s.failAt(s.offset+int64(from), "a number of more than %d bytes", mostNumber)
			return nil
		}
		n := i - from
		if !s.more(from) {
			s.pos = i - from
			return s.buf[:s.pos]
		}
		from, i = 0, n
	}
}

// Reset lets the scanner read another text.
func (s *Scanner) Reset(r io.Reader) {
	*s = Scanner{r: r, buf: s.buf, scratch: s.scratch}
}
