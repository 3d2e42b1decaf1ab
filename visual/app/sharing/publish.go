package sharing

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
	"whorl/visual/workspace/stage"
)

// put writes a register.
func (s *Session) put(key string, value any) {
	if err := s.member.Put(key, value); err != nil {
		s.out.Fail(outbox.AboutSession, err)
	}
	s.stale = true
}

// set writes registers.
func (s *Session) set(changes ...share.Change) {
	if len(changes) == 0 {
		return
	}
	if err := s.member.Set(changes...); err != nil {
		s.out.Fail(outbox.AboutSession, err)
	}
	s.stale = true
}

// Publish tells the others what this person has done in the step. It comes at its end.
func (s *Session) Publish() {
	if s.line == nil || !s.member.Joined() {
		return
	}
	s.arrange()
	now := stage.Registers(&s.model.Workspace)
	if delete(now, stage.Until); !s.player.On && s.model.State.Shared.Until != nil { // what plays is told by stage/play
		now[stage.Until] = strconv.FormatInt(*s.model.State.Shared.Until, 10)
	} else if was, ok := s.known[stage.Until]; ok && s.player.On {
		now[stage.Until] = was
	}
	s.publishNotes(now)
	maps.DeleteFunc(s.known, func(key, _ string) bool { return stage.IsNote(key) })
	for key, value := range now {
		if stage.IsNote(key) {
			s.known[key] = value
		}
	}
	s.publishOwn(now)
	acted := s.actions.Acts != s.acts
	s.acts = s.actions.Acts
	chose := s.lessons.TakeChoice()
	switch {
	case s.presents():
		s.publishStage(now)
		s.publishCameras()
		s.publishPlay()
		s.publishLesson()
		s.known = now
	case s.mode.Roam:
		s.publishCameras()
	case acted && s.differs(now) || chose:
		s.Roam(true)
		s.out.Notify(ui.Info, outbox.AboutSession, "You roam now: others do not see what you change. Follow among the people, or "+FollowKey+", ends that")
	}
	s.publishSelf()
	if s.stale {
		s.stale = false
		s.readPeople()
	}
	s.line.Step(s.window.Now) // sends the changes at once
}

// arrange opens the traces in views that suit them where there is no stage yet.
func (s *Session) arrange() {
	if len(s.member.Keys(stage.Panes)) > 0 && !s.presents() {
		return
	}
	w := &s.model.Workspace
	for _, name := range w.State.Shared.Traces {
		if s.model.Docs.Get(name) == nil || s.arranged[name] || slices.ContainsFunc(w.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == name }) {
			continue
		}
		s.arranged[name] = true // the user may close its panes
		if err := s.model.Arranger.Arrange(w, name); err != nil {
			s.out.Fail(outbox.AboutSession, err)
			continue
		}
		s.model.UpdatePanes()
		s.out.Redraw()
	}
}

// differs reports whether this person has changed what the stage shows, or moved a camera.
func (s *Session) differs(now map[string]string) bool {
	for _, all := range [][2]map[string]string{{now, s.known}, {s.known, now}} {
		for key, value := range all[0] {
			if !stage.IsNote(key) && key != stage.Until && all[1][key] != value {
				return true
			}
		}
	}
	for i, id := range s.model.IDs {
		if was, ok := s.placed[id]; ok && s.model.State.Personal.Panes[i].Camera != was.camera {
			return true
		}
	}
	return false
}

// publishNotes writes the notes that this person has written or removed.
func (s *Session) publishNotes(now map[string]string) {
	for key, value := range now {
		if stage.IsNote(key) && s.known[key] != value {
			s.set(share.Change{Key: key, Value: json.RawMessage(value)})
		}
	}
	for key := range s.known {
		if stage.IsNote(key) && now[key] == "" {
			s.set(share.Change{Key: key})
		}
	}
}

// publishStage writes what this person has changed on the stage.
func (s *Session) publishStage(now map[string]string) {
	var all []share.Change
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if !stage.IsNote(key) && s.known[key] != now[key] {
			all = append(all, share.Change{Key: key, Value: json.RawMessage(now[key])})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.known)) {
		if now[key] == "" && !stage.IsNote(key) {
			all = append(all, share.Change{Key: key})
		}
	}
	for _, name := range s.repeated() {
		key, was, text := stage.RunKey(name), s.runs[name].published, s.runOf(name)
		if v, _ := s.member.Value(key); text != string(v) && (v == nil || was != "" && was != text) { // it is new, or another run here
			all = append(all, share.Change{Key: key, Value: json.RawMessage(text)})
		}
		s.runs[name] = settings{s.runs[name].run, text, text}
	}
	s.set(all...)
}

// settings are those of a run of this window.
type settings struct {
	run       *experiment.Run
	text      string // in JSON
	published string // text as of the last publishStage
}

// repeated lists the runs of this window that are no traces of the session, and that each member can make again.
func (s *Session) repeated() []string {
	inSession := slices.Collect(maps.Values(s.traces))
	return slices.DeleteFunc(slices.Clone(s.model.State.Shared.Traces), func(name string) bool {
		d := s.model.Docs.Get(name)
		return d == nil || !repeatable(d) || slices.Contains(inSession, name)
	})
}

// runOf returns the settings of a run in JSON.
func (s *Session) runOf(name string) string {
	d := s.model.Docs.Get(name)
	r := d.Run
	if before := d.Before(); before != nil { // the stage has the settings of the trial
		r = before.Run
	}
	known := s.runs[name]
	if known.run != r {
		b, err := json.Marshal(r)
		if err != nil {
			return ""
		}
		known.run, known.text = r, string(b)
		s.runs[name] = known
	}
	return known.text
}

// repeatable reports whether each member can make the run of a trace again.
func repeatable(d *documents.Document) bool {
	return d.Path == "" && d.Run != nil && d.Run.Mode != experiment.Live
}

// publishCameras writes the cameras of this person that have moved.
func (s *Session) publishCameras() {
	s.cameras.Settle()
	for i, id := range s.model.IDs {
		p := s.placedAt(id)
		if p == nil || s.back[id] {
			continue
		}
		c := seen{workspace.Zoomed(s.model.State.Personal.Panes[i].Camera, 1/s.window.Scale), p.Area.W() / s.window.Scale, p.Area.H() / s.window.Scale}
		if s.placed[id].seen != c {
			s.placed[id] = placed{c, s.model.State.Personal.Panes[i].Camera, p.Area.W(), p.Area.H()}
			s.put(s.key(cameraOf(id)), c)
		}
	}
}

// publishPlay writes that this person plays or pauses.
func (s *Session) publishPlay() {
	until, at, on := s.player.From()
	if !on {
		if s.played.On {
			s.played = playing{}
			s.set(share.Change{Key: stage.Play})
		}
		return
	}
	clock, ok := s.member.Clock(s.window.Now)
	if !ok {
		return
	}
	now := playing{true, until, (clock - (s.window.Now - at)).Microseconds()}
	if s.played.On && s.played.Until == now.Until && (s.played.Time-now.Time) < 20_000 && (now.Time-s.played.Time) < 20_000 { // the clock is measured again and again
		return
	}
	s.played = now
	s.put(stage.Play, now)
}

// publishSelf writes the selection of this person, the pointer, and the pane with the keys.
func (s *Session) publishSelf() {
	if sel := s.model.State.Shared.Selection; !sel.Equal(s.chosen) {
		s.chosen = sel
		if sel.Empty() {
			s.set(share.Change{Key: s.key("selection")})
		} else {
			s.put(s.key("selection"), sel)
		}
	}
	s.publishPointer()
	w := s.model.Pane(s.model.Focus)
	p := s.model.Panes[s.model.Focus]
	if w == nil || p == nil || s.window.Now < s.viewAt {
		return
	}
	out := sent{*w, p.Area.W() / s.window.Scale, p.Area.H() / s.window.Scale}
	out.Camera = workspace.Zoomed(out.Camera, 1/s.window.Scale)
	if b, err := json.Marshal(out); err == nil && string(b) != s.viewed {
		s.viewed, s.viewAt = string(b), s.window.Now+viewEvery
		s.set(share.Change{Key: s.key("view"), Value: b})
	}
}
