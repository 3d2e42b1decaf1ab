package session

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer/store"
)

func fibonacci() experiment.Run {
	r := experiment.Defaults("fibonacci")
	r.Args, r.PEs = []string{"24"}, 8
	return r
}

// BenchmarkSession runs a session whose viewer takes the trace 25 times a second and reads it.
func BenchmarkSession(b *testing.B) {
	done := int64(0)
	for b.Loop() {
		s := must.Get(Start(fibonacci()))(b)
		g := store.NewGrowing()
		for {
			st := s.Status()
			must.Get(g.Write(s.TakeTrace()))(b)
			if st.State == Finished {
				done += st.Reductions
				break
			}
			select {
			case <-s.Done():
			case <-time.After(40 * time.Millisecond):
			}
		}
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "reductions/s")
}

// BenchmarkStep steps a paused run by one reduction and takes a snapshot.
func BenchmarkStep(b *testing.B) {
	s := must.Get(Start(fibonacci()))(b)
	defer s.Close()
	s.Do(Command{StepTo, 1000})
	n := int64(1000)
	for b.Loop() {
		n++
		s.Do(Command{StepTo, n})
		for st := s.Status(); st.State != Paused && st.State != Finished; st = s.Status() {
			time.Sleep(10 * time.Microsecond)
		}
		for s.Snapshot() == nil {
			time.Sleep(10 * time.Microsecond)
		}
	}
}
