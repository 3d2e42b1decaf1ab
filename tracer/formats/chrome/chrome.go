// Package chrome reads the trace events in JSON that Chromium, Node, go build -debug-trace, clang -ftime-trace, PyTorch, Bazel and tools for ninja
// write. docs/events.md has the meaning of each kind of event in the trace.
//
// A file is an object with the member traceEvents, or an array, which may lack its end. An event has a phase, a time in µs, a process, a thread, a
// name and categories. Events are in no order, so package tracks keeps them all and sorts them.
package chrome

import (
	"bytes"
	"errors"
	"strconv"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/tracks"
)

// Detect reports whether a file that begins with head may hold trace events, compressed or not.
func Detect(head []byte) bool {
	b := jsonscan.Start(gzipped.Head(head))
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	switch {
	case len(b) == 0:
		return false
	case b[0] == '[':
		b = bytes.TrimLeft(b[1:], " \t\r\n")
		return len(b) > 0 && b[0] == '{' && contains(`"ph"`) && (contains(`"ts"`) || contains(`"name"`))
	case b[0] == '{':
		return contains(`"traceEvents"`) || contains(`"stackFrames"`) || contains(`"displayTimeUnit"`) || contains(`"schemaVersion"`) && contains(`"deviceProperties"`)
	}
	return false
}

// Read reads a trace into rec as one stream, and does not close rec. An error means that nothing could be read. The metadata count the missing parts
// of the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	text, err := gzipped.Reader(f.R)
	if err != nil {
		return err
	}
	r := &reader{
		Scanner: jsonscan.New(text), out: tracks.New(rec, o), processes: map[int64]process{}, threads: map[key]tracks.ID{}, owners: map[int64]int64{},
		operations: map[uint32]tracks.ID{}, frames: map[uint32]frame{}, profiles: map[uint32]*sampling{},
	}
	*r.out.Meta = tracer.Meta{Substrate: "chrome", Mode: tracer.Live, Clock: tracer.Monotonic}
	if err := r.file(); err != nil {
		return err
	}
	r.stacks()
	if r.build != nil {
		r.build.finish(r)
	}
	if r.base == 0 && r.first > unixTime {
		r.base = 1
	}
	r.out.Finish(r.base)
	return nil
}

// unixTime is a time in ns that is one since 1970, not since the start of a machine.
const unixTime = 1e18

// A reader reads a file.
type reader struct {
	*jsonscan.Scanner
	out    *tracks.Recording
	e      event
	events int64
	first  int64 // time of the first event
	base   int64 // Unix time in ns of the time 0, 0 if unknown

	processes  map[int64]process
	threads    map[key]tracks.ID
	owners     map[int64]int64 // by thread: the lowest process with a thread of that number
	lastKey    key
	last       tracks.ID
	operations map[uint32]tracks.ID // asynchronous tracks
	samples    []sample
	profiles   map[uint32]*sampling
	frames     map[uint32]frame
	build      *bazel // nil for other tools
	id         []byte
	args       jsonscan.Scanner
}

// A process is a process with the track of its counters.
type process struct {
	number   uint32
	counters tracks.ID
}

// key identifies a thread. An id that is not a number is the number of a string, as a negative number.
type key struct{ process, thread int64 }

func (r *reader) file() error {
	switch r.Peek() {
	case '[':
		r.list(true)
	case '{':
		for r.Object(); r.Key(); {
			r.member()
		}
	default:
		if err := r.Err(); err != nil {
			return err
		}
		return errors.New("not a trace in JSON: expected { or [")
	}
	if err := r.Err(); err != nil {
		if r.events == 0 {
			return err
		}
		r.out.Dropped.Once("the rest from byte " + strconv.FormatInt(r.Offset(), 10) + " on: " + err.Error())
	} else if !r.Ended() {
		r.out.Dropped.Once("the rest from byte " + strconv.FormatInt(r.Offset(), 10) + " on: it follows the end of the trace")
	}
	return nil
}

// member reads a member of the outermost object.
func (r *reader) member() {
	switch string(r.Name) {
	case "traceEvents":
		if r.Peek() == '[' {
			r.list(false)
		} else {
			r.Skip()
		}
	case "stackFrames":
		r.stackFrames()
	case "samples":
		r.EachObject(r.sample)
	case "otherData":
		r.otherData()
	case "baseTimeNanoseconds":
		r.base, _ = r.Decimal(0)
	case "systemTraceEvents":
		r.out.Dropped.Once("the events of the system in a text of their own")
		r.Skip()
	default:
		r.Skip()
	}
}

// list reads the events. An array that is the whole file may end without a bracket.
func (r *reader) list(whole bool) {
	r.Array()
	for r.Err() == nil {
		c := r.Peek()
		if c == 0 && whole && r.Err() == nil {
			return
		}
		if !r.Element() {
			return
		}
		if c != '{' {
			r.out.Dropped.Add("elements other than events", 1)
			r.Skip()
			continue
		}
		if r.event(); r.Err() == nil {
			r.events++
			r.apply()
		}
	}
}

// track returns the track of a thread.
func (r *reader) track(k key) tracks.ID {
	if k == r.lastKey && r.last != 0 {
		return r.last
	}
	id, ok := r.threads[k]
	if !ok {
		id = r.out.Track(tracks.Thread, r.process(k.process).number, r.spell(k.thread))
		r.threads[k] = id
		if first, known := r.owners[k.thread]; !known || k.process < first {
			r.owners[k.thread] = k.process
		}
	}
	r.lastKey, r.last = k, id
	return id
}

// process returns a process.
func (r *reader) process(pid int64) process {
	p, ok := r.processes[pid]
	if !ok {
		p.number = r.out.Process(r.spell(pid))
		p.counters = r.out.Track(tracks.Group, p.number, "")
		r.processes[pid] = p
	}
	return p
}

// spell returns the text of an id.
func (r *reader) spell(id int64) string {
	if id < 0 {
		return r.out.Spelled(uint32(-id - 1))
	}
	return strconv.FormatInt(id, 10)
}

// identity returns the number of an id: the id itself, or for other texts the number of a string as a negative number.
func (r *reader) identity() int64 {
	b, ok := r.Text()
	if !ok {
		return 0
	}
	if n, ok := jsonscan.ParseDecimal(b, 0); ok && n >= 0 && bytes.IndexByte(b, '.') < 0 {
		return n
	}
	return -int64(r.out.String(b)) - 1
}

// stackFrames reads the table of stack frames.
func (r *reader) stackFrames() {
	if !r.TryObject() {
		return
	}
	for r.Key() {
		id := r.out.String(r.Name)
		if !r.TryObject() {
			continue
		}
		var f frame
		for r.Key() {
			switch string(r.Name) {
			case "name":
				f.name = r.text()
			case "category":
				f.category = r.text()
			case "parent":
				b, ok := r.Text()
				f.parent, f.inner = r.out.String(b), ok
			default:
				r.Skip()
			}
		}
		r.frames[id] = f
	}
}

// A frame is a stack frame.
type frame struct {
	name, category, parent uint32
	inner                  bool // it has a parent
	context                uint32
	known                  bool
}

// A sample is a sample of a stack.
type sample struct {
	time   int64
	weight int64
	track  tracks.ID
	name   tracks.Text
	stack  uint32 // number of the id of its frame
}

// mostDepth bounds the frames of a stack.
const mostDepth = 1 << 10

// stacks adds the samples, now that the stack frames are known.
func (r *reader) stacks() {
	for _, s := range r.samples {
		context, ok := r.context(s.stack, 0)
		if !ok {
			r.out.Dropped.Add("samples without a stack", 1)
			continue
		}
		r.out.Sample(s.track, s.time, s.name, context, s.weight)
	}
}

// context returns the calling context of a stack frame.
func (r *reader) context(id uint32, depth int) (uint32, bool) {
	f, ok := r.frames[id]
	if !ok || depth > mostDepth {
		return 0, false
	}
	if f.known {
		return f.context, true
	}
	parent := uint32(0)
	if f.inner {
		parent, _ = r.context(f.parent, depth+1)
	}
	f.context, f.known = r.out.Frame(parent, r.out.Text(f.category, f.name)), true
	r.frames[id] = f
	return f.context, true
}

// sample reads an entry of the list of samples.
func (r *reader) sample() {
	s := sample{weight: 1}
	var k key
	timed := false
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "ts":
			s.time, timed = r.Decimal(3)
		case "tid":
			k.thread = r.identity()
		case "pid":
			k.process = r.identity()
		case "name":
			s.name = r.out.Text(0, r.text())
		case "weight":
			s.weight, _ = r.Decimal(0)
		case "sf":
			s.stack = r.text()
		default:
			r.Skip()
		}
	}
	if !timed {
		r.out.Dropped.Add("events without a time", 1)
		return
	}
	s.track = r.anywhere(k)
	r.samples = append(r.samples, s)
}

// anywhere returns the track of a thread whose process may be unknown.
func (r *reader) anywhere(k key) tracks.ID {
	if _, ok := r.threads[k]; !ok && k.process == 0 {
		k.process = r.owners[k.thread]
	}
	return r.track(k)
}
