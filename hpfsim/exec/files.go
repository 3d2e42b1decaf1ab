package exec

import (
	"errors"
	"fmt"
	"io"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/unit"
)

// newUnits connects the units of a run.
func (m *Machine) newUnits() *unit.Table {
	o := unit.Options{
		Folder: m.opts.Folder,
		Reserve: func(bytes int64) {
			m.fits(bytes)
			m.used += bytes
		},
		Grow: func(bytes int64) { // the memory of files outlives statements
			if m.limits.Bytes > 0 {
				m.fits(bytes)
				m.limits.Bytes -= bytes
			}
		},
	}
	if m.opts.Input != nil {
		m.in = &inlet{from: m.opts.Input, machine: m}
		o.In = m.in
	}
	out := func(w io.Writer) io.Writer {
		if w == nil {
			return nil
		}
		x := &outlet{to: w, machine: m}
		m.out = append(m.out, x)
		return x
	}
	o.Out, o.Errors = out(m.opts.Output), out(m.opts.Errors)
	return unit.New(o)
}

// Flush writes the output so far, unless earlier output waits to be written.
func (m *Machine) Flush() {
	if m.amid {
		return
	}
	for _, o := range m.out {
		if o.busy() {
			return
		}
	}
	m.io.Flush()
}

// closeUnits closes all units at the end of the run. Writing the buffered output may reach a limit.
func (m *Machine) closeUnits() (err error) {
	defer func() {
		if r := recover(); r != nil {
			limit, ok := r.(*LimitError)
			if !ok {
				panic(r)
			}
			err = limit
		}
	}()
	err = m.io.CloseAll()
	for _, o := range m.out {
		if failed := o.drain(); err == nil {
			err = failed
		}
	}
	return err
}

// fits ends the run if so many more bytes exceed its limit.
func (m *Machine) fits(bytes int64) {
	if m.limits.Bytes > 0 && bytes >= m.limits.Bytes-m.used-m.lasting && bytes > 0 {
		panic(&LimitError{"memory"})
	}
}

// number returns the number of a unit, or otherwise for *.
func (f *frame) number(x lower.Expr, otherwise int) int {
	if x == nil {
		return otherwise
	}
	return f.integer(x)
}

// transfer describes a statement that reads or writes, for its connection.
func (f *frame) transfer(c *lower.Controls) unit.Transfer {
	t := unit.Transfer{Formatted: !c.Unformatted()}
	if x := lower.Specified(c.Specs, "REC"); x != nil {
		t.Direct, t.Record = true, f.value(x).I
	}
	if x := lower.Specified(c.Specs, "POS"); x != nil {
		t.Stream, t.Position = true, f.value(x).I
	}
	return t
}

// advances reports whether a statement ends its record.
func (f *frame) advances(c *lower.Controls) (bool, error) {
	word, err := f.word(c.Specs, "ADVANCE", "ADVANCE")
	if err == nil && word == "NO" && c.List {
		err = &unit.Error{Code: unit.CodeOption, Text: "ADVANCE='NO' with a list (expected a format)"}
	}
	return word != "NO", err
}

// word returns the value of a specifier in upper case, "" for none. It must be one of the words of a table.
func (f *frame) word(specs []lower.Specifier, key, table string) (string, error) {
	x := lower.Specified(specs, key)
	if x == nil {
		return "", nil
	}
	return unit.Word(table, f.value(x).S)
}

// setModes sets how values are read and written by the specifiers of a statement.
func (f *frame) setModes(c *unit.Connection, specs []lower.Specifier) error {
	s, err := f.modes(specs)
	if err == nil {
		c.SetModes(s)
	}
	return err
}

// modes returns the specifiers of the way in which values are read and written.
func (f *frame) modes(specs []lower.Specifier) (s unit.Spec, err error) {
	for _, w := range []struct {
		key string
		to  *string
	}{
		{"BLANK", &s.Blank},
		{"DELIM", &s.Delim},
		{"PAD", &s.Pad},
		{"SIGN", &s.Sign},
		{"DECIMAL", new(string)},
		{"ROUND", new(string)},
	} {
		if *w.to, err = f.word(specs, w.key, w.key); err != nil {
			return s, err
		}
	}
	return s, nil
}

// fileStmt executes OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE and FLUSH.
func (f *frame) fileStmt(s *lower.FileStmt) signal {
	n := f.number(s.Unit, unit.Output)
	c := f.io.Connected(n)
	var err error
	switch s.Op {
	case "OPEN":
		err = f.open(s, n)
	case "CLOSE":
		var status string
		if status, err = f.word(s.Specs, "STATUS", "CLOSE"); err == nil {
			err = f.io.CloseUnit(n, status)
		}
	case "INQUIRE":
		err = f.inquireAbout(s, n)
	case "REWIND":
		if c != nil {
			err = c.Rewind()
		}
	case "BACKSPACE":
		if err = unit.NotConnected; c != nil {
			err = c.Backspace()
		}
	case "ENDFILE":
		if c, err = f.io.For(n, unit.Transfer{Formatted: true}); err == nil {
			err = c.EndFile()
		}
	case "FLUSH":
		switch {
		case s.Unit == nil:
			f.io.Flush()
		case c != nil:
			err = c.Flush()
		default:
			err = unit.NotConnected
		}
	}
	where := c
	if s.Op == "OPEN" || s.Op == "CLOSE" || s.Op == "INQUIRE" {
		where = nil
	}
	return f.outcome(s.Op, &lower.Controls{IO: &syntax.IO{Err: s.Err}, Unit: s.Unit, Specs: s.Specs}, s.Pos, where, err)
}

// open executes OPEN.
func (f *frame) open(s *lower.FileStmt, n int) error {
	spec, err := f.modes(s.Specs)
	for _, w := range []struct {
		key string
		to  *string
	}{
		{"STATUS", &spec.Status},
		{"ACCESS", &spec.Access},
		{"FORM", &spec.Form},
		{"POSITION", &spec.Position},
		{"ACTION", &spec.Action},
		{"CONVERT", &spec.Convert},
		{"ENCODING", new(string)},
	} {
		if err == nil {
			*w.to, err = f.word(s.Specs, w.key, w.key)
		}
	}
	if err != nil {
		return err
	}
	if x := lower.Specified(s.Specs, "FILE"); x != nil {
		spec.File = f.value(x).S
	}
	if x := lower.Specified(s.Specs, "RECL"); x != nil {
		spec.Recl, spec.HasRecl = f.value(x).I, true
	}
	spec.Unit = n
	number := lower.Specified(s.Specs, "NEWUNIT")
	if number != nil {
		spec.Unit, spec.New = f.io.NewUnit(), true
	}
	if err = f.io.Open(spec); err == nil && number != nil {
		f.store(number, lower.Value{I: int64(spec.Unit)})
	}
	return err
}

// inquireAbout executes INQUIRE.
func (f *frame) inquireAbout(s *lower.FileStmt, n int) error {
	if x := lower.Specified(s.Specs, "IOLENGTH"); x != nil {
		length := int64(0)
		f.eachItem(s.Items, false, func(item lower.Expr) bool {
			size, each := int64(1), int64(item.Type().Bytes())
			if item.Rank() > 0 {
				a := f.array(item)
				size = int64(a.size())
				if a.t.Base == syntax.CharacterType {
					each = int64(a.length)
				}
			} else if item.Type().Base == syntax.CharacterType {
				each = int64(len(f.value(item).S))
			}
			length += size * each
			return true
		})
		f.store(x, lower.Value{I: length})
		return nil
	}
	about := unit.About{Number: n}
	if x := lower.Specified(s.Specs, "FILE"); x != nil {
		about.File, about.Named = f.value(x).S, true
	}
	for _, a := range s.Specs {
		switch {
		case !a.Out || a.Key == "IOSTAT" || a.Key == "IOMSG":
		case a.Value.Type().Base == syntax.CharacterType:
			f.store(a.Value, lower.Value{S: f.io.Text(about, a.Key)})
		default:
			f.store(a.Value, lower.Value{I: f.io.Number(about, a.Key)})
		}
	}
	return nil
}

// outcome ends a statement of input or output: it stores IOSTAT= and IOMSG=, and goes to the label for the error. An error
// that the statement does not handle ends the run. The connection, nil for none, is named in the error.
func (f *frame) outcome(op string, c *lower.Controls, pos syntax.Pos, where *unit.Connection, err error) signal {
	code, label := int64(unit.CodeValue), c.Err
	var known *unit.Error
	switch {
	case err == nil:
		code, label = 0, 0
	case errors.Is(err, io.EOF):
		code, label = unit.CodeEnd, c.End
	case errors.As(err, &known):
		if code = known.Code; code == unit.CodeRecord {
			label = c.Eor
		}
	}
	status := lower.Specified(c.Specs, "IOSTAT")
	if status != nil {
		f.store(status, lower.Value{I: code})
	}
	if err == nil {
		return signal{}
	}
	text := err.Error()
	if code == unit.CodeEnd {
		text = "end of the file"
	}
	if x := lower.Specified(c.Specs, "IOMSG"); x != nil {
		f.store(x, lower.Value{S: text})
	}
	switch {
	case label != 0:
		return signal{kind: toLabel, label: label}
	case status != nil:
		return signal{}
	case code == unit.CodeEnd && where != nil && where.Number == unit.Input && where.Name == "stdin":
		fail(pos, "READ at the end of the input")
	}
	at := op + ": "
	switch {
	case where != nil && where.Name != "stdin" && where.Name != "stdout" && where.Name != "stderr":
		name := where.Name
		if name == "" {
			name = "a scratch file"
		}
		at = fmt.Sprintf("%s of unit %d (%s): ", op, where.Number, name)
	case where == nil && c.Unit != nil && c.Unit.Type().Base == syntax.IntegerType:
		at = fmt.Sprintf("%s of unit %d: ", op, f.integer(c.Unit))
	case op == "WRITE":
		at = ""
	}
	fail(pos, "%s%s", at, text)
	return signal{}
}
