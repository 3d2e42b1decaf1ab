package sim

// Stats are the numbers of a run so far.
type Stats struct {
	PEs        int
	Worked     int    // PEs that ever did anything for the program
	Steps      uint64 // calls of Program.Step
	Moves      uint64 // works that came to another PE, for whatever reason
	Steals     uint64 // of them, works that an idle PE got from another by asking
	Messages   uint64 // sent, without requests for work and refusals
	Bytes      int64  // in them
	Asks       uint64 // requests for work, the central queue included
	FailedAsks uint64 // of them, those that found none
	Elapsed    Time   // virtual time so far
	Busy       Time   // spent in steps, over all PEs
	Overhead   Time   // spent in sending, receiving and delivering, over all PEs
	Idle       Time   // the rest of Elapsed, over all PEs; asking for work is being idle
}

// Account is how a PE has spent its time.
type Account struct{ Busy, Overhead, Idle Time }

// Account returns how a PE has spent its time so far.
func (m *Machine) Account(pe int) Account {
	p := &m.pes[pe]
	a := Account{Busy: p.busy, Overhead: p.over}
	switch ahead := max(0, p.clock-m.now); p.phase { // what it does now is booked whole when it begins
	case busy:
		a.Busy -= ahead
	case overhead:
		a.Overhead -= ahead
	}
	a.Idle = m.now - a.Busy - a.Overhead
	return a
}

// Stats returns the numbers of the run so far.
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

// IdleShare is the share of all PEs' time in which they were idle, from 0 to 1.
func (s Stats) IdleShare() float64 { return share(s.Idle, s) }

// Utilisation is the share of all PEs' time that they spent in steps, from 0 to 1.
func (s Stats) Utilisation() float64 { return share(s.Busy, s) }

func share(t Time, s Stats) float64 {
	all := s.Busy + s.Overhead + s.Idle
	if all == 0 {
		return 0
	}
	return float64(t) / float64(all)
}
