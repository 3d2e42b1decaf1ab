package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
)

// TestLiveSteppingIsExact steps a run on real cores. The run and the trace stand at the exact reduction, and the snapshot has each goal that has
// not ended.
func TestLiveSteppingIsExact(t *testing.T) {
	for _, policy := range []string{"on-demand", "round-robin", "breadth-first", "steal-half", "static"} {
		for _, pes := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/%d", policy, pes), func(t *testing.T) {
				r, m := pascal(t, "6", policy, "")
				r.Mode, r.PEs = experiment.Live, pes
				total := m.Counts()[tracer.Reduce]
				s := start(t, r)
				for _, n := range []int64{0, 1, 2, 5, 17, total / 2, total - 1} {
					st := s.stepTo(n)
					if got := s.g.Counts()[tracer.Reduce]; st.Reductions != n || got != n {
						t.Fatalf("stepped to %d, stands at %d, %d in the trace", n, st.Reductions, got)
					}
					snap := s.Snapshot()
					if snap == nil || snap.TotalPEs != pes || (snap.Central != nil) != (policy == "breadth-first") || snap.Reductions != n {
						t.Fatalf("%+v", snap)
					}
					account(t, s, snap)
				}
				s.Do(session.Command{Do: session.Resume})
				st := s.until(session.Finished)
				if st.Err != "" || st.Reductions != total || !strings.HasPrefix(st.Answer, "X = [[1,0],[6,0],") || !s.g.Ended() {
					t.Errorf("%+v", st)
				}
			})
		}
	}
}

// TestLiveSnapshot checks the goals, the variables and the states of PEs in a snapshot.
func TestLiveSnapshot(t *testing.T) {
	src := filepath.Join(t.TempDir(), "p.fghc")
	program := "main :- p(X, Y), q(X), r(Y).\np(X, Y) :- s(X), s(Y).\ns(X) :- X = 1.\nq(1).\nr(1).\n"
	must.Do(t, os.WriteFile(src, []byte(program), 0o600))
	r := experiment.Defaults(src)
	r.Goal, r.PEs, r.Policy, r.Mode = "main", 1, "on-demand", experiment.Live
	s := start(t, r)
	s.stepTo(2)
	snap := s.Snapshot()
	pe := snap.PEs[0]
	got := fmt.Sprintf("%s; now %s", pe.Doing, pe.Current.Text)
	for _, g := range pe.Queue {
		got += fmt.Sprintf("; %s at %s:%d:%d", g.Text, filepath.Base(g.File), g.Line, g.Column)
	}
	if want := "busy; now s(X); s(Y) at p.fghc:2:18; q(X) at p.fghc:1:18; r(Y) at p.fghc:1:24"; got != want {
		t.Errorf("%s\nexpected %s", got, want)
	}
	r.Policy = "round-robin" // s(X) and s(Y) come after q(X) and r(Y); s(X) has woken q(X)
	s = start(t, r)
	s.stepTo(3)
	snap = s.Snapshot()
	got = ""
	for _, g := range snap.Waiting {
		got += fmt.Sprintf("%s for %s, line %d; ", g.Text, strings.Join(g.Waits, " "), g.Line)
	}
	if want := "r(Y) for Y, line 1; "; snap.Suspended != 1 || got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

func TestLiveSessionPausesAndStops(t *testing.T) {
	src := filepath.Join(t.TempDir(), "loop.fghc")
	must.Do(t, os.WriteFile(src, []byte("loop(N) :- M := N+1, loop(M).\n"), 0o600))
	r := experiment.Defaults(src)
	r.Goal, r.PEs, r.Mode = "loop(0), loop(1)", 2, experiment.Live
	s := start(t, r)
	for s.Status().Reductions == 0 {
		time.Sleep(time.Millisecond)
		s.receive()
	}
	s.Do(session.Command{Do: session.Pause})
	st := s.until(session.Paused)
	if got := s.g.Counts()[tracer.Reduce]; got != st.Reductions {
		t.Errorf("paused at %d reductions, %d in the trace", st.Reductions, got)
	}
	time.Sleep(50 * time.Millisecond)
	if n := s.receive(); n != 0 || s.Status() != st {
		t.Errorf("%d bytes came while the run was paused; %+v, then %+v", n, st, s.Status())
	}
	s.Do(session.Command{Do: session.Step, N: 111})
	if got := s.until(session.Paused); got.Reductions != st.Reductions+111 {
		t.Errorf("111 steps from %d lead to %d", st.Reductions, got.Reductions)
	}
	s.Do(session.Command{Do: session.Stop})
	end := s.until(session.Finished)
	if end.Outcome != "interrupted" || !s.g.Ended() {
		t.Errorf("%+v", end)
	}
	if c := s.g.Counts(); c[tracer.Reduce] != end.Reductions || c[tracer.Exit] != c[tracer.Init] || c[tracer.Exit] == 0 {
		t.Errorf("after %d reductions the trace has %v", end.Reductions, c)
	}
}
