package textio

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/hpfsim/unit"
)

// Bounds of one formatted WRITE, whose repetitions may multiply.
const (
	maxOutput = 1 << 20 // characters of a line
	maxItems  = 1 << 24 // items of the format between two values, each counted as often as it is repeated
)

// A Sink takes the text of records.
type Sink interface {
	Text(p []byte) error // of the current record
	EndRecord() error
}

// A Writer writes values by a format. If there are more values than edit descriptors, the format is repeated from its last
// group.
type Writer struct {
	Plus bool // positive numbers have a sign

	sink   Sink
	format []syntax.FormatItem
	cursor
	line   []byte
	column int // of the next character, from 0
	scale  int // digits before the point of numbers with an exponent; for other numbers, a power of ten by which they are multiplied
	err    error
	done   int  // items since the last value
	used   bool // a value was written since the format began
}

// NewWriter returns a writer by a format.
func NewWriter(format *syntax.Format, sink Sink) *Writer {
	return &Writer{sink: sink, format: format.Items, cursor: cursorAt(format.Items)}
}

// Put writes a value.
func (w *Writer) Put(d Datum) error {
	if d.Type.Base == syntax.ComplexType { // two reals
		re, im := parts(d)
		if err := w.Put(re); err != nil {
			return err
		}
		return w.Put(im)
	}
	for w.err == nil {
		it, ok := w.item()
		switch {
		case !ok && !w.used:
			w.fail("the format has no edit descriptor for the remaining values")
		case !ok:
			w.newLine()
			w.cursor, w.used = cursorAt(lastGroup(w.format)), false
		case !w.control(it):
			w.used, w.done = true, 0
			w.datum(it, d)
			return w.err
		}
	}
	return w.err
}

// Close ends the statement. Without advance the next one continues the record.
func (w *Writer) Close(advance bool) error {
	for w.err == nil {
		it, ok := w.item()
		if !ok || it.Edit == ':' || !w.control(it) {
			break
		}
	}
	switch {
	case w.err != nil:
	case advance:
		w.newLine()
	default: // blanks that X and T leave are part of the record, which goes on
		if w.put(""); w.err == nil {
			w.err = w.sink.Text(w.line)
		}
	}
	return w.err
}

func (w *Writer) fail(format string, args ...any) {
	w.err = &unit.Error{Code: unit.CodeFormat, Text: fmt.Sprintf(format, args...)}
}

// lastGroup returns the items from the last group on, or all items if there is no group.
func lastGroup(items []syntax.FormatItem) []syntax.FormatItem {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Edit == '(' {
			return items[i:]
		}
	}
	return items
}

func (w *Writer) newLine() {
	if w.err = w.sink.Text(w.line); w.err == nil {
		w.err = w.sink.EndRecord()
	}
	w.line, w.column = w.line[:0], 0
}

// put writes characters at the column, over existing ones.
func (w *Writer) put(s string) {
	end := w.column + len(s)
	if end > maxOutput {
		w.fail("the format writes a line of more than %d characters", maxOutput)
		return
	}
	for len(w.line) < end {
		w.line = append(w.line, ' ')
	}
	copy(w.line[w.column:], s)
	w.column = end
}

// item returns the next item of the format, or false at its end.
func (w *Writer) item() (syntax.FormatItem, bool) {
	if w.done++; w.done > maxItems {
		w.fail("the format repeats too much")
		return syntax.FormatItem{}, false
	}
	return w.next()
}

// control executes an item that writes no value. It returns false for edit descriptors.
func (w *Writer) control(it syntax.FormatItem) bool {
	switch it.Edit {
	case '\'':
		w.put(it.Text)
	case '/':
		w.newLine()
	case 'X', 'T':
		w.column = min(tab(it, w.column), maxOutput)
	case 'P':
		w.scale = it.Count
	case 'S':
		w.Plus = it.Sub == 'P'
	case ':', 'B': // blanks in numbers matter in input only
	default:
		return false
	}
	return true
}

// tab returns the column after X, T, TL or TR.
func tab(it syntax.FormatItem, column int) int {
	switch {
	case it.Edit == 'X', it.Sub == 'R':
		return column + it.Count
	case it.Sub == 'L':
		return max(column-it.Count, 0)
	}
	return max(it.Count-1, 0)
}

// datum writes a value by an edit descriptor.
func (w *Writer) datum(it syntax.FormatItem, d Datum) {
	base := d.Type.Base
	whole := base == syntax.IntegerType || base == syntax.LogicalType
	edit := it.Edit
	if edit == 'G' { // a value of any type
		if it.Width == 0 { // as wide as the value
			it.Width = -1
			if d.Type.Floating() {
				w.put(w.compact(it, d))
				return
			}
		}
		switch base {
		case syntax.IntegerType:
			edit, it.Digits = 'I', -1
		case syntax.LogicalType:
			edit = 'L'
		case syntax.CharacterType:
			edit = 'A'
		}
	}
	switch {
	case edit == 'I' && whole:
		w.field(w.integer(d.Value.I, it.Digits), it.Width)
	case edit == 'Z' && whole:
		s := radix(d, it.Sub)
		w.field(strings.Repeat("0", max(it.Digits-len(s), 0))+s, it.Width)
	case edit == 'L':
		w.field(logical(d.Value.I), max(it.Width, 1))
	case edit == 'A' && base == syntax.CharacterType:
		s := d.Value.S
		if it.Width >= 0 {
			s = right(s[:min(len(s), it.Width)], it.Width)
		}
		w.put(s)
	case strings.IndexByte("FEDG", edit) >= 0 && d.Type.Floating():
		w.real(it, d.Value.F)
	default:
		w.fail("a value of type %v does not fit the edit descriptor %c", d.Type, it.Edit)
	}
}

// integer writes an integer with at least a number of digits; 0 with no digits is blank.
func (w *Writer) integer(v int64, digits int) string {
	s := strings.TrimPrefix(strconv.FormatInt(v, 10), "-")
	if v == 0 && digits == 0 {
		s = ""
	}
	s = strings.Repeat("0", max(digits-len(s), 0)) + s
	switch {
	case v < 0:
		return "-" + s
	case w.Plus:
		return "+" + s
	}
	return s
}

// radix writes the bits of an integer by Z, O or B.
func radix(d Datum, letter byte) string {
	u := uint64(d.Value.I)
	if d.Type.Size < 8 {
		u &= 1<<(8*uint(d.Type.Size)) - 1
	}
	return strings.ToUpper(strconv.FormatUint(u, radixOf[letter]))
}

var radixOf = map[byte]int{'Z': 16, 'O': 8, 'B': 2}

// field writes a text at the right of a field, or stars if it does not fit. A field without a width has the width of the text.
func (w *Writer) field(s string, width int) {
	switch {
	case width <= 0:
		w.put(s)
	case len(s) > width:
		w.put(strings.Repeat("*", width))
	default:
		w.put(right(s, width))
	}
}
