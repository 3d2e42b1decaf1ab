package otlp

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/spans"
)

// Fields of the messages in opentelemetry/proto/{trace,resource,common}/v1.
const (
	requestSpans = 1 // of ExportTraceServiceRequest and TracesData: ResourceSpans

	resourceOf  = 1    // of ResourceSpans: Resource
	scopeSpans  = 2    // ScopeSpans
	librarySpan = 1000 // InstrumentationLibrarySpans, before version 0.15

	resourceAttributes = 1 // of Resource: KeyValue

	scopeOf   = 1 // of ScopeSpans
	spansOf   = 2 // Span
	spanTrace = 1 // of Span
	spanID    = 2
	// 3 is trace_state
	spanParent     = 4
	spanName       = 5
	spanKind       = 6
	spanStart      = 7
	spanEnd        = 8
	spanAttributes = 9
	spanLessAttrs  = 10
	spanEvents     = 11
	spanLessEvents = 12
	spanLinks      = 13
	spanLessLinks  = 14
	spanStatus     = 15

	eventTime       = 1 // of Span.Event
	eventName       = 2
	eventAttributes = 3

	linkTrace = 1 // of Span.Link
	linkSpan  = 2

	statusMessage = 2 // of Status
	statusCode    = 3

	keyOf   = 1 // of KeyValue
	valueOf = 2 // AnyValue
)

// begins reports whether b may be the beginning of a request: the field resource_spans, whose message begins with a resource, spans or a schema.
func begins(b []byte) bool {
	if len(b) < 4 || b[0] != requestSpans<<3|2 {
		return false
	}
	n, k := binary.Uvarint(b[1:])
	if k <= 0 || n < 2 || n > mostMessage {
		return false
	}
	in := b[1+k:]
	in = in[:min(uint64(len(in)), n)]
	fields := 0
	for m := (protobuf.Message{Rest: in}); ; fields++ {
		if len(m.Rest) > 0 && m.Rest[0]>>3 != resourceOf && m.Rest[0]>>3 != scopeSpans && m.Rest[0]>>3 != 3 && m.Rest[0] != 0xc2 { // the first byte of the tag of field 1000
			return false
		}
		first := len(m.Rest) > 1 && fields == 0 && m.Rest[0] == resourceOf<<3|2
		if !m.Next() {
			return fields > 0 || first && resourceBegins(m.Rest)
		}
		if !m.Packed {
			return false
		}
		if first {
			for a := (protobuf.Message{Rest: m.Bytes}); a.Next(); {
				if a.Number > 3 || a.Number == resourceAttributes && !a.Packed {
					return false
				}
			}
		}
	}
}

// resourceBegins reports whether b may be the beginning of a resource that goes on beyond the head of the file.
func resourceBegins(b []byte) bool {
	n, k := binary.Uvarint(b)
	return len(b) > 1000 || k > 0 && n > uint64(len(b)) && len(b) > k && b[k] == resourceAttributes<<3|2
}

// request reads a request or TracesData.
func (r *reader) request(b []byte) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		if m.Number == requestSpans && m.Packed {
			r.resource(m.Bytes)
		}
	}
	r.damaged(&m)
}

// damaged counts a message whose end cannot be read.
func (r *reader) damaged(m *protobuf.Message) {
	if m.Bad {
		r.Dropped.Add("messages with a damaged end", 1)
	}
}

// resource reads the spans of a resource.
func (r *reader) resource(b []byte) {
	from := r.Len()
	var x spans.Resource
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case resourceOf:
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				if in.Number == resourceAttributes {
					r.pair(in.Bytes)
					x.Set(r.key, r.value)
				}
			}
			r.damaged(&in)
		case scopeSpans, librarySpan:
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				if in.Number == spansOf && in.Packed {
					r.span(in.Bytes)
				}
			}
			r.damaged(&in)
		}
	}
	r.damaged(&m)
	r.Place(from, r.Len(), r.Instance(&x))
}

func (r *reader) span(b []byte) {
	s := &r.Span
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case spanTrace:
			s.Trace = spans.BinaryTrace(m.Bytes)
		case spanID:
			s.ID = spans.BinaryID(m.Bytes)
		case spanParent:
			s.Parent = spans.BinaryID(m.Bytes)
		case spanName:
			s.Name = r.String(m.Bytes)
		case spanKind:
			s.Kind = kind(m.Value)
		case spanStart:
			s.Start = instant(m.Value)
		case spanEnd:
			s.End = instant(m.Value)
		case spanAttributes:
			r.pair(m.Bytes)
			r.Attribute(r.key, r.value)
		case spanEvents:
			r.event(m.Bytes)
		case spanLinks:
			r.link(m.Bytes)
		case spanLessAttrs, spanLessEvents, spanLessLinks:
			r.less(m.Value)
		case spanStatus:
			r.status(m.Bytes)
		}
	}
	r.damaged(&m)
	r.finish()
}

// instant returns a time in ns since 1970, 0 for one out of range.
func instant(n uint64) int64 {
	if n > math.MaxInt64 {
		return 0
	}
	return int64(n)
}

// kind returns the kind of a span by its number: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer.
func kind(n uint64) spans.Kind {
	if n < 1 || n > 5 {
		return spans.Internal
	}
	return spans.Kind(n - 1)
}

// less counts the items that the program has dropped.
func (r *reader) less(n uint64) {
	r.Dropped.Add("attributes, events or links that the program itself has dropped", int64(min(n, 1<<32)))
}

func (r *reader) event(b []byte) {
	var at uint64
	r.value = r.value[:0]
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case eventTime:
			at = m.Value
		case eventName:
			r.value = append(r.value[:0], m.Bytes...)
		case eventAttributes:
			r.Dropped.Add("attributes of events", 1)
		}
	}
	r.damaged(&m)
	r.Event(instant(at), r.value)
}

func (r *reader) link(b []byte) {
	var trace spans.TraceID
	var id uint64
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case linkTrace:
			trace = spans.BinaryTrace(m.Bytes)
		case linkSpan:
			id = spans.BinaryID(m.Bytes)
		}
	}
	r.damaged(&m)
	r.Link(trace, id)
}

func (r *reader) status(b []byte) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case statusMessage:
			r.failed = append(r.failed[:0], m.Bytes...)
		case statusCode:
			r.Span.Failed = m.Value == 2
		}
	}
	r.damaged(&m)
}

// pair reads an attribute into r.key and r.value.
func (r *reader) pair(b []byte) {
	r.key, r.value = r.key[:0], r.value[:0]
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case keyOf:
			r.key = append(r.key, m.Bytes...)
		case valueOf:
			r.value = appendValue(r.value, m.Bytes, 0)
		}
	}
	r.damaged(&m)
}

// mostNested bounds the depth of values.
const mostNested = 16

// appendValue appends the text of an AnyValue.
func appendValue(to, b []byte, depth int) []byte {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // string_value
			to = append(to, m.Bytes...)
		case 2: // bool_value
			to = strconv.AppendBool(to, m.Value != 0)
		case 3: // int_value
			to = strconv.AppendInt(to, int64(m.Value), 10)
		case 4: // double_value
			to = appendFloat(to, math.Float64frombits(m.Value))
		case 5, 6: // array_value, kvlist_value
			if depth < mostNested {
				to = appendList(to, m.Bytes, m.Number == 6, depth)
			}
		case 7: // bytes_value
			to = base64.StdEncoding.AppendEncode(to, m.Bytes)
		}
	}
	return to
}

func appendFloat(to []byte, x float64) []byte { return strconv.AppendFloat(to, x, 'g', -1, 64) }

// appendList appends an ArrayValue or a KeyValueList.
func appendList(to, b []byte, pairs bool, depth int) []byte {
	to = append(to, '[')
	m := protobuf.Message{Rest: b}
	for first := true; m.Next(); first = false {
		if !first {
			to = append(to, ' ')
		}
		if !pairs {
			to = appendValue(to, m.Bytes, depth+1)
			continue
		}
		for in := (protobuf.Message{Rest: m.Bytes}); in.Next(); {
			switch in.Number {
			case keyOf:
				to = append(append(to, in.Bytes...), ':')
			case valueOf:
				to = appendValue(to, in.Bytes, depth+1)
			}
		}
	}
	return append(to, ']')
}
