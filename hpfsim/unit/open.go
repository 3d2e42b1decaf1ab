package unit

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"whorl/hpfsim/folder"
	"whorl/internal/nearest"
)

// A Spec is the specifiers of OPEN. An empty text means the default.
type Spec struct {
	Unit                                   int
	New                                    bool // NEWUNIT=
	File                                   string
	Status, Access, Form, Position, Action string
	Blank, Delim, Pad, Sign, Convert       string
	Recl                                   int64
	HasRecl                                bool // RECL= is given
}

// words lists the values of the specifiers whose values are words.
var words = map[string]string{
	"STATUS":   "OLD NEW SCRATCH REPLACE UNKNOWN",
	"ACCESS":   "SEQUENTIAL DIRECT STREAM APPEND",
	"FORM":     "FORMATTED UNFORMATTED",
	"POSITION": "ASIS REWIND APPEND",
	"ACTION":   "READ WRITE READWRITE",
	"BLANK":    "NULL ZERO",
	"DELIM":    "NONE QUOTE APOSTROPHE",
	"PAD":      "YES NO",
	"CONVERT":  "NATIVE SWAP BIG_ENDIAN LITTLE_ENDIAN",
	"ENCODING": "DEFAULT UTF-8",
	"SIGN":     "PROCESSOR_DEFINED PLUS SUPPRESS",
	"DECIMAL":  "POINT",
	"ROUND":    "PROCESSOR_DEFINED NEAREST",
	"ADVANCE":  "YES NO",
	"CLOSE":    "KEEP DELETE",
}

// Word returns the value of a specifier whose values are words, in upper case without blanks at its end.
func Word(key, value string) (string, error) {
	known := strings.Fields(words[key])
	if key == "CLOSE" {
		key = "STATUS"
	}
	v := strings.ToUpper(strings.TrimRight(value, " "))
	if v == "" || slices.Contains(known, v) {
		return v, nil
	}
	want := nearest.Suggest("one of "+strings.Join(known, " "), nearest.Names(v, known))
	return "", &Error{CodeOption, fmt.Sprintf("%s=%s (expected %s)", key, nearest.Quote(v), want)}
}

// Open connects a unit.
func (t *Table) Open(s Spec) error {
	s.File = strings.TrimRight(s.File, " ")
	old := t.units[s.Unit]
	switch {
	case !s.New && s.Unit < 0 && old == nil:
		return &Error{CodeOption, fmt.Sprintf("unit %d (expected 0 or more, or a unit of NEWUNIT=)", s.Unit)}
	case s.Access == "APPEND":
		s.Access, s.Position = "SEQUENTIAL", "APPEND"
	case s.Status == "SCRATCH" && s.File != "":
		return &Error{CodeOption, "STATUS='SCRATCH' with FILE="}
	}
	if old != nil && !s.New && (s.File == "" || s.File == old.Name) && s.Status != "SCRATCH" && old.window() != nil {
		return old.change(s)
	}
	if s.Access == "DIRECT" && !s.HasRecl {
		return &Error{codeNeeded, "ACCESS='DIRECT' without RECL="}
	}
	if s.HasRecl && (s.Recl <= 0 || s.Recl > math.MaxInt32) {
		return &Error{CodeOption, fmt.Sprintf("RECL=%d (expected 1 to %d)", s.Recl, math.MaxInt32)}
	}
	if s.Access == "DIRECT" && s.Position != "" || s.Access == "STREAM" && s.HasRecl {
		return &Error{codeConflict, "POSITION= is not for ACCESS='DIRECT', nor RECL= for ACCESS='STREAM'"}
	}
	if old != nil && !s.New {
		delete(t.units, s.Unit)
		if err := old.close(); err != nil {
			return ofSystem(err)
		}
	}
	c, err := t.connect(s)
	if err != nil {
		return err
	}
	if err := c.setModes(s); err != nil {
		return err
	}
	t.units[s.Unit] = c
	return nil
}

// NewUnit returns a unit that is not in use.
func (t *Table) NewUnit() int {
	for n := t.next; ; n-- {
		if t.units[n] == nil {
			return n
		}
	}
}

// connect opens the file of a unit. Without ACTION= the file is opened for reading and writing, or for one of them if the other is not possible.
func (t *Table) connect(s Spec) (*Connection, error) {
	c := &Connection{table: t, Number: s.Unit, Name: s.File, access: Sequential, Padded: true, recl: defaultLength}
	switch s.Access {
	case "DIRECT":
		c.access = Direct
	case "STREAM":
		c.access = Stream
	}
	c.formatted = s.Form == "FORMATTED" || s.Form == "" && c.access == Sequential
	if s.HasRecl {
		c.recl = s.Recl
	}
	if s.Status == "SCRATCH" {
		f, err := t.folder.Scratch()
		if err != nil {
			return nil, ofSystem(err)
		}
		c.scratch, c.reads, c.writes = true, true, true
		return c, c.hold(f, s.Position)
	}
	if c.Name == "" {
		c.Name = fileOf(s.Unit)
	}
	actions := []string{"READWRITE", "READ", "WRITE"}
	if s.Action != "" {
		actions = []string{s.Action}
	}
	var f folder.File
	var err error
	for _, a := range actions {
		c.reads, c.writes = a != "WRITE", a != "READ"
		f, err = t.folder.Open(c.Name, folder.How{
			Read: c.reads, Write: c.writes, Create: s.Status != "OLD" && (c.writes || s.Action == "READ" && s.Status != "REPLACE"),
			Truncate: s.Status == "REPLACE" && c.writes, New: s.Status == "NEW",
		})
		if !errors.Is(err, fs.ErrPermission) {
			break
		}
	}
	if err != nil {
		e := ofSystem(err)
		var known *Error
		if errors.As(e, &known) && !strings.Contains(known.Text, c.Name) {
			e = &Error{known.Code, "cannot open " + nearest.Quote(c.Name) + ": " + known.Text}
		}
		return nil, e
	}
	return c, c.hold(f, s.Position)
}

// hold connects the file.
func (c *Connection) hold(f folder.File, position string) error {
	w, err := newWindow(f)
	if err != nil {
		return ofSystem(err)
	}
	c.medium = w
	c.table.grow(windowSize)
	if position == "APPEND" {
		w.pos = w.size
	}
	return nil
}

// change applies an OPEN of a file that is connected already, which may only change how values are read and written.
func (c *Connection) change(s Spec) error {
	named := map[Access]string{Sequential: "SEQUENTIAL", Direct: "DIRECT", Stream: "STREAM"}[c.access]
	form := "UNFORMATTED"
	if c.formatted {
		form = "FORMATTED"
	}
	switch {
	case s.Access != "" && s.Access != named:
		return &Error{codeConflict, "the file is connected with ACCESS='" + named + "' already"}
	case s.Form != "" && s.Form != form:
		return &Error{codeConflict, "the file is connected with FORM='" + form + "' already"}
	case s.HasRecl && s.Recl != c.recl:
		return &Error{codeConflict, fmt.Sprintf("the file is connected with RECL=%d already", c.recl)}
	case s.Status != "" && s.Status != "OLD" && s.Status != "UNKNOWN":
		return &Error{codeConflict, "the file is connected already (expected STATUS='OLD')"}
	}
	switch s.Position {
	case "REWIND":
		if err := c.Rewind(); err != nil {
			return err
		}
	case "APPEND":
		c.window().pos = c.window().size
		c.end = before
	}
	return c.setModes(s)
}

// setModes sets how values are read and written.
func (c *Connection) setModes(s Spec) error {
	if (s.Blank != "" || s.Delim != "" || s.Pad != "") && !c.formatted {
		return &Error{codeConflict, "BLANK=, DELIM= and PAD= are for FORM='FORMATTED'"}
	}
	c.SetModes(s)
	return nil
}

// SetModes sets how values are read and written. Modes that a specification omits do not change.
func (c *Connection) SetModes(s Spec) {
	if s.Blank != "" {
		c.Zeros = s.Blank == "ZERO"
	}
	if s.Pad != "" {
		c.Padded = s.Pad == "YES"
	}
	if s.Sign != "" {
		c.Plus = s.Sign == "PLUS"
	}
	switch s.Delim {
	case "NONE":
		c.Delim, c.Bare = 0, true
	case "QUOTE":
		c.Delim, c.Bare = '"', false
	case "APOSTROPHE":
		c.Delim, c.Bare = '\'', false
	}
	if s.Convert != "" {
		c.Big = s.Convert == "BIG_ENDIAN" || s.Convert == "SWAP"
	}
}

// CloseUnit ends the connection of a unit, if it has one. Delete removes its file.
func (t *Table) CloseUnit(number int, status string) error {
	c := t.units[number]
	if c == nil {
		return nil
	}
	if c.scratch && status == "KEEP" {
		return &Error{CodeOption, "STATUS='KEEP' for a file that is SCRATCH"}
	}
	delete(t.units, number)
	err := c.close()
	if status == "DELETE" && !c.scratch && c.window() != nil {
		if gone := t.folder.Remove(c.Name); err == nil {
			err = gone
		}
	}
	return ofSystem(err)
}
