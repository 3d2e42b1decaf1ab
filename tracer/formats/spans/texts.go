package spans

import (
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Bounds of texts.
const (
	mostKeys   = 1 << 14 // keys of attributes and names of events
	mostValues = 1 << 8  // values of a key
)

// texts numbers the names of spans, and the attributes with their values. Values that differ in every span, such as numbers of orders, would fill
// the dictionary and group nothing, so only the first values of a key are kept.
type texts struct {
	names map[string]uint32
	list  []string
	keys  map[string]*key
	marks []mark
	codes map[operation]uint32
	many  []bool // by name of spans: spans of several services have it
}

// A key of attributes has the numbers of its marks by value.
type key struct {
	values map[string]uint32
}

// A mark is an attribute with its value, or an event.
type mark struct {
	text string
	code uint32 // entry of the dictionary, 0 before its first use
}

// An operation is a name of spans in a service.
type operation struct{ service, name uint32 }

// otherName is the number of profile.OtherName.
const otherName = 1

func (t *texts) begin() {
	*t = texts{names: map[string]uint32{"": 0, profile.OtherName: otherName}, list: []string{"", profile.OtherName}, keys: map[string]*key{}, codes: map[operation]uint32{}}
}

// String returns the number of a name of spans.
func (r *Recording) String(b []byte) uint32 {
	t := &r.texts
	if n, ok := t.names[string(b)]; ok {
		return n
	}
	if len(t.list) == profile.MostNames {
		r.Dropped.Unnamed("spans")
		return otherName
	}
	s, n := string(b), uint32(len(t.list))
	t.list = append(t.list, s)
	t.names[s] = n
	return n
}

// attribute returns the number of the mark of a key with a value, or of an event if value is nil. It returns false if there are too many.
func (t *texts) attribute(name, value []byte) (uint32, bool) {
	k := t.keys[string(name)]
	if k == nil {
		if len(t.keys) == mostKeys {
			return 0, false
		}
		k = &key{values: map[string]uint32{}}
		t.keys[string(name)] = k
	}
	n, ok := k.values[string(value)]
	if ok {
		return n, true
	}
	if len(k.values) == mostValues {
		return 0, false
	}
	n = uint32(len(t.marks))
	text := string(name)
	if value != nil {
		text += "=" + string(value)
	}
	k.values[string(value)] = n
	t.marks = append(t.marks, mark{text: text})
	return n, true
}

// mark returns the entry of a mark.
func (r *Recording) mark(n uint32) uint32 {
	m := &r.texts.marks[n]
	if m.code == 0 {
		m.code = r.w.Name(m.text)
	}
	return m.code
}

// function returns the entry of the operation of a span.
func (r *Recording) function(s *span) uint32 {
	p := &r.processes[s.process]
	if p.code == 0 {
		p.code = r.w.Name(p.service)
	}
	o := operation{p.code, s.name}
	code, ok := r.texts.codes[o]
	if !ok {
		name := r.texts.list[s.name]
		if name == "" {
			name = "[unnamed]"
		}
		if r.texts.many[s.name] {
			name += " of " + p.service
		}
		code = r.dict.Add(tracer.Code{Type: tracer.Function, Name: name, Parent: p.code})
		r.texts.codes[o] = code
	}
	return code
}

// homonyms finds the names that operations of several services have: a client often gives its call the name that the server gives it.
func (r *Recording) homonyms() {
	services := make([]string, len(r.texts.list))
	r.texts.many = make([]bool, len(services))
	for i := range uint32(r.spans.Len()) {
		s := r.spans.Entry(i)
		service := r.processes[s.process].service
		if first := services[s.name]; first != "" && first != service {
			r.texts.many[s.name] = true
		}
		services[s.name] = service
	}
}

// codes are entries of the dictionary.
type codes struct {
	forks, waiting, own            uint32
	noWork, join, message          uint32
	request, answer, queue, linked uint32
}

func (r *Recording) enter() codes {
	reason, class := r.w.Reason, r.w.MessageClass
	return codes{
		forks: r.w.Metric("forks", "forks"), waiting: r.w.Metric("waiting", "ns"), own: r.w.Metric(tracer.RegionTime, "ns"),
		noWork: reason(tracer.ReasonNoWork), join: reason("join"), message: reason(tracer.ReasonMessage),
		request: class("request"), answer: class("answer"), queue: class("queued"), linked: class("link"),
	}
}
