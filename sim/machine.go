package sim

import (
	"context"
	"fmt"

	"whorl/tracer"
)

// A Machine is P processing elements in virtual time. It is the View of its policy. One goroutine may use it at a time.
type Machine struct {
	cfg    Config
	prog   Program
	policy Policy
	traits Traits
	net    Network
	shared bool
	model  Model
	stream *tracer.Stream // nil: not recording
	codes  codes

	pes     []PE
	keys    keys
	bits    uint   // of an actor's number in a key: PE p is p, the ask of PE p is P+p
	limit   uint64 // the running PE goes on until this key
	horizon Time   // times beyond do not fit a key
	now     Time

	works    works
	post     post
	central  deque
	claimed  int32 // asks on their way to the central queue
	offers   offers
	sleepers sleepers
	gate     Time // when the bus is free

	alive   int64 // works ready, running or in flight, and messages in flight
	last    *PE   // that found alive to be 0
	started bool
	ended   bool
	err     error
	stats   Stats
}

// Boot puts first work on a PE. Task is its trace id.
func (m *Machine) Boot(pe int, w Work, task uint64) {
	if pe < 0 || pe >= len(m.pes) {
		m.fail(fmt.Errorf("work booted on PE %d of %d", pe, len(m.pes)))
		return
	}
	p := &m.pes[pe]
	m.alive++
	p.push(w, task)
	if m.started {
		m.at(max(m.now, p.clock), p)
	}
}

// Shared says that the PEs share one memory, so that reading needs no message.
func (m *Machine) Shared() bool { return m.shared }

// Traits are those of the policy.
func (m *Machine) Traits() Traits { return m.traits }

// Network is how the PEs are joined.
func (m *Machine) Network() Network { return m.net }

// Now is how far the run has come.
func (m *Machine) Now() Time { return m.now }

// The run looks whether it has been cancelled every so many actions.
const actionsPerLook = 1 << 12

// Advance runs the machine for at most the given number of actions (steps of the program, sendings, receipts and asks) and says whether
// there is more to do. When there is not, err says why the program did not come to a good end: what Program.Quiet said, or that the policy
// or the program broke a rule. When ctx is cancelled there is more to do and err is its error. A run may be advanced in slices of any size;
// the trace is the same.
func (m *Machine) Advance(ctx context.Context, actions uint64) (more bool, err error) {
	if !m.started {
		m.started = true
		for i := range m.pes {
			m.at(0, &m.pes[i])
		}
	}
	defer m.stream.Sync()
	for !m.ended {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		slice := min(actions, actionsPerLook)
		if slice == 0 {
			return true, nil
		}
		actions -= slice
		m.run(slice)
	}
	return false, m.err
}

// run lets actions happen in order of time and PE, one PE going on until the next one's key, and ends the run where it ends.
func (m *Machine) run(actions uint64) {
	mask := uint64(1)<<m.bits - 1
	for actions > 0 && m.err == nil && m.alive > 0 {
		k := m.keys.peek()
		if k == noKey {
			m.fail(fmt.Errorf("policy %q leaves %d pieces of work where no PE takes them", m.cfg.PolicyName, m.alive))
			break
		}
		m.keys.pop()
		t, i := Time(k>>m.bits), int(k&mask)
		if i >= len(m.pes) {
			m.now = t
			m.arrive(&m.pes[i-len(m.pes)])
			actions--
			continue
		}
		p := &m.pes[i]
		if p.next != t {
			continue // it was called earlier
		}
		p.next = -1
		p.clock = t
		m.limit = m.keys.peek()
		for {
			actions--
			m.now = p.clock
			if !m.act(p) {
				break
			}
			if uint64(p.clock)<<m.bits|uint64(i) >= m.limit || actions == 0 {
				m.at(p.clock, p)
				break
			}
		}
	}
	if m.err != nil || m.alive == 0 {
		m.end()
	}
}

// end asks the program what its end means and records the exits.
func (m *Machine) end() {
	if m.err == nil {
		if m.err = m.prog.Quiet(m); m.err == nil && m.alive > 0 {
			if m.last != nil { // it was stopped in the middle of an action
				m.at(max(m.now, m.last.clock), m.last)
			}
			return
		}
	}
	status := int64(0)
	if m.err != nil {
		status = 1
	}
	m.Exit(status)
}

// Exit ends the run and records it, with a status, as the end of all PEs that worked. The machine does it by itself at the end; a caller
// who stops a run before does it, so that the trace is whole.
func (m *Machine) Exit(status int64) {
	if !m.ended {
		m.ended = true
		m.recordExits(status)
		m.stream.Sync()
	}
}

// fail stops the run with an error, the first if there are several.
func (m *Machine) fail(err error) {
	if m.err == nil {
		m.err = err
	}
	m.limit = 0
}

// at has p act at t, if it would not act before.
func (m *Machine) at(t Time, p *PE) {
	if p.next >= 0 && p.next <= t {
		return
	}
	p.next = t
	m.push(t, uint64(p.self.PE))
}

func (m *Machine) push(t Time, actor uint64) {
	if uint64(t) >= uint64(m.horizon) {
		m.fail(fmt.Errorf("virtual time ran out: with %d PEs it ends at %d ns", len(m.pes), m.horizon))
		return
	}
	k := uint64(t)<<m.bits | actor
	m.keys.push(k)
	m.limit = min(m.limit, k)
}
