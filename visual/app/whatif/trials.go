package whatif

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// Trials runs the recorded runs of traces again as the state says, with other settings. Only the last settings count: while a trial is not shown yet,
// later settings wait for it, so that the pictures follow a slider that moves faster than the simulation.
type Trials struct {
	model   *panes.Model
	links   *panes.Links
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	tried   map[*documents.Document]*tried
	ranked  map[*documents.Document]*ranked
	paths   map[*documents.Document]*pathReading
	listed  *documents.Document // whose list the panel has shown in the last pass, nil for none
}

// tried holds the settings of the last trial of a document.
type tried struct {
	settings map[string]string
	err      error
	shown    uint64        // the revision of the trial that is shown
	since    time.Duration // when it was shown first
}

// trialRest is how long a trial is shown at least, if its pictures take longer than that, before a later one takes its place.
const trialRest = 250 * time.Millisecond

// NewTrials returns trials without settings.
func NewTrials(m *panes.Model, l *panes.Links, a *panes.Actions, w *panes.Window, out *outbox.Outbox) *Trials {
	return &Trials{
		model: m, links: l, actions: a, window: w, out: out,
		tried: map[*documents.Document]*tried{}, ranked: map[*documents.Document]*ranked{}, paths: map[*documents.Document]*pathReading{},
	}
}

// Update starts the trials that the state wants and restores recorded runs.
func (t *Trials) Update() {
	for _, d := range t.model.Docs.All() {
		want, last := t.model.State.Shared.Trial(d.Name), t.tried[d]
		if last == nil && want == nil {
			continue
		}
		if last == nil {
			last = &tried{}
			t.tried[d] = last
		}
		if d.Before() != nil && d.Live.Trace.Revision() != 0 && last.shown == 0 {
			last.shown, last.since = d.Revision(), t.window.Now
		}
		if maps.Equal(want, last.settings) {
			continue
		}
		if want == nil {
			d.Restore()
			delete(t.tried, d)
			t.out.Redraw()
			continue
		}
		if t.ready(d, last) {
			last.settings, last.shown, last.err = want, 0, t.start(d, want)
			t.out.Redraw()
		}
	}
	for d := range t.tried {
		if t.model.Docs.Get(d.Name) != d {
			delete(t.tried, d)
		}
	}
	t.updateRanked()
}

// ready reports whether a document can take another trial: the last one has been seen.
func (t *Trials) ready(d *documents.Document, last *tried) bool {
	if d.Trying() || d.Before() == nil && d.Live != nil && !d.Live.Over {
		return false
	}
	if d.Before() == nil || t.window.Now >= last.since+trialRest {
		return true
	}
	for _, p := range t.model.Visible() {
		if t.model.Document(p) == d && !p.UpToDate(d) {
			return false
		}
	}
	return true
}

// start starts a trial.
func (t *Trials) start(d *documents.Document, settings map[string]string) error {
	base, err := t.model.Docs.Repeat(d)
	if err != nil {
		return err
	}
	r, err := Apply(base, settings)
	if err != nil {
		return err
	}
	return t.model.Docs.Try(d, r, t.window.Now)
}

// Pending reports whether the state wants a trial that has not begun.
func (t *Trials) Pending() bool {
	for d, last := range t.tried {
		if !maps.Equal(t.model.State.Shared.Trial(d.Name), last.settings) {
			return true
		}
	}
	return false
}

// Busy reports whether a trial has begun whose pictures are not there yet.
func (t *Trials) Busy() bool {
	for d := range t.tried {
		if d.Trying() {
			return true
		}
		for _, p := range t.model.Visible() {
			if t.model.Document(p) == d && p.Open() && !p.UpToDate(d) {
				return true
			}
		}
	}
	return false
}

// Draw draws the panel of the trial of a document, cut off r, and does what the user asks there. key closes the panel.
func (t *Trials) Draw(c *ui.Context, r *ui.Rect, panel *Panel, d *documents.Document, key string) {
	shown := t.shown(d)
	if errors.Is(shown.Why, documents.ErrReading) {
		t.out.Redraw()
	}
	if shown.Why == nil {
		t.model.Docs.Prepare()
	}
	if t.listed = nil; panel.Lists && shown.Why == nil && shown.Base.Recorded != nil {
		t.listed, shown.Ranked = d, t.list(d, &shown.Base)
	}
	did := panel.Draw(c, r, &shown, key)
	if did.Set {
		t.actions.Apply(view.Action{Do: view.Try, Name: d.Name, Settings: did.Settings, More: did.More})
	}
	if did.Path {
		t.showPath(d)
	}
	if did.Copy != "" {
		t.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: did.Copy})
	}
	if did.Show {
		t.showBefore(d, did.Before)
	}
}

// shown returns what the panel shows of a document.
func (t *Trials) shown(d *documents.Document) Shown {
	s := Shown{Trace: d.Name, Settings: t.model.State.Shared.Trial(d.Name)}
	s.Base, s.Why = t.model.Docs.Repeat(d)
	if t.model.Docs.Runner == nil {
		s.Why = errNoRunner
	}
	if s.Why != nil {
		return s
	}
	if last := t.tried[d]; last != nil && last.err != nil {
		s.Err = last.err.Error()
	} else if d.Refused != "" {
		s.Err = d.Refused
	}
	s.Parts = programParts(d, &s.Base)
	s.Before = t.beforeOf(d)
	before := d.Before()
	if before == nil {
		return s
	}
	if st := d.Live.Status; st.Err != "" {
		s.Err = st.Err
	} else if t.model.Covers(d.Name) { // the numbers would answer a prediction
		s.Note = "Numbers are shown after your prediction in the lesson (!)."
		return s
	} else if st.State != session.Finished {
		_, to := d.Span()
		s.Note = "The new run goes on: the pictures show its beginning, " + figures.Duration(to) + " so far."
	}
	s.Numbers = differences(before, d, s.Base.Recorded)
	return s
}

// differences compares a trial with the recorded run. The trial of a recording of real PEs is compared with its replay as it was recorded, which
// differs from the recording in the same way.
func differences(before, d *documents.Document, program *experiment.Recorded) []Number {
	from, to := before.Span()
	first, last := d.Span()
	recorded, now := to-from, last-first
	if program != nil && program.Measured {
		recorded = program.Own
	}
	n := Number{Name: "Elapsed", Doc: "The time from the first event to the last", Recorded: figures.Duration(recorded)}
	speed := Number{Name: "Speed-up", Doc: "The elapsed time of the recorded run divided by that of the new one", Recorded: "1"}
	if d.Live.Over {
		n.Now, n.Difference = figures.Duration(now), figures.SignedPercent(now-recorded, recorded)
		if now > recorded {
			n.Difference = "+" + n.Difference
		}
		if now > 0 {
			speed.Now = figures.Fixed(float64(recorded)/float64(now), 2)
		}
	}
	return []Number{n, speed}
}

// errNoRunner is why no trial can run in a viewer without a runner.
var errNoRunner = errors.New("programs cannot be run here")

// beforeOf returns how the recorded run of a document is shown with a trial.
func (t *Trials) beforeOf(d *documents.Document) Before {
	switch {
	case t.model.Docs.Get(d.Name+panes.RecordedSuffix) != nil && slices.Contains(t.model.State.Shared.Traces, d.Name+panes.RecordedSuffix):
		return Beside
	case t.model.State.Shared.Alone:
		return Hidden
	}
	return Ghost
}

// showBefore shows the recorded run with the trial of a document in another way.
func (t *Trials) showBefore(d *documents.Document, b Before) {
	beside := t.beforeOf(d) == Beside
	switch {
	case b == Beside && !beside:
		if d.Group == 0 {
			d.Group = t.model.Docs.NewGroup()
		}
		t.actions.Show(d.Name+panes.RecordedSuffix, d.Recording())
		return
	case b != Beside && beside:
		t.actions.Apply(view.Action{Do: view.CloseTrace, Name: d.Name + panes.RecordedSuffix})
	}
	t.actions.Flag(view.SetAlone, b == Hidden)
}

// mostParts limits the parts of a program whose speeds the panel offers.
const mostParts = 1000

// programParts returns the procedures, functions or lines of the program of a document, as its trace names them.
func programParts(d *documents.Document, base *experiment.Run) (parts []string) {
	if base.Recorded != nil {
		parts = base.Recorded.Functions
		return parts[:min(len(parts), mostParts)]
	}
	if b := d.Before(); b != nil {
		d = b
	}
	kind := map[string]tracer.CodeType{"fghc": tracer.Procedure, "dts": tracer.Function, "hpf": tracer.Line}[d.Source.Meta().Substrate]
	for _, c := range d.Source.Dict().Codes() {
		if c.Type != kind || len(parts) == mostParts {
			continue
		}
		if kind == tracer.Line {
			c.Name = c.File + ":" + strconv.Itoa(int(c.Line))
		}
		if !slices.Contains(parts, c.Name) {
			parts = append(parts, c.Name)
		}
	}
	return parts
}
