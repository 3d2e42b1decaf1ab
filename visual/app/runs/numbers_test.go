package runs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestNumbersWait: a run is left out while it goes on, and has its column when it has ended.
func TestNumbersWait(t *testing.T) {
	var docs []*documents.Document
	for _, policy := range []string{"steal", "random"} {
		r := experiment.Defaults("fghc/pascal")
		r.Args, r.Policy = []string{"9"}, policy
		docs = append(docs, documents.New(experimenttest.Trace(t, r)))
	}
	docs[1].Live = &documents.Live{}
	n := Numbers{Open: true}
	u := usertest.New(t, 800, 600, func(c *ui.Context) { n.Draw(c, docs) })
	measureAll := func() {
		for n.Measure(docs, 0, 0) {
		}
		u.Step()
	}
	measureAll()
	if !u.Shows("Left out until the end: 1 run.") || !u.Shows("steal") || u.Shows("random") {
		t.Errorf("while a run goes on the window shows\n%s", u.Texts())
	}
	docs[1].Live.Over = true
	measureAll()
	if u.Shows("Left out") || !u.Shows("random") || !u.Shows("reductions") {
		t.Errorf("at the end the window shows\n%s", u.Texts())
	}
	if u.Click("Close"); n.Open || u.Shows("reductions") {
		t.Errorf("after Close the window shows\n%s", u.Texts())
	}
}

// A slowTrace is a trace whose events a test hands out piece by piece.
type slowTrace struct {
	tracer.Source
	pieces chan struct{} // each allows one piece
	ended  chan error    // the result of each scan
}

func (s *slowTrace) Scan(kinds tracer.KindSet, yield func([]tracer.Event) error) error {
	err := s.Source.Scan(kinds, func(es []tracer.Event) error {
		for len(es) > 0 {
			<-s.pieces
			n := (len(es) + 1) / 2
			if err := yield(es[:n]); err != nil {
				return err
			}
			es = es[n:]
		}
		return nil
	})
	s.ended <- err
	return err
}

// TestNumbersInBackground reads the second of two traces slowly. The window shows the numbers of the first one and how far the second is; when the
// table is closed, reading stops.
func TestNumbersInBackground(t *testing.T) {
	var docs []*documents.Document
	slow := &slowTrace{pieces: make(chan struct{}, 1), ended: make(chan error, 3)}
	for i, policy := range []string{"steal", "random"} {
		r := experiment.Defaults("fghc/pascal")
		r.Args, r.Policy, r.PEs = []string{"9"}, policy, 1+3*i
		var src tracer.Source = experimenttest.Trace(t, r)
		if i == 1 {
			slow.Source = src
			src = slow
		}
		docs = append(docs, documents.New(src))
		docs[i].Name = policy
		t.Cleanup(func() { docs[i].Data.Close() })
	}
	n := Numbers{Open: true}
	var csv string
	u := usertest.New(t, 800, 600, func(c *ui.Context) { csv += n.Draw(c, docs) })
	if !u.Shows("Reading run 1 of 2, steal.") || !u.Shows("to be read") {
		t.Errorf("at first the window shows\n%s", u.Texts())
	}
	for n.pending(docs[0]) {
		n.Measure(docs, 0, time.Hour)
	}
	slow.pieces <- struct{}{}
	for n.readings[docs[1]].progress() == "" {
		n.Measure(docs, 0, time.Millisecond)
	}
	u.Step()
	for _, text := range []string{"Reading run 2 of 2, random, the division of the time", "among classes: 33 %.", "random", "done", "to be read", "reductions"} {
		if !u.Shows(text) {
			t.Errorf("while a trace is read the window does not show %q:\n%s", text, u.Texts())
		}
	}
	for _, text := range []string{"Copy as CSV", "speedup"} {
		if u.Shows(text) {
			t.Errorf("while a trace is read the window shows %q:\n%s", text, u.Texts())
		}
	}
	u.Click("Close")
	if n.Measure(docs, 0, time.Hour) || len(n.readings) > 0 {
		t.Error("the closed table goes on")
	}
	slow.pieces <- struct{}{}
	if err := <-slow.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("after Close the scan ends with %v", err)
	}
	n.Open = true
	close(slow.pieces)
	for n.Measure(docs, 0, time.Hour) {
	}
	if u.Step(); !u.Shows("speedup") || u.Shows("to be read") || csv != "" {
		t.Errorf("at the end the window shows\n%s", u.Texts())
	}
	if u.Click("Copy as CSV"); !strings.Contains(csv, "9,\"go(9, X)\",sim,symmetry,bus,1,1,random,4,done") {
		t.Errorf("the user gets %q", csv)
	}
}

// brokenTrace is a trace that cannot be read.
type brokenTrace struct{ tracer.Source }

func (brokenTrace) Scan(tracer.KindSet, func([]tracer.Event) error) error {
	return errors.New("block 3 is damaged")
}

// TestNumbersOfBrokenTrace: a trace that cannot be read leaves the numbers of the others.
func TestNumbersOfBrokenTrace(t *testing.T) {
	r := experiment.Defaults("fghc/pascal")
	r.Args = []string{"9"}
	good := experimenttest.Trace(t, r)
	r.Policy = "random"
	docs := []*documents.Document{documents.New(good), documents.New(brokenTrace{experimenttest.Trace(t, r)})}
	docs[1].Name = "second"
	n := Numbers{Open: true}
	for n.Measure(docs, 0, 0) {
	}
	u := usertest.New(t, 800, 600, func(c *ui.Context) { n.Draw(c, docs) })
	for _, text := range []string{"reductions", "not readable", "second: block 3 is damaged"} {
		if !u.Shows(text) {
			t.Errorf("the window does not show %q:\n%s", text, u.Texts())
		}
	}
}
