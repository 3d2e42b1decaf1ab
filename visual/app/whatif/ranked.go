package whatif

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// A ranked is the ranking of the parts of a recorded program on the machine of its trial.
type ranked struct {
	settings map[string]string // of the machine
	since    time.Duration     // when they were set
	begun    bool
	ranking  *documents.Ranking // nil before it begins, and after an error of the settings
	err      error
	drawn    int // the progress that the panel shows
}

// rankRest is how long settings stay before the parts are ranked for them: a slider that moves sets many.
const rankRest = 300 * time.Millisecond

// rank wants the parts of the program of a document ranked on the machine of its trial.
func (t *Trials) rank(d *documents.Document) *ranked {
	machine, k := machineOf(t.model.State.Shared.Trial(d.Name)), t.ranked[d]
	if k != nil && maps.Equal(k.settings, machine) {
		return k
	}
	next := &ranked{settings: machine}
	if k != nil {
		k.ranking.Stop()
		next.since = t.window.Now + rankRest
	}
	t.ranked[d] = next
	return next
}

// updateRanked begins the rankings whose time has come, and has the panel drawn again when one of them has proceeded.
func (t *Trials) updateRanked() {
	for d, k := range t.ranked {
		switch {
		case t.model.Docs.Get(d.Name) != d:
			k.ranking.Stop()
			delete(t.ranked, d)
		case !k.begun && t.window.Now >= k.since && !d.Trying() && !t.Pending(): // the pictures come first
			base, err := t.model.Docs.Repeat(d)
			if err == nil {
				base, err = Apply(base, k.settings)
			}
			if k.begun, k.err = true, err; err == nil && base.Recorded != nil {
				k.ranking = t.model.Docs.Rank(d, base)
			}
			t.out.Redraw()
		case k.ranking != nil:
			over, _ := k.ranking.Progress()
			if _, ok := k.ranking.Result(); ok {
				over = -1
			}
			if over != k.drawn {
				k.drawn = over
				t.out.Redraw()
			}
		}
	}
}

// Ranks reports whether parts are being ranked.
func (t *Trials) Ranks() bool {
	for _, k := range t.ranked {
		if !k.begun || k.ranking != nil && k.drawn >= 0 {
			return true
		}
	}
	return false
}

// list returns the ranked list of a document.
func (t *Trials) list(d *documents.Document, base *experiment.Run) *Ranked {
	k := t.rank(d)
	l := &Ranked{}
	now, err := Apply(*base, k.settings)
	if err = cmp.Or(k.err, err); err != nil {
		l.Note = err.Error()
		return l
	}
	l.On = "On " + figures.Counted(int64(now.PEs), "PE") + " under " + now.Policy + ":"
	l.Path, l.Changed = t.shares(d)
	if k.ranking == nil {
		l.Note = "Ranking…"
		return l
	}
	if r, ok := k.ranking.Result(); !ok {
		if over, all := k.ranking.Progress(); all > 0 {
			l.Note = fmt.Sprintf("Ranking: %d of %d parts", over, all)
		} else {
			l.Note = "Ranking…"
		}
	} else if r.Err != nil {
		l.Note = r.Err.Error()
	} else {
		l.Elapsed, l.Gains, l.Note = r.Elapsed, r.Gains, "Nothing in the program takes time"
		l.On = "On " + figures.Counted(int64(now.PEs), "PE") + " under " + now.Policy + " the run takes " + figures.Duration(l.Elapsed) + "."
	}
	return l
}

// A pathReading reads the parts of the critical path of a trace.
type pathReading struct {
	reader   *flow.Reader[*timeplot.PathShares]
	data     *view.Data // that the reader reads
	revision uint64     // of the trace
	done     bool
	shares   []*timeplot.PathShare
}

// Work derives for a while the critical paths that an open panel shows. It reports whether there is more to do.
func (t *Trials) Work(open bool, budget time.Duration) (more bool) {
	var wanted []*documents.Document
	if d := t.listed; open && d != nil && d == t.model.Focused() {
		wanted = append(wanted, d)
		if b := d.Before(); b != nil {
			wanted = append(wanted, b)
		}
	}
	for d, p := range t.paths {
		if !slices.Contains(wanted, d) {
			p.reader.Rest()
			delete(t.paths, d)
		}
	}
	for _, d := range wanted {
		if d.Reading || d.Live != nil && !d.Live.Over {
			continue
		}
		if p := t.reading(d); !p.done {
			r, err := p.reader.Get(context.Background(), budget)
			if p.done = r.Done || err != nil; !p.done { // a view says what is wrong
				return true
			}
			if r.Value != nil {
				p.shares = r.Value.Parts
			}
			t.out.Redraw()
			more = true
		}
	}
	return more
}

// reading returns the reading of the critical path of a document.
func (t *Trials) reading(d *documents.Document) *pathReading {
	if d.Fed.Revision != d.Revision() {
		d.Supply(t.window.Now)
	}
	p := t.paths[d]
	if p == nil || p.data != d.Data || p.revision != d.Fed.Revision {
		if p != nil {
			p.reader.Rest()
		}
		p = &pathReading{reader: view.Read(d.Data, timeplot.SharesStage), data: d.Data, revision: d.Fed.Revision}
		_ = p.reader.SetParam(timeplot.WithPath.Name, true) // a bool is a value
		t.paths[d] = p
	}
	return p
}

// fewShare is the smallest share of the recorded path of a part that is listed although the path has left it.
const fewShare = 0.01

// shares returns the parts of the critical path of a document, and whether it is compared with that of the recorded run.
func (t *Trials) shares(d *documents.Document) (all []*Share, compared bool) {
	now, b := t.paths[d], d.Before()
	if now == nil || !now.done {
		return nil, false
	}
	if b == nil {
		for _, s := range now.shares {
			all = append(all, &Share{Name: s.Label, Recorded: s.Share})
		}
		return all, false
	}
	before := t.paths[b]
	if before == nil || !before.done {
		return nil, false
	}
	for _, s := range now.shares {
		all = append(all, &Share{s.Label, before.share(s.Label), s.Share})
	}
	for _, s := range before.shares {
		if s.Share >= fewShare && now.share(s.Label) == 0 {
			all = append(all, &Share{Name: s.Label, Recorded: s.Share})
		}
	}
	slices.SortStableFunc(all, func(a, b *Share) int { return cmp.Compare(max(b.Recorded, b.Now), max(a.Recorded, a.Now)) })
	return all, true
}

// share returns the share of a part of the path.
func (p *pathReading) share(label string) (share float64) {
	for _, s := range p.shares {
		if s.Label == label {
			share += s.Share
		}
	}
	return share
}

// showPath has all views of a document that can draw its critical path do so, as a part of the last action.
func (t *Trials) showPath(d *documents.Document) {
	name := timeplot.WithPath.Name
	for _, id := range t.model.IDs {
		p := t.model.Panes[id]
		if p == nil || p.Trace != d.Name && p.Trace != d.Name+panes.RecordedSuffix || !panes.HasParam(p.Kind, name) {
			continue
		}
		_ = t.model.Workspace.Apply(view.Action{Do: view.SetParam, Pane: t.model.Index(id), Name: name, Value: "true"}) // the pane is there
	}
}
