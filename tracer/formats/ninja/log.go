//go:build !js

package ninja

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"whorl/internal/lines"
	"whorl/tracer/formats/actions"
)

// Versions of the log that are read. In others a line may mean something else.
const (
	oldest = 5
	newest = 7
)

// mostTime bounds the times of the log, in ms.
const mostTime = 1 << 40

// An entry is a line of the log: an output and when its action began and was done, in ms since the beginning of the run.
type entry struct {
	from, to int64
	output   string
	command  uint64 // hash of the command
}

// A log is the last run of a file.
type log struct {
	entries []entry
	earlier int64 // entries of runs before it
	damaged int64 // lines that are not entries
	cut     bool  // the last line has no end
}

// readLog reads a log from a byte on, its first line in any case.
func readLog(r io.Reader, offset int64) (*log, error) {
	in := lines.New(r, 1<<18) // no line that Ninja itself reads is longer
	head, _, failed := in.Next()
	version, err := strconv.Atoi(string(bytes.TrimSpace(bytes.TrimPrefix(head, []byte(magic)))))
	if !Detect(head) || err != nil || failed != nil && !errors.Is(failed, io.EOF) {
		return nil, fmt.Errorf("line 1: expected %q and a version", magic)
	}
	if version < oldest || version > newest {
		return nil, fmt.Errorf("line 1: version %d of the log: expected %d to %d", version, oldest, newest)
	}
	l := &log{}
	if rest := offset - int64(len(head)); rest > 0 {
		if err := in.Skip(rest); err != nil {
			return nil, fmt.Errorf("the log has no byte %d: expected a longer file", offset)
		}
	}
	last := int64(0)
	for {
		line, whole, err := in.Next()
		switch {
		case !whole:
			l.damaged++
		case len(line) > 0 && line[0] != '#': // after a change of its version Ninja writes the first line again
			if e, ok := parse(bytes.TrimRight(line, "\r\n")); ok {
				if e.to < last {
					l.begin()
				}
				last = e.to
				l.entries = append(l.entries, e)
				if e.output == manifestFile {
					l.begin()
					last = 0
				}
			} else if err == nil {
				l.damaged++
			}
			l.cut = err != nil // Ninja ends each line
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return nil, err
			}
			return l, nil
		}
	}
}

// begin begins another run.
func (l *log) begin() {
	l.earlier += int64(len(l.entries))
	l.entries = l.entries[:0]
}

// parse reads a line: the beginning, the end, the time of the file, the output, and the hash of the command, between tabs.
func parse(line []byte) (e entry, ok bool) {
	var fields [5][]byte
	for i := range fields {
		var more bool
		if fields[i], line, more = bytes.Cut(line, []byte{'\t'}); more != (i < len(fields)-1) {
			return e, false
		}
	}
	var errs [3]error
	e.from, errs[0] = strconv.ParseInt(string(fields[0]), 10, 64)
	e.to, errs[1] = strconv.ParseInt(string(fields[1]), 10, 64)
	e.command, errs[2] = strconv.ParseUint(string(fields[4]), 16, 64)
	e.output = clean(string(fields[3]))
	return e, errors.Join(errs[:]...) == nil && 0 <= e.from && e.from <= e.to && e.to < mostTime && e.output != ""
}

// actions adds the actions to a build and returns them by the numbers of their outputs in a graph. The outputs of one action have entries of the same
// times and command.
func (l *log) actions(b *actions.Build, g *graph) map[int32]*actions.Action {
	type key struct {
		from, to int64
		command  uint64
	}
	known := map[key]*actions.Action{}
	byOutput := make(map[int32]*actions.Action, len(l.entries))
	for _, e := range l.entries {
		k := key{e.from, e.to, e.command}
		a := known[k]
		if a == nil {
			a = &actions.Action{Name: e.output, Ran: true, From: e.from * 1e6, To: e.to * 1e6}
			known[k] = a
			b.Actions = append(b.Actions, a)
		}
		byOutput[g.path(e.output)] = a
	}
	return byOutput
}
