package sim

import (
	"cmp"
	"slices"

	"whorl/tracer"
)

// A phase is a PE's activity in the trace and the accounts.
type phase uint8

const (
	unborn phase = iota // before its first action
	idle
	busy
	overhead
)

var phaseKind = [...]tracer.Kind{tracer.KindInvalid, tracer.Idle, tracer.Busy, tracer.Overhead}

// A reason is the reason for a phase or for the move of work.
type reason uint8

const (
	noReason reason = iota
	noWork
	steal
	message
	place
	numReasons
)

// codes are the machine's entries in the trace's code table.
type codes struct {
	host, work, wake uint32
	why              [numReasons]uint32
}

func newCodes(d *tracer.Dict) codes {
	var c codes
	c.host = d.Add(tracer.Code{Type: tracer.Host, Name: "simulated"})
	c.work = d.Add(tracer.Code{Type: tracer.MessageClass, Name: "work"})
	c.wake = d.Add(tracer.Code{Type: tracer.MessageClass, Name: "wake"})
	for r, name := range [numReasons]string{noWork: tracer.ReasonNoWork, steal: tracer.ReasonSteal, message: tracer.ReasonMessage, place: "place"} {
		if name != "" {
			c.why[r] = d.Add(tracer.Code{Type: tracer.Reason, Name: name})
		}
	}
	return c
}

// enter notes that p enters a phase. A PE is not in the trace before it works.
func (m *Machine) enter(p *PE, to phase, why reason, task uint64) {
	if p.phase == to && p.why == why {
		return
	}
	p.phase, p.why = to, why
	if to != idle && !p.worked {
		m.begin(p)
	}
	if m.stream != nil && p.worked {
		*m.stream.Slot() = tracer.Event{
			Time: m.now, Kind: phaseKind[to], PE: p.self.PE, Peer: tracer.None, Task: task, Code: m.codes.why[why],
		}
	}
}

// carry notes that p is busy with a work that has a trace id and a function of its own.
func (m *Machine) carry(p *PE, w Work) {
	if p.phase == busy && p.runs == w {
		return
	}
	p.phase, p.why, p.runs = busy, noReason, w
	if !p.worked {
		m.begin(p)
	}
	if m.stream != nil {
		task, code := m.cfg.Running(w)
		*m.stream.Slot() = tracer.Event{Time: m.now, Kind: tracer.Busy, PE: p.self.PE, Peer: tracer.None, Task: task, Code: code}
	}
}

// begin notes that p works for the first time.
func (m *Machine) begin(p *PE) {
	p.worked = true
	m.stats.Worked++
	if m.stream != nil {
		*m.stream.Slot() = tracer.Event{Time: m.now, Kind: tracer.Init, PE: p.self.PE, Peer: tracer.None, Code: m.codes.host}
	}
}

// event records a Send or Recv on p.
func (m *Machine) event(p *PE, k tracer.Kind, task, id uint64, peer int32, code uint32, bytes int64) {
	if !p.worked {
		m.begin(p)
	}
	if m.stream != nil {
		*m.stream.Slot() = tracer.Event{
			Time: m.now, Kind: k, PE: p.self.PE, Peer: peer, Task: task, Ref: id, Code: code, Value: bytes,
		}
	}
}

// moved records that work has moved from PE from to p.
func (m *Machine) moved(p *PE, task, id uint64, from int32, why reason, bytes int64) {
	m.stats.Moves++
	m.event(p, tracer.Move, task, id, from, m.codes.why[why], bytes)
}

// recordExits records an exit for each PE that has worked: at the end of its running action, or at end if it has none.
func (m *Machine) recordExits(status int64, end Time) {
	if m.stream == nil {
		return
	}
	var exits []tracer.Event
	for i := range m.pes {
		p := &m.pes[i]
		if !p.worked {
			continue
		}
		e := tracer.Event{Time: end, Kind: tracer.Exit, PE: int32(i), Peer: tracer.None, Code: m.codes.host, Value: status}
		if p.phase != idle {
			e.Time = max(p.clock, m.now)
		}
		exits = append(exits, e)
	}
	slices.SortStableFunc(exits, func(a, b tracer.Event) int { return cmp.Compare(a.Time, b.Time) })
	for i := range exits {
		*m.stream.Slot() = exits[i]
	}
}
