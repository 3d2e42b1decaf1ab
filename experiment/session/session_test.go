package session_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// A taken session is one with the part of its trace that was taken.
type taken struct {
	*session.Session
	t testing.TB
	g *store.Growing
}

func start(t testing.TB, r experiment.Run) *taken {
	t.Helper()
	s := must.Get(session.Start(r))(t)
	t.Cleanup(func() { s.Close(); <-s.Done() })
	return &taken{s, t, store.NewGrowing()}
}

func (s *taken) receive() int {
	s.t.Helper()
	b := s.TakeTrace()
	must.Get(s.g.Write(b))(s.t)
	return len(b)
}

// enough is how long a test waits before it fails: long enough for a busy machine.
const enough = 4 * time.Minute

// until waits for a state and takes the whole trace until then.
func (s *taken) until(state session.State) session.Status {
	s.t.Helper()
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(time.Millisecond) {
		st := s.Status()
		s.receive()
		if st.State == state {
			s.receive()
			return st
		}
		if st.State == session.Finished {
			s.t.Fatalf("the session has finished: %+v", st)
		}
	}
	s.t.Fatalf("the session does not come to state %d: %+v", state, s.Status())
	panic("unreachable")
}

func (s *taken) stepTo(n int64) session.Status {
	s.t.Helper()
	s.Do(session.Command{Do: session.StepTo, N: n})
	return s.until(session.Paused)
}

// pascal returns a small run and its whole trace.
func pascal(t testing.TB, rows, policy, network string) (experiment.Run, *tracer.Memory) {
	t.Helper()
	r := experiment.Defaults("pascal")
	r.Args, r.Policy, r.Network = []string{rows}, policy, network
	p := must.Get(r.Resolve())(t)
	m := tracer.NewMemory()
	if res, err := p.Run(context.Background(), m, nil); err != nil || res.Err != nil {
		t.Fatal(err, res.Err)
	}
	return r, m
}

func TestSessionIsTheRun(t *testing.T) {
	r, m := pascal(t, "12", "on-demand", "")
	s := start(t, r)
	st := s.until(session.Finished)
	if !s.g.Ended() || tracertest.Text(t, s.g) != tracertest.Text(t, m) {
		t.Error("the trace of the session is not the one of the run")
	}
	if st.Err != "" || st.Outcome != "done" || st.Answer == "" || st.Reductions != m.Counts()[tracer.Reduce] || st.Virtual == 0 {
		t.Errorf("%+v", st)
	}
	s.Do(session.Command{Do: session.Step, N: 1}) // has no effect after the end
	<-s.Done()
	if got := s.Status(); got != st || s.receive() != 0 {
		t.Errorf("%+v after the end", got)
	}
	if r := s.Result(); r == nil || r.Outcome != tracer.Done || r.Machine.Steps == 0 {
		t.Errorf("result %+v", r)
	}
}

// TestSteppingIsExact steps to several reductions. The trace is a prefix of the whole trace, and the state does not depend on the earlier steps.
func TestSteppingIsExact(t *testing.T) {
	for _, c := range [][2]string{{"on-demand", ""}, {"round-robin", ""}, {"breadth-first", ""}, {"steal-half", "mesh2d"}} {
		policy := c[0]
		r, m := pascal(t, "6", policy, c[1])
		all := tracertest.Events(t, m, tracer.AllKinds)
		total := m.Counts()[tracer.Reduce]
		walker := start(t, r)
		at := int64(0)
		for _, n := range []int64{0, 1, 2, 5, 17, total - 1} {
			jumper := start(t, r)
			st := jumper.stepTo(n)
			if st.Reductions != n {
				t.Fatalf("%s: stepped to %d, stands at %d", policy, n, st.Reductions)
			}
			es := tracertest.Events(t, jumper.g, tracer.AllKinds)
			if got := jumper.g.Counts()[tracer.Reduce]; got != n {
				t.Fatalf("%s: %d reductions in the trace after %d", policy, got, n)
			}
			if len(es) > len(all) || len(es) > 0 && !reflect.DeepEqual(es, all[:len(es)]) {
				t.Fatalf("%s: the trace at reduction %d is not the beginning of the whole one", policy, n)
			}
			for ; at < n; at++ {
				walker.Do(session.Command{Do: session.Step, N: 1})
				if st := walker.until(session.Paused); st.Reductions != at+1 {
					t.Fatalf("%s: one step from %d leads to %d", policy, at, st.Reductions)
				}
			}
			if n == 0 {
				walker.stepTo(0)
			}
			a, b := jumper.Snapshot(), walker.Snapshot()
			if a == nil || b == nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: the snapshot at reduction %d depends on the earlier steps:\n%+v\n%+v", policy, n, a, b)
			}
			account(t, jumper, a)
		}
		walker.Do(session.Command{Do: session.Resume})
		walker.until(session.Finished)
		if tracertest.Text(t, walker.g) != tracertest.Text(t, m) {
			t.Errorf("%s: a run that was stepped has another trace", policy)
		}
	}
}

// account compares the goals of a snapshot with those of the trace.
func account(t *testing.T, s *taken, snap *experiment.Snapshot) {
	t.Helper()
	live := 1 // the query is one goal
	for _, e := range tracertest.Events(t, s.g, tracer.AllKinds) {
		switch e.Kind {
		case tracer.Reduce:
			live += int(s.g.Dict().Code(e.Code).Children) - 1
		case tracer.End:
			live--
		}
	}
	held := snap.Suspended
	if snap.Central != nil {
		held += snap.Central.Length + snap.Central.Coming
	}
	for _, p := range snap.PEs {
		held += p.Length + p.Coming
		if p.Current != nil {
			held++
		}
	}
	if held != live {
		t.Errorf("at reduction %d the snapshot has %d goals, the trace has %d", snap.Reductions, held, live)
	}
}

func TestSnapshotNamesGoalsAndVariables(t *testing.T) {
	src := filepath.Join(t.TempDir(), "p.fghc")
	program := "main :- true | p(X, Y), q(X), r(Y).\np(X, Y) :- true | s(X), s(Y).\ns(X) :- true | X = 1.\nq(1) :- true | true.\nr(1) :- true | true.\n"
	must.Do(t, os.WriteFile(src, []byte(program), 0o600))
	r := experiment.Defaults(src)
	r.Goal, r.PEs, r.Policy = "main", 1, "round-robin"
	s := start(t, r)
	s.stepTo(2)
	snap := s.Snapshot()
	var lines []string
	for _, p := range snap.PEs {
		for _, g := range p.Queue {
			lines = append(lines, fmt.Sprintf("PE %d %s %s:%d:%d", p.PE, g.Text, filepath.Base(g.File), g.Line, g.Column))
		}
	}
	for _, g := range snap.Waiting {
		lines = append(lines, fmt.Sprintf("waits %s for %s on PE %d, line %d", g.Text, strings.Join(g.Waits, " "), g.PE, g.Line))
	}
	got := strings.Join(lines, "\n")
	t.Log("\n" + got)
	for _, want := range []string{"PE 0 q(X)", "PE 0 r(Y)", "PE 0 s(X)", "p.fghc:2:25"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	s.stepTo(3)
	snap = s.Snapshot()
	if snap.Suspended == 0 || len(snap.Waiting) != snap.Suspended || len(snap.Waiting[0].Waits) != 1 {
		t.Errorf("suspended %+v", snap.Waiting)
	}
	if s.Do(session.Command{Do: session.Resume}); s.until(session.Finished).Err != "" {
		t.Error(s.Status().Err)
	}
}

func TestSessionPausesAndGoesOn(t *testing.T) {
	r := experiment.Defaults("loop.fghc")
	r.Text, r.Goal = "loop(N) :- M := N+1, loop(M).\n", "loop(0)" // never ends, so that the pause always comes in time
	s := start(t, r)
	for s.Status().Reductions == 0 {
		time.Sleep(time.Millisecond)
	}
	if s.Snapshot() != nil && s.Status().State == session.Running {
		t.Error("a snapshot of a run that moves")
	}
	s.Do(session.Command{Do: session.Pause})
	st := s.until(session.Paused)
	if s.g.Ended() || s.g.Counts()[tracer.Reduce] != st.Reductions {
		t.Errorf("paused at %d reductions, the trace has %d", st.Reductions, s.g.Counts()[tracer.Reduce])
	}
	time.Sleep(60 * time.Millisecond)
	if n := s.receive(); n != 0 || s.Status() != st {
		t.Errorf("%d bytes came while the run was paused; %+v, then %+v", n, st, s.Status())
	}
	s.Do(session.Command{Do: session.Step, N: 100})
	s.Do(session.Command{Do: session.Step, N: 11}) // steps add up
	if got := s.until(session.Paused); got.Reductions != st.Reductions+111 {
		t.Errorf("111 steps from %d lead to %d", st.Reductions, got.Reductions)
	}
	if got := s.stepTo(3); got.Reductions != st.Reductions+111 { // reduction 3 has passed
		t.Errorf("a step back leads to %d", got.Reductions)
	}
	s.Do(session.Command{Do: session.Resume})
	s.Do(session.Command{Do: session.Stop})
	end := s.until(session.Finished)
	if end.Outcome != "interrupted" || end.Err != "stopped" || !s.g.Ended() {
		t.Errorf("%+v", end)
	}
	if c := s.g.Counts(); c[tracer.Reduce] != end.Reductions || c[tracer.Exit] != c[tracer.Init] || c[tracer.Exit] == 0 {
		t.Errorf("after %d reductions the trace has %v", end.Reductions, c)
	}
}

func TestSessionThatIsClosed(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"300"}
	for _, before := range []func(s *taken){
		func(*taken) {},
		func(s *taken) { s.Status() },
		func(s *taken) { s.stepTo(10) },
	} {
		s := start(t, r)
		before(s)
		s.Close()
		<-s.Done()
		if s.receive(); !s.g.Ended() || s.Status().Outcome != "interrupted" {
			t.Errorf("closed: %+v", s.Status())
		}
	}
}

func TestSessionOfAFailure(t *testing.T) {
	src := filepath.Join(t.TempDir(), "stuck.fghc")
	must.Do(t, os.WriteFile(src, []byte("p(X, Y) :- true | q(X), q(Y), X = 1.\nq(1) :- true | true.\n"), 0o600))
	r := experiment.Defaults(src)
	r.Goal = "p(A, B)"
	s := start(t, r)
	st := s.until(session.Finished)
	if st.Outcome != "failed" || !strings.Contains(st.Err, "deadlock") || st.Answer != "A = 1" {
		t.Errorf("%+v", st)
	}
	<-s.Done()
	snap := s.Snapshot()
	if snap == nil || len(snap.Waiting) != 1 || snap.Waiting[0].Text != "q(B)" || !reflect.DeepEqual(snap.Waiting[0].Waits, []string{"B"}) {
		t.Errorf("%+v", snap)
	}
	if _, err := session.Start(experiment.Defaults("no/such")); err == nil {
		t.Error("a session of an unknown program starts")
	}
}

// TestSessionRecordsTwice compares the second trace that a session records with the trace of a run without a session.
func TestSessionRecordsTwice(t *testing.T) {
	dir := t.TempDir()
	r := experiment.Defaults("pascal")
	r.Args = []string{"20"}
	read := func(name string, run func(rec *store.Writer)) []byte {
		path := filepath.Join(dir, name)
		rec := must.Get(open.Create(path))(t)
		run(rec)
		return must.Get(os.ReadFile(path))(t)
	}
	alone := read("alone.whorl", func(rec *store.Writer) {
		p := must.Get(r.Resolve())(t)
		must.Get(p.Run(context.Background(), rec, nil))(t)
		must.Do(t, rec.Close())
	})
	beside := read("beside.whorl", func(rec *store.Writer) {
		p := must.Get(r.Resolve())(t)
		s := &taken{session.New(p, rec), t, store.NewGrowing()}
		s.stepTo(3)
		s.stepTo(77)
		s.Do(session.Command{Do: session.Resume})
		s.until(session.Finished)
		<-s.Done()
		if whole, err := store.Open(filepath.Join(dir, "alone.whorl")); err != nil || tracertest.Text(t, whole) != tracertest.Text(t, s.g) {
			t.Errorf("the two traces differ (%v)", err)
		}
	})
	if !bytes.Equal(alone, beside) {
		t.Errorf("the file beside a session has %d bytes, that of the run %d, or they differ", len(beside), len(alone))
	}
}
