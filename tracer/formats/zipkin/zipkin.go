// Package zipkin reads the spans of Zipkin, version 2: arrays in JSON, as the API of Zipkin returns them and its libraries send them. docs/events.md
// has the meaning of each field in the trace.
//
// A file may have one array of spans, an array of such arrays (the traces that a query finds), or several one after the other.
package zipkin

import (
	"bytes"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/spans"
)

// Detect reports whether a file that begins with head may have spans of Zipkin, compressed or not.
func Detect(head []byte) bool {
	b := jsonscan.Start(gzipped.Head(head))
	if len(b) == 0 || b[0] != '[' {
		return false
	}
	b = bytes.TrimLeft(b[1:], "[ \t\r\n")
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && contains(`"traceId"`) && contains(`"id"`) && !contains(`"binaryAnnotations"`)
}

// A reader reads a file.
type reader struct {
	*spans.Recording
	*jsonscan.Scanner
	key  []byte // of a tag or annotation
	host []byte
	name []byte // of the service
	last process
}

// process is the instance of the last span.
type process struct {
	host, name string
	number     uint32
	known      bool
}

// list reads an array of spans, or of arrays.
func (r *reader) list(depth int) {
	if r.Peek() != '[' {
		r.Array() // fails
		return
	}
	for r.Array(); r.Element(); {
		switch c := r.Peek(); {
		case c == '{':
			r.span()
		case c == '[' && depth == 0:
			r.list(1)
		default:
			r.Skip()
		}
	}
}

var kinds = map[string]spans.Kind{"CLIENT": spans.Client, "SERVER": spans.Server, "PRODUCER": spans.Producer, "CONSUMER": spans.Consumer}

// span reads a span. Times are in µs since 1970.
func (r *reader) span() {
	s := &r.Span
	duration, whole := int64(0), false
	r.host, r.name = r.host[:0], r.name[:0]
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "traceId":
			s.Trace = spans.ParseTrace(r.Bytes())
		case "id":
			s.ID = spans.ParseID(r.Bytes())
		case "parentId":
			s.Parent = spans.ParseID(r.Bytes())
		case "name":
			name, _ := r.Scanner.String() // null if it has none
			s.Name = r.Recording.String(name)
		case "kind":
			s.Kind = kinds[string(r.Bytes())]
		case "timestamp":
			s.Start, _ = r.Decimal(3)
		case "duration":
			duration, whole = r.Decimal(3)
		case "shared":
			s.Shared = string(r.Bytes()) == "true"
		case "localEndpoint":
			r.endpoint()
		case "annotations":
			r.annotations()
		case "tags":
			r.tags()
		default:
			r.Skip()
		}
	}
	if r.Err() != nil { // it is cut
		*s = spans.Span{}
	}
	if whole && s.Start > 0 {
		s.End = s.Start + duration
	}
	r.Add(r.process())
}

// process returns the number of the instance.
func (r *reader) process() uint32 {
	if l := &r.last; !l.known || l.host != string(r.host) || l.name != string(r.name) {
		*l = process{string(r.host), string(r.name), 0, true}
		l.number = r.Process(l.host, l.name, "")
	}
	return r.last.number
}

// endpoint reads the service and the host of a span.
func (r *reader) endpoint() {
	if !r.TryObject() {
		return
	}
	for r.Key() {
		switch string(r.Name) {
		case "serviceName":
			r.name = append(r.name[:0], r.Bytes()...)
		case "ipv4":
			r.host = append(r.host[:0], r.Bytes()...)
		case "ipv6":
			if b := r.Bytes(); len(r.host) == 0 {
				r.host = append(r.host, b...)
			}
		default:
			r.Skip()
		}
	}
}

// annotations reads the events of a span.
func (r *reader) annotations() {
	r.EachObject(func() {
		at := int64(0)
		r.key = r.key[:0]
		for r.Object(); r.Key(); {
			switch string(r.Name) {
			case "timestamp":
				at, _ = r.Decimal(3)
			case "value":
				r.key = append(r.key[:0], r.Bytes()...)
			default:
				r.Skip()
			}
		}
		r.Event(at, r.key)
	})
}

// tags reads the attributes of a span. The tag error means that it has failed.
func (r *reader) tags() {
	if !r.TryObject() {
		return
	}
	for r.Key() {
		r.key = append(r.key[:0], r.Name...)
		value := r.Bytes()
		if string(r.key) == "error" {
			r.Span.Failed = true
			if len(value) == 0 || string(value) == "true" {
				continue
			}
		}
		r.Attribute(r.key, value)
	}
}
