package sharing

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/view"
	"whorl/visual/workspace"
	"whorl/visual/workspace/stage"
)

// openTraces opens the traces of the session that are not open yet.
func (s *Session) openTraces() {
	groups := map[int]int{}
	for _, key := range s.member.Keys("trace/") {
		id := key[len("trace/"):]
		var t share.Trace
		if s.traces[id] != "" || !s.member.Get(key, &t) || t.Name == "" {
			continue
		}
		s.traces[id] = t.Name
		if t.Group != 0 && groups[t.Group] == 0 {
			if groups[t.Group] = s.groupOf(t.Group); groups[t.Group] == 0 {
				groups[t.Group] = s.model.Docs.NewGroup()
			}
		}
		s.saving.Expect(t.Name, groups[t.Group])
		s.expect(t.Name)
		if d := s.model.Docs.Get(t.Name); d != nil {
			continue // this window has offered it
		}
		s.model.Docs.Load(&documents.File{Name: t.File, Size: t.Bytes, ReaderAt: s.access.Trace(id, t.Bytes)}, t.Name, documents.Search{})
	}
}

// groupOf returns the group of the window for the traces of a group of the session that are open, 0 for none.
func (s *Session) groupOf(group int) int {
	for id, name := range s.traces {
		var t share.Trace
		if s.member.Get("trace/"+id, &t) && t.Group == group {
			if d := s.model.Docs.Get(name); d != nil && d.Group != 0 {
				return d.Group
			}
		}
	}
	return 0
}

// expect makes the workspace have a trace.
func (s *Session) expect(name string) {
	if !slices.Contains(s.model.State.Shared.Traces, name) {
		s.out.Check(outbox.AboutSession, s.model.Workspace.Apply(view.Action{Do: view.OpenTrace, Name: name}))
	}
}

// adopt changes the workspace to the registers that others have written; nil stands for all registers.
func (s *Session) adopt(changed map[string]bool) {
	written := func(among func(key string) bool) bool {
		if changed == nil {
			return true
		}
		for key := range changed {
			if among(key) {
				return true
			}
		}
		return false
	}
	w := &s.model.Workspace
	if written(stage.IsNote) {
		stage.Notes(s.member, w)
	}
	staged := len(s.member.Keys(stage.Panes)) > 0
	if !s.mode.Roam && staged && written(onStage) {
		s.runPrograms(s.member)
		stage.Show(s.member, w, s.window.Scale)
		s.adoptPlay()
	}
	if !s.mode.Roam && (changed == nil || changed[stage.Lesson]) {
		s.adoptLesson(changed == nil)
	}
	if lead := s.lead(); lead != 0 {
		s.adoptCameras(lead)
		if key := share.PersonKey(lead, "selection"); changed == nil || changed[key] || changed[share.LeadKey] {
			var sel view.Selection
			s.member.Get(key, &sel)
			if !sel.Equal(w.State.Shared.Selection) && w.Apply(view.Action{Do: view.Select, Selection: &sel, More: true}) == nil {
				s.chosen = sel
				s.set(share.Change{Key: s.key("selection")}) // that of this person is gone
				s.actions.Reveal()
			}
		}
	}
	s.known = stage.Registers(w)
	if !staged { // whoever presents first writes all of it
		maps.DeleteFunc(s.known, func(key, _ string) bool { return !stage.IsNote(key) })
	}
	s.model.UpdatePanes()
}

// onStage reports whether a register is one of the stage.
func onStage(key string) bool { return strings.HasPrefix(key, stage.Prefix) }

// runPrograms makes the runs of a stage that are not open here, or with other settings. A run is simulated here as it was where it was started, and reads no
// file.
func (s *Session) runPrograms(from stage.Board) {
	for _, key := range from.Keys(stage.RunKey("")) {
		name, ok := stage.RunOf(key)
		var r experiment.Run
		if !ok || !from.Get(key, &r) {
			continue
		}
		s.expect(name)
		if s.model.Docs.Runner == nil || !s.differsFrom(name, &r) {
			continue
		}
		r.Read = func(path string, _ int64) (string, error) {
			return "", fmt.Errorf("%s: a run of a session reads no files", path)
		}
		d, err := s.model.Docs.Start(r)
		if err != nil {
			s.out.Fail(outbox.AboutSession, fmt.Errorf("the run %s of the session: %w", name, err))
			continue
		}
		if old := s.model.Docs.Get(name); old != nil {
			d.Group = old.Group
			s.model.Docs.Add(name, d)
			old.Discard()
			continue
		}
		s.saving.Fill(name, d)
	}
}

// differsFrom reports whether a run of this window has to be made, or made again, to be one with some settings.
func (s *Session) differsFrom(name string, r *experiment.Run) bool {
	d := s.model.Docs.Get(name)
	if d == nil {
		return true
	}
	want, err := json.Marshal(r)
	return err == nil && slices.Contains(s.repeated(), name) && s.runOf(name) != string(want)
}

// fits returns a camera for a pane of another size, both in points: what the other pane shows is in this one.
func (c seen) fits(w, h float64) view.Camera {
	if c.W < 1 || c.H < 1 || w < 1 || h < 1 {
		return c.Camera
	}
	out := c.Camera
	if out.ScaleY == 0 {
		out.Scale *= min(w/c.W, h/c.H)
		return out
	}
	x := workspace.Zoomed(out, w/c.W)
	y := workspace.Zoomed(out, h/c.H)
	x.ScaleY = y.ScaleY
	return x
}

// adoptCameras shows what a person sees.
func (s *Session) adoptCameras(id share.ID) {
	moved := false
	for i, pane := range s.model.IDs {
		moved = s.adoptCamera(id, i, pane) || moved
	}
	if moved {
		s.cameras.Forget()
	}
}

// adoptCamera gives the i-th pane the camera of a person. It reports whether it has moved.
func (s *Session) adoptCamera(id share.ID, i, pane int) bool {
	var c seen
	if !s.member.Get(share.PersonKey(id, cameraOf(pane)), &c) {
		c = seen{}
	}
	p := s.placedAt(pane)
	if p == nil {
		return false
	}
	if old, ok := s.placed[pane]; ok && old.seen == c && old.w == p.Area.W() && old.h == p.Area.H() {
		return false
	}
	camera := workspace.Zoomed(c.fits(p.Area.W()/s.window.Scale, p.Area.H()/s.window.Scale), s.window.Scale)
	if s.model.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &camera}) != nil {
		return false
	}
	s.placed[pane] = placed{c, camera, p.Area.W(), p.Area.H()}
	return true
}

// cameraOf returns the name of the register of a person with the camera of a pane.
func cameraOf(pane int) string { return "camera/" + strconv.Itoa(pane) }

// placedAt returns a pane that has a place in the window, nil for others.
func (s *Session) placedAt(pane int) *panes.Pane {
	if p := s.model.Panes[pane]; p != nil && p.Area.W() >= 1 {
		return p
	}
	return nil
}

// adoptPlay plays or pauses as the session does.
func (s *Session) adoptPlay() {
	var now playing
	s.member.Get(stage.Play, &now)
	if now == s.played {
		return
	}
	s.played = now
	if !now.On {
		s.player.On = false
		return
	}
	if clock, ok := s.member.Clock(s.window.Now); ok {
		s.player.PlayFrom(now.Until, s.window.Now-(clock-time.Duration(now.Time)*time.Microsecond))
		s.out.Redraw()
	}
}
