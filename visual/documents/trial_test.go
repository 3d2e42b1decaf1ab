package documents

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
)

// TestTrial: a trial takes the place of the recorded run when it has ended; Restore brings the recorded run back with its data.
func TestTrial(t *testing.T) {
	run := &runner{t: t}
	s := Set{Runner: run}
	d := New(reductions(3))
	s.Add("a", d)
	d.Supply(0)
	recorded, data, rev := d.Source, d.Data, d.Revision()
	for k := range 2 {
		must.Do(t, s.Try(d, experiment.Run{PEs: 7}, 0))
		if !d.Trying() || k == 0 && d.Source != recorded {
			t.Fatal("a trial is shown before it has recorded anything")
		}
		for d.Trying() {
			s.Pump(0)
		}
		if d.Before() == nil || d.Before().Source != recorded || d.Run.PEs != 7 || d.Source.Counts()[tracer.Reduce] != 5 || d.Revision() == rev {
			t.Fatalf("the trial shows %+v", d)
		}
		d.Supply(0)
		rev = d.Revision()
	}
	if run.started[0].closed != 1 || run.started[1].closed != 0 {
		t.Errorf("of two trials, the first was closed %d times and the second %d times", run.started[0].closed, run.started[1].closed)
	}
	d.Restore()
	if d.Source != recorded || d.Data != data || d.Live != nil || d.Run != nil || d.Before() != nil || d.Fed.Revision != d.Revision() || run.started[1].closed != 1 {
		t.Errorf("the recorded run comes back as %+v", d)
	}
	must.Do(t, s.Try(d, experiment.Run{}, 0))
	must.Do(t, s.Try(d, experiment.Run{}, 0))
	if run.started[2].closed != 1 {
		t.Error("a trial that is not shown yet goes on after a later one has begun")
	}
	d.Restore()
	if d.Trying() || run.started[3].closed != 1 {
		t.Error("Restore does not stop a trial that is not shown yet")
	}
}

// A preparing is a runner that counts the calls of Prepare, and the calls of its sessions.
type preparing struct{ prepared, asked int }

func (r *preparing) Prepare()                            { r.prepared++ }
func (r *preparing) Run(experiment.Run) (Session, error) { return &asked{r: r}, nil }

type asked struct {
	script
	r *preparing
}

func (a *asked) Status() session.Status {
	a.r.asked++
	return session.Status{}
}

// TestTrialBeginsAtOnce: Try begins the run, which a session does with the first call of Status; Prepare reaches a runner that prepares, and does nothing
// with another one.
func TestTrialBeginsAtOnce(t *testing.T) {
	r := &preparing{}
	s := Set{Runner: r}
	s.Prepare()
	d := New(reductions(3))
	s.Add("a", d)
	must.Do(t, s.Try(d, experiment.Run{}, 0))
	if r.prepared != 1 || r.asked != 1 {
		t.Errorf("the runner was prepared %d times, and its session asked %d times, want 1 and 1", r.prepared, r.asked)
	}
	(&Set{Runner: failingRunner{}}).Prepare()
	(&Set{}).Prepare()
}

// A failing is a session that ends without events.
type failing struct{ script }

func (*failing) Status() session.Status {
	return session.Status{State: session.Finished, Err: "no such machine"}
}

type failingRunner struct{}

func (failingRunner) Run(experiment.Run) (Session, error) { return &failing{}, nil }

// TestRefusedTrial: a trial that records nothing leaves everything as it is, and its error is kept.
func TestRefusedTrial(t *testing.T) {
	s := Set{Runner: failingRunner{}}
	d := New(reductions(3))
	s.Add("a", d)
	must.Do(t, s.Try(d, experiment.Run{}, 0))
	s.Pump(2 * trialPatience)
	if d.Trying() || d.Before() != nil || d.Refused != "no such machine" {
		t.Errorf("after the failure: trying %v, refused %q", d.Trying(), d.Refused)
	}
}

// TestLongTrial: a trial that goes on is shown while it grows.
func TestLongTrial(t *testing.T) {
	long := scripted(t, 5)
	long.pieces = append(long.pieces, nil, nil, nil)
	s := Set{Runner: sessions{long}}
	d := New(reductions(3))
	s.Add("a", d)
	must.Do(t, s.Try(d, experiment.Run{}, time.Second))
	s.Pump(time.Second)
	s.Pump(time.Second + trialPatience)
	if d.Before() == nil || d.Live.Over {
		t.Error("a long trial is not shown while it grows")
	}
}

// A replayer reads the programs in traces.
type replayer struct{ failingRunner }

func (replayer) Read(src tracer.Source, name string) (experiment.Run, func(), error) {
	run, err := experiment.ReplayOf(context.Background(), src, name)
	return run, func() {}, err
}

func (replayer) Rank(ctx context.Context, r experiment.Run, watch func(over, all int)) (int64, []*experiment.Gain, error) {
	return experiment.WhatIf(ctx, r, r.Recorded.Parts(10), watch)
}

type sessions []Session

func (s sessions) Run(experiment.Run) (Session, error) { return s[0], nil }

func TestRepeat(t *testing.T) {
	s := Set{Runner: replayer{}}
	pascal := must.Get(experiment.Defaults("fghc/pascal").Resolve())(t)
	files, goal, _ := pascal.FGHC()
	own := []tracer.SourceFile{{Name: files[0].Name, Text: files[0].Text}}
	for _, c := range []struct {
		name string
		meta tracer.Meta
		want string // the command, or the reason
	}{
		{"benchmark", tracer.Meta{Substrate: "fghc", Mode: "sim", Program: "fghc/pascal", Args: pascal.Description.Args, Goal: goal, PEs: 5, Policy: "steal", Machine: "symmetry", Network: "bus", Seed: 2, Source: own}, "whorl run fghc/pascal 35 --pes 5 --policy steal --seed 2 --machine symmetry"},
		{"benchmark with a goal", tracer.Meta{Substrate: "fghc", Mode: "sim", Program: "fghc/pascal", Goal: "p", PEs: 5, Policy: "steal", Machine: "symmetry", Network: "ring", Source: own}, "whorl run fghc/pascal --goal p --pes 5 --policy steal --seed 0 --machine symmetry --net ring"},
		{"threads", tracer.Meta{Substrate: "dts", Mode: "sim", Program: "dts/fibonacci", Args: []string{"9"}, PEs: 2, Policy: "steal", Machine: "cluster"}, "whorl run dts/fibonacci 9 --pes 2 --policy steal --seed 0 --machine cluster"},
		{"text", tracer.Meta{Substrate: "fghc", Mode: "sim", Program: "p.fghc", PEs: 1, Policy: "steal", Machine: "symmetry", Goal: "p", Source: []tracer.SourceFile{{Name: "p.fghc", Text: "p."}}}, "whorl run p.fghc --goal p --pes 1 --policy steal --seed 0 --machine symmetry"},
		{"live", tracer.Meta{Substrate: "fghc", Mode: "live", Program: "fghc/pascal"}, "on real cores"},
		{"profile", tracer.Meta{Substrate: "pprof"}, "cannot be replayed"},
		{"no text", tracer.Meta{Substrate: "fghc", Mode: "sim", Program: "p.fghc"}, "does not have the whole text"},
		{"machine file", tracer.Meta{Substrate: "dts", Mode: "sim", Program: "dts/fibonacci", PEs: 2, Policy: "steal", Machine: "mine"}, "unknown machine"},
	} {
		m := reductions(3)
		m.SetMeta(c.meta)
		d := New(m)
		r, err := s.Repeat(d)
		for errors.Is(err, ErrReading) {
			<-d.recorded.done
			r, err = s.Repeat(d)
		}
		got := r.Command("")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	goes := new(Set).NewLive(&script{}, experiment.Run{})
	if _, err := s.Repeat(goes); err == nil || !strings.Contains(err.Error(), "goes on") {
		t.Errorf("of a run that goes on: %v", err)
	}
}

// TestRecording: the file of a trace stays open until the document and the one of its recorded run are closed.
func TestRecording(t *testing.T) {
	closed := 0
	s := Set{Runner: &runner{t: t}}
	d := New(reductions(3))
	d.Path, d.close = "a.whorl", func() error { closed++; return nil }
	s.Add("a", d)
	recorded := d.Source
	must.Do(t, s.Try(d, experiment.Run{}, 0))
	for d.Trying() {
		s.Pump(0)
	}
	c := d.Recording()
	s.Add("b", c)
	if c.Source != recorded || c.Path != "a.whorl" || c.Before() != nil {
		t.Errorf("the recorded run is %+v", c)
	}
	s.Keep(map[string]bool{"b": true})
	if closed != 0 {
		t.Error("the file is closed while a document reads it")
	}
	s.Keep(nil)
	if closed != 1 {
		t.Errorf("the file is closed %d times", closed)
	}
}

// A ranker ranks until its ranking is stopped.
type ranker struct {
	failingRunner
	said chan string
}

func (r ranker) Read(tracer.Source, string) (experiment.Run, func(), error) {
	return experiment.Run{Recorded: &experiment.Recorded{}}, func() { r.said <- "forgotten" }, nil
}

func (r ranker) Rank(ctx context.Context, run experiment.Run, watch func(over, all int)) (int64, []*experiment.Gain, error) {
	watch(1, run.PEs)
	<-ctx.Done()
	r.said <- "stopped"
	return 0, nil, ctx.Err()
}

// TestRank: a ranking tells its progress, ends with a later one, and ends with its document before the program is forgotten.
func TestRank(t *testing.T) {
	r := ranker{said: make(chan string)}
	s := Set{Runner: r}
	m := reductions(3)
	m.SetMeta(tracer.Meta{Substrate: "go"})
	d := New(m)
	s.Add("a", d)
	for _, err := s.Repeat(d); errors.Is(err, ErrReading); _, err = s.Repeat(d) {
		<-d.recorded.done
	}
	first := s.Rank(d, experiment.Run{PEs: 3})
	for all := 0; all != 3; {
		_, all = first.Progress()
	}
	if _, ok := first.Result(); ok {
		t.Error("a ranking that goes on has a result")
	}
	second := s.Rank(d, experiment.Run{})
	if said := <-r.said; said != "stopped" {
		t.Errorf("%s, want that the first ranking is stopped", said)
	}
	<-first.done
	if got, ok := first.Result(); !ok || !errors.Is(got.Err, context.Canceled) {
		t.Errorf("the first ranking ends with %v", got)
	}
	s.Keep(nil)
	for _, want := range []string{"stopped", "forgotten"} {
		if said := <-r.said; said != want {
			t.Errorf("%s, want %s", said, want)
		}
	}
	<-second.done
}
