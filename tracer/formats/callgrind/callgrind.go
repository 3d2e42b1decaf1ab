// Package callgrind reads the profiles of Callgrind and Cachegrind (Valgrind), and those that other programs, such as Xdebug, write in their format. The
// manual of Valgrind describes it in the chapter "Callgrind Format Specification".
//
// A file has the costs of lines of functions, and the costs of calls from a line to another function, inner calls included. It has no stacks: package
// arcs makes calling contexts of it. The parts of a file and its threads follow each other.
package callgrind

import (
	"bytes"
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Bounds of a file.
const (
	mostLine   = 1 << 20 // bytes
	mostEvents = 64
	mostValue  = 1 << 53
)

// processors are the choices of profile.Options.Processor.
var processors = []string{"thread", "process"}

// Detect reports whether a file that begins with head may be a profile of Callgrind: a line "events:", and the comment with which Callgrind begins, or
// positions of functions.
func Detect(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	if bytes.HasPrefix(head, []byte("# callgrind format")) {
		return true
	}
	events, cost, others := false, false, 0
	for line := range bytes.Lines(head) {
		key, _, ok := bytes.Cut(line, []byte(":"))
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0 || line[0] == '#':
		case ok && string(key) == "events":
			events = true
		case ok && slices.Contains(headers, string(key)):
		case bytes.HasPrefix(line, []byte("fn=")) || bytes.HasPrefix(line, []byte("fl=")):
			cost = true
		case !cost:
			others++
		}
	}
	return events && cost && others == 0
}

// headers are the keys of lines in the head of a file.
var headers = []string{"version", "creator", "pid", "cmd", "part", "desc", "thread", "target_command", "positions", "events", "event", "summary", "totals"}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a thread if the file has several, else a process. Each
// event is a metric; so is the number of calls. An error names the file and the line.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	by := cmp.Or(o.Processor, processors[0])
	if err := profile.CheckProcessor("Callgrind", by, processors); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o), by: by}
	r.w.Meta = tracer.Meta{Substrate: "callgrind", Clock: tracer.Aligned}
	err := r.w.Each(files, r.read)
	r.w.Finish()
	return err
}
