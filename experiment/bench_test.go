package experiment

import (
	"context"
	"io"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/tracer/store"
)

func fibonacci() Run {
	r := Defaults("fibonacci")
	r.Args, r.PEs = []string{"24"}, 8
	return r
}

// BenchmarkRun is a run that is not recorded, and one that is recorded packed.
func BenchmarkRun(b *testing.B) {
	p, err := fibonacci().Resolve()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		rec  func() tracer.Recorder
	}{
		{"off", func() tracer.Recorder { return nil }},
		{"packed", func() tracer.Recorder { return store.New(io.Discard) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			done := int64(0)
			for b.Loop() {
				rec := c.rec()
				last := int64(0)
				if _, err := p.Run(context.Background(), rec, func(at Progress) { last = at.Reductions }); err != nil {
					b.Fatal(err)
				}
				done += last
				if rec != nil {
					if err := rec.Close(); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "reductions/s")
		})
	}
}

// BenchmarkSession is the same run with somebody who takes the trace 25 times a second and reads it.
func BenchmarkSession(b *testing.B) {
	done := int64(0)
	for b.Loop() {
		s, err := Start(fibonacci())
		if err != nil {
			b.Fatal(err)
		}
		g := store.NewGrowing()
		for {
			st := s.Status()
			if _, err := g.Write(s.Take()); err != nil {
				b.Fatal(err)
			}
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

// BenchmarkStep is one step forward of a run that stands still, with a look at what it holds.
func BenchmarkStep(b *testing.B) {
	s, err := Start(fibonacci())
	if err != nil {
		b.Fatal(err)
	}
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
