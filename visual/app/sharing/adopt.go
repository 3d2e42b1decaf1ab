package sharing

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/view"
	"whorl/visual/workspace"
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
		s.model.Docs.Load(&documents.File{Name: t.File, Size: t.Bytes, At: s.access.Trace(id, t.Bytes)}, t.Name, documents.Search{})
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

// adopt changes the workspace to what others have written to registers; nil stands for all registers.
func (s *Session) adopt(changed map[string]bool) {
	written := func(prefix string) bool {
		if changed == nil {
			return true
		}
		for key := range changed {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
		return false
	}
	w := &s.model.Workspace
	if written(notePrefix) {
		notes(s.member, w)
	}
	staged := len(s.member.Keys(panePrefix)) > 0
	if !s.mode.Roam && staged && written(stagePrefix) {
		s.runPrograms()
		stage(s.member, w)
		s.adoptPlay()
	}
	if lead := s.lead(); lead != 0 {
		s.adoptCameras(lead)
		if key := share.PersonKey(lead, "selection"); changed == nil || changed[key] || changed[share.LeadKey] {
			var sel view.Selection
			s.member.Get(key, &sel)
			if !sel.Equal(w.State.Shared.Selection) && w.Apply(view.Action{Do: view.Select, Selection: &sel, More: true}) == nil {
				s.chosen = sel
				s.actions.Reveal()
			}
		}
	}
	s.told = registers(w)
	if !staged { // whoever presents first writes all of it
		maps.DeleteFunc(s.told, func(key, _ string) bool { return !isNote(key) })
	}
	s.model.UpdatePanes()
}

// runPrograms makes the runs of the stage that are not open here. A run is simulated here as it was where it was started, and reads no file.
func (s *Session) runPrograms() {
	for _, key := range s.member.Keys(runPrefix) {
		p := parts(key, runPrefix, 1)
		var r experiment.Run
		if p == nil || s.model.Docs.Get(p[0]) != nil || !s.member.Get(key, &r) {
			continue
		}
		s.expect(p[0])
		if s.model.Docs.Runner == nil {
			continue
		}
		r.Read = func(path string, _ int64) (string, error) {
			return "", fmt.Errorf("%s: a run of a session reads no files", path)
		}
		d, err := s.model.Docs.Start(r)
		if err != nil {
			s.out.Fail(outbox.AboutSession, fmt.Errorf("the run %s of the session: %w", p[0], err))
			continue
		}
		s.saving.Fill(p[0], d)
	}
}

// runPrefix begins the registers of runs that were started in the session.
const runPrefix = "stage/run/"

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
	w := &s.model.Workspace
	moved := false
	for i, pane := range w.IDs {
		var c seen
		if !s.member.Get(share.PersonKey(id, "camera/"+strconv.Itoa(pane)), &c) {
			c = seen{}
		}
		p := s.model.Panes[pane]
		if p == nil || p.Area.W() < 1 { // it has no place yet
			continue
		}
		if old, ok := s.placed[pane]; ok && old.seen == c && old.w == p.Area.W() && old.h == p.Area.H() {
			continue
		}
		camera := workspace.Zoomed(c.fits(p.Area.W()/s.window.Scale, p.Area.H()/s.window.Scale), s.window.Scale)
		if w.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &camera}) == nil {
			moved = true
			s.placed[pane] = placed{c, camera, p.Area.W(), p.Area.H()}
		}
	}
	if moved {
		s.cameras.Forget()
	}
}

// adoptPlay plays or pauses as the session does.
func (s *Session) adoptPlay() {
	var now playing
	s.member.Get(playKey, &now)
	if now == s.played {
		return
	}
	s.played = now
	if !now.On {
		s.player.On = false
		return
	}
	if clock, ok := s.member.Clock(s.window.Now); ok {
		s.player.PlayFrom(now.Until, s.window.Now-(clock-time.Duration(now.At)*time.Microsecond))
		s.out.Redraw()
	}
}
