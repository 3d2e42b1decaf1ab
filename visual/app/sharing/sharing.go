// Package sharing shows a shared session in a window: it follows what presenters show, tells the others what this person does, and opens the traces of
// the session. Package share is the protocol.
package sharing

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/play"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A Session is this window's part in a shared session.
type Session struct {
	model   *panes.Model
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	player  *play.Player
	saving  *saving.Saver
	out     *outbox.Outbox

	access share.Access
	member *share.Member
	line   *share.Line // nil without a session

	mode     Mode
	arranged map[string]bool   // the traces that were opened in views here
	traces   map[string]string // names of the traces that are open or being read, by id
	told     map[string]string // the registers of the workspace as they were sent or received last
	placed   map[int]placed    // the cameras that were sent or received last, by pane
	acts     uint64            // Actions.Acts as of the last Publish
	chosen   view.Selection    // as it was sent or received last
	adopted  bool              // the selection is that of the person who is followed
	pointed  pointer           // as it was sent last
	pointAt  time.Duration
	viewed   string // the register person/ID/view as it was sent last
	viewAt   time.Duration
	played   playing // as it was sent or received last
	lost     bool    // a message says that the connection is lost

	panel  Panel
	cursor cursors
}

// A Mode is what a person does in a session: present, follow or roam.
type Mode struct {
	Roam   bool     `json:"roam,omitempty"`
	Follow share.ID `json:"follow,omitempty"` // 0 for the lead
}

// A seen is the value of person/ID/camera/N: a camera in points, with the size of the pane in points.
type seen struct {
	view.Camera
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// A placed is a camera as it was sent or received, and as this window has it.
type placed struct {
	seen   seen
	camera view.Camera
}

// A sent is a pane as others get it: its camera is in points.
type sent struct {
	view.Pane
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// A playing is the value of stage/play.
type playing struct {
	On    bool  `json:"on"`
	Until int64 `json:"until"` // ns: what plays has been shown up to here
	At    int64 `json:"at"`    // at this time of the session's clock, in µs
}

// New returns a window outside of sessions.
func New(m *panes.Model, cs *panes.Cameras, a *panes.Actions, w *panes.Window, p *play.Player, s *saving.Saver, out *outbox.Outbox) *Session {
	return &Session{model: m, cameras: cs, actions: a, window: w, player: p, saving: s, out: out}
}

// Join joins a session.
func (s *Session) Join(access share.Access) {
	s.access = access
	s.member = share.NewMember(access.Name, access.Token)
	s.member.Resume(access.Secret)
	s.line = share.NewLine(s.member, access.Dial)
	s.arranged = map[string]bool{}
	s.traces, s.told, s.placed = map[string]string{}, map[string]string{}, map[int]placed{}
	s.player.Together = true
	s.out.Redraw()
}

// Joined reports whether the window is in a session.
func (s *Session) Joined() bool { return s.line != nil }

// Close leaves the session without a word, as when the window closes.
func (s *Session) Close() {
	if s.line != nil {
		s.line.Close()
	}
}

// presents reports whether changes of this window are changes of the stage.
func (s *Session) presents() bool {
	return s.member.Role().Presents() && !s.mode.Roam && s.mode.Follow == 0
}

// lead returns the person whose cameras and selection are shown here, 0 for none.
func (s *Session) lead() share.ID {
	var id share.ID
	switch {
	case s.mode.Roam || s.presents():
		return 0
	case s.mode.Follow != 0:
		id = s.mode.Follow
	default:
		s.member.Get(share.LeadKey, &id)
	}
	if _, here := s.member.Person(id); here && id != s.member.Me() {
		return id
	}
	for _, id := range s.member.People() { // nobody has taken the lead yet
		if p, _ := s.member.Person(id); p.Role.Presents() && id != s.member.Me() {
			return id
		}
	}
	return 0
}

// Receive takes over what others have changed. It comes before the input of a step.
func (s *Session) Receive() {
	if s.line == nil {
		return
	}
	s.Publish() // what has changed since the last step, before changes of others arrive
	if s.line == nil {
		return
	}
	me := s.member.Me()
	s.line.Step(s.window.Now)
	s.tellLine()
	if s.member.Me() != me {
		s.begin()
	}
	if s.line == nil || !s.member.Joined() {
		return
	}
	keys := s.member.Changes()
	changed := map[string]bool{}
	for _, key := range keys {
		changed[key] = true
	}
	if len(keys) > 0 {
		s.openTraces()
	}
	if me := share.PersonKey(s.member.Me(), ""); changed[me] {
		s.roleChanged()
	}
	if len(keys) > 0 {
		s.adopt(changed)
	}
	for _, r := range s.member.Refusals() {
		s.out.Notify(ui.Info, outbox.AboutSession, r.Why)
	}
	for _, p := range s.member.Parcels() {
		s.unpack(p)
	}
	if len(keys) > 0 {
		s.actions.Redraw()
	}
}

// begin is called when the hub has accepted this person.
func (s *Session) begin() {
	if s.access.Keep != nil {
		s.access.Keep(s.access.Name, s.member.Secret())
	}
	s.panel.Open = s.window.W >= widget.NarrowWidth
	var mode Mode
	s.member.Get(s.key("mode"), &mode) // of an earlier program of this person
	s.mode = mode
	if s.member.Role().Presents() {
		s.model.Next = max(s.model.Next, int(s.member.Me())<<12) // no pane of another presenter has the same number
	}
	s.told = map[string]string{}
	s.adopt(nil)
}

// key returns the key of a register of this person.
func (s *Session) key(name string) string { return share.PersonKey(s.member.Me(), name) }

// tellLine says that the connection is lost, or that the session has ended.
func (s *Session) tellLine() {
	if why := s.member.Ended(); why != "" {
		s.out.Warn(outbox.AboutSession, "The session has ended for you: "+why)
		s.line = nil
		s.out.Redraw()
		return
	}
	switch err := s.line.Err(); {
	case err != nil && !s.lost:
		s.lost = true
		s.out.Warn(outbox.AboutSession, "No connection to the session: "+err.Error()+". Trying again; what you do meanwhile is kept.")
	case err == nil && s.lost:
		s.lost = false
		s.out.Mend(outbox.AboutSession)
	}
}

// roleChanged follows a new role of this person.
func (s *Session) roleChanged() {
	role := s.member.Role()
	if role == s.panel.role {
		return
	}
	first := s.panel.role == ""
	s.panel.role = role
	if role.Presents() {
		s.model.Next = max(s.model.Next, int(s.member.Me())<<12)
	}
	switch {
	case first:
	case role.Presents():
		s.mode = Mode{}
		s.out.Say(outbox.AboutSession, "You present: what you do is seen by all who follow")
	default:
		s.out.Notify(ui.Info, outbox.AboutSession, "You no longer present")
	}
}

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
				s.adopted = true
				s.chosen = sel
				s.actions.Reveal()
			}
		}
	}
	s.told = registers(w)
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
		if old, ok := s.placed[pane]; ok && old.seen == c || p == nil || p.Area.W() < 1 { // a pane without a place comes later
			continue
		}
		camera := workspace.Zoomed(c.fits(p.Area.W()/s.window.Scale, p.Area.H()/s.window.Scale), s.window.Scale)
		if w.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &camera}) == nil {
			moved = true
			s.placed[pane] = placed{c, camera}
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

// unpack shows a pane that somebody has sent.
func (s *Session) unpack(c share.Parcel) {
	var p sent
	from, _ := s.member.Person(c.From)
	if err := json.Unmarshal(c.Pane, &p); err != nil || p.Check() != nil || !slices.Contains(s.model.State.Shared.Traces, p.Trace) {
		s.out.Warn(outbox.AboutSession, from.Name+" has sent a view that cannot be shown here")
		return
	}
	s.show(p, from.Name+" has sent you this view")
}

// show adds a pane of somebody at the right, and roams unless this person presents.
func (s *Session) show(p sent, message string) {
	p.Of = 0
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
		message += ". You roam now; " + FollowKey + " follows again"
	}
	s.out.Say(outbox.AboutSession, message)
}

// FollowKey is the key that follows and roams.
const FollowKey = "~"

// Roam stops following or presenting, or begins again.
func (s *Session) Roam(on bool) {
	s.setMode(Mode{Roam: on})
}

// Follow follows a person, 0 for the lead.
func (s *Session) Follow(id share.ID) { s.setMode(Mode{Follow: id}) }

func (s *Session) setMode(m Mode) {
	if s.line == nil {
		return
	}
	was := s.mode
	s.mode = m
	s.put(s.key("mode"), m)
	if was.Roam && !m.Roam || was.Follow != m.Follow {
		s.placed = map[int]placed{}
		s.adopt(nil)
	}
	s.out.Mend(outbox.AboutSession)
	s.actions.Redraw()
}

// ToggleRoam follows if this person roams, and roams otherwise.
func (s *Session) ToggleRoam() { s.Roam(!s.mode.Roam) }

// RaiseHand raises or lowers the hand of this person.
func (s *Session) RaiseHand() {
	if s.line == nil {
		return
	}
	var up int64
	if s.member.Get(s.key("hand"), &up) {
		s.set(share.Change{Key: s.key("hand")})
		return
	}
	clock, _ := s.member.Clock(s.window.Now)
	s.put(s.key("hand"), clock.Milliseconds())
}

// put writes a register.
func (s *Session) put(key string, value any) {
	s.out.Check(outbox.AboutSession, s.member.Put(key, value))
}

// set writes registers.
func (s *Session) set(changes ...share.Change) {
	s.out.Check(outbox.AboutSession, s.member.Set(changes...))
}

// Publish tells the others what this person has done in the step. It comes at its end.
func (s *Session) Publish() {
	if s.line == nil || !s.member.Joined() {
		return
	}
	s.arrange()
	now := registers(&s.model.Workspace)
	if delete(now, untilKey); !s.player.On && s.model.State.Shared.Until != nil { // what plays is told by stage/play
		now[untilKey] = strconv.FormatInt(*s.model.State.Shared.Until, 10)
	} else if was, ok := s.told[untilKey]; ok && s.player.On {
		now[untilKey] = was
	}
	s.publishNotes(now)
	maps.DeleteFunc(s.told, func(key, _ string) bool { return isNote(key) })
	for key, value := range now {
		if isNote(key) {
			s.told[key] = value
		}
	}
	acted := s.actions.Acts != s.acts
	s.acts = s.actions.Acts
	switch {
	case s.presents():
		s.publishStage(now)
		s.publishCameras()
		s.publishPlay()
		s.told = now
	case acted && !s.mode.Roam && s.differs(now):
		s.Roam(true)
		s.out.Notify(ui.Info, outbox.AboutSession, "You roam now: others do not see what you change. "+FollowKey+" follows again")
	}
	s.publishSelf()
	s.line.Step(s.window.Now) // sends what has changed at once
}

// arrange opens the traces in views that suit them where there is no stage yet.
func (s *Session) arrange() {
	if len(s.member.Keys(panePrefix)) > 0 && !s.presents() {
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
	for _, all := range [][2]map[string]string{{now, s.told}, {s.told, now}} {
		for key, value := range all[0] {
			if !isNote(key) && key != untilKey && all[1][key] != value {
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

func isNote(key string) bool { return strings.HasPrefix(key, notePrefix) }

// publishNotes writes the notes that this person has written or removed.
func (s *Session) publishNotes(now map[string]string) {
	for key, value := range now {
		if isNote(key) && s.told[key] != value {
			s.set(share.Change{Key: key, Value: json.RawMessage(value)})
		}
	}
	for key := range s.told {
		if isNote(key) && now[key] == "" {
			s.set(share.Change{Key: key})
		}
	}
}

// publishStage writes what this person has changed on the stage.
func (s *Session) publishStage(now map[string]string) {
	var all []share.Change
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if !isNote(key) && s.told[key] != now[key] {
			all = append(all, share.Change{Key: key, Value: json.RawMessage(now[key])})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.told)) {
		if now[key] == "" && !isNote(key) {
			all = append(all, share.Change{Key: key})
		}
	}
	for _, name := range s.model.State.Shared.Traces { // programs that this person has run
		d := s.model.Docs.Get(name)
		key := runPrefix + url.PathEscape(name)
		if v, _ := s.member.Value(key); d == nil || d.Live == nil || d.Run == nil || v != nil || slices.Contains(slices.Collect(maps.Values(s.traces)), name) {
			continue
		}
		if b, err := json.Marshal(d.Run); err == nil && d.Run.Mode != experiment.Live {
			all = append(all, share.Change{Key: key, Value: b})
		}
	}
	s.set(all...)
}

// publishCameras writes the cameras of this person that have moved.
func (s *Session) publishCameras() {
	s.cameras.Settle()
	for i, id := range s.model.IDs {
		p := s.model.Panes[id]
		if p == nil || p.Area.W() < 1 {
			continue
		}
		c := seen{workspace.Zoomed(s.model.State.Personal.Panes[i].Camera, 1/s.window.Scale), p.Area.W() / s.window.Scale, p.Area.H() / s.window.Scale}
		if s.placed[id].seen != c {
			s.placed[id] = placed{c, s.model.State.Personal.Panes[i].Camera}
			s.put(s.key("camera/"+strconv.Itoa(id)), c)
		}
	}
}

// publishPlay writes that this person plays or pauses.
func (s *Session) publishPlay() {
	until, at, on := s.player.From()
	if !on {
		if s.played.On {
			s.played = playing{}
			s.set(share.Change{Key: playKey})
		}
		return
	}
	clock, ok := s.member.Clock(s.window.Now)
	if !ok {
		return
	}
	now := playing{true, until, (clock - (s.window.Now - at)).Microseconds()}
	if s.played.On && s.played.Until == now.Until && (s.played.At-now.At) < 20_000 && (now.At-s.played.At) < 20_000 { // the clock is measured again and again
		return
	}
	s.played = now
	s.put(playKey, now)
}

// publishSelf writes the selection of this person, the pointer, and the pane with the keys.
func (s *Session) publishSelf() {
	if sel := s.model.State.Shared.Selection; !sel.Equal(s.chosen) {
		s.chosen, s.adopted = sel, false
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

// viewEvery is the time between two messages about the pane with the keys, and pointEvery that between two about the pointer.
const (
	viewEvery  = 300 * time.Millisecond
	pointEvery = 40 * time.Millisecond
)

// Pull shows the pane that has the keys of another person.
func (s *Session) Pull(id share.ID) {
	var p sent
	who, _ := s.member.Person(id)
	if !s.member.Get(share.PersonKey(id, "view"), &p) || p.Check() != nil {
		s.out.Check(outbox.AboutSession, errors.New(who.Name+" shows no picture"))
		return
	}
	s.show(p, "This is what "+who.Name+" sees")
}

// Send sends the pane that has the keys here to another person.
func (s *Session) Send(id share.ID) {
	who, _ := s.member.Person(id)
	if s.viewed == "" {
		s.out.Check(outbox.AboutSession, errors.New("there is no picture here to be sent"))
		return
	}
	s.member.Send(id, json.RawMessage(s.viewed))
	s.out.Say(outbox.AboutSession, "Sent to "+who.Name)
}

// Due returns when the session has something to do; false for never.
func (s *Session) Due() (time.Duration, bool) {
	if s.line == nil {
		return 0, false
	}
	at := s.line.Due(s.window.Now)
	if s.pointed != (pointer{}) && s.pointAt > s.window.Now {
		at = min(at, s.pointAt)
	}
	return at, at >= 0
}
