package sharing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// unpack shows a pane that somebody has sent.
func (s *Session) unpack(c share.Parcel) {
	var p sent
	from := s.nameOf(c.From)
	if err := json.Unmarshal(c.Pane, &p); err != nil || p.Check() != nil || !slices.Contains(s.model.State.Shared.Traces, p.Trace) {
		s.out.Warn(outbox.AboutSession, from+" has sent a view that cannot be shown here")
		return
	}
	s.show(p, from+" has sent you this view")
}

// show adds a pane of somebody at the right, and roams unless this person presents.
func (s *Session) show(p sent, message string) {
	p.ModulesOf = 0
	camera := seen{p.Camera, p.W, p.H}
	s.actions.Edit(func(w *workspace.Workspace) error {
		id, err := w.OpenAt(p.View, p.Trace, 0, workspace.ToRight)
		if err != nil {
			return err
		}
		w.Update(func(at int, q *view.Pane) {
			if at == id {
				*q = p.Pane
				q.Camera = workspace.Zoomed(camera.Camera, s.window.Scale)
			}
		})
		s.model.Focus = id
		return nil
	})
	if !s.presents() {
		s.Roam(true)
		message += ". You roam now; Follow among the people, or " + FollowKey + ", ends that"
	}
	s.out.Say(outbox.AboutSession, message)
}

// Pull shows the pane that has the keys of another person.
func (s *Session) Pull(id share.ID) {
	var p sent
	who := s.nameOf(id)
	if !s.member.Get(share.PersonKey(id, "view"), &p) || p.Check() != nil {
		s.out.Check(outbox.AboutSession, errors.New(who+" shows no picture"))
		return
	}
	s.show(p, "This is what "+who+" sees")
}

// Send sends the pane that has the keys here to another person.
func (s *Session) Send(id share.ID) {
	if s.viewed == "" {
		s.out.Check(outbox.AboutSession, errors.New("there is no picture here to be sent"))
		return
	}
	s.member.Send(id, json.RawMessage(s.viewed))
	s.out.Say(outbox.AboutSession, "Sent to "+s.nameOf(id))
}

// Offer gives a file that this person has opened to the session, if this person presents. The server reads it first.
func (s *Session) Offer(name string, f *documents.File) {
	if s.line == nil || !s.presents() || s.access.Upload == nil {
		return
	}
	read := f.Read
	if read == nil {
		read = func() (io.ReadCloser, error) { return os.Open(f.Path) }
	}
	upload, secret, done := s.access.Upload, s.member.Secret(), make(chan error, 1)
	s.offers[name] = done
	s.out.Notify(ui.Info, outbox.AboutFile+name, "Giving "+name+" to the session")
	go func() {
		r, err := read()
		if err == nil {
			err = errors.Join(upload(secret, f.Name, r, f.Size), r.Close())
		}
		done <- err
	}()
}

// offered tells how the offers have ended.
func (s *Session) offered() {
	for name, done := range s.offers {
		select {
		case err := <-done:
			delete(s.offers, name)
			if err != nil {
				s.out.Fail(outbox.AboutFile+name, fmt.Errorf("%s is not in the session: %w", name, err))
				continue
			}
			s.out.Say(outbox.AboutFile+name, name+" is in the session")
		default:
		}
	}
}
