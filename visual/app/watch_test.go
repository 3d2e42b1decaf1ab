package app

import (
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/visual/documents"
)

// TestWatch shows a run that was started elsewhere. The picture grows while the run is stepped, and the viewer closes its session.
func TestWatch(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"8"}
	s, err := session.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{}, 900, 600, 1)
	s.Do(session.Command{Do: session.StepTo, N: 20})
	d.app.Watch(s, s.Description())
	at := func(n int64) {
		t.Helper()
		for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(time.Millisecond) {
			d.step()
			for _, doc := range d.app.model.docs.All() {
				if doc.Live != nil && doc.Live.Status.State == session.Paused && doc.Live.Trace.Counts()[tracer.Reduce] == n {
					return
				}
			}
		}
		t.Fatalf("the viewer does not see reduction %d", n)
	}
	at(20)
	before := d.out.Layers
	s.Do(session.Command{Do: session.StepTo, N: 60})
	at(60)
	d.settle()
	same := len(before) == len(d.out.Layers)
	for i := range before {
		same = same && before[i].Revision == d.out.Layers[i].Revision
	}
	if same {
		t.Error("the picture has not changed")
	}
	d.app.Close()
	<-s.Done()
}

// A watched is a session that counts how often it is replaced.
type watched struct {
	documents.Session
	replaced int
}

func (w *watched) Replaced() {
	w.replaced++
	w.Close()
}

// TestWatchStepsBack: on the first step back the session of a run is told, once, that a replay takes its place.
func TestWatchStepsBack(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"8"}
	s, err := session.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Options{Runner: native{}}, 900, 600, 1)
	w := &watched{Session: s}
	s.Do(session.Command{Do: session.StepTo, N: 20})
	d.app.Watch(w, s.Description())
	at := func(n int64) func() bool {
		return func() bool {
			st := d.app.model.focused().Live.Status
			return st.State == session.Paused && st.Reductions == n
		}
	}
	d.until("the pause", at(20))
	d.app.launcher.stepRun(1)
	d.until("a step", at(21))
	if w.replaced != 0 {
		t.Error("a step forward has replaced the run")
	}
	for n := int64(20); n > 18; n-- {
		d.app.launcher.stepRun(-1)
		d.until("a step back", at(n))
	}
	if w.replaced != 1 {
		t.Errorf("the session was told %d times that it is replaced, want once", w.replaced)
	}
	<-s.Done()
}

// TestWatchBegunBefore: of a run that has recorded much before its window opens, the first picture shows a part and the last one all.
func TestWatchBegunBefore(t *testing.T) {
	r := experiment.Defaults("queens")
	r.Args = []string{"8"}
	s, err := session.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	all := &taken{Session: s}
	for s.Status().State != session.Finished {
		all.bytes = append(all.bytes, s.Take()...)
		time.Sleep(time.Millisecond)
	}
	all.bytes = append(all.bytes, s.Take()...)
	if len(all.bytes) <= 1<<18 {
		t.Fatalf("the run has only %d bytes; the test needs more", len(all.bytes))
	}
	d := drive(t, Options{}, 900, 600, 1)
	d.app.Watch(all, s.Description())
	var first int64
	d.until("the end", func() bool {
		doc := d.app.model.focused()
		if first == 0 {
			first = doc.Fed.Events
		}
		return doc.Live.Over && doc.Fed.Revision == doc.Revision()
	})
	if n := d.app.model.focused().Fed.Events; first == 0 || first > n/2+n/4 || !d.app.model.focused().Live.Trace.Ended() {
		t.Errorf("the first picture shows %d of %d events", first, n)
	}
}

// taken is a session with prepared bytes.
type taken struct {
	documents.Session
	bytes []byte
}

func (s *taken) Take() []byte {
	b := s.bytes
	s.bytes = nil
	return b
}
