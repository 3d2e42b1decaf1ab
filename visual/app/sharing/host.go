package sharing

import (
	"errors"
	"strings"

	"whorl/visual/app/outbox"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// A Starter hosts a session with the traces of some files, for this computer alone or for its network. It waits until it is there.
type Starter func(traces []string, network bool) (*share.Hosting, error)

// A host is the part of a window that hosts a session.
type host struct {
	start   Starter // nil where no session can be hosted
	open    bool    // the dialog is open
	network int     // 1 for the network
	waits   chan begun
	hosting *share.Hosting // nil for none
}

// begun is how a Starter has ended.
type begun struct {
	hosting *share.Hosting
	err     error
}

// Hosts reports whether a session can be hosted here at all.
func (s *Session) Hosts() bool { return s.host.start != nil }

// CanHost reports whether this window can host a session now.
func (s *Session) CanHost() bool { return s.host.start != nil && s.line == nil && s.host.waits == nil }

// BeginHost opens the dialog that shares what this window shows.
func (s *Session) BeginHost() {
	s.host.open = true
	s.out.Redraw()
}

// DrawHost draws the dialog.
func (s *Session) DrawHost(c *ui.Context) {
	h := &s.host
	text := "People open a link in a browser, or with whorl view --join, and see what you show. They can point, take notes, and get the control from you."
	hit := widget.Dialog(c, "share", &h.open, widget.DialogOptions{
		Title: "Share this window", W: 440, H: 3*c.Theme.Ctl + 60, Buttons: []string{"Cancel", "Share"},
	}, func(r ui.Rect) {
		c.Paragraph(r.CutTop(c.ParagraphHeight(r.W(), text, ui.Type{})), text, ui.Type{})
		r.CutTop(c.Px(ui.Gap))
		widget.Segments(c, r.CutTop(c.Px(c.Theme.Ctl)), "reach", []string{"This computer", "The network"}, &h.network)
		r.CutTop(c.Px(ui.Gap))
		note := "Only programs of this computer reach the session."
		if h.network == 1 {
			note = "Computers that reach this one can join with a link. The connection is encrypted."
		}
		c.Paragraph(r.CutTop(c.ParagraphHeight(r.W(), note, ui.Type{Color: c.Theme.Muted})), note, ui.Type{Color: c.Theme.Muted})
	})
	switch hit {
	case 0:
		h.open = false
		c.Again()
	case 1:
		h.open = false
		s.beginHosting()
		c.Again()
	}
}

// beginHosting hosts a session with the open traces. Simulated runs are made again by each member.
func (s *Session) beginHosting() {
	var paths, left []string
	for _, name := range s.model.State.Shared.Traces {
		d := s.model.Docs.Get(name)
		switch {
		case d == nil:
		case d.Path != "":
			paths = append(paths, d.Path)
		case !repeatable(d):
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		s.out.Warn("", strings.Join(left, ", ")+" cannot be shared, since it is neither in a file nor a simulated run: save it first")
	}
	done := make(chan begun, 1)
	s.host.waits = done
	start, network := s.host.start, s.host.network == 1
	s.out.Notify(ui.Info, outbox.AboutSession, "The session begins")
	go func() {
		hosting, err := start(paths, network)
		done <- begun{hosting, err}
	}()
}

// hosted joins the session that has begun.
func (s *Session) hosted() {
	select {
	case b := <-s.host.waits:
		s.host.waits = nil
		if b.err != nil {
			s.out.Fail(outbox.AboutSession, errors.New("no session: "+b.err.Error()))
			return
		}
		s.out.Mend(outbox.AboutSession)
		s.host.hosting = b.hosting
		s.Join(b.hosting.Access)
	default:
	}
}

// drawInvitations draws the links of a session that this window hosts, cut off the bottom of in.
func (s *Session) drawInvitations(c *ui.Context, in *ui.Rect) {
	h := s.host.hosting
	if h == nil {
		return
	}
	end := in.CutBottom(c.Px(c.Theme.Ctl))
	if widget.Button(c, end, "end", widget.ButtonOptions{Label: "End the session", Tip: "All members leave; what this window shows stays"}) {
		s.End()
		c.Again()
		return
	}
	in.CutBottom(c.Px(ui.Gap))
	if h.Note != "" {
		ty := ui.Type{Size: ui.Small, Color: c.Theme.Muted}
		c.Paragraph(in.CutBottom(c.ParagraphHeight(in.W(), h.Note, ty)), h.Note, ty)
		in.CutBottom(c.Px(ui.Gap))
	}
	for _, inv := range h.Invitations { // the viewers' link, which most people get, is at the top
		row := in.CutBottom(c.Px(c.Theme.Ctl))
		in.CutBottom(c.Px(4))
		link := "the link for a " + string(inv.Role)
		if inv.Role == share.Owner {
			link = "the link for an owner"
		}
		b := widget.ButtonOptions{Label: "Copy " + link, Tip: "Whoever has this link joins as " + string(inv.Role)}
		if widget.Button(c, row, "copy "+string(inv.Role), b) {
			c.Copy(inv.Link)
			s.out.Say(outbox.AboutSession, view.Capital(link)+" is copied")
		}
	}
	in.CutBottom(c.Px(ui.Gap))
}

// End leaves the session, and ends it if this window hosts it. What is shown stays.
func (s *Session) End() {
	if s.line == nil {
		return
	}
	s.line.Close()
	s.line = nil
	s.player.Together = false
	if h := s.host.hosting; h != nil {
		h.Stop()
		s.host.hosting = nil
	}
	s.out.Mend(outbox.AboutSession)
	s.actions.Redraw()
}
