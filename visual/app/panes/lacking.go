package panes

import (
	"whorl/visual/view"
)

// A lacking is the answer to whether a picture has something of a selection, which is asked for each drawing of the bars.
type lacking struct {
	selection view.Selection
	revision  uint64
	trace     string
	answer    bool
}

// LacksText is the tip of the sign in the bar of such a pane.
const LacksText = "Nothing of the selection is in this picture"

// Lacks reports whether a pane shows the trace of the selection and nothing of the selection is in its picture, wherever its camera is.
func (a *Actions) Lacks(p *Pane) bool {
	picture, ok := p.result.Value.(view.Linked)
	s := a.links.Translated(p).Shared.Selection
	if !ok || p.reveals || s.Empty() || s.Trace != p.Trace || p.shows != p.Trace || p.Area.W() < 1 || p.Area.H() < 1 {
		return false
	}
	if k := &p.lacking; !k.selection.Equal(s) || k.revision != p.result.Revision || k.trace != p.Trace {
		*k = lacking{s, p.result.Revision, p.Trace, !a.contains(p, picture, s)}
	}
	return p.lacking.answer
}

// contains reports whether the picture of a pane has something of a selection: in sight, where the view would move to, or where everything is shown.
func (a *Actions) contains(p *Pane, picture view.Linked, s view.Selection) bool {
	f := a.cameras.Frame(p)
	if len(picture.Locate(f, s)) > 0 {
		return true
	}
	if v, ok := picture.(view.Revealer); ok {
		if c, moves := v.Reveal(f, s); moves {
			f.Camera = c
			return len(picture.Locate(f, s)) > 0
		}
	}
	if v, ok := picture.(view.Shower); ok {
		if l, moves := v.Show(f, s); moves {
			f.Detail = &l
			return len(picture.Locate(f, s)) > 0
		}
	}
	f.Camera = view.Fit(a.cameras.bounds(p), p.Area, float64(f.Style.Font)/2)
	return len(picture.Locate(f, s)) > 0
}
