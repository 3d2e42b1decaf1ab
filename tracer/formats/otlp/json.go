package otlp

import (
	"io"
	"strconv"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/spans"
)

// A scanner reads the JSON form. Names are those of the mapping of Protocol Buffers to JSON, or those of the fields.
type scanner struct {
	*reader
	*jsonscan.Scanner
}

// json reads requests that follow each other.
func (r *reader) json(in io.Reader) error {
	s := scanner{r, jsonscan.New(in)}
	return s.Values(s.request, s.Damaged)
}

func (s *scanner) request() {
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "resourceSpans", "resource_spans":
			s.EachObject(s.resource)
		case "resourceLogs", "resource_logs":
			s.Skip()
			s.Dropped.Add("messages with logs", 1)
		case "resourceMetrics", "resource_metrics":
			s.Skip()
			s.Dropped.Add("messages with metrics", 1)
		default:
			s.Skip()
		}
	}
}

func (s *scanner) resource() {
	from := s.Len()
	var x spans.Resource
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "resource":
			if !s.TryObject() {
				break
			}
			for s.Key() {
				if string(s.Name) != "attributes" {
					s.Skip()
					continue
				}
				s.EachObject(func() {
					s.pair()
					x.Set(s.key, s.value)
				})
			}
		case "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans":
			s.EachObject(s.scope)
		default:
			s.Skip()
		}
	}
	s.Place(from, s.Len(), s.Instance(&x))
}

func (s *scanner) scope() {
	for s.Object(); s.Key(); {
		if string(s.Name) == "spans" {
			s.EachObject(s.span)
		} else {
			s.Skip()
		}
	}
}

func (s *scanner) span() {
	x := &s.Span
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "traceId", "trace_id":
			x.Trace = spans.ParseTrace(s.Bytes())
		case "spanId", "span_id":
			x.ID = spans.ParseID(s.Bytes())
		case "parentSpanId", "parent_span_id":
			x.Parent = spans.ParseID(s.Bytes())
		case "name":
			x.Name = s.reader.String(s.Bytes())
		case "kind":
			x.Kind = kindNamed(s.Bytes())
		case "startTimeUnixNano", "start_time_unix_nano":
			x.Start, _ = s.Decimal(0)
		case "endTimeUnixNano", "end_time_unix_nano":
			x.End, _ = s.Decimal(0)
		case "attributes":
			s.EachObject(func() {
				s.pair()
				s.Attribute(s.key, s.value)
			})
		case "events":
			s.EachObject(s.event)
		case "links":
			s.EachObject(s.link)
		case "droppedAttributesCount", "droppedEventsCount", "droppedLinksCount",
			"dropped_attributes_count", "dropped_events_count", "dropped_links_count":
			if n, ok := s.Decimal(0); ok {
				s.less(uint64(max(n, 0)))
			}
		case "status":
			s.status()
		default:
			s.Skip()
		}
	}
	if s.Err() != nil { // it is cut
		s.Span = spans.Span{}
	}
	s.finish()
}

var kindNames = []string{"SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL", "SPAN_KIND_SERVER", "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER", "SPAN_KIND_CONSUMER"}

// kindNamed returns the kind of a span by its number or name.
func kindNamed(b []byte) spans.Kind {
	for i, name := range kindNames {
		if string(b) == name || len(b) == 1 && b[0] == '0'+byte(i) {
			return kind(uint64(i))
		}
	}
	return spans.Internal
}

func (s *scanner) event() {
	var at int64
	s.value = s.value[:0]
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "timeUnixNano", "time_unix_nano":
			at, _ = s.Decimal(0)
		case "name":
			s.value = append(s.value[:0], s.Bytes()...)
		case "attributes":
			s.EachObject(func() {
				s.Skip()
				s.Dropped.Add("attributes of events", 1)
			})
		default:
			s.Skip()
		}
	}
	s.Event(at, s.value)
}

func (s *scanner) link() {
	var trace spans.TraceID
	var id uint64
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "traceId", "trace_id":
			trace = spans.ParseTrace(s.Bytes())
		case "spanId", "span_id":
			id = spans.ParseID(s.Bytes())
		default:
			s.Skip()
		}
	}
	s.Link(trace, id)
}

func (s *scanner) status() {
	if !s.TryObject() {
		return
	}
	for s.Key() {
		switch string(s.Name) {
		case "code":
			b := s.Bytes()
			s.Span.Failed = string(b) == "2" || string(b) == "STATUS_CODE_ERROR"
		case "message":
			s.failed = append(s.failed[:0], s.Bytes()...)
		default:
			s.Skip()
		}
	}
}

// pair reads an attribute into s.key and s.value.
func (s *scanner) pair() {
	s.key, s.value = s.key[:0], s.value[:0]
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "key":
			s.key = append(s.key[:0], s.Bytes()...)
		case "value":
			s.value = s.appendValue(s.value, 0)
		default:
			s.Skip()
		}
	}
}

// appendValue appends the text of a value.
func (s *scanner) appendValue(to []byte, depth int) []byte {
	if s.TryObject() {
		for s.Key() {
			to = s.appendMember(to, depth)
		}
	}
	return to
}

// appendMember appends the text of a member of a value. A value has one member.
func (s *scanner) appendMember(to []byte, depth int) []byte {
	switch string(s.Name) {
	case "stringValue", "string_value", "boolValue", "bool_value", "intValue", "int_value", "bytesValue", "bytes_value":
		return append(to, s.Bytes()...)
	case "doubleValue", "double_value":
		b := s.Bytes()
		if x, err := strconv.ParseFloat(string(b), 64); err == nil {
			return appendFloat(to, x)
		}
		return append(to, b...)
	case "arrayValue", "array_value", "kvlistValue", "kvlist_value":
		if depth < mostNested {
			return s.appendList(to, depth)
		}
	}
	s.Skip()
	return to
}

// appendList appends the values of an array or a list of pairs.
func (s *scanner) appendList(to []byte, depth int) []byte {
	to = append(to, '[')
	if !s.TryObject() {
		return append(to, ']')
	}
	for s.Key() {
		if string(s.Name) != "values" {
			s.Skip()
			continue
		}
		first := true
		s.EachObject(func() {
			if !first {
				to = append(to, ' ')
			}
			first = false
			to = s.appendElement(to, depth)
		})
	}
	return append(to, ']')
}

// appendElement appends a value, or a pair of a key and a value.
func (s *scanner) appendElement(to []byte, depth int) []byte {
	for s.Object(); s.Key(); {
		switch string(s.Name) {
		case "key":
			to = append(append(to, s.Bytes()...), ':')
		case "value":
			to = s.appendValue(to, depth+1)
		default:
			to = s.appendMember(to, depth+1)
		}
	}
	return to
}
