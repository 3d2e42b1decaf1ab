package requests

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

type object = map[string]any

func text(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func (s *Span) trace() string { return fmt.Sprintf("%016x%016x", s.Trace[0], s.Trace[1]) }

func id(n uint64) string { return fmt.Sprintf("%016x", n) }

func nano(us int64) string { return strconv.FormatInt(us*1000, 10) }

func pairs(as []Attribute) []object {
	list := []object{}
	for _, a := range as {
		list = append(list, object{"key": a.Key, "value": object{"stringValue": a.Value}})
	}
	return list
}

// kinds numbers the kinds of spans as OpenTelemetry does.
var kinds = map[string]int{"internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}

// batches returns runs of spans of the same instance.
func batches(all []*Span) (list [][]*Span) {
	for i, s := range all {
		if i == 0 || all[i-1].Instance != s.Instance {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], s)
	}
	return list
}

func resource(in *Instance) []Attribute {
	return []Attribute{{"telemetry.sdk.language", "go"}, {"service.name", in.Service}, {"host.name", in.Host}}
}

// OTLP writes requests of OpenTelemetry, a line each, as the file exporter of the collector does.
func OTLP(all []*Span) []byte {
	var lines [][]byte
	for _, b := range batches(all) {
		list := []object{}
		for _, s := range b {
			list = append(list, s.otlp())
		}
		lines = append(lines, text(object{"resourceSpans": []object{{
			"resource": object{"attributes": pairs(resource(b[0].Instance))}, "scopeSpans": []object{{"scope": object{"name": "shop"}, "spans": list}},
		}}}))
	}
	var out strings.Builder
	for _, l := range lines {
		out.Write(l)
		out.WriteByte('\n')
	}
	return []byte(out.String())
}

func (s *Span) otlp() object {
	x := object{
		"traceId": s.trace(), "spanId": id(s.ID), "name": s.Name, "kind": kinds[s.Kind], "startTimeUnixNano": nano(s.Start), "endTimeUnixNano": nano(s.End),
		"attributes": pairs(s.Attributes), "status": object{},
	}
	if s.Parent != 0 {
		x["parentSpanId"] = id(s.Parent)
	}
	if s.Error != "" {
		x["status"] = object{"code": 2, "message": s.Error}
	}
	events, links := []object{}, []object{}
	for _, e := range s.Events {
		events = append(events, object{"timeUnixNano": nano(e.Time), "name": e.Name})
	}
	for _, l := range s.Links {
		links = append(links, object{"traceId": l.trace(), "spanId": id(l.ID)})
	}
	x["events"], x["links"] = events, links
	return x
}

// Jaeger writes the traces as the user interface of Jaeger does.
func Jaeger(all []*Span) []byte {
	var order []string
	data := map[string]object{}
	for _, s := range all {
		t := data[s.trace()]
		if t == nil {
			t = object{"traceID": s.trace(), "spans": []object{}, "processes": object{}}
			data[s.trace()] = t
			order = append(order, s.trace())
		}
		process := "p" + s.Instance.Service + s.Instance.Host
		t["processes"].(object)[process] = object{
			"serviceName": s.Instance.Service, "tags": []object{{"key": "hostname", "type": "string", "value": s.Instance.Host}},
		}
		t["spans"] = append(t["spans"].([]object), s.jaeger(process))
	}
	list := []object{}
	for _, t := range order {
		list = append(list, data[t])
	}
	return text(object{"data": list, "total": 0, "limit": 0, "offset": 0, "errors": nil})
}

func (s *Span) jaeger(process string) object {
	tags := []object{{"key": "span.kind", "type": "string", "value": s.Kind}}
	for _, a := range s.Attributes {
		tags = append(tags, object{"key": a.Key, "type": "string", "value": a.Value})
	}
	if s.Error != "" {
		tags = append(tags, object{"key": "error", "type": "bool", "value": true}, object{"key": "otel.status_description", "type": "string", "value": s.Error})
	}
	refs, logs := []object{}, []object{}
	for _, l := range s.Links {
		refs = append(refs, object{"refType": "FOLLOWS_FROM", "traceID": l.trace(), "spanID": id(l.ID)})
	}
	if s.Parent != 0 {
		refs = append(refs, object{"refType": "CHILD_OF", "traceID": s.trace(), "spanID": id(s.Parent)})
	}
	for _, e := range s.Events {
		logs = append(logs, object{"timestamp": e.Time, "fields": []object{{"key": "event", "type": "string", "value": e.Name}}})
	}
	return object{
		"traceID": s.trace(), "spanID": id(s.ID), "operationName": s.Name, "references": refs, "startTime": s.Start, "duration": s.End - s.Start,
		"tags": tags, "logs": logs, "processID": process, "warnings": nil,
	}
}

// Zipkin writes the spans as the API of Zipkin does. It has no links.
func Zipkin(all []*Span) []byte {
	list := []object{}
	for _, s := range all {
		x := object{
			"traceId": s.trace(), "id": id(s.ID), "name": s.Name, "timestamp": s.Start,
			"localEndpoint": object{"serviceName": s.Instance.Service, "ipv4": s.Instance.Host},
		}
		if s.Kind != "internal" {
			x["kind"] = strings.ToUpper(s.Kind)
		}
		if s.End > s.Start {
			x["duration"] = s.End - s.Start
		} else {
			x["duration"] = 0
		}
		if s.Parent != 0 {
			x["parentId"] = id(s.Parent)
		}
		tags, notes := object{}, []object{}
		for _, a := range s.Attributes {
			tags[a.Key] = a.Value
		}
		if s.Error != "" {
			tags["error"] = s.Error
		}
		for _, e := range s.Events {
			notes = append(notes, object{"timestamp": e.Time, "value": e.Name})
		}
		x["tags"], x["annotations"] = tags, notes
		list = append(list, x)
	}
	return text(list)
}
