package exec

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// record reads a line of input.
func (u *units) record() (string, error) {
	line, err := u.in.ReadString('\n')
	if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// A reader takes values from records.
type reader struct {
	record func() (string, error)
	line   string
	begun  bool
	ended  bool // a slash has ended the input
	repeat int
	again  string
}

// read carries out READ.
func (f *frame) read(s *lower.Input) signal {
	r := &reader{record: f.io.record}
	if s.Unit != nil && s.Unit.Type().Base == syntax.CharacterType {
		text, done := f.value(s.Unit).S, false
		r.record = func() (string, error) {
			if done {
				return "", io.EOF
			}
			done = true
			return text, nil
		}
	} else if s.Unit != nil {
		if n := f.integer(s.Unit); n != 5 {
			fail(s.At, "unit %d is not connected: files are not in the subset, only units 5, 6 and *", n)
		}
	}
	err := f.readItems(s, r)
	code := int64(0)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		code = -1
		if s.End != 0 {
			f.give(s.Status, code)
			return signal{kind: toLabel, label: s.End}
		}
	default:
		code = 5010
		if s.Err != 0 {
			f.give(s.Status, code)
			return signal{kind: toLabel, label: s.Err}
		}
	}
	if err != nil && s.Status == nil {
		if errors.Is(err, io.EOF) {
			fail(s.At, "READ at the end of the input")
		}
		fail(s.At, "READ: %v", err)
	}
	f.give(s.Status, code)
	return signal{}
}

func (f *frame) give(x lower.Expr, v int64) {
	if x != nil {
		f.store(x, lower.Value{I: v})
	}
}

// readItems reads the values of a list of input.
func (f *frame) readItems(s *lower.Input, r *reader) error {
	next := r.list
	if !s.List {
		fields := &fieldReader{reader: r, format: f.format(s.Format, s.Dynamic, s.At)}
		next = fields.value
	}
	var failed error
	var item func(x lower.Expr)
	item = func(x lower.Expr) {
		if d, ok := x.(*lower.Loop); ok {
			f.loop(d, func() {
				for _, y := range d.Items {
					if failed == nil {
						item(y)
					}
				}
			})
			return
		}
		if x.Rank() == 0 {
			old := f.value(x)
			v, err := next(x.Type(), old)
			if failed = err; err == nil {
				f.store(x, v)
			}
			return
		}
		a := f.array(x)
		a.each(func(at int) {
			if failed != nil {
				return
			}
			v, err := next(a.t, a.get(at))
			if failed = err; err == nil {
				a.set(at, v)
			}
		})
	}
	for _, x := range s.Items {
		if failed == nil {
			item(x)
		}
	}
	if failed == nil && !r.begun {
		_, failed = r.record()
	}
	return failed
}

// list takes the next value of list-directed input: separated by blanks or a comma, 3*1.5 for three of them; a slash leaves the rest as it is.
func (r *reader) list(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.ended {
		return old, nil
	}
	if r.repeat > 0 {
		r.repeat--
		return scan(r.again, t, old)
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
	return scan(token, t, old)
}

// token takes the next one off the record, or off the next record.
func (r *reader) token(t lower.Type) (string, error) {
	for {
		if !r.begun || strings.Trim(r.line, " \t") == "" {
			line, err := r.record()
			if err != nil {
				return "", err
			}
			r.line, r.begun = line, true
			continue
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
				return "", errors.New("a text does not end")
			}
			token := r.line[1 : end+1]
			r.after(end + 2)
			return token, nil
		case c == '(' && t.Base == syntax.ComplexType:
			end := strings.IndexByte(r.line, ')')
			if end < 0 {
				return "", errors.New("a complex number does not end")
			}
			token := r.line[:end+1]
			r.after(end + 1)
			return token, nil
		}
		end := strings.IndexAny(r.line, " \t,/")
		if end < 0 {
			end = len(r.line)
		}
		token := r.line[:end]
		r.after(end)
		return token, nil
	}
}

// after goes on behind a token and its comma.
func (r *reader) after(n int) {
	r.line = strings.TrimLeft(r.line[n:], " \t")
	r.line = strings.TrimPrefix(r.line, ",")
}

// scan reads a value; an empty text leaves it as it is.
func scan(s string, t lower.Type, old lower.Value) (lower.Value, error) {
	s = strings.TrimSpace(s)
	if s == "" && t.Base != syntax.CharacterType {
		return old, nil
	}
	number := func(s string) (float64, error) {
		s = strings.NewReplacer("D", "E", "d", "e").Replace(s)
		x, err := strconv.ParseFloat(s, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, errors.New("no number: " + strconv.Quote(s))
		}
		return x, nil
	}
	switch t.Base {
	case syntax.IntegerType:
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil || t.Wrap(v) != v {
			return old, errors.New("no " + t.String() + ": " + strconv.Quote(s))
		}
		return lower.Value{I: v}, nil
	case syntax.LogicalType:
		switch strings.ToUpper(strings.TrimLeft(s, "."))[0] {
		case 'T':
			return lower.Value{I: 1}, nil
		case 'F':
			return lower.Value{}, nil
		}
		return old, errors.New("no logical: " + strconv.Quote(s))
	case syntax.CharacterType:
		return lower.Value{S: s}, nil
	case syntax.ComplexType:
		a, b, ok := strings.Cut(strings.Trim(s, "()"), ",")
		x, err1 := number(strings.TrimSpace(a))
		y, err2 := number(strings.TrimSpace(b))
		if !ok || err1 != nil || err2 != nil {
			return old, errors.New("no complex number: " + strconv.Quote(s))
		}
		return lower.Value{Z: lower.RoundComplex(complex(x, y), t)}, nil
	}
	x, err := number(s)
	return lower.Value{F: t.Round(x)}, err
}

// A fieldReader takes values from the fields of a format.
type fieldReader struct {
	*reader
	format *syntax.Format
	edits  []syntax.FormatItem
	at     int
	next   int
}

// flatten lists the edit descriptors of a format one by one.
func flatten(items []syntax.FormatItem, out []syntax.FormatItem) []syntax.FormatItem {
	for _, it := range items {
		for range min(max(it.Repeat, 1), 1<<12) {
			if it.Edit == '(' {
				out = flatten(it.Group, out)
			} else if len(out) < 1<<16 {
				out = append(out, it)
			}
		}
	}
	return out
}

func (r *fieldReader) value(t lower.Type, old lower.Value) (lower.Value, error) {
	if r.edits == nil {
		if r.edits = flatten(r.format.Items, nil); len(r.edits) == 0 {
			return old, errors.New("the format is empty")
		}
	}
	for rounds := 0; rounds < 2; {
		if !r.begun || r.next == len(r.edits) {
			if r.next == len(r.edits) {
				r.next = 0
				rounds++
			}
			line, err := r.record()
			if err != nil {
				return old, err
			}
			r.line, r.begun, r.at = line, true, 0
		}
		it := r.edits[r.next]
		r.next++
		switch it.Edit {
		case 'X':
			r.at += it.W
		case 'T':
			r.at = max(it.W-1, 0)
		case '/':
			line, err := r.record()
			if err != nil {
				return old, err
			}
			r.line, r.at = line, 0
		case '\'', ':', 'P', 'S', 'B':
		default:
			width := it.W
			if width <= 0 {
				width = len(old.S)
			}
			from := min(r.at, len(r.line))
			to := min(r.at+width, len(r.line))
			r.at += width
			field := r.line[from:to]
			if t.Base == syntax.CharacterType {
				return lower.Value{S: field}, nil
			}
			v, err := scan(field, t, lower.Value{})
			if err == nil && t.Floating() && it.D > 0 && !strings.ContainsAny(field, ".EeDd") && strings.TrimSpace(field) != "" {
				for range it.D {
					v.F /= 10
				}
			}
			return v, err
		}
	}
	return old, errors.New("the format has no edit descriptor for a value")
}
