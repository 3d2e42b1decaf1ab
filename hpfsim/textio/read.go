package textio

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/unit"
)

// A Reader takes the values of one READ statement from records.
type Reader struct {
	Zeros  bool // blanks in numbers are zeros
	Padded bool // short records are followed by blanks
	Within bool // the statement does not advance: it is an error to read behind the end of the record
	Size   int  // characters that edit descriptors have read

	record func() (string, error)
	list   *scanner            // of a list; nil reads by a format
	format []syntax.FormatItem // edit descriptors
	cursor
	line   string // the record
	begun  bool   // a record was read
	column int    // from 0
	scale  int    // power of ten by which numbers without an exponent are divided
	used   bool   // a value was read since the format began
	short  bool   // the record has ended within a field, Within a record
}

// NewListReader returns a reader of list-directed input. Record returns the next record, or io.EOF.
func NewListReader(record func() (string, error)) *Reader {
	return &Reader{list: &scanner{record: record}}
}

// NewFormatReader returns a reader by a format. Record returns the next record, or io.EOF.
func NewFormatReader(format *syntax.Format, record func() (string, error)) *Reader {
	return &Reader{record: record, format: format.Items, cursor: cursorAt(format.Items), Padded: true}
}

// Next returns the next value, of a type. It returns old if the input omits the value, and a value with unit.EndOfRecord if
// the record ends within it.
func (r *Reader) Next(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.list == nil {
		return r.formatted(t, old)
	}
	return r.list.value(t, old)
}

// Close ends the statement. A statement that read no value skips a record.
func (r *Reader) Close() error {
	if r.list != nil {
		return r.list.close()
	}
	if !r.begun {
		if err := r.read(); err != nil {
			return err
		}
	}
	for range maxItems {
		it, ok := r.next()
		if !ok || it.Edit == ':' {
			break
		}
		if data, err := r.control(it); data || err != nil {
			return err
		}
	}
	return nil
}

// Rest returns the part of the record that was not read.
func (r *Reader) Rest() string { return r.line[min(r.column, len(r.line)):] }

// read takes the next record.
func (r *Reader) read() error {
	line, err := r.record()
	if err == nil {
		r.line, r.begun, r.column = line, true, 0
	}
	return err
}

// formatted returns the value in the field of the next edit descriptor. After the last one it continues with the last group
// and the next record.
func (r *Reader) formatted(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.short {
		return old, unit.EndOfRecord
	}
	for range maxItems {
		if !r.begun {
			if err := r.read(); err != nil {
				return old, err
			}
		}
		it, ok := r.next()
		if !ok {
			if !r.used {
				break
			}
			r.cursor, r.used, r.begun = cursorAt(lastGroup(r.format)), false, false
			continue
		}
		if data, err := r.control(it); err != nil {
			return old, err
		} else if data {
			r.used = true
			return r.field(it, t, len(old.S))
		}
	}
	return old, &unit.Error{Code: unit.CodeFormat, Text: "the format has no edit descriptor for a value"}
}

// control executes an item that reads no value. It returns true for edit descriptors.
func (r *Reader) control(it syntax.FormatItem) (data bool, err error) {
	switch it.Edit {
	case 'X', 'T':
		r.column = tab(it, r.column)
	case '/':
		err = r.read()
	case 'B':
		r.Zeros = it.Sub == 'Z'
	case 'P':
		r.scale = it.Count
	case '\'', ':', 'S':
	default:
		data = true
	}
	return data, err
}

// field reads a value from a field. If the edit descriptor has no width, the field has the length of the variable.
func (r *Reader) field(it syntax.FormatItem, t lower.Type, length int) (lower.Value, error) {
	width := it.Width
	if width <= 0 {
		width = length
	}
	from := min(r.column, len(r.line))
	text := r.line[from:min(from+width, len(r.line))]
	r.Size += len(text)
	if len(text) < width {
		if !r.Padded {
			return lower.Value{}, unit.EndOfRecord
		}
		r.short = r.Within
	}
	r.column += width
	v, err := r.edit(it, t, text, length)
	if err == nil && r.short {
		err = unit.EndOfRecord
	}
	return v, err
}

// edit returns the value of the text in a field.
func (r *Reader) edit(it syntax.FormatItem, t lower.Type, text string, length int) (lower.Value, error) {
	if t.Base == syntax.CharacterType {
		if it.Width > length { // the characters at the right
			text += blanks(it.Width - len(text))
			text = text[it.Width-length:]
		}
		return lower.Value{S: text}, nil
	}
	if t.Numeric() { // leading blanks do not count, others are ignored or zeros
		blank := ""
		if r.Zeros {
			blank = "0"
		}
		text = strings.ReplaceAll(strings.TrimLeft(text, " "), " ", blank)
		if text == "" {
			return lower.Value{}, nil
		}
	}
	if it.Edit == 'Z' && !t.Floating() {
		return digitsOf(text, it.Sub, t)
	}
	v, err := parse(text, t, lower.Value{})
	if err == nil && t.Floating() && !strings.ContainsAny(strings.TrimLeft(text, "+-"), "EeDdQq+-") {
		if !strings.Contains(text, ".") {
			for range it.Digits {
				v.F /= 10
			}
		}
		for range r.scale {
			v.F /= 10
		}
		for range -r.scale {
			v.F *= 10
		}
		v.F = t.Round(v.F)
	}
	return v, err
}

// digitsOf reads the bits of an integer by Z, O or B.
func digitsOf(text string, letter byte, t lower.Type) (lower.Value, error) {
	u, err := strconv.ParseUint(text, radixOf[letter], 8*int(t.Size))
	if err != nil {
		return lower.Value{}, fmt.Errorf("%q has no digits of %c, or too many", text, letter)
	}
	return lower.Value{I: t.Wrap(int64(u))}, nil
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
	plain := strings.NewReplacer("D", "E", "d", "e", "Q", "E", "q", "e").Replace(s)
	if i := strings.LastIndexAny(plain, "+-"); i > 0 && plain[i-1] != 'E' && plain[i-1] != 'e' { // 1.5+3
		plain = plain[:i] + "E" + plain[i:]
	}
	x, err := strconv.ParseFloat(plain, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(plain, "xXpP_") {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return x, nil
}
