package sim

// Stats are the counts of a run.
type Stats struct {
	PEs        int
	Worked     int    // PEs that have worked for the program
	Steps      uint64 // calls of Program.Step
	Moves      uint64 // works that moved to another PE
	Steals     uint64 // of those, works that an idle PE asked for
	Messages   uint64 // messages sent, without requests for work and refusals
	Bytes      int64  // bytes in messages
	Asks       uint64 // requests for work, the central queue included
	FailedAsks uint64 // of those, requests that found none
	Elapsed    Time   // virtual time
	Busy       Time   // spent in steps, sum over all PEs
	Overhead   Time   // spent in sending, receiving and delivering, sum over all PEs
	Idle       Time   // rest of Elapsed, sum over all PEs, including asking for work
}

// An Account is the time that a PE has spent in each activity.
type Account struct{ Busy, Overhead, Idle Time }

// Account returns the account of a PE.
func (m *Machine) Account(pe int) Account {
	p := &m.pes[pe]
	a := Account{Busy: p.busy, Overhead: p.over}
	switch ahead := max(0, p.clock-m.now); p.phase { // an action is accounted in full when it begins
	case busy:
		a.Busy -= ahead
	case overhead:
		a.Overhead -= ahead
	}
	a.Idle = m.now - a.Busy - a.Overhead
	return a
}

// Stats returns the current counts.
func (m *Machine) Stats() Stats {
	s := m.stats
	s.PEs, s.Elapsed = len(m.pes), m.now
	for i := range m.pes {
		a := m.Account(i)
		s.Busy += a.Busy
		s.Overhead += a.Overhead
		s.Idle += a.Idle
	}
	return s
}
