// Package table reads tables of runs, such as those of whorl sweep, as CSV with a line of names. A row is a task, numbered from 1. A column of numbers is
// a metric, and each of its numbers a Counter; the column's unit follows from its name. A column of texts is a code of type Name, whose entries are its
// texts, and each text a Mark. Columns keep their order. An empty value has no event.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
)

// Substrate is the Meta.Substrate of tables.
const Substrate = "table"

// Limits of tables.
const (
	maxColumns = 1 << 10
	maxRows    = 1 << 20
)

// Detect reports whether a file that begins with head may be a table: its first line names the columns of a sweep.
func Detect(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	names := strings.Split(strings.TrimSpace(string(line)), ",")
	found := 0
	for _, name := range names {
		if name == "program" || name == "pes" || name == "time_ns" {
			found++
		}
	}
	return found == 3
}

// Read reads a table into rec. It leaves out damaged rows, and the metadata have their number. An error names the line.
func Read(r io.Reader, rec tracer.Recorder, file string) error {
	in := csv.NewReader(bufio.NewReaderSize(r, 1<<16))
	lines, missing, err := readLines(in)
	if err != nil {
		return err
	}
	meta := tracer.Meta{Program: nameOf(file), Substrate: Substrate}
	if missing != "" {
		meta.Extra = []tracer.KV{{Key: tracer.MissingKey, Value: missing}}
	}
	rec.SetMeta(meta)
	names, rows := lines[0], lines[1:]
	columns := make([]column, len(names))
	for i := range names {
		columns[i] = columnOf(names[i], rows, i)
		columns[i].code = rec.Dict().Add(columns[i].entry())
	}
	stream := rec.Stream(tracer.StreamInfo{Name: "table"})
	for k, row := range rows {
		for i := range columns {
			if row[i] == "" {
				continue
			}
			if e := columns[i].event(row[i], rec.Dict()); stream != nil {
				e.Task = uint64(k + 1)
				*stream.Slot() = e
			}
		}
	}
	return nil
}

// readLines returns all lines that can be read, and a description of those that cannot. The first one has the headings. Two equal headings are an
// error.
func readLines(in *csv.Reader) (lines [][]string, missing string, err error) {
	damaged := 0
	var first error
	for {
		line, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if p := new(csv.ParseError); errors.As(err, &p) {
			if damaged++; first == nil {
				first = fmt.Errorf("line %d: %w", p.Line, p.Err)
			}
			if len(lines) == 0 { // no row stands for the headings
				return nil, "", first
			}
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if lines = append(lines, line); len(lines) > maxRows+1 {
			return nil, "", fmt.Errorf("more than %s rows, the limit of tables", figures.Count(maxRows))
		}
	}
	switch {
	case len(lines) < 2 && first != nil:
		return nil, "", first
	case len(lines) < 2:
		return nil, "", errors.New("a table has a line of names and at least one row")
	case damaged == 1:
		missing = "a row: " + first.Error()
	case damaged > 1:
		missing = fmt.Sprintf("%s rows, the first of them: %v", figures.Count(int64(damaged)), first)
	}
	if len(lines[0]) > maxColumns {
		return nil, "", fmt.Errorf("line 1: more than %s columns, the limit of tables", figures.Count(maxColumns))
	}
	seen := map[string]bool{}
	for _, name := range lines[0] {
		if name == "" || seen[name] {
			return nil, "", fmt.Errorf("line 1: two columns, or one without a name, are called %q", name)
		}
		seen[name] = true
	}
	return lines, missing, nil
}

// nameOf returns the name of the table in a file: that of the folder of a sweep, or that of the file.
func nameOf(file string) string {
	base := filepath.Base(file)
	if folder := filepath.Base(filepath.Dir(file)); base == "table.csv" && folder != "." && folder != string(filepath.Separator) {
		return folder
	}
	return base
}

// A column holds texts or numbers.
type column struct {
	name   string
	number bool
	scale  float64 // amount of an event's value of 1
	code   uint32
}

// columnOf describes column i: it holds numbers if all its values are numbers, and there is one.
func columnOf(name string, rows [][]string, i int) column {
	c := column{name: name, scale: 1}
	most, whole := 0.0, true
	for _, row := range rows {
		if row[i] == "" {
			continue
		}
		x, err := strconv.ParseFloat(row[i], 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) >= 1<<62 {
			return column{name: name}
		}
		c.number = true
		most, whole = max(most, math.Abs(x)), whole && x == math.Trunc(x)
	}
	if !whole {
		for c.scale = 1e-9; most/c.scale >= 1<<62; {
			c.scale *= 1000
		}
	}
	return c
}

// entry returns the entry of the column in the code table.
func (c *column) entry() tracer.Code {
	if !c.number {
		return tracer.Code{Type: tracer.Name, Name: c.name}
	}
	unit := ""
	switch {
	case strings.HasSuffix(c.name, "_ns"):
		unit = "ns"
	case c.name == "bytes":
		unit = "B"
	}
	return tracer.Code{Type: tracer.Metric, Name: c.name, Unit: unit, Scale: c.scale}
}

// event returns the event of a value, without its task.
func (c *column) event(value string, dict *tracer.Dict) tracer.Event {
	if c.number {
		x, _ := strconv.ParseFloat(value, 64)
		return tracer.Event{Kind: tracer.Counter, Peer: tracer.None, Code: c.code, Value: int64(math.Round(x / c.scale))}
	}
	return tracer.Event{Kind: tracer.Mark, Peer: tracer.None, Code: dict.Add(tracer.Code{Type: tracer.Name, Name: value, Parent: c.code})}
}
