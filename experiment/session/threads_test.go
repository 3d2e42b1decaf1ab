package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// stepsIn returns the number of forks and joins in a trace. For a live run it counts those begun, for a simulated run those done.
func stepsIn(t *testing.T, s *taken, mode experiment.Mode) (n int64) {
	for _, e := range tracertest.Events(t, s.g, tracer.AllKinds) {
		switch {
		case e.Kind == tracer.Fork:
			n++
		case mode == experiment.Live && (e.Kind == tracer.JoinBegin || e.Kind == tracer.Start && e.Peer == tracer.Inline):
			n++
		case mode != experiment.Live && e.Kind == tracer.JoinEnd:
			n++
		}
	}
	return n
}

// threadsOf returns the threads of a trace that have not ended, including the main thread.
func threadsOf(t *testing.T, s *taken) map[uint64]bool {
	alive := map[uint64]bool{1: true}
	for _, e := range tracertest.Events(t, s.g, tracer.AllKinds) {
		switch e.Kind {
		case tracer.Fork:
			alive[e.Task] = true
		case tracer.End:
			delete(alive, e.Task)
		}
	}
	return alive
}

var threadPolicies = []string{"on-demand", "steal-half", "random", "breadth-first", "static"}

// TestThreadsAreStepped steps runs of threads to exact forks and joins in both modes. The trace has the same number, the snapshot shows threads that
// have not ended, and the answer is right.
func TestThreadsAreStepped(t *testing.T) {
	for _, mode := range []experiment.Mode{experiment.Sim, experiment.Live} {
		for _, policy := range threadPolicies {
			for _, pes := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/%s/%d", mode, policy, pes), func(t *testing.T) {
					r := experiment.Defaults("dts/nqueens")
					r.Args, r.Mode, r.Policy, r.PEs = []string{"6", "2"}, mode, policy, pes
					const total = 2 * (6 + 20) // a fork and a join of each placement of one queen and of two
					s := start(t, r)
					for _, n := range []int64{0, 1, 2, 7, total / 2, total - 1} {
						st := s.stepTo(n)
						if got := stepsIn(t, s, mode); st.Reductions != n || got != n || !st.Steps {
							t.Fatalf("stepped to %d: %+v, %d in the trace", n, st, got)
						}
						snap := s.Snapshot()
						if snap == nil || snap.TotalPEs != pes || snap.Reductions != n || n > 0 && len(snap.PEs) != pes {
							t.Fatalf("%+v", snap)
						}
						accountThreads(t, s, snap, mode)
					}
					s.Do(session.Command{Do: session.Step, N: 1})
					if st := s.until(session.Paused); st.Reductions != total {
						t.Errorf("%+v", st)
					}
					s.Do(session.Command{Do: session.Resume})
					st := s.until(session.Finished)
					if st.Err != "" || st.Outcome != "done" || st.Answer != "4" || st.Reductions != total || !s.g.Ended() {
						t.Errorf("%+v", st)
					}
				})
			}
		}
	}
}

// accountThreads compares a snapshot with the trace: each thread is shown once and has not ended. A simulated run shows all threads except those
// that move between PEs. A live run does not show threads on whose stacks other threads run.
func accountThreads(t *testing.T, s *taken, snap *experiment.Snapshot, mode experiment.Mode) {
	t.Helper()
	alive := threadsOf(t, s)
	shown, coming := map[uint64]bool{}, 0
	show := func(ps ...experiment.Pending) {
		for _, p := range ps {
			if !alive[p.Task] || shown[p.Task] {
				t.Errorf("at %d thread %d is shown, alive %v, before %v", snap.Reductions, p.Task, alive[p.Task], shown[p.Task])
			}
			if shown[p.Task] = true; p.File == "" || p.Line == 0 || !strings.HasPrefix(p.Text, "threads.") {
				t.Errorf("%+v", p)
			}
		}
	}
	queues := snap.PEs
	if snap.Central != nil {
		queues = append(queues[:len(queues):len(queues)], *snap.Central)
	}
	for _, q := range queues {
		if q.Current != nil {
			show(*q.Current)
		}
		show(q.Queue...)
		coming += q.Coming
		if q.Length != len(q.Queue) {
			t.Errorf("PE %d: %d of %d", q.PE, len(q.Queue), q.Length)
		}
	}
	show(snap.Waiting...)
	for _, p := range snap.Waiting {
		if len(p.Waits) != 1 || !strings.Contains(p.Waits[0], ", thread ") {
			t.Errorf("%+v", p)
		}
	}
	if len(snap.Waiting) != snap.Suspended || mode != experiment.Live && snap.Reductions > 0 && len(shown)+coming != len(alive) {
		t.Errorf("at %d: %d shown, %d coming, %d alive", snap.Reductions, len(shown), coming, len(alive))
	}
}

// TestThreadsPauseAndStop pauses a run of threads, steps it further than a slice, and stops it. During a pause it records nothing and its clock
// stops.
func TestThreadsPauseAndStop(t *testing.T) {
	const far = 17_000
	for _, mode := range []experiment.Mode{experiment.Sim, experiment.Live} {
		for _, policy := range []string{"on-demand", "breadth-first"} {
			t.Run(fmt.Sprintf("%s/%s", mode, policy), func(t *testing.T) {
				r := experiment.Defaults("dts/fibonacci") // forks 35,379 threads
				r.Args, r.Mode, r.Policy, r.PEs = []string{"20"}, mode, policy, 3
				if mode == experiment.Live { // seconds of computing
					r.Program, r.Args = "dts/stencil", []string{"1000", "2000", "1000"}
				}
				s := start(t, r)
				if mode == experiment.Live {
					for s.Status().Virtual == 0 {
						time.Sleep(time.Millisecond)
						s.receive()
					}
				} else {
					s.stepTo(1000)
				}
				s.Do(session.Command{Do: session.Pause})
				st := s.until(session.Paused)
				if got := stepsIn(t, s, mode); got != st.Reductions || st.Virtual == 0 {
					t.Errorf("%+v, %d steps in the trace", st, got)
				}
				time.Sleep(30 * time.Millisecond)
				if n := s.receive(); n != 0 || s.Status() != st {
					t.Errorf("%d bytes came while the run was paused; %+v, then %+v", n, st, s.Status())
				}
				s.Do(session.Command{Do: session.Step, N: 111})
				if got := s.until(session.Paused); got.Reductions != st.Reductions+111 || stepsIn(t, s, mode) != got.Reductions {
					t.Errorf("111 steps from %d lead to %d", st.Reductions, got.Reductions)
				}
				if mode == experiment.Live { // the current step is unknown
					s.Do(session.Command{Do: session.Resume})
					time.Sleep(10 * time.Millisecond)
				}
				to := st.Reductions + far
				got := s.stepTo(to)
				if at := stepsIn(t, s, mode); got.Reductions != at || at < to || mode == experiment.Sim && at != to {
					t.Errorf("sent to %d, at %d, %d in the trace", to, got.Reductions, at)
				}
				to = got.Reductions + far
				if got = s.stepTo(to); got.Reductions != to || stepsIn(t, s, mode) != to {
					t.Errorf("sent to %d: %+v", to, got)
				}
				s.Do(session.Command{Do: session.Stop})
				end := s.until(session.Finished)
				if c := s.g.Counts(); end.Outcome != "interrupted" || !s.g.Ended() || c[tracer.Exit] != c[tracer.Init] || c[tracer.Exit] == 0 || stepsIn(t, s, mode) < to {
					t.Errorf("%+v; the trace has %v", end, c)
				}
			})
		}
	}
}

// TestSteppedThreadsAreTheRun compares the trace of a stepped simulated run with that of a run without steps.
func TestSteppedThreadsAreTheRun(t *testing.T) {
	r := experiment.Defaults("dts/nqueens")
	r.Args = []string{"6", "2"}
	p := must.Get(r.Resolve())(t)
	m := tracer.NewMemory()
	if res, err := p.Run(t.Context(), m, nil); err != nil || res.Err != nil {
		t.Fatal(err, res)
	}
	s := start(t, r)
	for n := int64(1); n <= 40; n += 3 {
		s.stepTo(n)
	}
	s.Do(session.Command{Do: session.Resume})
	s.until(session.Finished)
	if tracertest.Text(t, s.g) != tracertest.Text(t, m) {
		t.Error("the trace is another one")
	}
}

// TestGoalsAreSteppedFar steps a live run of goals further than a slice.
func TestGoalsAreSteppedFar(t *testing.T) {
	r := experiment.Defaults("fghc/primes")
	r.Args, r.Mode, r.PEs = []string{"4000"}, experiment.Live, 2
	s := start(t, r)
	if st := s.stepTo(30_000); st.Reductions != 30_000 {
		t.Errorf("%+v", st)
	}
}

// TestThreadsStop stops a session directly after it has begun.
func TestThreadsStop(t *testing.T) {
	r := experiment.Defaults("dts/rsa")
	r.Mode, r.Args = experiment.Live, []string{"1000", "2048"}
	s := must.Get(session.Start(r))(t)
	s.Status()
	s.Do(session.Command{Do: session.Stop})
	<-s.Done()
	if result := s.Result(); result.Outcome != tracer.Interrupted {
		t.Errorf("stopped: %v, %v", result.Outcome, result.Err)
	}
}
