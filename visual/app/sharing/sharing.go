// Package sharing shows a shared session in a window: it follows what presenters show, tells the others what this person does, and opens the traces of
// the session. Package share is the protocol.
package sharing

import (
	"time"

	"whorl/visual/app/lessons"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/play"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// A Session is this window's part in a shared session. Its panel, its publishing and its adopting of changes share one member and its state, so it is one type.
type Session struct {
	model   *panes.Model
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	player  *play.Player
	lessons *lessons.Panel
	saving  *saving.Saver
	out     *outbox.Outbox

	access share.Access
	member *share.Member
	line   *share.Line // nil without a session

	mode     Mode
	arranged map[string]bool   // the traces that were opened in views here
	traces   map[string]string // names of the traces that are open or being read, by id
	runs     map[string]settings
	known    map[string]string // the registers of the workspace as they were sent or received last
	placed   map[int]placed    // the cameras that were sent or received last, by pane
	acts     uint64            // Actions.Acts as of the last Publish
	chosen   view.Selection    // as it was sent or received last
	pointed  pointer           // as it was sent last
	pointAt  time.Duration
	viewed   string // the register person/ID/view as it was sent last
	viewAt   time.Duration
	own      map[string]string     // the stage of this person alone, as it was sent or received last
	back     map[int]bool          // panes that are to have the cameras of an earlier program of this person
	played   playing               // as it was sent or received last
	place    lessons.Place         // of the panel of lessons, as it was sent or received last
	offers   map[string]chan error // files that are being given to the session, by the name of the trace
	lost     bool                  // a message says that the connection is lost

	people []person
	stale  bool                     // this person has written registers that people does not know
	leads  share.ID                 // the register of the lead
	crowds map[string]lessons.Crowd // answers of others, by question
	host   host
	left   map[int]leftPicture // by pane
	asked  map[int]bool        // the pictures of these panes were asked for
	got    chan gotPicture
	panel  Panel
	cursor cursors
}

// A Mode is the mode of a person in a session: present, follow or roam.
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
	w, h   float64 // of the pane here, in pixels
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
	Until int64 `json:"until"` // ns: the animation has been shown up to here
	Time  int64 `json:"at"`    // at this time of the session's clock, in µs
}

// New returns a window outside of sessions.
func New(m *panes.Model, cs *panes.Cameras, a *panes.Actions, w *panes.Window, p *play.Player, l *lessons.Panel, s *saving.Saver, out *outbox.Outbox, start Starter) *Session {
	return &Session{model: m, cameras: cs, actions: a, window: w, player: p, lessons: l, saving: s, out: out, host: host{start: start}}
}

// Join joins a session.
func (s *Session) Join(access share.Access) {
	s.access = access
	s.member = share.NewMember(access.Name, access.Token)
	s.member.Resume(access.Secret)
	s.member.Use(access.Device)
	if access.IfAway {
		s.member.IfAway()
	}
	s.line = share.NewLine(s.member, access.Dial)
	s.arranged, s.offers = map[string]bool{}, map[string]chan error{}
	s.left, s.asked, s.got = map[int]leftPicture{}, map[int]bool{}, make(chan gotPicture, 64)
	s.traces, s.known, s.placed, s.runs = map[string]string{}, map[string]string{}, map[int]placed{}, map[string]settings{}
	s.place = lessons.Place{}
	s.player.Together = true
	s.out.Redraw()
}

// Joined reports whether the window is in a session.
func (s *Session) Joined() bool { return s.line != nil }

// Close leaves the session without a word, as when the window closes.
func (s *Session) Close() {
	if h := s.host.hosting; h != nil {
		defer h.Stop()
	}
	if s.line != nil {
		s.line.Close()
	}
}

// presents reports whether changes of this window are changes of the stage.
func (s *Session) presents() bool {
	return s.member.Role().Presents() && !s.mode.Roam && s.mode.Follow == 0
}

// Receive takes over what others have changed. It comes before the input of a step.
func (s *Session) Receive() {
	if s.host.waits != nil {
		s.hosted()
	}
	if s.line == nil {
		return
	}
	s.Publish() // the changes since the last step, before those of others arrive
	if s.line == nil {
		return
	}
	s.offered()
	me := s.member.Me()
	s.line.Step(s.window.Now)
	s.tellLine()
	if s.member.Me() != me {
		s.begin(me != 0)
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
		s.readPeople()
		s.readAnswers()
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
	if lead := s.lead(); lead != 0 { // a pane may have got another size
		s.adoptCameras(lead)
	} else {
		s.restoreCameras()
	}
	if len(keys) > 0 {
		s.actions.Redraw()
	}
}

// begin is called when the hub has accepted this person. again reports whether this window was another person of the session before, whom the hub has
// forgotten.
func (s *Session) begin(again bool) {
	if s.access.Keep != nil {
		s.access.Keep(s.access.Name, s.member.Secret())
	}
	s.panel.Open = s.window.W >= widget.NarrowWidth
	if again {
		s.put(s.key("mode"), s.mode)
	} else {
		s.mode = Mode{}
		s.member.Get(s.key("mode"), &s.mode) // of an earlier program of this person
	}
	if s.member.Role().Presents() {
		s.model.Next = max(s.model.Next, int(s.member.Me())<<12) // no pane of another presenter has the same number
	}
	s.known = map[string]string{}
	s.readPeople()
	var chosen view.Selection
	s.member.Get(s.key("selection"), &chosen)
	s.adopt(nil)
	if again {
		s.own, s.back = nil, nil
	} else {
		s.comeBack(chosen)
	}
}

// key returns the key of a register of this person.
func (s *Session) key(name string) string { return share.PersonKey(s.member.Me(), name) }

// tellLine says that the connection is lost, or that the session has ended.
func (s *Session) tellLine() {
	if why := s.member.Ended(); why != "" {
		s.out.Notify(ui.Failure, outbox.AboutSession, "The session has ended for you: "+why)
		s.line = nil
		s.out.Redraw()
		return
	}
	switch err := s.line.Err(); {
	case err != nil && !s.lost:
		s.lost = true
		s.out.Notify(ui.Failure, outbox.AboutSession, "No connection to the session: "+err.Error()+". Trying again; what you do meanwhile is kept.")
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
		s.out.Say(outbox.AboutSession, "Your hand is down")
		return
	}
	clock, _ := s.member.Clock(s.window.Now)
	s.put(s.key("hand"), clock.Milliseconds())
	s.out.Say(outbox.AboutSession, "Your hand is up")
}

// viewEvery is the time between two messages about the pane with the keys, and pointEvery that between two about the pointer.
const (
	viewEvery  = 300 * time.Millisecond
	pointEvery = 40 * time.Millisecond
)

// Due returns when the session has something to do; false for never.
func (s *Session) Due() (time.Duration, bool) {
	if s.line == nil {
		return s.window.Now + documents.PollEvery, s.host.waits != nil
	}
	at := s.line.Due(s.window.Now)
	if s.pointed != (pointer{}) && s.pointAt > s.window.Now {
		at = min(at, s.pointAt)
	}
	if len(s.offers) > 0 {
		at = min(at, s.window.Now+documents.PollEvery)
	}
	return at, at >= 0
}

// Follows reports whether this person is in a session and shows its stage without changing it.
func (s *Session) Follows() bool { return s.line != nil && !s.mode.Roam && !s.presents() }
