// Package unit connects the units of a Fortran program to files: sequential, direct and stream access, formatted and unformatted.
//
// It handles bytes and records, independent of the values in them. It behaves as gfortran's library does: the same defaults
// of OPEN, the file fort.N for a unit N that no OPEN connects, records of unformatted files between 4-byte markers, and the same
// numbers for IOSTAT=.
package unit

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/hpfsim/folder"
)

// A Table holds the connected units of a run.
type Table struct {
	In *bufio.Reader // standard input

	folder  folder.Folder
	reserve func(bytes int64)
	grow    func(bytes int64)
	units   map[int]*Connection
	out     *stream
	errs    *stream
	streams []*stream
	next    int   // unit of the next NEWUNIT=
	held    int64 // bytes of the record that is read
}

// Options describe the files and streams to which the units of a program are connected.
type Options struct {
	In          io.Reader         // unit 5; nil is empty
	Out, Errors io.Writer         // units 6 and 0; a nil Out discards, a nil Errors is Out
	Folder      folder.Folder     // nil keeps files in memory
	Reserve     func(bytes int64) // is called with the number of bytes of records in memory; may be nil
	Grow        func(bytes int64) // is called with the number of bytes by which files in memory grow, negative if they shrink; may be nil
}

// The units that are connected when a program begins.
const (
	Errors = 0
	Input  = 5
	Output = 6
)

// New returns the units at the beginning of a program.
func New(o Options) *Table {
	if o.In == nil {
		o.In = strings.NewReader("")
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Grow == nil {
		o.Grow = func(int64) {}
	}
	if o.Folder == nil {
		o.Folder = &folder.Memory{Grow: o.Grow}
	}
	if o.Reserve == nil {
		o.Reserve = func(int64) {}
	}
	t := &Table{In: bufio.NewReader(o.In), folder: o.Folder, reserve: o.Reserve, grow: o.Grow, units: map[int]*Connection{}, next: firstNew}
	t.out = &stream{out: bufio.NewWriter(o.Out)}
	t.errs = t.out
	if o.Errors != nil {
		t.errs = &stream{out: bufio.NewWriter(o.Errors)}
		t.streams = append(t.streams, t.errs)
	}
	t.streams = append(t.streams, t.out)
	for _, c := range []*Connection{
		{Number: Input, Name: "stdin", medium: &stream{in: t.In, before: t.Flush}, reads: true},
		{Number: Output, Name: "stdout", medium: t.out, writes: true},
		{Number: Errors, Name: "stderr", medium: t.errs, writes: true},
	} {
		c.table, c.formatted, c.Padded, c.recl = t, true, true, defaultLength
		t.units[c.Number] = c
	}
	return t
}

const (
	firstNew      = -10 // the first unit of NEWUNIT=
	defaultLength = 1 << 30
)

// hold counts bytes of the record that is read.
func (t *Table) hold(bytes int64) {
	t.reserve(bytes)
	t.held += bytes
}

// Release ends the use of a record that was read.
func (t *Table) Release() {
	t.reserve(-t.held)
	t.held = 0
}

// Connected returns the connection of a unit, or nil.
func (t *Table) Connected(number int) *Connection { return t.units[number] }

// A Transfer describes a statement that reads or writes.
type Transfer struct {
	Formatted bool
	Record    int64 // REC=, or 0
	Position  int64 // POS=, or 0
	Direct    bool  // REC= is given
	Stream    bool  // POS= is given
}

// For returns the connection of a unit that a statement reads or writes. A unit without a connection gets the file fort.N.
func (t *Table) For(number int, as Transfer) (*Connection, error) {
	if c := t.units[number]; c != nil {
		return c, nil
	}
	o := Spec{Unit: number}
	if as.Direct {
		o.Access = "DIRECT"
	}
	if !as.Formatted {
		o.Form = "UNFORMATTED"
	}
	if err := t.Open(o); err != nil {
		return nil, err
	}
	return t.units[number], nil
}

// WriteLine writes a line to the standard error, after all output so far.
func (t *Table) WriteLine(s string) {
	for _, c := range []*Connection{t.units[Output], t.units[Errors]} {
		if c != nil && (c.medium == medium(t.out) || c.medium == medium(t.errs)) {
			_ = c.finish()
		}
	}
	t.Flush()
	_ = t.errs.write([]byte(s + "\n")) // CloseAll returns its errors
}

// Flush writes the buffered bytes of the streams.
func (t *Table) Flush() {
	for _, s := range t.streams {
		_ = s.flush() // CloseAll returns its errors
	}
}

// CloseAll ends unfinished records, closes all units and returns the first error.
func (t *Table) CloseAll() error {
	var first error
	for _, n := range slices.Sorted(maps.Keys(t.units)) {
		if err := t.units[n].close(); err != nil && first == nil {
			first = fmt.Errorf("unit %d (%s): %w", n, t.units[n].Name, err)
		}
	}
	clear(t.units)
	for _, s := range t.streams {
		_ = s.flush()
		if s.err != nil && first == nil {
			first = s.err
		}
	}
	return first
}

// fileOf returns the name of the file of a unit that is opened without one.
func fileOf(number int) string { return "fort." + strconv.Itoa(number) }
