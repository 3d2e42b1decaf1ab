package builtin

import "whorl/fghc/term"

// signalStream has the arguments (number, normal(stream)). The goal that serves the new stream appends the number for each signal.
func signalStream(s *service, a []term.Word) Verdict {
	if a[0].Tag() != term.Int {
		return s.bad(a[0], "signal_stream", "the number of a signal")
	}
	w := s.World()
	if w.System == nil {
		return s.Fault(-1, noSystem)
	}
	signals, err := w.System.Signals(int(a[0].Value()))
	if err != nil {
		return s.Fault(-1, "signal_stream: %v", err)
	}
	return s.open(a[1], func() (int, error) {
		return w.Register(w.Signals(signals)), nil
	})
}

// serveSignals appends the signals that have come to the stream of numbers, whose unbound end the box holds.
func (s *service) serveSignals() Verdict {
	for {
		b := s.file.In.Unread()
		if len(b) == 0 {
			if s.file.In.Ended() {
				return Yes
			}
			if !s.Await(s.file.In) {
				return Rest
			}
			continue
		}
		at := s.Alloc(2 * len(b))
		tail := s.NewVar()
		for k, signal := range b {
			s.Store(at+2*k, term.MakeInt(int64(signal)))
			s.Store(at+2*k+1, term.MakeList(at+2*k+2))
		}
		s.Store(at+2*len(b)-1, tail)
		if !s.Unify(s.Raw(s.box+streamCommands), term.MakeList(at)) {
			return s.Fault(-1, "the stream of signals is already bound")
		}
		s.Store(s.box+streamCommands, tail)
		s.file.In.Consume(len(b))
	}
}
