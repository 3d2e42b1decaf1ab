package dtslog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"whorl/internal/fault"
	"whorl/internal/figures"
	"whorl/internal/lines"
	"whorl/tracer"
)

// A File is a file with logs.
type File struct {
	Name string // for errors
	R    io.Reader
}

// Read reads the logs of nodes into rec, one stream for each, and does not close rec. An error in a log is a *fault.Error with file, line and
// column; the events before it have been recorded. A last line that is wrong and has no end is no error: the file is cut, and the metadata say so.
//
// Read holds all logs in memory, 64 bytes for each event, because the log of a node does not say where its threads were forked.
func Read(files []File, rec tracer.Recorder) error {
	r := reader{rec: rec, names: map[string]uint64{}, logs: map[int32]*log{}}
	var bad error
	for _, f := range files {
		if bad = r.file(f); bad != nil {
			break
		}
	}
	if bad == nil && len(r.order) == 0 {
		name := ""
		if len(files) > 0 {
			name = files[0].Name
		}
		bad = &fault.Error{Pos: fault.Pos{File: name, Line: 1, Column: 1}, Msg: "no log", Want: "the line " + mark}
	}
	r.record()
	return bad
}

// A log is the log of one node.
type log struct {
	node, pes     int32
	first         int32     // number of its first PE in the trace
	pos           fault.Pos // of its node line
	host, process string
	clock         string
	events        []tracer.Event
}

type reader struct {
	rec     tracer.Recorder
	line    line
	log     *log // the current log; nil before its node line
	begun   bool // the mark has been read
	digits  int  // the unit is 10^digits ns
	swapped bool // fork and start are exchanged, as in section 2
	clock   string
	pes     int32 // of the next node line
	program string
	args    []string
	logs    map[int32]*log    // by node
	order   []*log            // as read
	sorted  []*log            // by node
	last    int32             // the largest node number
	more    int32             // PEs beyond one for each node
	names   map[string]uint64 // named threads, numbered from 1
	most    uint64            // the largest number of a thread
	missing []string          // the missing parts of files that are cut
}

// named marks the provisional number of a named thread until all logs are read.
const named = 1 << 63

// mostLine is the length of the longest line, in bytes.
const mostLine = 1 << 20

func (r *reader) file(f File) error {
	tail := lines.Tail{R: f.R}
	in := bufio.NewScanner(&tail)
	in.Buffer(nil, mostLine)
	r.line = line{file: f.Name}
	r.begun, r.log = false, nil
	for in.Scan() {
		if err := r.next(in.Text()); err != nil {
			if at := new(fault.Error); errors.As(err, &at) && len(r.order) > 0 && tail.Cut(in) {
				r.missing = append(r.missing, fmt.Sprintf("the rest of %s from line %d on: the line is cut: %s; expected %s", f.Name, r.line.row, at.Msg, at.Want))
				return nil
			}
			return err
		}
	}
	err := in.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return &fault.Error{
			Pos: fault.Pos{File: f.Name, Line: r.line.row + 1, Column: 1}, Msg: "the line is longer than " + figures.Size(mostLine),
		}
	}
	if err == nil && r.begun && r.log == nil {
		return r.line.wrong(len(r.line.words), "the line node NUMBER", "the log has no node line")
	}
	return err
}

// next handles a line.
func (r *reader) next(text string) error {
	r.line.row++
	r.line.text = strings.TrimSuffix(text, "\r")
	if err := r.line.split(); err != nil || len(r.line.words) == 0 {
		return err
	}
	return r.words()
}

// words handles a line that is not blank.
func (r *reader) words() error {
	l := &r.line
	first := l.words[0]
	switch {
	case first.key == "" && !first.quoted && first.text == "dtslog":
		if _, err := l.number(1, "version", 1, 1); err != nil {
			return err
		}
		r.begun, r.log, r.digits, r.swapped, r.clock, r.pes = true, nil, 0, false, tracer.Process, 1
		return r.end(2)
	case !r.begun:
		return l.wrong(0, "the line "+mark, "not a log")
	case first.text != "" && strings.IndexByte("+-.0123456789", first.text[0]) >= 0 && first.key == "":
		if r.log == nil {
			return l.wrong(0, "the line node NUMBER before the first event", "an event before the node line")
		}
		return r.event()
	}
	what, err := l.name(0, "word", "node", "program", "pes", "clock", "unit", "section", "dtslog")
	if err != nil {
		return err
	}
	if what != "program" && what != "node" && r.log != nil && len(r.log.events) > 0 {
		return l.wrong(0, "an event: header lines come before the events", "%s after an event", what)
	}
	switch what {
	case "node":
		return r.node()
	case "program":
		if len(l.words) < 2 {
			return l.wrong(1, `program "NAME" and its arguments`, "no name")
		}
		r.program, r.args = l.words[1].text, nil
		for _, w := range l.words[2:] {
			r.args = append(r.args, w.text)
		}
		return nil
	case "clock":
		if r.clock, err = l.name(1, "clock", tracer.Process, tracer.Monotonic, tracer.Virtual, tracer.Aligned); err == nil && r.log != nil {
			r.log.clock = r.clock
		}
	case "pes":
		var n int64
		n, err = l.number(1, "number of PEs", 1, mostPEs)
		r.pes = int32(n)
		if err == nil && r.log != nil {
			r.more += r.pes - r.log.pes
			r.log.pes = r.pes
			err = r.bound()
		}
	case "unit":
		var unit string
		unit, err = l.name(1, "unit", "ns", "us", "ms", "s")
		r.digits = map[string]int{"ns": 0, "us": 3, "ms": 6, "s": 9}[unit]
	case "section":
		var section int64
		section, err = l.number(1, "section of the paper", 2, 3)
		r.swapped = section == 2
	}
	if err != nil {
		return err
	}
	return r.end(2)
}

// end checks that no words follow.
func (r *reader) end(at int) error {
	if at < len(r.line.words) {
		return r.line.wrong(at, "the end of the line", "unexpected %q", short(r.line.words[at].text))
	}
	return nil
}

func (r *reader) node() error {
	l := &r.line
	n, err := l.number(1, "node number", 0, mostNodes-1)
	if err != nil {
		return err
	}
	if old := r.logs[int32(n)]; old != nil {
		return l.wrong(1, "another number, or one log for each node", "node %d has a log at %v", n, old.pos)
	}
	g := &log{node: int32(n), pes: r.pes, clock: r.clock, pos: fault.Pos{File: l.file, Line: l.row, Column: 1}}
	if len(l.words) > 2 {
		g.host = l.words[2].text
	}
	if len(l.words) > 3 {
		g.process = l.words[3].text
	}
	r.log, r.logs[g.node] = g, g
	r.order = append(r.order, g)
	r.last, r.more = max(r.last, g.node), r.more+g.pes-1
	if err := r.bound(); err != nil {
		return err
	}
	return r.end(4)
}

// bound checks the number of PEs of the trace.
func (r *reader) bound() error {
	if r.last+r.more >= mostNodes {
		return r.line.wrong(1, "at most "+figures.Count(mostNodes)+" PEs of all nodes", "too many PEs")
	}
	return nil
}
