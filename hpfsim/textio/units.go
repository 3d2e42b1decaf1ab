// Package textio reads and writes values as Fortran's input and output statements do: list-directed or by a format,
// on standard input and output or on internal files.
//
// The package handles values, their types and formats, independent of programs and machines. It writes lists in the layout
// of gfortran.
package textio

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A Datum is one value of a list of input or output.
type Datum struct {
	Value lower.Value
	Type  lower.Type
}

// Units are the connected units of a program: standard input and standard output.
type Units struct {
	In  *bufio.Reader
	out *bufio.Writer
	err error  // the first error of writing
	end string // the unfinished last line, after a WRITE without advance
}

// NewUnits returns units that read from in and write to out. A nil reader is empty, and a nil writer discards everything.
func NewUnits(in io.Reader, out io.Writer) *Units {
	if in == nil {
		in = strings.NewReader("")
	}
	if out == nil {
		out = io.Discard
	}
	return &Units{In: bufio.NewReader(in), out: bufio.NewWriter(out)}
}

// ReadRecord reads a line of standard input, without its end.
func (u *Units) ReadRecord() (string, error) {
	line, err := u.In.ReadString('\n')
	if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// Write writes the lines of a WRITE statement, at least one. Without advance the next statement continues the last line.
func (u *Units) Write(lines []string, advance bool) {
	last := len(lines) - 1
	for i, line := range lines {
		line, u.end = u.end+line, ""
		if i == last && !advance {
			u.end = line
			break
		}
		u.writeLine(line)
	}
}

// WriteStop writes the message of a STOP statement with a value.
func (u *Units) WriteStop(d Datum) {
	if d.Type.Base == syntax.CharacterType {
		u.writeLine("STOP " + d.Value.S)
		return
	}
	u.writeLine("STOP " + strconv.FormatInt(d.Value.I, 10))
}

// Flush writes buffered output, but for an unfinished line.
func (u *Units) Flush() {
	if err := u.out.Flush(); u.err == nil {
		u.err = err
	}
}

// Close ends an unfinished line, writes buffered output and returns the first error of writing.
func (u *Units) Close() error {
	if u.end != "" {
		u.Write([]string{""}, true)
	}
	u.Flush()
	return u.err
}

func (u *Units) writeLine(s string) {
	if _, err := u.out.WriteString(s + "\n"); err != nil && u.err == nil {
		u.err = err
	}
}
