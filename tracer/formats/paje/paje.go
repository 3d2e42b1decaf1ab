// Package paje reads traces in the format of Pajé, as SimGrid, StarPU, Akypuera, EZTrace and others write them. docs/events.md has the meaning of
// each record in the trace.
//
// # The format
//
// A file is text. Its header defines the records: the number of each and the fields in their order (B. de Oliveira Stein, J. Chassin de Kergommeaux,
// G. Mounié, "Pajé trace file format", 2002; L. M. Schnorr, "Paje trace file format", 2013). A record is a line with the number and the fields.
// Records define a hierarchy of containers with types and, for each type, states, variables, events and links.
//
// # Rows
//
// A container whose type has states is a PE. Unless it has tasks of its own, as a worker of StarPU has, it is one task too. The first type of states
// that a container uses has the activities of the task and the time of its regions; others are metrics of their own.
//
// The time of such a container between two changes of its states is a part. The reader keeps the events of a part until it ends: only then is its
// length known, and whether the task waited in it.
//
// # Order
//
// Files need not be in the order of time: StarPU writes some states when they end. So each type of states of a container, its variables with its
// events, and the links from it have streams of their own.
package paje

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"whorl/internal/lines"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// Ending is the ending of the names of files. Main is the file in the folder that starpu_fxt_tool makes.
const (
	Ending = ".paje"
	Main   = "paje.trace"
)

// Detect reports whether a file, compressed or not, begins as a trace of Pajé does: comments, then the definition of a record.
func Detect(head []byte) bool {
	head = gzipped.Head(head)
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] == '%' {
			return bytes.HasPrefix(bytes.TrimLeft(line[1:], " \t"), []byte("EventDef"))
		}
		if len(line) > 0 && line[0] != '#' {
			return false
		}
		head = rest
	}
	return false
}

// Bounds of a file.
const (
	longestLine    = 1 << 18
	mostFields     = 64
	mostContainers = 1 << 20
	mostAround     = 1 << 8  // containers around a container
	mostNames      = 1 << 20 // types and values
	mostStreams    = 1 << 14
	mostNested     = 1 << 12
	mostInPart     = 1 << 12
	mostOpen       = 1 << 20 // links without an end
	mostTime       = 1 << 60
)

// A reader reads a file.
type reader struct {
	w    *profile.Writer
	rec  tracer.Recorder
	dict *tracer.Dict
	in   *lines.Reader

	layouts  map[string]*layout
	numbered [256]*layout // by number
	open     *layout      // whose definition is being read
	words    [mostFields][]byte
	get      [numFields][]byte // fields of the record

	kinds      map[string]*kind
	containers map[string]*container
	all        []*container
	rows       []*container // by PE
	given      int          // fields of the record that are there
	root       *container
	haveRows   bool
	names      int64
	streams    []*tracer.Stream
	scale      int // decimal places of a time in ns
	starpu     bool
	program    string

	links    links
	codes    codes
	meetings map[meetingKey]*meeting
	ranks    int // containers whose tasks compute outside of their states
	extras   map[string]*extra
	calls    [1]uint32
	lastTask uint64
	jobs     map[string]*job
	recorded int64 // jobs of tasks.rec
	latest   *job  // the last one to end
	first    *tracer.Stream
	origin   *container // the thread that submits jobs
	last     int64      // the latest time
	fell     int64
}

// codes are entries of the dictionary.
type codes struct {
	waiting, forks, region                              uint32 // metrics
	message, outside, noWork, noState, inferred, depend uint32 // reasons
}

func newReader(in io.Reader, rec tracer.Recorder, o profile.Options) *reader {
	r := &reader{
		w: profile.NewWriter(rec, o), rec: rec, dict: rec.Dict(), in: lines.New(in, longestLine), layouts: map[string]*layout{}, kinds: map[string]*kind{},
		containers: map[string]*container{}, scale: 9, meetings: map[meetingKey]*meeting{}, extras: map[string]*extra{}, jobs: map[string]*job{},
	}
	r.links.open, r.links.early, r.links.pairs = map[linkKey]*parcel{}, map[linkKey]early{}, map[string][]*parcel{}
	r.w.Meta = tracer.Meta{Substrate: "paje", Mode: tracer.Live, Clock: tracer.Aligned}
	r.codes = codes{
		waiting: r.w.Metric("waiting", "ns"), forks: r.w.Metric("forks", "forks"), region: r.w.Metric(tracer.RegionTime, "ns"), message: r.w.Reason(tracer.ReasonMessage), outside: r.w.Reason(tracer.ReasonOutside),
		noWork: r.w.Reason(tracer.ReasonNoWork), noState: r.w.Reason("no state"), inferred: r.w.Reason(tracer.ReasonInferred), depend: r.w.Reason("dependences"),
	}
	top := &kind{name: "root", class: ofContainers}
	r.kinds["0"] = top
	r.root = &container{name: "0", kind: top, pe: unset, below: unset}
	r.containers["0"] = r.root
	return r
}

// newTask returns the number of a new task.
func (r *reader) newTask() uint64 {
	r.lastTask++
	return r.lastTask
}

// read reads all records.
func (r *reader) read() {
	for n := 1; ; n++ {
		line, whole, err := r.in.Next()
		if len(line) > 0 && errors.Is(err, io.EOF) {
			r.w.Dropped.Once(fmt.Sprintf("the end of line %d and what follows: the file is cut", n))
		}
		if !whole {
			r.w.Dropped.Add("lines longer than the limit", 1)
		} else if len(line) > 0 && (err == nil || r.open != nil || r.complete(line)) {
			r.line(line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.w.Dropped.Once("what follows: " + strings.TrimPrefix(err.Error(), "gzip: "))
			}
			return
		}
	}
}

// finish ends all tasks and records the metadata. It returns an error if the trace has nothing to show.
func (r *reader) finish() error {
	for _, c := range r.all {
		r.end(c, r.last)
	}
	r.tasks()
	r.unlinked()
	r.w.Dropped.Add("times before the last one", r.fell)
	if r.w.Meta.PEs == 0 && len(r.streams) > 1 { // the first is that of tasks.rec
		_, _ = r.w.Processor(tracer.PE{})
	}
	if r.w.Meta.PEs == 0 {
		return r.w.Dropped.Empty("the trace has no states, links, variables or events")
	}
	r.w.Meta.Program = cmp.Or(r.w.Meta.Program, r.program)
	r.w.Finish()
	for _, s := range r.streams {
		s.Sync()
	}
	return nil
}

// stream returns a new stream, or an old one if there are too many.
func (r *reader) stream(name string) *tracer.Stream {
	if n := len(r.streams); n >= mostStreams {
		return r.streams[n-1]
	}
	s := r.rec.Stream(tracer.StreamInfo{Name: name})
	r.streams = append(r.streams, s)
	return s
}
