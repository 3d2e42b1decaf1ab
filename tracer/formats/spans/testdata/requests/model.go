// Package requests makes up the spans of requests to a few services, and writes them as OpenTelemetry, Jaeger and Zipkin do.
package requests

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Span is a span. Times are in µs since 1970.
type Span struct {
	Trace      [2]uint64
	ID, Parent uint64
	Instance   *Instance
	Name       string
	Kind       string // internal, server, client, producer or consumer
	Start, End int64
	Error      string // "" for none
	Attributes []Attribute
	Events     []Event
	Links      []*Span
	Children   []*Span
}

// An Attribute is a name with a text.
type Attribute struct{ Key, Value string }

// An Event is an instant of a span.
type Event struct {
	Time int64
	Name string
}

// An Instance is an instance of a service.
type Instance struct {
	Service, Host string
	Behind        int64 // µs that its clock is behind
}

// Options determine the contents of the requests.
type Options struct {
	Requests int
	Depth    int
	Links    bool
	Skew     int64 // µs; the largest difference of the clocks of two hosts
}

// A maker makes requests.
type maker struct {
	*rand.Rand
	o         Options
	instances []*Instance
	all       []*Span
	trace     [2]uint64
	messages  []*Span // producers that have ended
}

var services = []string{"frontend", "cart", "checkout", "payment", "stock", "mail"}

// Make returns the spans of requests in the order of their ends, as the clocks of their hosts tell them.
func Make(seed uint64, o Options) []*Span {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), o: o}
	for i, s := range services {
		for k := range 1 + i%2 {
			in := &Instance{Service: s, Host: fmt.Sprintf("10.0.%d.%d", i, k+1)}
			if o.Skew > 0 && i > 0 {
				in.Behind = m.Int64N(2*o.Skew) - o.Skew
			}
			m.instances = append(m.instances, in)
		}
	}
	at := int64(1_790_000_000_000_000)
	for range o.Requests {
		m.trace = [2]uint64{m.Uint64() | 1, m.Uint64()}
		m.span(nil, m.instances[0], "server", at, o.Depth)
		at += m.Int64N(20_000)
	}
	for _, s := range m.all {
		by := s.Instance.Behind
		s.Start, s.End = s.Start-by, s.End-by
		for i := range s.Events {
			s.Events[i].Time -= by
		}
	}
	slices.SortStableFunc(m.all, func(a, b *Span) int { return cmp.Compare(a.End, b.End) })
	return m.all
}

// span makes a span that begins at a time, and what it calls. It returns the span.
func (m *maker) span(parent *Span, in *Instance, kind string, at int64, depth int) *Span {
	s := &Span{Trace: m.trace, ID: m.Uint64() | 1, Instance: in, Kind: kind, Start: at, Name: fmt.Sprintf("%s %c", kind, 'a'+rune(m.IntN(3)))}
	m.all = append(m.all, s)
	if parent != nil {
		s.Parent = parent.ID
		parent.Children = append(parent.Children, s)
	}
	for range m.IntN(3) {
		s.Attributes = append(s.Attributes, Attribute{fmt.Sprintf("attr.%d", m.IntN(4)), fmt.Sprintf("value \"%d\" of ü", m.IntN(5))})
	}
	slices.SortFunc(s.Attributes, func(a, b Attribute) int { return cmp.Compare(a.Key, b.Key) })
	s.Attributes = slices.CompactFunc(s.Attributes, func(a, b Attribute) bool { return a.Key == b.Key })
	if m.IntN(8) == 0 {
		s.Error = fmt.Sprintf("failure %d", m.IntN(3))
	}
	if kind == "consumer" && m.o.Links && len(m.messages) > 0 {
		if by := m.messages[m.IntN(len(m.messages))]; by.Start <= at {
			s.Links = append(s.Links, by)
		}
	}
	end := at + m.Int64N(200)
	switch {
	case kind == "client":
		end = m.span(s, m.instances[1+m.IntN(len(m.instances)-1)], "server", at+1+m.Int64N(100), depth-1).End + 1 + m.Int64N(100)
	case depth > 0:
		for range m.IntN(5) {
			end = max(end, m.child(s, &at, depth))
			if m.IntN(3) > 0 { // the next one comes after it
				at = end
			}
			at += m.Int64N(50)
		}
		end = max(end, at) + m.Int64N(100)
	}
	s.End = end
	if m.IntN(3) == 0 && s.End > s.Start {
		s.Events = append(s.Events, Event{s.Start + m.Int64N(s.End-s.Start), fmt.Sprintf("event %d", m.IntN(4))})
	}
	if kind == "producer" {
		m.messages = append(m.messages, s)
	}
	return s
}

// child makes a child and returns when it ends, or at if nobody waits for it.
func (m *maker) child(s *Span, at *int64, depth int) int64 {
	switch k := m.IntN(10); {
	case k < 5:
		return m.span(s, s.Instance, "internal", *at, depth-1).End
	case k < 9:
		return m.span(s, s.Instance, "client", *at, depth-1).End
	}
	p := m.span(s, s.Instance, "producer", *at, 0)
	m.span(p, m.instances[m.IntN(len(m.instances))], "consumer", p.End+m.Int64N(5000), depth-1)
	return p.End
}
