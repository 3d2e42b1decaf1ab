package syntax

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDigits bounds the length of a number, because converting digits between bases takes more than linear time.
const maxDigits = 100_000

// number reads 12, 0'a (the code of a character), 16'ff (base 2 to 36), 1.5 or 1.5e-3. The text of an integer token is decimal.
func (s *scanner) number(t *token) {
	from := s.off
	s.digits()
	if s.peek(0) == '.' && classes[s.peek(1)] == classDigit {
		s.off++
		s.float(t)
		return
	}
	t.kind, t.text = tokInt, s.integer(t.pos, s.src[from:s.off])
}

// float reads the rest of a number after the decimal point.
func (s *scanner) float(t *token) {
	s.digits()
	exponent := 1
	if c := s.peek(1); c == '+' || c == '-' {
		exponent = 2
	}
	if c := s.peek(0); (c == 'e' || c == 'E') && classes[s.peek(exponent)] == classDigit {
		s.off += exponent
		s.digits()
	}
	t.kind, t.text = tokFloat, s.src[t.off:s.off]
	if v, err := strconv.ParseFloat(t.text, 64); err != nil || len(t.text) > maxDigits {
		s.fail(t.pos, fmt.Sprintf("at most %.4g", math.MaxFloat64), "the number does not fit in 64 bits")
		t.text = "0.0"
	} else if v == 0 {
		t.text = "0.0"
	}
}

func (s *scanner) integer(start Pos, text string) string {
	switch {
	case len(text) > maxDigits:
		s.fail(start, "", "the number has more than 100,000 digits")
		return "0"
	case s.peek(0) == '\'' && text == "0":
		s.off++
		return s.charCode(start)
	case s.peek(0) == '\'' && len(text) <= 2:
		return s.radix(start, text)
	}
	return trimmed(text)
}

func (s *scanner) digits() {
	for s.off < len(s.src) && classes[s.src[s.off]] == classDigit {
		s.off++
	}
}

// trimmed removes leading zeros.
func trimmed(digits string) string {
	return cmp.Or(strings.TrimLeft(digits, "0"), "0")
}

func (s *scanner) radix(start Pos, text string) string {
	s.off++
	from := s.off
	for s.off < len(s.src) && (classes[s.src[s.off]] == classDigit || classes[s.src[s.off]] == classLower || s.src[s.off] >= 'A' && s.src[s.off] <= 'Z') {
		s.off++
	}
	digits := s.src[from:s.off]
	base, _ := strconv.Atoi(text)                                                  // one or two digits
	if base == 1 && len(digits) <= maxDigits && strings.Trim(digits, "01") == "" { // unary: the number of ones
		return strconv.Itoa(strings.Count(digits, "1"))
	}
	if base < 2 || base > 36 {
		s.fail(start, "a base from 2 to 36, or 0'c for the code of a character", "%s is not a base", text)
		return "0"
	}
	if len(digits) > maxDigits {
		s.fail(start, "", "the number has more than 100,000 digits")
		return "0"
	}
	n, ok := radixNumber(digits, int64(base))
	if !ok {
		s.fail(start, "digits of base "+text, "%q is not a number in base %s", cut(digits), text)
		return "0"
	}
	return n
}

// radixNumber converts digits in a base from 2 to 36 to decimal.
func radixNumber(digits string, base int64) (string, bool) {
	if base < 2 || base > 36 || len(digits) > maxDigits || strings.ContainsAny(digits, "+-_") {
		return "", false
	}
	n, ok := new(big.Int).SetString(digits, int(base))
	if !ok {
		return "", false
	}
	return n.String(), true
}

// charCode reads the character after 0'. A backslash that does not begin an escape sequence stands for itself.
func (s *scanner) charCode(start Pos) string {
	r, size := utf8.DecodeRuneInString(s.src[s.off:])
	switch {
	case s.off == len(s.src) || r == '\n' || r == '\r':
		s.fail(start, "0'c, the code of a character", "a character is missing")
		return "0"
	case r == '\\' && strings.IndexByte(letters+"x", s.peek(1)) >= 0 && s.peek(1) != 0:
		r, _ = s.escape()
	case r == '\'' && s.peek(1) == '\'':
		s.off += 2
	default:
		s.off += size
		s.extra += size - 1
	}
	return strconv.Itoa(int(r))
}

// quoted reads a string or a quoted name up to the closing quote. A doubled quote stands for a quote. A name, or a string that is not
// closed before the end of the clause, ends at the end of the line.
func (s *scanner) quoted(t *token, kind string) {
	quote := s.src[s.off]
	s.off++
	from := s.off
	var b strings.Builder
	plain := true // src[from:s.off] contains no escape sequences
	for s.off < len(s.src) {
		c := s.src[s.off]
		switch {
		case c == '\n' && (quote != '"' || !s.closes(quote)):
			s.unclosed(t, quote, kind)
			return
		case c == '\n':
			s.newline()
			continue
		case c != quote && c != '\\':
			s.step()
			continue
		}
		b.WriteString(s.src[from:s.off])
		switch {
		case c == '\\':
			plain = false
			if s.peek(1) == '\n' {
				s.off++
				s.newline()
			} else if r, ok := s.escape(); ok {
				b.WriteRune(r)
			}
		case s.peek(1) == quote:
			plain = false
			b.WriteByte(quote)
			s.off += 2
		default:
			if plain {
				t.text = s.src[from:s.off]
			} else {
				t.text = b.String()
			}
			s.off++
			return
		}
		from = s.off
	}
	s.unclosed(t, quote, kind)
}

func (s *scanner) unclosed(t *token, quote byte, kind string) {
	s.fail(t.pos, string(quote)+` before the end of the line (\n is a newline within it)`, "%s is not closed", kind)
	t.kind = tokBad
}

// closes reports whether a string that reaches the end of its line is closed before the apparent end of the clause: a full stop at the end
// of a line, followed by a line that does not begin with blank space.
func (s *scanner) closes(quote byte) bool {
	rest := s.src[s.off-1:] // includes the full stop that may end this line
	end := strings.IndexByte(rest[1:], quote) + 1
	if end == 0 {
		return false
	}
	for at := 0; ; {
		i := strings.Index(rest[at:end], ".\n")
		if i < 0 {
			return true
		}
		if at += i + 2; at < end && classes[rest[at]] != classBlank {
			return false
		}
	}
}

// letters are the escape characters that stand for the characters of values.
const letters, values = `ntrabfv\'"?`, "\n\t\r\a\b\f\v\\'\"?"

// escape reads \n and similar sequences, octal \101, and hexadecimal \x41 or \x3b1\; any other symbol after a backslash stands for itself.
// It reports unknown sequences and returns false for them.
func (s *scanner) escape() (rune, bool) {
	start := s.pos()
	s.off++
	c := s.peek(0)
	switch i := strings.IndexByte(letters, c); {
	case i >= 0 && c != 0:
		s.off++
		return rune(values[i]), true
	case c == 'x':
		return s.hexadecimal(start)
	case c >= '0' && c <= '7':
		return s.octal(start)
	case c >= ' ' && c < utf8.RuneSelf && classes[c] != classLower && classes[c] != classUpper && classes[c] != classDigit:
		s.off++
		return rune(c), true
	}
	s.fail(start, `\n \t \r \a \b \f \v \\ \' \" \101 or \x41`, "unknown escape sequence")
	return 0, false
}

// octal reads up to three digits.
func (s *scanner) octal(start Pos) (rune, bool) {
	r := rune(0)
	for n := 0; n < 3 && s.peek(0) >= '0' && s.peek(0) <= '7'; n++ {
		r = r*8 + rune(s.src[s.off]-'0')
		s.off++
	}
	if r > 0o377 {
		s.fail(start, `at most \377`, "no such character")
		return 0, false
	}
	return r, true
}

// hexadecimal reads x and its digits. More than two digits are followed by a backslash.
func (s *scanner) hexadecimal(start Pos) (rune, bool) {
	s.off++
	r, n := rune(0), 0
	for ; n < 8 && strings.IndexByte("0123456789abcdefABCDEF", s.peek(0)) >= 0 && s.peek(0) != 0; n++ {
		d := rune(s.src[s.off])
		switch {
		case d >= 'a':
			d -= 'a' - 10
		case d >= 'A':
			d -= 'A' - 10
		default:
			d -= '0'
		}
		r = min(r*16+d, utf8.MaxRune+1)
		s.off++
	}
	closed := (n == 0 || n > 2) && s.peek(0) == '\\'
	if closed {
		s.off++
	}
	if n == 0 || n > 2 && !closed || !utf8.ValidRune(r) {
		s.fail(start, `\x41, or \x, three to eight hexadecimal digits of a character, \`, "no such character")
		return 0, false
	}
	return r, true
}

// cut shortens text for quoting in a message.
func cut(text string) string { return Cut(text, 40) }

// Cut shortens text to at most the given number of characters and "...".
func Cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "..."
		}
		n++
	}
	return text
}
