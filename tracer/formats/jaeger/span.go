package jaeger

import (
	"slices"
	"strconv"

	"whorl/tracer/formats/spans"
)

// A draft is the part of a span that has been read.
type draft struct {
	duration int64
	process  string // id
	own      uint32 // process, + 1
	linked   []ref
}

// A ref is a reference to another span.
type ref struct {
	trace   spans.TraceID
	id      uint64
	follows bool
}

func (r *reader) spanBegin() { r.draft = draft{linked: r.draft.linked[:0]} }

// span reads a span of a trace.
func (r *reader) span() {
	r.Span = spans.Span{}
	r.spanBegin()
	for r.Object(); r.Key(); {
		r.member()
	}
	r.add()
}

// member reads a member of a trace or a span. It reports whether it is one of a span.
func (r *reader) member() bool {
	s := &r.Span
	switch string(r.Name) {
	case "spans":
		r.EachObject(r.span)
		return false
	case "processes":
		r.table()
		return false
	case "traceID":
		s.Trace = spans.ParseTrace(r.Bytes())
		return false
	case "spanID":
		s.ID = spans.ParseID(r.Bytes())
	case "parentSpanID":
		s.Parent = spans.ParseID(r.Bytes())
	case "operationName":
		s.Name = r.Recording.String(r.Bytes())
	case "references":
		r.EachObject(r.reference)
	case "startTime":
		s.Start, _ = r.Decimal(3)
	case "duration":
		r.draft.duration, _ = r.Decimal(3)
	case "tags":
		r.EachObject(r.tag)
	case "logs":
		r.EachObject(r.log)
	case "processID":
		r.draft.process = string(r.Bytes())
	case "process":
		r.draft.own = r.process() + 1
	default:
		r.Skip()
		return false
	}
	return true
}

// add adds the span that has been read. The parent is the first reference CHILD_OF to a span of the trace, else the first FOLLOWS_FROM; the others
// are links.
func (r *reader) add() {
	s, d := &r.Span, &r.draft
	if r.Err() != nil { // it is cut
		*s = spans.Span{}
	}
	if i := slices.IndexFunc(d.linked, func(x ref) bool { return !x.follows && x.trace == s.Trace }); i >= 0 {
		s.Parent = d.linked[i].id
		d.linked = slices.Delete(d.linked, i, i+1)
	} else if i := slices.IndexFunc(d.linked, func(x ref) bool { return x.trace == s.Trace }); i >= 0 && s.Parent == 0 {
		s.Parent, s.Follows = d.linked[i].id, true
		d.linked = slices.Delete(d.linked, i, i+1)
	}
	for _, x := range d.linked {
		r.Link(x.trace, x.id)
	}
	if s.Failed && len(r.message) > 0 {
		r.Attribute([]byte("error"), r.message)
	}
	r.message = r.message[:0]
	if s.End = s.Start + max(d.duration, 0); s.Start <= 0 {
		s.End = 0
	}
	n := r.Len()
	r.Add(max(d.own, 1) - 1)
	if r.Len() > n {
		if d.own > 0 {
			d.process = own
		}
		r.places = append(r.places, d.process)
	}
}

func (r *reader) reference() {
	var x ref
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "refType":
			x.follows = string(r.Bytes()) == "FOLLOWS_FROM"
		case "traceID":
			x.trace = spans.ParseTrace(r.Bytes())
		case "spanID":
			x.id = spans.ParseID(r.Bytes())
		default:
			r.Skip()
		}
	}
	r.draft.linked = append(r.draft.linked, x)
}

// pair reads a tag or a field into r.key and r.value.
func (r *reader) pair() {
	r.key, r.value = r.key[:0], r.value[:0]
	number := false
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "key":
			r.key = append(r.key[:0], r.Bytes()...)
		case "type":
			number = string(r.Bytes()) == "float64"
		case "value":
			r.value = append(r.value[:0], r.Bytes()...)
		default:
			r.Skip()
		}
	}
	if number {
		if x, err := strconv.ParseFloat(string(r.value), 64); err == nil {
			r.value = strconv.AppendFloat(r.value[:0], x, 'g', -1, 64)
		}
	}
}

var kinds = map[string]spans.Kind{"client": spans.Client, "server": spans.Server, "producer": spans.Producer, "consumer": spans.Consumer}

// tag reads an attribute of a span. Some attributes have its kind or report that it has failed.
func (r *reader) tag() {
	r.pair()
	switch string(r.key) {
	case "span.kind":
		r.Span.Kind = kinds[string(r.value)]
	case "error":
		if string(r.value) != "false" {
			r.Span.Failed = true
		}
		if string(r.value) != "true" && string(r.value) != "false" {
			r.message = append(r.message[:0], r.value...)
		}
	case "otel.status_code":
		if string(r.value) == "ERROR" {
			r.Span.Failed = true
		}
	case "otel.status_description":
		r.message = append(r.message[:0], r.value...)
	default:
		r.Attribute(r.key, r.value)
	}
}

// log reads an event of a span. Its name is the field event, else message.
func (r *reader) log() {
	at, best, others := int64(0), "", int64(0)
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "timestamp":
			at, _ = r.Decimal(3)
		case "fields":
			r.EachObject(func() {
				r.pair()
				others++
				if k := string(r.key); k == "event" || k == "message" && best == "" {
					best, r.id = k, append(r.id[:0], r.value...)
				}
			})
		default:
			r.Skip()
		}
	}
	if best == "" {
		r.id = append(r.id[:0], "log"...)
	} else {
		others--
	}
	r.Dropped.Add("attributes of events", others)
	r.Event(at, r.id)
}

// table reads the processes of a trace.
func (r *reader) table() {
	if !r.TryObject() {
		return
	}
	for r.Key() {
		id := string(r.Name)
		r.processes[id] = r.process()
	}
}

// process reads an instance of a service and returns its number.
func (r *reader) process() uint32 {
	var x spans.Resource
	if !r.TryObject() {
		return r.Instance(&x)
	}
	for r.Key() {
		switch string(r.Name) {
		case "serviceName":
			x.Set([]byte("service.name"), r.Bytes())
		case "tags":
			r.EachObject(func() {
				r.pair()
				x.Set(r.key, r.value)
			})
		default:
			r.Skip()
		}
	}
	return r.Instance(&x)
}
