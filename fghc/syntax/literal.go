package syntax

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDigits bounds the length of a number, since turning digits of another base into decimal ones takes more than linear time.
const maxDigits = 100_000

// number reads 12, 0'a (the code of a character), 16'ff (base 2 to 36), 1.5 or 1.5e-3. The text of an integer is its digits in base 10.
func (s *scanner) number(t *token) {
	from := s.at
	s.digits()
	if s.peek(0) == '.' && classes[s.peek(1)] == classDigit {
		s.at++
		s.float(t)
		return
	}
	t.kind, t.text = tokInt, s.integer(t.pos, s.src[from:s.at])
}

// float reads what follows the point of a number.
func (s *scanner) float(t *token) {
	s.digits()
	exponent := 1
	if c := s.peek(1); c == '+' || c == '-' {
		exponent = 2
	}
	if c := s.peek(0); (c == 'e' || c == 'E') && classes[s.peek(exponent)] == classDigit {
		s.at += exponent
		s.digits()
	}
	t.kind, t.text = tokFloat, s.src[t.off:s.at]
	if v, err := strconv.ParseFloat(t.text, 64); err != nil || len(t.text) > maxDigits {
		s.fail(t.pos, fmt.Sprintf("at most %.4g", math.MaxFloat64), "the number does not fit 64 bits")
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
		s.at++
		return s.charCode(start)
	case s.peek(0) == '\'' && len(text) <= 2:
		return s.radix(start, text)
	}
	return decimal(text)
}

func (s *scanner) digits() {
	for s.at < len(s.src) && classes[s.src[s.at]] == classDigit {
		s.at++
	}
}

// decimal removes leading zeros.
func decimal(digits string) string {
	if digits[0] != '0' {
		return digits
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0"
	}
	return digits
}

func (s *scanner) radix(start Pos, text string) string {
	s.at++
	from := s.at
	for s.at < len(s.src) && (classes[s.src[s.at]] == classDigit || classes[s.src[s.at]] == classLower || s.src[s.at] >= 'A' && s.src[s.at] <= 'Z') {
		s.at++
	}
	digits := s.src[from:s.at]
	base := 0
	for _, c := range text {
		base = 10*base + int(c-'0')
	}
	if base < 2 || base > 36 {
		s.fail(start, "a base from 2 to 36, or 0'c for the code of a character", "there is no base %s", text)
		return "0"
	}
	if len(digits) > maxDigits {
		s.fail(start, "", "the number has more than 100,000 digits")
		return "0"
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		s.fail(start, "digits of base "+text, "%q is no number of base %s", cut(digits), text)
		return "0"
	}
	return n.String()
}

// charCode reads what follows 0'.
func (s *scanner) charCode(start Pos) string {
	r, size := utf8.DecodeRuneInString(s.src[s.at:])
	switch {
	case s.at == len(s.src) || r == '\n' || r == '\r':
		s.fail(start, "0'c, the code of a character", "a character is missing")
		return "0"
	case r == '\\':
		r, _ = s.escape()
	case r == '\'' && s.peek(1) == '\'':
		s.at += 2
	default:
		s.at += size
		s.extra += size - 1
	}
	return big.NewInt(int64(r)).String()
}

// quoted reads a string or a quoted name, from its quote to the same quote on the same line. A doubled quote stands for itself.
func (s *scanner) quoted(t *token, what string) {
	quote := s.src[s.at]
	s.at++
	from := s.at
	var b strings.Builder
	plain := true // what has been read stands in the source as it is, from from on
	for s.at < len(s.src) && s.src[s.at] != '\n' {
		c := s.src[s.at]
		if c != quote && c != '\\' {
			s.step()
			continue
		}
		b.WriteString(s.src[from:s.at])
		switch {
		case c == '\\':
			plain = false
			if r, ok := s.escape(); ok {
				b.WriteRune(r)
			}
		case s.peek(1) == quote:
			plain = false
			b.WriteByte(quote)
			s.at += 2
		default:
			if plain {
				t.text = s.src[from:s.at]
			} else {
				t.text = b.String()
			}
			s.at++
			return
		}
		from = s.at
	}
	s.fail(t.pos, string(quote)+` before the end of the line (\n is a newline within it)`, "%s is not closed", what)
	t.kind = tokBad
}

// escape reads \n and its like. It returns false after a sequence it does not know, which it reports and passes.
func (s *scanner) escape() (rune, bool) {
	const known = `\n \t \r \a \b \f \v \\ \' \" or \x41\`
	start := s.pos()
	s.at++
	c := s.peek(0)
	if i := strings.IndexByte(`ntrabfv\'"`, c); i >= 0 && c != 0 {
		s.at++
		return rune("\n\t\r\a\b\f\v\\'\""[i]), true
	}
	if c != 'x' {
		s.fail(start, known, "unknown escape sequence")
		return 0, false
	}
	s.at++
	r, n := rune(0), 0
	for ; n < 8 && strings.IndexByte("0123456789abcdefABCDEF", s.peek(0)) >= 0 && s.peek(0) != 0; n++ {
		d := rune(s.src[s.at])
		switch {
		case d >= 'a':
			d -= 'a' - 10
		case d >= 'A':
			d -= 'A' - 10
		default:
			d -= '0'
		}
		r = min(r*16+d, utf8.MaxRune+1)
		s.at++
	}
	closed := s.peek(0) == '\\'
	if closed {
		s.at++
	}
	if n == 0 || !closed || !utf8.ValidRune(r) {
		s.fail(start, `\x, one to eight hexadecimal digits of a character, \`, "no such character")
		return 0, false
	}
	return r, true
}

// cut shortens a text that is quoted in a message.
func cut(text string) string {
	const most = 40
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "..."
		}
		n++
	}
	return text
}
