package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/view"
)

// ghost returns the recorded run that is drawn over a trial, nil for none.
func (l *links) ghost(d *documents.Document) *documents.Document {
	if d == nil || l.model.State.Shared.Alone || slices.Contains(l.model.State.Shared.Traces, d.Name+recordedSuffix) {
		return nil
	}
	return d.Before()
}

// ghost computes the picture of the recorded run that is drawn over the picture of a pane. It reports whether there is more to do.
func (s *stages) ghost(p *pane, budget time.Duration) (more bool) {
	b := s.links.ghost(s.model.document(p))
	if _, ok := p.result.Value.(view.Ghosted); !ok || b == nil || p.opened == nil || p.window == 0 {
		p.dropGhost()
		return false
	}
	if b.Data == nil {
		b.Supply(s.window.now)
	}
	g := &p.ghost
	if g.opened == nil || g.opened.Data != b.Data || g.opened.Kind != p.opened.Kind {
		p.dropGhost()
		opened, err := b.Data.Open(p.opened.Kind, s.window.text)
		if err != nil { // the recorded run lacks what the view needs
			return false
		}
		g.opened, g.working = opened, true
	}
	if !maps.Equal(g.params, p.params) || g.window != p.window {
		defaults := p.kind.Defaults()
		for name := range g.params {
			if _, ok := p.params[name]; !ok {
				_ = g.opened.Set(name, fmt.Sprint(defaults[name])) // the pane has reported what is wrong
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.params)) {
			_ = g.opened.Set(name, p.params[name])
		}
		g.params, g.window, g.working = maps.Clone(p.params), p.window, true
	}
	if !g.working {
		return false
	}
	r, err := g.opened.Geometry(context.Background(), budget, int(g.window))
	if g.working = err == nil && !r.Done; r.Done {
		s.revisions++
		g.picture, g.revision = r.Value, s.revisions
		s.out.Redraw()
	}
	return g.working
}

// A ghost is the picture of the recorded run that is drawn over a pane.
type ghost struct {
	opened   *view.Opened
	params   map[string]string
	window   int64
	working  bool
	picture  view.Picture // nil while there is none
	revision uint64       // of the picture, 0 for none
}

// dropGhost releases the picture of the recorded run.
func (p *pane) dropGhost() {
	if p.ghost.opened != nil {
		p.ghost.opened.Rest()
	}
	p.ghost = ghost{}
}
