package sharing

import (
	"time"

	"whorl/visual/app/painter"
	"whorl/visual/scene"
	"whorl/visual/share"
)

// settled is how long the picture of a pane has to stay as it is before those who join later get it.
const settled = time.Second

// A leftPicture is the picture of a pane that this window has drawn last, and the one that it has left with the server.
type leftPicture struct {
	drawn, left uint64 // revisions
	since       time.Duration
}

// A gotPicture is the picture of a pane that another window has left.
type gotPicture struct {
	pane int
	list *scene.List
}

// Pictures leaves the pictures of the stage with the server if this window presents, and else shows those that are there in panes that have none yet.
// Whoever joins a session with a long trace sees its pictures at once.
func (s *Session) Pictures(g *painter.Painter) {
	if s.line == nil || !s.member.Joined() || s.access.Show == nil {
		return
	}
	for more := true; more; {
		select {
		case got := <-s.got:
			if p := s.model.Panes[got.pane]; p != nil && g.Awaits(p) {
				g.StandIn(p, got.list)
				s.out.Redraw()
			}
		default:
			more = false
		}
	}
	for _, p := range s.model.Visible() {
		switch {
		case s.presents():
			shot, revision := g.Shot(p)
			was := s.left[p.ID]
			switch {
			case shot == nil:
			case was.drawn != revision:
				was.drawn, was.since = revision, s.window.Now
			case was.left != revision && s.window.Now-was.since >= settled:
				was.left = revision
				s.leave(p.ID, shot())
			}
			s.left[p.ID] = was
		case !s.mode.Roam && !s.asked[p.ID] && g.Awaits(p):
			s.asked[p.ID] = true
			go s.fetch(p.ID)
		}
	}
}

// leave leaves the picture of a pane with the server. A picture that is too large, or that cannot be sent, is only missed by those who join.
func (s *Session) leave(pane int, list *scene.List) {
	if b := list.Encode(); len(b) <= share.MaxPicture {
		go func() { _ = s.access.Show(pane, b) }()
	}
}

// fetch gets the picture of a pane, if somebody has left one.
func (s *Session) fetch(pane int) {
	b, err := s.access.Shown(pane)
	if err != nil {
		return
	}
	if list, err := scene.Decode(b); err == nil && list.W >= 1 && list.H >= 1 {
		s.got <- gotPicture{pane, list}
	}
}
