package paje

import "strings"

// A meetingKey identifies a collective operation: its name, and the number of operations of that name before.
type meetingKey struct {
	name   *value
	number int
}

// A meeting is a collective operation that some tasks have begun.
type meeting struct {
	here, gone int
	last       *container
	arrived    int64
}

// mostMeetings bounds the collective operations that some tasks have not ended.
const mostMeetings = 1 << 12

// arrive notes that a task begins a collective operation.
func (r *reader) arrive(c *container, v *value, at int64) {
	if !c.kind.computes {
		return
	}
	if c.met == nil {
		c.met = map[*value]int{}
	}
	key := meetingKey{v, c.met[v]}
	c.met[v]++
	m := r.meetings[key]
	if m == nil {
		if len(r.meetings) >= mostMeetings {
			return
		}
		m = &meeting{}
		r.meetings[key] = m
	}
	m.here++
	if m.last == nil || at >= m.arrived {
		m.last, m.arrived = c, at
	}
}

// depart notes that a task ends a collective operation. It waited for the last one to begin it if all have begun it.
func (r *reader) depart(c *container, m *machine, at int64) {
	v := m.top()
	key := meetingKey{v, c.met[v] - 1}
	x := r.meetings[key]
	if x == nil {
		return
	}
	if w := &m.wait; x.here >= r.ranks && x.last != c && !w.is && x.arrived > m.since && x.arrived <= at {
		*w = wait{
			is: true, from: m.since, to: x.arrived, after: -1, reason: r.w.Reason(strings.ToLower(v.name)), wakes: r.codes.inferred, by: x.last.task.id, pe: x.last.pe,
		}
	}
	if x.gone++; x.gone >= x.here {
		delete(r.meetings, key)
	}
}
