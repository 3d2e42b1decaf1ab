package chrome

import (
	"bytes"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/tracks"
)

// A sampling is a profile of V8, which comes in parts: stacks as a tree of nodes, samples as their numbers, and the times between samples.
type sampling struct {
	thread tracks.ID // that is sampled
	time   int64     // time of the last sample
	nodes  map[int64]node
	last   node
	open   bool // last lasts until the next sample
}

// A node is a stack.
type node struct {
	context uint32
	idle    bool // the thread does nothing
}

// sampling returns the profile of an event. Its thread is that of its first event.
func (r *reader) sampling() *sampling {
	key := r.keyed('v', r.e.id, r.process(r.e.key.process).number)
	s := r.profiles[key]
	if s == nil {
		s = &sampling{thread: r.track(r.e.key), time: r.e.ts, nodes: map[int64]node{}}
		r.profiles[key] = s
	}
	return s
}

// profile reads a part of a profile of V8 from the arguments of an event. It returns false for another event.
func (r *reader) profile() bool {
	switch r.out.Spelled(r.e.name) {
	case "Profile", "ProfileChunk":
	default:
		return false
	}
	s := r.sampling()
	var samples, deltas []int64
	a := &r.args
	a.Reset(bytes.NewReader(r.e.args))
	within(a, "data", func() {
		switch string(a.Name) {
		case "startTime":
			if at, ok := a.Decimal(3); ok {
				s.time = at
			}
		case "timeDeltas":
			deltas = list(a)
		case "cpuProfile":
			members(a, func() {
				switch string(a.Name) {
				case "nodes":
					r.nodes(a, s)
				case "samples":
					samples = list(a)
				default:
					a.Skip()
				}
			})
		default:
			a.Skip()
		}
	})
	if a.Err() != nil || len(samples) != len(deltas) {
		r.out.Dropped.Add("parts of profiles of V8 with damage", 1)
		return true
	}
	for i, id := range samples {
		at := s.time + 1000*min(max(deltas[i], -longest), longest)
		if s.open && !s.last.idle && at > s.time {
			r.out.Lasting(s.thread, s.time, s.last.context, at-s.time)
		}
		s.time = max(at, s.time)
		s.last, s.open = s.nodes[id], true
	}
	return true
}

// longest bounds the time between two samples, in µs.
const longest = 1e12

// nodes reads new nodes of the tree of stacks.
func (r *reader) nodes(a *jsonscan.Scanner, s *sampling) {
	a.EachObject(func() {
		var id, parent, line int64
		var name, file uint32
		members(a, func() {
			switch string(a.Name) {
			case "id":
				id, _ = a.Decimal(0)
			case "parent":
				parent, _ = a.Decimal(0)
			case "callFrame":
				members(a, func() {
					switch string(a.Name) {
					case "functionName":
						b, _ := a.Text()
						name = r.out.String(b)
					case "url":
						if b, _ := a.Text(); !bytes.HasPrefix(b, []byte("data:")) {
							file = r.out.String(b)
						}
					case "lineNumber":
						line, _ = a.Decimal(0)
					default:
						a.Skip()
					}
				})
			default:
				a.Skip()
			}
		})
		text := r.out.Spelled(name)
		n := node{idle: text == "(idle)"}
		if text == "" {
			text = "(anonymous)"
		}
		if text != "(root)" {
			n.context = r.out.Called(s.nodes[parent].context, text, r.out.Spelled(file), line+1)
		}
		s.nodes[id] = n
	})
}

// within calls f for each member of the object that is a member of the next object.
func within(a *jsonscan.Scanner, name string, f func()) {
	members(a, func() {
		if string(a.Name) != name {
			a.Skip()
			return
		}
		members(a, f)
	})
}

// members calls f for each member of an object. f reads its value.
func members(a *jsonscan.Scanner, f func()) {
	for ok := a.TryObject(); ok && a.Key(); {
		f()
	}
}

// list reads an array of numbers. Other elements count as 0.
func list(a *jsonscan.Scanner) (numbers []int64) {
	for ok := a.TryArray(); ok && a.Element(); {
		n, _ := a.Decimal(0)
		numbers = append(numbers, n)
	}
	return numbers
}
