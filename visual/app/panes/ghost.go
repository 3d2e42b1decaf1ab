package panes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/visual/view"
)

// ghost computes the picture of the recorded run that is drawn over the picture of a pane. It reports whether there is more to do.
func (s *Stages) ghost(p *Pane, budget time.Duration) (more bool) {
	b := s.links.ghost(s.model.Document(p))
	if _, ok := p.result.Value.(view.Ghosted); !ok || b == nil || p.opened == nil || p.window == 0 {
		p.dropGhost()
		return false
	}
	if b.Data == nil {
		b.Supply(s.window.Now)
	}
	g := &p.ghost
	if g.opened == nil || g.opened.Data != b.Data || g.opened.Kind != p.opened.Kind {
		p.dropGhost()
		opened, err := b.Data.Open(p.opened.Kind, s.window.Text)
		if err != nil { // the recorded run lacks what the view needs
			return false
		}
		g.opened, g.working = opened, true
	}
	if !maps.Equal(g.params, p.params) || g.window != p.window {
		defaults := p.Kind.Defaults()
		for name := range g.params {
			if _, ok := p.params[name]; !ok {
				_ = g.opened.Set(name, fmt.Sprint(defaults[name])) // the pane has reported the error
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
func (p *Pane) dropGhost() {
	if p.ghost.opened != nil {
		p.ghost.opened.Rest()
	}
	p.ghost = ghost{}
}

// ShownGhost returns the picture of the recorded run and its revision, nil and 0 while there is none.
func (p *Pane) ShownGhost() (view.Picture, uint64) { return p.ghost.picture, p.ghost.revision }
