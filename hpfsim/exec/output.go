package exec

import (
	"encoding/binary"
	"io"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/textio"
	"whorl/hpfsim/unit"
)

// valuesAtOnce is the number of values of a list of output that are evaluated before they are written. Between two such parts
// the run may pause.
const valuesAtOnce = 1 << 10

// eachValue evaluates a list of output and calls put for its values, some at a time. Only these count as memory.
func (f *frame) eachValue(items []lower.Expr, put func(textio.Datum) error) error {
	var failed error
	var part []textio.Datum
	held := int64(0)
	flush := func() {
		for _, d := range part {
			if failed == nil {
				failed = put(d)
			}
		}
		part = part[:0]
		f.used -= held
		held = 0
	}
	add := func(v lower.Value, t lower.Type) {
		before := f.used
		f.reserve(t, len(v.S), 1)
		held += f.used - before
		if part = append(part, textio.Datum{Value: v, Type: t}); len(part) == valuesAtOnce {
			flush()
			f.tick()
		}
	}
	f.eachItem(items, false, func(x lower.Expr) bool {
		if x.Rank() == 0 {
			add(f.value(x), x.Type())
			return failed == nil
		}
		a := f.array(x)
		a.eachElement(func(at int) {
			if failed == nil {
				add(a.get(at), a.t)
			}
		})
		return failed == nil
	})
	flush()
	return failed
}

// write executes PRINT and WRITE.
func (f *frame) write(s *lower.Output) signal {
	before := f.used
	defer f.drop(before)
	where, err := f.written(s)
	return f.outcome("WRITE", s.Controls, s.Pos, where, err)
}

// written writes the values of a statement. It returns the connection, nil for an internal file.
func (f *frame) written(s *lower.Output) (*unit.Connection, error) {
	if texts := f.internal(s.Unit); texts != nil {
		return nil, f.writeText(s, texts, nil, true)
	}
	as := f.transfer(s.Controls)
	c, err := f.io.For(f.number(s.Unit, unit.Output), as)
	if err != nil {
		return nil, err
	}
	if err := c.BeginWrite(as); err != nil {
		return c, err
	}
	if as.Formatted {
		advance, err := f.advances(s.Controls)
		if err == nil {
			err = f.writeText(s, c, c, advance)
		}
		if err != nil {
			return c, err
		}
		return c, c.EndWrite()
	}
	order := orderOf(c)
	var bytes []byte
	err = f.eachValue(s.Items, func(d textio.Datum) error {
		if bytes = lower.AppendBytes(bytes, d.Value, d.Type, order); len(bytes) < valuesAtOnce {
			return nil
		}
		err := c.WriteBytes(bytes)
		bytes = bytes[:0]
		return err
	})
	if err == nil {
		err = c.WriteBytes(bytes)
	}
	if err == nil {
		err = c.EndWritten()
	}
	if err != nil {
		return c, err
	}
	return c, c.EndWrite()
}

// orderOf returns the order of the bytes of unformatted values.
func orderOf(c *unit.Connection) lower.ByteOrder {
	if c.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// writeText writes formatted values. The modes are those of c, which is nil for an internal file.
func (f *frame) writeText(s *lower.Output, sink textio.Sink, c *unit.Connection, advance bool) error {
	modes := unit.Connection{}
	if c != nil {
		modes.Delim, modes.Bare, modes.Plus = c.Delim, c.Bare, c.Plus
	}
	if err := f.setModes(&modes, s.Specs); err != nil {
		return err
	}
	if s.Names != nil {
		delim := modes.Delim
		if delim == 0 && !modes.Bare {
			delim = '"'
		}
		return textio.WriteGroup(s.Names.Name, f.objects(s.Names), sink, delim)
	}
	if s.List {
		l := textio.NewLister(sink)
		l.Delim = modes.Delim
		if err := f.eachValue(s.Items, l.Put); err != nil {
			return err
		}
		return l.Close()
	}
	format, err := f.format(s.Controls)
	if err != nil {
		return err
	}
	w := textio.NewWriter(format, sink)
	w.Plus = modes.Plus
	if err := f.eachValue(s.Items, w.Put); err != nil {
		return err
	}
	return w.Close(advance)
}

// format returns the format of a statement, which may be computed.
func (f *frame) format(c *lower.Controls) (*syntax.Format, error) {
	if c.Format != nil {
		return c.Format, nil
	}
	text := f.value(c.Dynamic).S
	format, msg, want := syntax.ParseFormat(strings.TrimRight(text, " "))
	if msg != "" {
		return nil, &unit.Error{Code: unit.CodeFormat, Text: msg + " in the format \"" + text + "\" (expected " + want + ")"}
	}
	return format, nil
}

// An internalFile is characters that a statement reads or writes, one record for each element.
type internalFile struct {
	length  int // of a record
	records int
	set     func(record int, text string)
	get     func(record int) string
	text    []byte // of the record that is being written
	next    int
}

// internal returns the characters that are the unit of a statement, or nil for another unit.
func (f *frame) internal(x lower.Expr) *internalFile {
	if x == nil || x.Type().Base != syntax.CharacterType {
		return nil
	}
	if x.Rank() == 0 {
		get := func(int) string { return f.value(x).S }
		return &internalFile{length: len(get(0)), records: 1, get: get, set: func(_ int, text string) { f.store(x, lower.Value{S: text}) }}
	}
	a := f.array(x)
	var places []int
	a.eachElement(func(at int) { places = append(places, at) })
	return &internalFile{
		length: a.length, records: len(places), get: func(i int) string { return a.s[places[i]] },
		set: func(i int, text string) { a.set(places[i], lower.Value{S: text}) },
	}
}

// Text writes characters of the record.
func (i *internalFile) Text(p []byte) error {
	switch {
	case i.next == i.records:
		return io.EOF
	case len(i.text)+len(p) > i.length:
		return unit.EndOfRecord
	}
	i.text = append(i.text, p...)
	return nil
}

// EndRecord stores the record.
func (i *internalFile) EndRecord() error {
	if i.next == i.records {
		return io.EOF
	}
	i.set(i.next, string(i.text))
	i.next++
	i.text = i.text[:0]
	return nil
}

// Record returns the next record.
func (i *internalFile) Record() (string, error) {
	if i.next == i.records {
		return "", io.EOF
	}
	i.next++
	return i.get(i.next - 1), nil
}
