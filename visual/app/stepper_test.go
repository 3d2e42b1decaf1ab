package app

import (
	"sync"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/documents"
)

// A stepper runs the small program from a recording, so that it stops at a reduction at once. Other programs run on goroutines.
type stepper struct{}

func (stepper) Run(r experiment.Run) (documents.Session, error) {
	if r.Text != steppedRun().Text {
		return native{}.Run(r)
	}
	return &stepped{status: session.Status{State: session.Running}}, nil
}

// steps are the reductions at which the recording can stop; the last entry is its end.
var steps = []int64{0, 10, 11, 12, 1 << 40}

// recording returns the bytes of the trace between two entries of steps.
var recording = sync.OnceValue(func() (pieces [][]byte) {
	s, err := session.Start(steppedRun())
	if err != nil {
		panic(err)
	}
	defer s.Close()
	for _, n := range steps {
		s.Do(session.Command{Do: session.StepTo, N: n})
		for st := s.Status(); st.State != session.Finished && (st.State != session.Paused || st.Reductions != n); st = s.Status() {
			time.Sleep(time.Millisecond)
		}
		pieces = append(pieces, s.TakeTrace())
	}
	return pieces
})

// stepped is a session of a stepper.
type stepped struct {
	status session.Status
	want   int // pieces of the recording
	taken  int
}

func (s *stepped) TakeTrace() (b []byte) {
	for ; s.taken < s.want; s.taken++ {
		b = append(b, recording()[s.taken]...)
	}
	return b
}

func (s *stepped) Status() session.Status { return s.status }
func (s *stepped) Close()                 {}

func (s *stepped) Do(c session.Command) {
	n := s.status.Reductions
	switch c.Do {
	case session.Step:
		n += c.N
	case session.StepTo:
		n = c.N
	case session.Resume, session.Stop:
		n = steps[len(steps)-1]
	}
	s.status.State, s.status.Reductions = session.Paused, n
	for i, at := range steps {
		if at <= n {
			s.want = max(s.want, i+1)
		}
	}
	if s.want == len(steps) {
		s.status.State = session.Finished
	}
}
