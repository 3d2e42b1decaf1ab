package app

import (
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/app/panes"
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

// TestRankedGains lists what the run of a Go program gains, tries rows of the list, and takes that back.
func TestRankedGains(t *testing.T) {
	trace := must.Get(open.File("../../testdata/traces/lock.trace"))(t)
	d := drive(t, Options{Runner: native{}}, 1200, 900, 1)
	d.app.Open("lock.trace", trace)
	d.settle()
	d.key("W", ui.Shift)
	doc := d.app.model.Docs.All()[0]
	d.until("the program in the trace", func() bool { _, err := d.app.model.Docs.Repeat(doc); return err == nil })
	d.settle()
	d.on("Ranked gains")
	rows := func() (all []string) {
		for _, c := range d.out.Controls {
			if c.Role == ui.RoleItem && strings.Contains(c.Name, "at best") {
				all = append(all, c.Name)
			}
		}
		return all
	}
	ranked := func(on string) {
		t.Helper()
		d.until("the gains and the path "+on, func() bool { return d.shows(on) && len(rows()) > 5 && d.shows("Critical path") })
		d.settle()
	}
	ranked("On 2 PEs under goroutines the run takes 320 ms.")
	d.shot("ranked")
	if all := rows(); all[0] != "function net/http.(*conn).serve, 10 % less gains 9.1 %, 25 % less gains 22.4 %, 50 % less gains 41.3 %, 100 % less gains 70.4 %, at best 79.3 ms" ||
		all[1] != "wait mutex, 100 % less gains 38.6 %, at best 183 ms" {
		t.Errorf("the list begins with\n%s", strings.Join(all, "\n"))
	}
	paths := func() (all []string) {
		for _, p := range d.app.model.Visible() {
			if panes.HasParam(p.Kind, "path") {
				all = append(all, p.Kind.Name+" "+p.Values()["path"])
			}
		}
		return all
	}
	was := paths()
	d.on("wait mutex")
	d.trial(doc)
	ranked("On 2 PEs")
	d.shot("ranked-mutex")
	if set := d.app.model.State.Shared.Trial(doc.Name); len(set) != 1 || set["zero mutex"] != "none" {
		t.Errorf("a click on the mutex sets %v", set)
	}
	if _, to := doc.Span(); to < 195e6 || to > 197e6 || !d.shows("--zero mutex") {
		t.Errorf("without waits for the mutex the run takes %d ns, in\n%s", to, d.texts())
	}
	if now := paths(); slices.Equal(now, was) || len(now) == 0 || slices.ContainsFunc(now, func(s string) bool { return !strings.HasSuffix(s, " true") }) {
		t.Errorf("the views with a critical path are %q, before %q", now, was)
	}
	d.on("25 %")
	d.on("net/http.(*conn).serve")
	d.trial(doc)
	ranked("On 2 PEs")
	if set := d.app.model.State.Shared.Trial(doc.Name); len(set) != 1 || set["speed net/http.(*conn).serve"] != "1.33333" {
		t.Errorf("a click on the function sets %v", set)
	}
	d.key("Enter", 0)
	d.trial(doc)
	if set := d.app.model.State.Shared.Trial(doc.Name); set != nil || doc.Before() != nil {
		t.Errorf("the key that tries the function again leaves %v", set)
	}
	for range 3 {
		d.key("z", ui.Control)
		d.trial(doc)
	}
	if now := paths(); !slices.Equal(now, was) || doc.Before() != nil {
		t.Errorf("undo leaves %q, want %q", now, was)
	}
	d.key("y", ui.Control)
	d.trial(doc)
	if doc.Before() == nil {
		t.Error("redo does not try the mutex again")
	}
	d.app.actions.Apply(view.Action{Do: view.Try, Name: doc.Name, Settings: map[string]string{"pes": "8", "zero mutex": "none"}})
	d.trial(doc)
	ranked("On 8 PEs under goroutines the run takes")
	d.app.actions.Apply(view.Action{Do: view.Try, Name: doc.Name, Settings: map[string]string{"pes": "0"}})
	d.until("the error", func() bool { return len(rows()) == 0 && d.shows("PEs: 0 PEs: a machine has 1 to") })
}
