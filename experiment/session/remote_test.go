package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// An anySession is a Session or a Remote.
type anySession interface {
	TakeTrace() []byte
	Status() Status
	Do(Command)
	Snapshot() *experiment.Snapshot
}

// enough is how long a test waits before it fails: long enough for a busy machine.
const enough = 4 * time.Minute

// await takes the trace until ok returns true for the status.
func await(t testing.TB, s anySession, g *store.Growing, what string, ok func(Status) bool) Status {
	t.Helper()
	for end := time.Now().Add(enough); time.Now().Before(end); {
		st := s.Status()
		must.Get(g.Write(s.TakeTrace()))(t)
		if ok(st) {
			return st
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("no %s: %+v", what, s.Status())
	panic("unreachable")
}

func pausedAt(n int64) func(Status) bool {
	return func(s Status) bool { return s.State == Paused && s.Reductions == n }
}

func finished(s Status) bool { return s.State == Finished }

// served returns a remote session of r and the error of Serve.
func served(t testing.TB, r experiment.Run) (*Remote, <-chan error) {
	t.Helper()
	near, far := net.Pipe()
	end := make(chan error, 1)
	go func() { end <- new(Host).Serve(far) }()
	s := must.Get(Ask(near, r))(t)
	return s, end
}

func smallPascal() experiment.Run {
	r := experiment.Defaults("pascal")
	r.Args = []string{"20"}
	return r
}

func TestRemoteIsTheSession(t *testing.T) {
	r := smallPascal()
	whole := experimenttest.Trace(t, r)
	local := must.Get(Start(r))(t)
	remote, end := served(t, r)
	lg, rg := store.NewGrowing(), store.NewGrowing()
	for _, n := range []int64{5, 6, 100} {
		local.Do(Command{StepTo, n})
		remote.Do(Command{StepTo, n})
		a := await(t, local, lg, "pause", pausedAt(n))
		if b := await(t, remote, rg, "pause", pausedAt(n)); a != b {
			t.Errorf("at reduction %d: %+v, remote %+v", n, a, b)
		}
		if tracertest.Text(t, lg) != tracertest.Text(t, rg) || rg.Counts()[tracer.Reduce] != n {
			t.Errorf("at reduction %d the traces differ", n)
		}
		want := local.Snapshot()
		for end := time.Now().Add(enough); remote.Snapshot() == nil && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if got := remote.Snapshot(); want == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("at reduction %d: snapshot %+v, remote %+v", n, want, got)
		}
	}
	local.Do(Command{Do: Resume})
	remote.Do(Command{Do: Resume})
	a := await(t, local, lg, "end", finished)
	b := await(t, remote, rg, "end", finished)
	if a != b || b.Outcome != "done" || !rg.Ended() || tracertest.Text(t, rg) != tracertest.Text(t, whole) {
		t.Errorf("%+v, remote %+v, ended %v, or the trace is not the one of the run", a, b, rg.Ended())
	}
	remote.Wait()
	if err := <-end; err != nil {
		t.Error(err)
	}
	if d, err := remote.Await(); err != nil || !reflect.DeepEqual(d, local.Description()) {
		t.Errorf("description %+v %v", d, err)
	}
	if d, ok := remote.Description(); !ok || !reflect.DeepEqual(d, local.Description()) {
		t.Errorf("description %+v, want %+v", d, local.Description())
	}
	<-local.Done()
}

func TestRemoteThatCannotRun(t *testing.T) {
	remote, end := served(t, experiment.Defaults("pascall"))
	g := store.NewGrowing()
	if st := await(t, remote, g, "end", finished); !strings.Contains(st.Err, "did you mean") || st.Outcome != "failed" {
		t.Errorf("%+v", st)
	}
	remote.Wait()
	if err := <-end; err != nil {
		t.Error(err)
	}
}

// TestFirstCommands sends a command together with the run. The run executes it before it moves.
func TestFirstCommands(t *testing.T) {
	for range 20 {
		remote, end := served(t, smallPascal())
		remote.Do(Command{StepTo, 3})
		if st := await(t, remote, store.NewGrowing(), "pause", func(st Status) bool { return st.State != Running }); st.State != Paused || st.Reductions != 3 {
			t.Errorf("%+v", st)
		}
		remote.Close()
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
}

// TestViewerThatLeaves closes a Remote of Ask, whose session stops, and one of Attach, whose session goes on.
func TestViewerThatLeaves(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"400"}
	for _, leave := range []func(*Remote, net.Conn){
		func(s *Remote, _ net.Conn) { s.Close() },
		func(_ *Remote, c net.Conn) { c.Close() },
	} {
		near, far := net.Pipe()
		end := make(chan error, 1)
		go func() { end <- new(Host).Serve(far) }()
		s := must.Get(Ask(near, r))(t)
		await(t, s, store.NewGrowing(), "reduction", func(s Status) bool { return s.Reductions > 0 })
		leave(s, near)
		s.Wait()
		<-end // else the session goes on, which goleak detects
		if st := s.Status(); st.State != Finished || st.Err == "" {
			t.Errorf("%+v", st)
		}
	}
	for _, c := range []struct {
		leave func(*Remote)
		want  error
	}{{(*Remote).Close, nil}, {(*Remote).Replaced, ErrReplayed}} {
		session := must.Get(Start(smallPascal()))(t)
		near, far := net.Pipe()
		end := make(chan error, 1)
		session.Do(Command{StepTo, 50})
		go func() { end <- Feed(session, far) }()
		s := Attach(near)
		await(t, s, store.NewGrowing(), "pause", pausedAt(50))
		c.leave(s)
		s.Wait()
		if err := <-end; !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
		session.Do(Command{Do: Resume})
		<-session.Done()
		if session.Status().Outcome != "done" {
			t.Errorf("%+v", session.Status())
		}
	}
}

// TestRunThatIsCutOff breaks the connection. The trace is complete up to that moment.
func TestRunThatIsCutOff(t *testing.T) {
	session := must.Get(Start(smallPascal()))(t)
	near, far := net.Pipe()
	end := make(chan error, 1)
	go func() { end <- Feed(session, far) }()
	s := Attach(near)
	g := store.NewGrowing()
	session.Do(Command{StepTo, 60})
	await(t, s, g, "pause", pausedAt(60))
	far.Close()
	if st := await(t, s, g, "end", finished); !strings.Contains(st.Err, "cut off") || st.Outcome != "" || st.Reductions != 60 {
		t.Errorf("%+v", st)
	}
	if g.Ended() || g.Counts()[tracer.Reduce] != 60 || g.Missing().String() == "" {
		t.Errorf("ended %v, %v", g.Ended(), g.Counts())
	}
	s.Wait()
	if <-end == nil {
		t.Error("a broken connection is no error")
	}
	session.Close()
	<-session.Done()
}

// TestRunWaitsForItsViewer checks that a run does not get far ahead of a viewer that takes no part of the trace.
func TestRunWaitsForItsViewer(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"60"}
	session := must.Get(Start(r))(t)
	session.untaken = 2000
	near, far := net.Pipe()
	end := make(chan error, 1)
	go func() { end <- feedAhead(session, far, 1000) }()
	s := Attach(near)
	s.Status()
	time.Sleep(4 * flushEvery)
	if st := s.Status(); st.State == Finished {
		t.Errorf("finished with nothing taken: %+v", st)
	}
	g := store.NewGrowing()
	await(t, s, g, "end", finished)
	s.Wait()
	if err := <-end; err != nil || !g.Ended() {
		t.Errorf("ended %v, error %v", g.Ended(), err)
	}
	<-session.Done()
}

// TestUntakenWithinLimit checks that the part of a trace that a viewer has not taken leaves most of the memory limit to the run.
func TestUntakenWithinLimit(t *testing.T) {
	for _, c := range []struct{ limit, want int64 }{{0, maxUntaken}, {100 << 20, 100 << 20 / 8}, {1 << 40, maxUntaken}} {
		r := smallPascal()
		r.Limits.Memory = c.limit
		if got := newSession(r).untaken; int64(got) != c.want {
			t.Errorf("limit %d: %d bytes may lie untaken, want %d", c.limit, got, c.want)
		}
	}
}

// A script is a connection that sends fixed bytes and discards what it receives.
type script struct {
	io.Reader
	closed bool
}

func (s *script) Write(b []byte) (int, error) { return len(b), nil }
func (s *script) Close() error                { s.closed = true; return nil }

func TestRemoteOfNonsense(t *testing.T) {
	status := func(s string) []byte { return appendFrame(nil, frameStatus, []byte(s)) }
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{nil, "ended without a word"},
		{[]byte("S\x05\x00"), "ended without a word"},
		{[]byte("S\xff\xff\xff\xff"), "claims 4294967295 bytes"},
		{status("{"), `type 'S'`},
		{status(`{"state":9}`), "no state 9"},
		{appendFrame(nil, frameHello, []byte("[]")), `type 'H'`},
		{appendFrame(nil, frameSnapshot, []byte("7")), `type 'N'`},
		{append(appendFrame(nil, '?', []byte("of a later version")), status(`{"state":2,"error":"its own"}`)...), "its own"},
	} {
		conn := &script{Reader: bytes.NewReader(c.bytes)}
		s := Attach(conn)
		s.Wait()
		if _, err := s.Await(); err == nil {
			t.Errorf("%q: a greeting was received", c.bytes)
		}
		if st := s.Status(); st.State != Finished || !strings.Contains(st.Err, c.want) || !conn.closed {
			t.Errorf("%q: %+v", c.bytes, st)
		}
	}
}

// TestRemoteAfterTheRunIsKilled checks that frames which a killed run left in the pipe are received, although nothing can be sent.
func TestRemoteAfterTheRunIsKilled(t *testing.T) {
	in, run := io.Pipe()
	closed, out := io.Pipe()
	closed.Close()
	s := Attach(Pipes(in, out))
	s.Status() // begins
	for i := range 200 {
		part := fmt.Sprintf("part %d", i)
		if _, err := run.Write(appendFrame(nil, frameTrace, []byte(part))); err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		got := s.TakeTrace()
		for ; len(got) == 0 && s.Status().State != Finished; got = s.TakeTrace() {
			time.Sleep(time.Millisecond)
		}
		if string(got) != part {
			t.Errorf("received %q, want %q", got, part)
		}
	}
	run.Close()
	s.Wait()
	if st := s.Status(); st.State != Finished || !strings.Contains(st.Err, "ended without a word") {
		t.Errorf("%+v", st)
	}
}

func TestServeOfNonsense(t *testing.T) {
	description := must.Get(json.Marshal(experiment.Defaults("pascal")))(t)
	asked := appendFrame(nil, frameRun, description)
	for _, c := range []struct {
		bytes string
		want  string // of the error; "" for none
	}{
		{"", ""},
		{string(appendFrame(nil, frameClose, nil)), ""},
		{string(appendFrame(nil, frameRun, []byte("{"))), `type 'R'`},
		{string(appendFrame(nil, frameRun, nil))[:3], "unexpected EOF"},
		{string(asked) + string(appendFrame(nil, frameCommand, []byte(`{"do":0}`))) + string(appendFrame(nil, frameCommand, []byte(`"stop"`))), `type 'C'`},
		{string(asked) + string(appendFrame(nil, frameCommand, []byte(`{"do":0}`))) + string(appendFrame(nil, frameTaken, []byte(`99999999`))), "more was taken"},
	} {
		conn := &script{Reader: strings.NewReader(c.bytes)}
		err := new(Host).Serve(conn)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.bytes, err, c.want)
		}
	}
}

func FuzzRemote(f *testing.F) {
	f.Add(appendFrame(nil, frameTrace, []byte("x")))
	f.Add(appendFrame(appendFrame(nil, frameHello, []byte(`{"run":{"program":"pascal"}}`)), frameStatus, []byte(`{"state":1,"reductions":5}`)))
	f.Add(appendFrame(nil, frameSnapshot, []byte(`{"reductions":5,"pes":[{"pe":0,"queue":[]}]}`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := Attach(&script{Reader: bytes.NewReader(b)})
		s.Wait()
		if st := s.Status(); st.State != Finished {
			t.Fatalf("%+v", st)
		}
		if len(s.TakeTrace()) > len(b) {
			t.Fatal("more is taken than came")
		}
	})
}

func FuzzFeed(f *testing.F) {
	f.Add(appendFrame(nil, frameCommand, []byte(`{"do":3,"n":5}`)))
	f.Add(appendFrame(appendFrame(nil, frameCommand, []byte(`{"do":4,"n":-9223372036854775808}`)), frameTaken, []byte(`-1`)))
	f.Add(appendFrame(appendFrame(nil, frameCommand, []byte(`{"do":0}`)), frameClose, nil))
	r := experiment.Defaults("pascal")
	r.Args = []string{"4"}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := must.Get(Start(r))(t)
		_ = Feed(s, &script{Reader: bytes.NewReader(b)}) // must return; any error is allowed
		s.Close()
		<-s.Done()
		g := store.NewGrowing()
		if _, err := g.Write(s.TakeTrace()); err != nil && g.Counts()[tracer.Reduce] > 0 {
			t.Fatal(err)
		}
	})
}
