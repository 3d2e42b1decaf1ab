package paje

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// A field is the meaning of a field of a record.
type field uint8

const (
	fieldOther field = iota // not of the format
	fieldTime
	fieldName
	fieldAlias
	fieldType
	fieldContainer
	fieldValue
	fieldKey
	fieldStart
	fieldEnd
	fieldStartType
	fieldEndType
	fieldColor
	fieldSize
	fieldJob
	numFields
)

// fieldsOf are the names of fields. Older forms have other names.
var fieldsOf = map[string]field{
	"Time": fieldTime, "Name": fieldName, "NewName": fieldName, "Alias": fieldAlias, "NewType": fieldAlias, "NewContainer": fieldAlias, "NewValue": fieldAlias,
	"Type": fieldType, "ContainerType": fieldType, "EntityType": fieldType, "NewContainerType": fieldType, "Container": fieldContainer, "Value": fieldValue,
	"Key": fieldKey, "StartContainer": fieldStart, "SourceContainer": fieldStart, "EndContainer": fieldEnd, "DestContainer": fieldEnd,
	"StartContainerType": fieldStartType, "SourceContainerType": fieldStartType, "EndContainerType": fieldEndType, "DestContainerType": fieldEndType,
	"Color": fieldColor, "Size": fieldSize, "JobId": fieldJob,
}

// operation returns the function that applies a record, nil for an unknown record. It is not a map, because a map of functions would keep the reader
// in the web page, which leaves it out.
func operation(name string) func(*reader, *layout) {
	switch name {
	case "PajeDefineContainerType":
		return func(r *reader, _ *layout) { r.define(ofContainers) }
	case "PajeDefineStateType":
		return func(r *reader, _ *layout) { r.define(ofStates) }
	case "PajeDefineEventType":
		return func(r *reader, _ *layout) { r.define(ofEvents) }
	case "PajeDefineVariableType":
		return func(r *reader, _ *layout) { r.define(ofVariables) }
	case "PajeDefineLinkType":
		return func(r *reader, _ *layout) { r.define(ofLinks) }
	case "PajeDefineEntityValue":
		return func(r *reader, _ *layout) { r.defineValue() }
	case "PajeCreateContainer":
		return func(r *reader, _ *layout) { r.create() }
	case "PajeDestroyContainer":
		return func(r *reader, _ *layout) { r.destroy() }
	case "PajeSetState":
		return (*reader).setState
	case "PajePushState":
		return (*reader).pushState
	case "PajePopState":
		return func(r *reader, _ *layout) { r.popState(false) }
	case "PajeResetState":
		return func(r *reader, _ *layout) { r.popState(true) }
	case "PajeNewEvent":
		return (*reader).newEvent
	case "PajeSetVariable":
		return func(r *reader, _ *layout) { r.variable(func(_, x float64) float64 { return x }) }
	case "PajeAddVariable":
		return func(r *reader, _ *layout) { r.variable(func(v, x float64) float64 { return v + x }) }
	case "PajeSubVariable":
		return func(r *reader, _ *layout) { r.variable(func(v, x float64) float64 { return v - x }) }
	case "PajeStartLink":
		return func(r *reader, _ *layout) { r.startLink() }
	case "PajeEndLink":
		return func(r *reader, _ *layout) { r.endLink() }
	}
	return nil
}

// A layout is the definition of a record.
type layout struct {
	name   string                 // in quotes
	apply  func(*reader, *layout) // nil for unknown records
	fields []field
	labels []string
	bytes  bool // it has a Size
}

// header reads a line of the header, without the percent sign.
func (r *reader) header(line []byte) {
	words := r.split(line)
	switch {
	case len(words) == 0:
	case string(words[0]) == "EventDef":
		r.open = nil
		if len(words) < 3 {
			r.w.Dropped.Add("definitions of records without a number", 1)
			return
		}
		name, id := string(words[1]), string(words[2])
		if name != "" && name[0] >= '0' && name[0] <= '9' { // some writers swap them
			name, id = id, name
		}
		r.open = &layout{name: nearest.Quote(name), apply: operation(name)}
		if n, err := strconv.ParseUint(id, 10, 8); err == nil {
			r.numbered[n] = r.open
		} else if len(r.layouts) < mostNames {
			r.layouts[id] = r.open
		}
	case string(words[0]) == "EndEventDef":
		r.open = nil
	case r.open != nil && len(r.open.fields) < mostFields-1:
		label := string(words[0])
		f := fieldsOf[label]
		r.open.fields, r.open.labels = append(r.open.fields, f), append(r.open.labels, label)
		r.open.bytes = r.open.bytes || f == fieldSize
	}
}

// layout returns the definition of a number, nil for none.
func (r *reader) layout(id []byte) *layout {
	n := 0
	for _, c := range id {
		if c < '0' || c > '9' || n > 25 {
			return r.layouts[string(id)]
		}
		n = 10*n + int(c-'0')
	}
	if n < len(r.numbered) {
		return r.numbered[n]
	}
	return r.layouts[string(id)]
}

// line reads a line.
func (r *reader) line(line []byte) {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[1:]
	}
	if len(line) == 0 {
		return
	}
	switch line[0] {
	case '%':
		r.header(line[1:])
		return
	case '#':
		r.comment(line)
		return
	case '\n', '\r':
		return
	}
	words := r.split(line)
	if len(words) == 0 {
		return
	}
	l := r.layout(words[0])
	switch {
	case l == nil:
		r.w.Dropped.Add("records without a definition", 1)
		return
	case l.apply == nil:
		r.w.Dropped.Add("records of type "+l.name, 1)
		return
	}
	r.get, r.given = [numFields][]byte{}, len(words)-1
	for i, f := range l.fields {
		if i+1 < len(words) && f != fieldOther {
			r.get[f] = words[i+1]
		}
	}
	l.apply(r, l)
}

// comment reads the description of SimGrid in a comment.
func (r *reader) comment(line []byte) {
	text := strings.TrimSpace(strings.TrimLeft(string(line), "# \t"))
	switch {
	case strings.Contains(text, "SimGrid"):
		r.w.Meta.Mode, r.w.Meta.Clock = "sim", "virtual"
		r.w.Extra("written by", text[strings.Index(text, "SimGrid"):])
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && r.program == "":
		words := strings.Fields(text[1 : len(text)-1])
		if len(words) > 0 {
			r.program = words[0][strings.LastIndexByte(words[0], '/')+1:]
		}
	case strings.HasPrefix(text, "Generated by"):
		r.w.Extra("written by", strings.TrimSpace(text[len("Generated by "):]))
	}
}

// complete reports whether a record that ends with the file, without an end of line, has all of its fields.
func (r *reader) complete(line []byte) bool {
	words := r.split(line)
	if len(words) == 0 || len(words[0]) == 0 || words[0][0] == '%' || words[0][0] == '#' {
		return true
	}
	l := r.layout(words[0])
	return l == nil || len(words) > len(l.fields)
}

// split returns the fields of a line: words, or texts between quotes.
func (r *reader) split(line []byte) [][]byte {
	n := 0
	for i := 0; i < len(line) && n < mostFields; {
		c := line[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			i++
			continue
		}
		if c == '"' {
			to := bytes.IndexByte(line[i+1:], '"')
			if to < 0 {
				to = len(bytes.TrimRight(line[i+1:], "\r\n"))
			}
			r.words[n] = line[i+1 : i+1+to]
			n++
			i += to + 2
			continue
		}
		from := i
		for i < len(line) && line[i] > ' ' {
			i++
		}
		if i == from { // another control character
			i++
			continue
		}
		r.words[n] = line[from:i]
		n++
	}
	return r.words[:n]
}

var powers = [...]int64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// recordTime returns the time of the record in ns, false if the record has no valid time.
func (r *reader) recordTime() (int64, bool) {
	t, ok := nanoseconds(r.get[fieldTime], r.scale)
	if !ok {
		r.w.Dropped.Add("records with strange times", 1)
		return 0, false
	}
	r.last = max(r.last, t)
	return t, true
}

// nanoseconds returns a time that has a number of decimal places in ns.
func nanoseconds(b []byte, places int) (int64, bool) {
	n, fraction, point, digits := int64(0), 0, false, 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9' && n < 1e17:
			n = 10*n + int64(c-'0')
			digits++
			if point {
				fraction++
			}
		case c == '.' && !point:
			point = true
		default:
			return slowly(b, places)
		}
	}
	if digits == 0 {
		return 0, false
	}
	for fraction > places+9 {
		n, fraction = n/10, fraction-1
	}
	switch {
	case fraction > places:
		p := powers[fraction-places]
		n = (n + p/2) / p
	case n >= mostTime/powers[places-fraction]:
		return 0, false
	default:
		n *= powers[places-fraction]
	}
	return n, n < mostTime
}

// slowly is nanoseconds for all forms of numbers.
func slowly(b []byte, places int) (int64, bool) {
	x, err := strconv.ParseFloat(string(b), 64)
	x = math.Round(x * float64(powers[places]))
	if err != nil || x != x || math.Abs(x) >= mostTime {
		return 0, false
	}
	return int64(x), true
}
