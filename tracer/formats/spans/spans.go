// Package spans makes events of the spans of distributed systems: operations of services that call each other to answer a request. The readers of
// OpenTelemetry's, Jaeger's and Zipkin's files share it. docs/events.md lists the events of each record.
//
// # Tasks and lanes
//
// A span is a task, and its parent is its forker. An instance of a service works on many requests at a time, so each has lanes, which are the PEs: a
// span runs on the first free lane of its instance. If a parent of the same instance waits for a span, the span runs on the parent's lane, as a call does on
// a stack.
//
// # Waits
//
// A file does not say when a parent waits. Package spans takes the critical chain (Z. Zhang and others, "CRISP: Critical Path Analysis of Large-Scale
// Microservice Architectures", USENIX ATC 2022): going back from its end, a parent waits for the child that ends last, then, from the beginning of
// that child on, for the one that ends last before it. Children that end after their parents, consumers of messages, and children that only follow
// their parents have no parent waiting for them.
//
// A server's span below a client's span in another service is a remote call: the request is sent when the client begins to wait, the answer arrives
// when it goes on, and the times between these and the span of the server are time of the network.
//
// # Clocks
//
// Spans have the times of their hosts. Where the spans of two hosts contradict each other, because children begin before their parents or end after
// them, the difference of the clocks is estimated; see skewed.
//
// # Order and memory
//
// Spans come in any order, mostly of their ends, and those of one request are all over a file; nothing says that a request is complete. A Recording
// keeps about 100 bytes of each span, 4 of each attribute and 16 of each event until Finish. Finish takes the requests in the order of their
// beginnings and keeps the events of those that are open at one time, about 40 bytes each.
package spans

import (
	"fmt"
	"math"

	"whorl/internal/chunks"
	"whorl/internal/slots"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// A TraceID identifies a trace: the spans of one request.
type TraceID struct{ High, Low uint64 }

// Kind is the role of a span in a communication of services.
type Kind uint8

// The kinds of spans.
const (
	Internal Kind = iota
	Server
	Client
	Producer
	Consumer
)

// A Span is a span of a file. Its fields may be set in any order before Recording.Add.
type Span struct {
	Trace      TraceID
	ID, Parent uint64 // 0 for none
	Name       uint32 // text of Recording.String
	Kind       Kind
	Failed     bool
	Follows    bool  // the parent does not wait for it
	Shared     bool  // the client's span has the same id
	Start, End int64 // ns since 1970; 0 for unknown
}

// span is a span that has been added.
type span struct {
	start, end int64
	fork       int64 // when the task exists
	id, up     uint64
	parent     uint32 // number of the parent + 1
	trace      uint32
	process    uint32
	name       uint32
	attributes uint32 // the first one; the last one is before the first of the next span
	events     uint32
	links      uint32
	first      uint32 // place of its first child in Recording.order, + 1
	task       uint32
	lane       int32
	context    uint32
	depth      uint16 // of the context
	kind       Kind
	flags      uint8
}

// Flags of spans.
const (
	failed  uint8 = 1 << iota
	follows       // the parent does not wait for it
	shared        // it has the id of its parent
	chained       // the parent waits for it
	running       // it has started and not ended
	gone          // it is left out
)

func (s *span) is(flag uint8) bool { return s.flags&flag != 0 }

func (s *span) set(flag uint8, to bool) {
	if s.flags &^= flag; to {
		s.flags |= flag
	}
}

// An event is an instant of a span.
type event struct {
	time int64
	name uint32
}

// A link leads to another span.
type link struct {
	trace TraceID
	id    uint64
	from  uint32 // number of the span that has the link
	to    uint32 // number of the other span + 1
}

// mostSpans bounds the spans of a file.
const mostSpans = 1 << 30

// A Recording collects the spans of a file and turns them into events, which needs all of what is collected.
type Recording struct {
	Span    Span // the span that Add adds
	Dropped *profile.Dropped

	w         *profile.Writer
	dict      *tracer.Dict
	s         *tracer.Stream
	spans     chunks.List[span]
	next      span // with the first attribute, event and link of the span that Add adds
	attrs     chunks.List[uint32]
	events    chunks.List[event]
	links     chunks.List[link]
	traces    map[TraceID]uint32
	ids       []TraceID // by number of a trace
	processes []process
	places    map[place]uint32
	texts     texts
	codes     codes
	damaged   int64 // parts of the file

	order   []uint32 // of spans: by trace, parent and time
	bounds  []uint32 // by trace: its first place in order; one more than there are traces
	begins  []int64  // by trace
	sorted  []uint32 // traces by their beginnings
	targets map[uint32][]uint32
	tasks   uint32
	epoch   int64 // Unix time of the beginning
	now     int64 // time of the events of the action that is recorded
}

// New returns an empty Recording that Finish records into rec.
func New(rec tracer.Recorder, o profile.Options) *Recording {
	w := profile.NewWriter(rec, o)
	r := &Recording{
		Dropped: &w.Dropped, w: w, dict: rec.Dict(), traces: map[TraceID]uint32{}, places: map[place]uint32{}, targets: map[uint32][]uint32{},
	}
	r.texts.begin()
	r.codes = r.enter()
	return r
}

// A process is an instance of a service.
type process struct {
	place
	code    uint32 // of the service in the dictionary
	machine int32  // number of the host
	lanes   slots.Slots
	began   bool
	pes     []int32 // by lane
}

type place struct{ host, name, service string }

// mostProcesses bounds the instances of services.
const mostProcesses = 1 << 16

// Process returns the number of an instance of a service on a host. Host and instance may be empty.
func (r *Recording) Process(host, service, instance string) uint32 {
	if service == "" {
		service = "unknown service"
	}
	p := place{host, service, service}
	if instance != "" && instance != host {
		p.name += " " + instance
	}
	if n, ok := r.places[p]; ok {
		return n
	}
	if len(r.processes) == mostProcesses {
		r.Dropped.Once("names of instances beyond the limit")
		return mostProcesses - 1
	}
	n := uint32(len(r.processes))
	r.places[p] = n
	r.processes = append(r.processes, process{place: p})
	return n
}

// Attribute adds an attribute to the next span. Long ones are cut.
func (r *Recording) Attribute(key, value []byte) {
	if len(key) > mostText || len(value) > mostText {
		r.Dropped.Add("attributes cut at 200 bytes", 1)
		key, value = short(key), short(value)
	}
	if value == nil {
		value = []byte{}
	}
	if n, ok := r.texts.attribute(key, value); ok {
		r.attrs.Add(n)
		return
	}
	r.Dropped.Add("attributes with more values than are kept", 1)
}

// Event adds an event to the next span.
func (r *Recording) Event(at int64, name []byte) {
	if at <= 0 || at >= mostTime {
		r.Dropped.Add("events without a time", 1)
		return
	}
	n, ok := r.texts.attribute(short(name), nil)
	if !ok {
		r.Dropped.Add("events with more names than are kept", 1)
		return
	}
	r.events.Add(event{at, n})
}

// Link adds a link to the next span: it was caused by the other one too.
func (r *Recording) Link(trace TraceID, id uint64) {
	r.links.Add(link{trace: trace, id: id})
}

// mostTime bounds times: the year 2043.
const mostTime = 1 << 61

// Len returns the number of spans.
func (r *Recording) Len() int { return r.spans.Len() }

// Add adds the span in r.Span, with the attributes, events and links since the last Add, to an instance of a service, and clears it. It leaves spans
// without ids or times out and counts them.
func (r *Recording) Add(process uint32) {
	x := r.Span
	r.Span = Span{}
	s := span{
		start: x.Start, end: x.End, id: x.ID, up: x.Parent, process: process, name: x.Name, kind: x.Kind,
		attributes: r.next.attributes, events: r.next.events, links: r.next.links,
	}
	why := ""
	switch {
	case x.ID == 0 || x.Trace == TraceID{}:
		why = "spans without an id"
	case x.Start <= 0 || x.Start >= mostTime:
		why = "spans without a time"
	case r.spans.Len() >= mostSpans || r.attrs.Len() > math.MaxUint32-1<<20 || r.events.Len() > math.MaxUint32-1<<20:
		why = "spans beyond the limit"
	}
	if why != "" {
		r.Dropped.Add(why, 1)
		r.attrs.Cut(int(s.attributes))
		r.events.Cut(int(s.events))
		r.links.Cut(int(s.links))
		return
	}
	switch {
	case x.End == 0:
		r.Dropped.Add("ends of spans", 1)
		s.end = s.start
	case x.End < x.Start || x.End >= mostTime:
		r.Dropped.Add("spans ending before they begin", 1)
		s.end = s.start
	}
	n, ok := r.traces[x.Trace]
	if !ok {
		n = uint32(len(r.ids))
		r.traces[x.Trace] = n
		r.ids = append(r.ids, x.Trace)
	}
	s.trace = n
	s.set(failed, x.Failed)
	s.set(follows, x.Follows)
	s.set(shared, x.Shared)
	for i := int(s.links); i < r.links.Len(); i++ {
		r.links.Entry(uint32(i)).from = uint32(r.spans.Len())
	}
	r.spans.Add(s)
	r.next = span{attributes: uint32(r.attrs.Len()), events: uint32(r.events.Len()), links: uint32(r.links.Len())}
}

// Damaged counts a part of the file that could not be read, and names the first one.
func (r *Recording) Damaged(err error) {
	if r.damaged++; r.damaged == 1 {
		r.Dropped.Once(fmt.Sprintf("a damaged part: %v", err))
	} else {
		r.Dropped.Add("more damaged parts", 1)
	}
}

// Place moves the spans from one number to before another to an instance, for files that name the instance after its spans.
func (r *Recording) Place(from, to int, process uint32) {
	for i := from; i < to; i++ {
		r.spans.Entry(uint32(i)).process = process
	}
}
