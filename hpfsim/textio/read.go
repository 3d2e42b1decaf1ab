package textio

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Reader takes the values of one READ statement from records.
type Reader struct {
	record func() (string, error)
	format []syntax.FormatItem // edit descriptors; nil reads a list
	line   string              // the record; for a list its remainder
	begun  bool                // a record was read
	ended  bool                // a slash ended the list
	repeat int                 // remaining repetitions of again, after 3*1.5
	again  string
	column int  // of a formatted record, from 0
	next   int  // edit descriptor
	zeros  bool // blanks in numbers are zeros, after BZ
}

// NewListReader returns a reader of list-directed input. Record returns the next record, or io.EOF.
func NewListReader(record func() (string, error)) *Reader { return &Reader{record: record} }

// NewFormatReader returns a reader by a format. Record returns the next record, or io.EOF.
func NewFormatReader(format *syntax.Format, record func() (string, error)) *Reader {
	return &Reader{record: record, format: flatten(format.Items, []syntax.FormatItem{})}
}

// Record returns a function that reads an internal file of one record.
func Record(text string) func() (string, error) {
	done := false
	return func() (string, error) {
		if done {
			return "", io.EOF
		}
		done = true
		return text, nil
	}
}

// Next returns the next value, of a type. It returns old if the input omits the value.
func (r *Reader) Next(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.format != nil {
		return r.formatted(t, old)
	}
	return r.list(t, old)
}

// Close ends the statement. A statement that read no value skips a record.
func (r *Reader) Close() error {
	if r.begun {
		return nil
	}
	return r.read()
}

// read takes the next record.
func (r *Reader) read() error {
	line, err := r.record()
	if err == nil {
		r.line, r.begun, r.column = line, true, 0
	}
	return err
}

// list returns the next value of a list. Values are separated by blanks or a comma, 3*1.5 stands for three values, and a
// slash keeps the remaining variables unchanged.
func (r *Reader) list(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.ended {
		return old, nil
	}
	if r.repeat > 0 {
		r.repeat--
		return parse(r.again, t, old)
	}
	token, err := r.token(t)
	if err != nil || r.ended {
		return old, err
	}
	if n, rest, ok := strings.Cut(token, "*"); ok && t.Base != syntax.CharacterType {
		if k, err := strconv.Atoi(n); err == nil && k > 0 && k < 1<<24 {
			r.repeat, r.again = k-1, rest
			token = rest
		}
	}
	return parse(token, t, old)
}

// token removes the next token from the record. At the end of the record it reads the next one.
func (r *Reader) token(t lower.Type) (string, error) {
	for !r.begun || strings.Trim(r.line, " \t") == "" {
		if err := r.read(); err != nil {
			return "", err
		}
	}
	r.line = strings.TrimLeft(r.line, " \t")
	switch c := r.line[0]; {
	case c == '/':
		r.ended = true
		return "", nil
	case c == ',':
		r.line = r.line[1:]
		return "", nil
	case (c == '\'' || c == '"') && t.Base == syntax.CharacterType:
		end := strings.IndexByte(r.line[1:], c)
		if end < 0 {
			return "", errors.New("a text is not terminated")
		}
		token := r.line[1 : end+1]
		r.skip(end + 2)
		return token, nil
	case c == '(' && t.Base == syntax.ComplexType:
		end := strings.IndexByte(r.line, ')')
		if end < 0 {
			return "", errors.New("a complex number is not terminated")
		}
		token := r.line[:end+1]
		r.skip(end + 1)
		return token, nil
	}
	end := strings.IndexAny(r.line, " \t,/")
	if end < 0 {
		end = len(r.line)
	}
	token := r.line[:end]
	r.skip(end)
	return token, nil
}

// skip drops the first n characters of the record, and the comma that follows them.
func (r *Reader) skip(n int) {
	r.line = strings.TrimPrefix(strings.TrimLeft(r.line[n:], " \t"), ",")
}

// flatten appends the edit descriptors of a format one by one, up to a bound.
func flatten(items, out []syntax.FormatItem) []syntax.FormatItem {
	for _, it := range items {
		for range max(it.Repeat, 1) {
			before := len(out)
			if it.Edit == '(' {
				out = flatten(it.Group, out)
			} else if len(out) < 1<<16 {
				out = append(out, it)
			}
			if len(out) == before { // an empty group, or the bound
				break
			}
		}
	}
	return out
}

// formatted returns the value in the field of the next edit descriptor. After the last one it continues with the first one
// and the next record.
func (r *Reader) formatted(t lower.Type, old lower.Value) (lower.Value, error) {
	if len(r.format) == 0 {
		return old, errors.New("the format is empty")
	}
	for rounds := 0; rounds < 2; {
		if r.next == len(r.format) {
			r.next = 0
			rounds++
			r.begun = false
		}
		if !r.begun {
			if err := r.read(); err != nil {
				return old, err
			}
		}
		it := r.format[r.next]
		r.next++
		switch it.Edit {
		case 'X', 'T':
			r.column = tab(it, r.column)
		case '/':
			if err := r.read(); err != nil {
				return old, err
			}
		case 'B':
			r.zeros = it.Sub == 'Z'
		case '\'', ':', 'P', 'S':
		default:
			return r.field(it, t, len(old.S))
		}
	}
	return old, errors.New("the format has no edit descriptor for a value")
}

// field reads a value from a field. If the edit descriptor has no width, the field has the length of the variable.
func (r *Reader) field(it syntax.FormatItem, t lower.Type, length int) (lower.Value, error) {
	width := it.Width
	if width <= 0 {
		width = length
	}
	text := r.line[min(r.column, len(r.line)):min(r.column+width, len(r.line))]
	r.column += width
	if t.Base == syntax.CharacterType {
		return lower.Value{S: text}, nil
	}
	if t.Numeric() { // leading blanks do not count, others are ignored or zeros
		blank := ""
		if r.zeros {
			blank = "0"
		}
		text = strings.ReplaceAll(strings.TrimLeft(text, " "), " ", blank)
	}
	v, err := parse(text, t, lower.Value{})
	if err == nil && t.Floating() && strings.TrimSpace(text) != "" && !strings.ContainsAny(text, ".EeDd") {
		for range it.Digits { // digits without a point
			v.F /= 10
		}
	}
	return v, err
}

// parse parses the text of a value. It returns old for an empty text.
func parse(s string, t lower.Type, old lower.Value) (lower.Value, error) {
	s = strings.TrimSpace(s)
	switch {
	case t.Base == syntax.CharacterType:
		return lower.Value{S: s}, nil
	case s == "":
		return old, nil
	}
	switch t.Base {
	case syntax.IntegerType:
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil || t.Wrap(v) != v {
			return old, fmt.Errorf("%q is not an %v", s, t)
		}
		return lower.Value{I: v}, nil
	case syntax.LogicalType:
		switch letter := strings.ToUpper(strings.TrimLeft(s, ".")); {
		case strings.HasPrefix(letter, "T"):
			return lower.Value{I: 1}, nil
		case strings.HasPrefix(letter, "F"):
			return lower.Value{}, nil
		}
		return old, fmt.Errorf("%q is not a logical value", s)
	case syntax.ComplexType:
		a, b, ok := strings.Cut(strings.Trim(s, "()"), ",")
		x, err1 := number(strings.TrimSpace(a))
		y, err2 := number(strings.TrimSpace(b))
		if !ok || err1 != nil || err2 != nil {
			return old, fmt.Errorf("%q is not a complex number", s)
		}
		return lower.Value{Z: lower.RoundComplex(complex(x, y), t)}, nil
	}
	x, err := number(s)
	return lower.Value{F: t.Round(x)}, err
}

// number parses a real. Its exponent may have the letter D. A number that is too large becomes infinite.
func number(s string) (float64, error) {
	s = strings.NewReplacer("D", "E", "d", "e").Replace(s)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return x, nil
}
