package app

import (
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestReplayPanel opens the trace of a Go program and replays it on 8 PEs by the panel. The tasks are those of the recording, so that a selection lights
// up in both.
func TestReplayPanel(t *testing.T) {
	trace := must.Get(open.File("../../testdata/traces/lock.trace"))(t)
	d := drive(t, Options{Runner: native{}}, 1440, 900, 1)
	d.app.Open("lock.trace", trace)
	d.settle()
	d.key("W", ui.Shift)
	doc := d.app.model.Docs.All()[0]
	d.until("the program in the trace", func() bool { _, err := d.app.model.Docs.Repeat(doc); return err == nil })
	d.settle()
	d.shot("replay-panel")
	d.app.actions.Apply(view.Action{Do: view.Try, Name: doc.Name, Settings: map[string]string{"pes": "8", "policy": "oracle", "latency": "5us"}})
	d.until("the replay", func() bool { return doc.Before() != nil && doc.Live.Over })
	d.settle()
	d.shot("replay-panel-8")
	if m := doc.Source.Meta(); m.PEs != 8 || m.Policy != "oracle" || m.Substrate != "go" || m.Machine != "recorded:latency=5us" {
		t.Errorf("the replay is of %s on %d PEs of %s under %s", m.Substrate, m.PEs, m.Machine, m.Policy)
	}
	main := func(src tracer.Source) (task uint64) {
		codes := src.Dict().Codes()
		must.Do(t, src.Scan(tracer.Kinds(tracer.Start), func(es []tracer.Event) error {
			for _, e := range es {
				if codes[e.Code].Name == "main.main" {
					task = e.Task
				}
			}
			return nil
		}))
		return task
	}
	if a, b := main(doc.Before().Source), main(doc.Source); a == 0 || a != b {
		t.Errorf("the main task is %d in the recording and %d in the replay", a, b)
	}
	r := must.Get(d.app.model.Docs.Repeat(doc))(t)
	from, to := doc.Span()
	if speedup := figures.Fixed(float64(r.Recorded.Own)/float64(to-from), 2); !d.shows("replayed") || !d.shows(speedup) {
		t.Errorf("the panel does not compare with the replay of the recording, a speed-up of %s", speedup)
	}
	if c := r.Command("x.whorl"); !strings.HasPrefix(c, "whorl replay ") {
		t.Errorf("the command is %s", c)
	}
}
