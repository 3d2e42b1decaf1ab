package textio

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"whorl/hpfsim/syntax"
)

// Bounds of one formatted WRITE, whose repetitions may multiply.
const (
	maxOutput = 1 << 20 // characters of a line, and lines
	maxItems  = 1 << 24 // items of the format, each counted as often as it is repeated
)

// A writer writes values by a format.
type writer struct {
	values []Datum
	next   int // value
	lines  []string
	line   []byte
	column int // of the next character, from 0
	scale  int // digits before the point of numbers with an exponent; for other numbers, a power of ten by which they are multiplied
	plus   bool
	err    error
	done   int  // items
	used   bool // a value was written since the format began
}

// Format writes values by a format and returns the lines. If there are more values than edit descriptors, the format is
// repeated from its last group.
func Format(format *syntax.Format, values []Datum) ([]string, error) {
	w := &writer{}
	for _, d := range values { // a complex number is two reals
		if d.Type.Base == syntax.ComplexType {
			re, im := parts(d)
			w.values = append(w.values, re, im)
		} else {
			w.values = append(w.values, d)
		}
	}
	items := format.Items
	for {
		w.used = false
		more := w.items(items)
		if w.err != nil {
			return nil, w.err
		}
		if !more || w.next >= len(w.values) {
			break
		}
		if !w.used {
			return nil, errors.New("the format has no edit descriptor for the remaining values")
		}
		w.newLine()
		items = lastGroup(format.Items)
	}
	w.newLine()
	return w.lines, w.err
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

func (w *writer) newLine() {
	if len(w.lines) == maxOutput {
		w.err = fmt.Errorf("the format writes more than %d lines", maxOutput)
		return
	}
	w.lines = append(w.lines, string(w.line))
	w.line, w.column = nil, 0
}

// put writes characters at the column, over existing ones.
func (w *writer) put(s string) {
	end := w.column + len(s)
	if end > maxOutput {
		w.err = fmt.Errorf("the format writes a line of more than %d characters", maxOutput)
		return
	}
	for len(w.line) < end {
		w.line = append(w.line, ' ')
	}
	copy(w.line[w.column:], s)
	w.column = end
}

// items writes by some items. It returns false if there is no value for an edit descriptor, and after an error.
func (w *writer) items(items []syntax.FormatItem) bool {
	for _, it := range items {
		for range max(it.Repeat, 1) {
			if w.done++; w.done > maxItems {
				w.err = errors.New("the format repeats too much")
				return false
			}
			switch it.Edit {
			case '(':
				if !w.items(it.Group) {
					return false
				}
			case '\'':
				w.put(it.Text)
			case '/':
				w.newLine()
			case ':':
				if w.next >= len(w.values) {
					return false
				}
			case 'X', 'T':
				w.column = min(tab(it, w.column), maxOutput)
			case 'P':
				w.scale = it.Count
			case 'S':
				w.plus = it.Sub == 'P'
			case 'B': // blanks in numbers matter in input only
			default:
				if w.next >= len(w.values) {
					return false
				}
				w.used = true
				w.datum(it, w.values[w.next])
				w.next++
			}
			if w.err != nil {
				return false
			}
		}
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
func (w *writer) datum(it syntax.FormatItem, d Datum) {
	base := d.Type.Base
	whole := base == syntax.IntegerType || base == syntax.LogicalType
	edit := it.Edit
	if edit == 'G' { // for all types
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
		w.field(radix(d, it.Sub), it.Width)
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
		w.err = fmt.Errorf("a value of type %v does not fit the edit descriptor %c", d.Type, it.Edit)
	}
}

// integer writes an integer with at least a number of digits; 0 with no digits is blank.
func (w *writer) integer(v int64, digits int) string {
	s := strings.TrimPrefix(strconv.FormatInt(v, 10), "-")
	if v == 0 && digits == 0 {
		s = ""
	}
	s = strings.Repeat("0", max(digits-len(s), 0)) + s
	switch {
	case v < 0:
		return "-" + s
	case w.plus:
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
	return strings.ToUpper(strconv.FormatUint(u, map[byte]int{'Z': 16, 'O': 8, 'B': 2}[letter]))
}

// field writes a text at the right of a field, or stars if it does not fit. A field without a width has the width of the text.
func (w *writer) field(s string, width int) {
	switch {
	case width <= 0:
		w.put(s)
	case len(s) > width:
		w.put(strings.Repeat("*", width))
	default:
		w.put(right(s, width))
	}
}
