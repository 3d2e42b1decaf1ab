package sim

import (
	"context"
	"errors"
	"fmt"

	"whorl/internal/figures"
	"whorl/tracer"
)

// A Machine consists of P processing elements in virtual time. It is the View of its policy. Only one goroutine may use
// it at a time.
type Machine struct {
	cfg    Config
	prog   Program
	policy Policy
	traits Traits
	net    Network
	shared bool
	model  Model
	stream *tracer.Stream // nil records nothing
	codes  codes

	pes     []PE
	keys    keys
	bits    uint   // of an actor in a key: actor p is PE p, actor P+p is the ask of PE p, actor 2P is the alarms
	limit   uint64 // the running PE may continue until this key
	horizon Time   // times from here on do not fit a key
	now     Time

	works    works
	post     post
	alarms   uint32 // inbox of works that wait for a time
	central  deque
	claimed  int32 // asks on their way to the central queue
	offers   offers
	sleepers sleepers
	rising   int32 // PEs that have been woken and have not found work
	gate     Time  // when the bus is free

	alive   int64 // works ready, running or in flight, and messages in flight
	last    *PE   // the PE whose action made alive 0
	started bool
	ended   bool
	err     error
	stats   Stats
}

// Boot puts work on a PE from outside. task is its trace id.
func (m *Machine) Boot(pe int, w Work, task uint64) {
	if pe < 0 || pe >= len(m.pes) {
		m.fail(fmt.Errorf("work booted on PE %d of %d", pe, len(m.pes)))
		return
	}
	p := &m.pes[pe]
	m.alive++
	p.push(w, task)
	if m.started {
		m.schedule(max(m.now, p.clock), p)
	}
}

// Shared reports whether the PEs share a memory, so that reading needs no message.
func (m *Machine) Shared() bool { return m.shared }

// Traits returns the traits of the policy.
func (m *Machine) Traits() Traits { return m.traits }

// Network returns the network of the PEs.
func (m *Machine) Network() Network { return m.net }

// Now returns the current virtual time.
func (m *Machine) Now() Time { return m.now }

// actionsPerLook is the number of actions between two checks for cancellation.
const actionsPerLook = 1 << 12

// Advance runs the machine for at most the given number of actions (steps, sends, receipts and asks) and reports
// whether there is more to do. At the end of the run, err is the error of Program.Quiet, or says that the policy or the
// program broke a rule. When ctx is cancelled, more is true and err is the error of ctx. The size of the slices does
// not change the trace.
func (m *Machine) Advance(ctx context.Context, actions uint64) (more bool, err error) {
	if !m.started {
		m.started = true
		for i := range m.pes {
			m.schedule(0, &m.pes[i])
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

// run executes actions in order of time and PE, and ends the run when nothing is left. A PE continues until the key of
// the next one.
func (m *Machine) run(actions uint64) {
	mask := uint64(1)<<m.bits - 1
	for actions > 0 && m.err == nil && m.alive > 0 && !m.ended {
		k := m.keys.peek()
		if k == noKey {
			m.fail(fmt.Errorf("policy %q leaves %d pieces of work where no PE takes them", m.cfg.PolicyName, m.alive))
			break
		}
		m.keys.pop()
		t, i := Time(k>>m.bits), int(k&mask)
		if i == 2*len(m.pes) {
			m.now = t
			m.ring()
			actions--
			continue
		}
		if i >= len(m.pes) {
			m.now = t
			m.arrive(&m.pes[i-len(m.pes)])
			actions--
			continue
		}
		p := &m.pes[i]
		if p.next != t {
			continue // it has acted earlier
		}
		p.next = -1
		p.clock = t
		m.limit = m.keys.peek()
		for {
			actions--
			m.now = p.clock
			if !m.act(p) || m.ended {
				break
			}
			if uint64(p.clock)<<m.bits|uint64(i) >= m.limit || actions == 0 {
				m.schedule(p.clock, p)
				break
			}
		}
	}
	if !m.ended && (m.err != nil || m.alive == 0) {
		m.end()
	}
}

// end ends the run with the result of Program.Quiet, unless that has booted more work.
func (m *Machine) end() {
	if m.err == nil {
		if m.err = m.prog.Quiet(m); m.err == nil && m.alive > 0 {
			if m.last != nil { // it stopped in the middle of an action
				m.schedule(max(m.now, m.last.clock), m.last)
			}
			return
		}
	}
	outcome := tracer.Done
	if m.err != nil {
		outcome = tracer.Failed
	}
	if ended, ok := errors.AsType[*Ended](m.err); ok {
		outcome = ended.Outcome
	}
	m.Exit(int64(outcome))
}

// An Ended is the error of a program that ends itself, with an outcome that may be Done.
type Ended struct {
	error
	Outcome tracer.Outcome
}

// NewEnded returns an Ended with the text of err.
func NewEnded(err error, o tracer.Outcome) *Ended { return &Ended{err, o} }

// Unwrap returns the error with the text.
func (e *Ended) Unwrap() error { return e.error }

// Exit ends the run when all running actions are over, and records an exit with a status for all PEs that have worked.
// The machine calls it at the end of a run. A caller that stops a run early must call it to complete the trace, and a program
// that ends while it has work calls it from Step.
func (m *Machine) Exit(status int64) {
	if m.ended {
		return
	}
	m.ended = true
	end := m.now
	for i := range m.pes {
		if p := &m.pes[i]; p.worked && p.phase != idle {
			end = max(end, p.clock)
		}
	}
	m.recordExits(status, end)
	m.stream.Sync()
	m.now = end
}

// fail stops the run with an error. The first error counts.
func (m *Machine) fail(err error) {
	if m.err == nil {
		m.err = err
	}
	m.limit = 0
}

// schedule makes p act at t, if it does not act before.
func (m *Machine) schedule(t Time, p *PE) {
	if p.next >= 0 && p.next <= t {
		return
	}
	p.next = t
	m.push(t, uint64(p.self.PE))
}

// ranOut ends the run because virtual time cannot go on.
func (m *Machine) ranOut() {
	m.fail(fmt.Errorf("virtual time ran out: with %s it ends at %d ns", figures.Counted(int64(len(m.pes)), "PE"), m.horizon))
}

func (m *Machine) push(t Time, actor uint64) {
	if uint64(t) >= uint64(m.horizon) {
		m.ranOut()
		return
	}
	k := uint64(t)<<m.bits | actor
	m.keys.push(k)
	m.limit = min(m.limit, k)
}
