package documents

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// TestRuns checks that the trace of a run grows and that runs that end at the same time are reported in the order of their names.
func TestRuns(t *testing.T) {
	s := Set{Runner: &runner{t: t}}
	for _, name := range []string{"c", "a", "b"} {
		d := must.Get(s.Start(experiment.Run{}))(t)
		s.Add(name, d)
	}
	var names []string
	for _, d := range pumpAll(t, &s) {
		names = append(names, d.Name)
		if !d.Live.Over || d.Live.Status.Answer != "X = 1" || d.Live.Status.Reductions != 5 || d.Source.Counts()[tracer.Reduce] != 5 {
			t.Errorf("%s ends with %+v and %d reductions", d.Name, d.Live.Status, d.Source.Counts()[tracer.Reduce])
		}
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("the runs end in the order %q", names)
	}
}

// TestFirstPart checks that the first bytes of a run that began before its window are a part, and that those of a trace that is not shown wait.
func TestFirstPart(t *testing.T) {
	l := &Live{session: &script{pieces: [][]byte{make([]byte, 2*firstPart), {1}, {2}}}}
	for i, c := range []struct {
		shown bool
		now   time.Duration
		want  int
	}{{false, 1, firstPart}, {false, 2, 0}, {true, 3, firstPart + 2}, {false, 4 + firstWait, 0}} {
		if b := l.part(c.shown, c.now); len(b) != c.want {
			t.Errorf("part %d has %d bytes, want %d", i, len(b), c.want)
		}
	}
}

// TestMerged checks what views get of a run with two streams: their merged part while events come, and everything when it is quiet or has ended.
func TestMerged(t *testing.T) {
	var file bytes.Buffer
	w := store.New(&file)
	a, b := w.Stream(tracer.StreamInfo{}), w.Stream(tracer.StreamInfo{})
	running := &script{}
	s := Set{}
	d := new(Set).NewLive(running, experiment.Run{})
	s.Add("run", d)
	wait := func(now time.Duration) {
		s.Pump(now)
		for d.Live.merging.Load() {
			time.Sleep(time.Millisecond)
		}
		s.Pump(now)
	}
	pump := func(now time.Duration) {
		running.pieces = [][]byte{bytes.Clone(file.Bytes()), nil, nil}
		file.Reset()
		d.Fed.Events = 1 // it is shown
		wait(now)
	}
	record := func(s *tracer.Stream, time int64) {
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: time}
		must.Do(t, w.Flush())
	}
	last := d.Revision()
	check := func(when string, streams int, marks int64) {
		t.Helper()
		if rev := d.Revision(); rev <= last {
			t.Errorf("%s: revision %d after %d", when, rev, last)
		} else {
			last = rev
		}
		src := d.Live.Trace.Merged()
		if len(src.Streams()) != streams || src.Counts()[tracer.Mark] != marks {
			t.Errorf("%s: %d streams with %d marks, want %d with %d", when, len(src.Streams()), src.Counts()[tracer.Mark], streams, marks)
		}
	}
	record(a, 1)
	record(a, 2)
	record(b, 2)
	pump(time.Second)
	check("running", 1, 1)
	pump(time.Second + quiet)
	check("quiet", 1, 3)
	record(b, 3)
	pump(2*time.Second + quiet)
	check("running again", 1, 3)
	record(a, 4)
	must.Do(t, w.Close())
	pump(2*time.Second + quiet)
	check("at the end", 1, 5)
	running.pieces = nil
	if wait(2*time.Second + quiet); !d.Live.Over {
		t.Error("the run is not over")
	}
}

// TestMergedEnd checks that the end of a paused run brings the events that waited for their cause, although no event comes with it.
func TestMergedEnd(t *testing.T) {
	var file bytes.Buffer
	w := store.New(&file)
	a, b := w.Stream(tracer.StreamInfo{}), w.Stream(tracer.StreamInfo{})
	*a.Slot() = tracer.Event{Kind: tracer.Fork, Time: 1, Task: 1, Peer: tracer.None}
	*b.Slot() = tracer.Event{Kind: tracer.Start, Time: 2, Task: 2, Peer: 0} // without a Fork
	must.Do(t, w.Flush())
	l := new(Set).NewLive(&script{}, experiment.Run{}).Live
	l.Status.State = session.Paused
	merged := func() int64 {
		must.Get(l.Trace.Write(file.Bytes()))(t)
		file.Reset()
		for !l.merge(0) {
			time.Sleep(time.Millisecond)
		}
		return l.Trace.Merged().Counts()[tracer.Start]
	}
	if n := merged(); n != 0 {
		t.Errorf("%d starts without a fork are merged before the end", n)
	}
	must.Do(t, w.Close())
	if n := merged(); n != 1 {
		t.Errorf("%d starts are merged at the end, want 1", n)
	}
}

// TestGoTo checks that a run goes forward by a command, and back by a new run in its place, of which its session is notified.
func TestGoTo(t *testing.T) {
	r := &runner{t: t}
	s := Set{Runner: r}
	d := must.Get(s.Start(experiment.Run{}))(t)
	s.Add("run", d)
	if err := s.GoTo(d, 7, 0); err != nil || len(r.started) != 1 || len(r.started[0].commands) != 1 || r.started[0].commands[0].N != 7 {
		t.Fatalf("forward: %v, %d runs, commands %v", err, len(r.started), r.started[0].commands)
	}
	pumpAll(t, &s)
	before := d.Revision()
	if err := s.GoTo(d, 2, 0); err != nil || len(r.started) != 2 || r.started[0].closed != 1 || r.started[1].commands[0].N != 2 {
		t.Fatalf("back: %v, %d runs, the first was closed %d times", err, len(r.started), r.started[0].closed)
	}
	if d.Revision() == before || d.Live.Over {
		t.Error("the document still has the old run")
	}
	d.Live.session = replacedScript{r.started[1]}
	d.Live.Over = true
	if err := s.GoTo(d, 1, 0); err != nil || r.started[1].replaced != 1 || r.started[1].closed != 0 {
		t.Errorf("%v: the session was replaced %d times and closed %d times", err, r.started[1].replaced, r.started[1].closed)
	}
	r.err = errors.New("it does not start")
	d.Live.Over = true
	if err := s.GoTo(d, 1, 0); err == nil {
		t.Error("an error of the runner is lost")
	}
	s.Runner = nil
	if err := s.GoTo(d, 1, 0); err == nil {
		t.Error("no error for a step back without a runner")
	}
	if _, err := s.Start(experiment.Run{}); err == nil {
		t.Error("no error for a start without a runner")
	}
}

type replacedScript struct{ *script }

func (s replacedScript) Replaced() { s.replaced++ }

// TestBrokenRun checks that invalid bytes of a run are reported once.
func TestBrokenRun(t *testing.T) {
	var s Set
	s.Add("broken", new(Set).NewLive(&script{pieces: [][]byte{[]byte("nonsense, and more of it"), []byte("again"), nil}}, experiment.Run{}))
	n := 0
	for now := range time.Duration(10) {
		n += len(s.Pump(now * time.Minute).Errors)
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
}

// loaded waits for all files.
func loaded(s *Set) (all []Loaded) {
	for s.Loading() {
		all = append(all, s.Receive()...)
		time.Sleep(time.Millisecond)
	}
	return all
}

// textFile returns a file with a text. Read waits for gate if it is not nil.
func textFile(name, text string, gate chan struct{}) *File {
	return &File{Name: name, Size: int64(len(text)), Read: func() (io.ReadCloser, error) {
		if gate != nil {
			<-gate
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}
