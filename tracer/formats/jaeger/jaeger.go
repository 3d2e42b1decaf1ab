// Package jaeger reads the traces of Jaeger in JSON, as its user interface downloads them and its API of queries returns them: an object with the
// member data, whose elements are traces. docs/events.md has the meaning of each field in the trace.
//
// Spans one after the other, each with its process, as Jaeger stores them in databases, are read too.
package jaeger

import (
	"bytes"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/spans"
)

// Detect reports whether a file that begins with head may have traces of Jaeger, compressed or not.
func Detect(head []byte) bool {
	b := jsonscan.Start(gzipped.Head(head))
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && contains(`"traceID"`) && (contains(`"spanID"`) || contains(`"spans"`) || contains(`"operationName"`))
}

// A reader reads a file.
type reader struct {
	*spans.Recording
	*jsonscan.Scanner
	draft     draft
	key       []byte // of a tag or field
	value     []byte
	id        []byte   // name of an event
	places    []string // by span of the trace: the id of its process, or own
	from      int      // the first span of the trace
	processes map[string]uint32
	message   []byte // of an error
}

// own stands for the id of a process in the span itself.
const own = "\x00"

// top reads an object: an answer, a trace or a span. Their members have different names, but for the id.
func (r *reader) top() {
	if r.Peek() != '{' {
		r.Object() // fails
		return
	}
	r.begin()
	whole := false // it is a span
	for r.Object(); r.Key(); {
		if string(r.Name) == "data" {
			r.EachObject(r.trace)
			r.begin()
			continue
		}
		whole = r.member() || whole
	}
	if whole {
		r.add()
	}
	r.end()
}

// begin begins a trace.
func (r *reader) begin() {
	r.from, r.places, r.processes = r.Len(), r.places[:0], map[string]uint32{}
	r.Span = spans.Span{}
	r.spanBegin()
}

// end gives the spans of a trace their processes, which follow them in the file.
func (r *reader) end() {
	none := uint32(0)
	for i, id := range r.places {
		if i >= r.Len()-r.from {
			break
		}
		if id == own {
			continue
		}
		n, ok := r.processes[id]
		if !ok {
			if none == 0 {
				none = r.Process("", "", "") + 1
			}
			n = none - 1
			r.Dropped.Add("processes of spans", 1)
		}
		r.Place(r.from+i, r.from+i+1, n)
	}
}

// trace reads a trace.
func (r *reader) trace() {
	r.begin()
	for r.Object(); r.Key(); {
		r.member()
	}
	r.Span = spans.Span{}
	r.end()
}
