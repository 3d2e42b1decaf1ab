package sharing

import (
	"fmt"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Panel lists the people of a session, at the left of the window.
type Panel struct {
	Open   bool
	role   share.Role // of this person as it was told last
	chosen int
	name   string // as it is being typed
	typed  bool
}

// TogglePanel opens or closes the panel.
func (s *Session) TogglePanel() { s.panel.Open = !s.panel.Open }

// Shown reports whether the panel is in the window.
func (s *Session) Shown() bool { return s.line != nil && s.panel.Open }

// State says what this person does, for descriptions of the window; "" without a session.
func (s *Session) State() string {
	if s.line == nil {
		return ""
	}
	if p := s.find(s.member.Me()); p != nil {
		return s.does(p)
	}
	return "joins"
}

// Draw draws the panel, cut off the right side of r. The tip of its button for closing names a key.
func (s *Session) Draw(c *ui.Context, r *ui.Rect, key string) {
	area := widget.Aside(c, r, c.Px(300), (*ui.Rect).CutRight)
	c.Fill(area.CutLeft(c.Hair()), c.Theme.Line)
	c.Scope("session")
	defer c.Unscope()
	in := widget.Panel(c, area, "Session")
	if widget.CloseButton(c, area, "Close this panel ("+key+")") {
		s.panel.Open = false
	}
	in = in.Inset(c.Px(ui.Pad), c.Px(ui.Gap))
	s.drawState(c, &in)
	s.drawName(c, &in)
	s.drawInvitations(c, &in)
	people := s.sorted()
	row := c.Px(max(2*c.Theme.Row, c.Theme.Least))
	if widget.List(c, in, "people", widget.ListOptions{
		N: len(people), Height: row / c.Px(1), Empty: "Nobody is here yet", Single: true,
		Draw:  func(i int, r ui.Rect) { s.drawPerson(c, people[i], r) },
		Enter: func(i int) { x, y := c.Pointer(); widget.OpenMenu(c, "person", x, y) },
	}, &s.panel.chosen) {
		c.Again()
	}
	if i := s.panel.chosen; i >= 0 && i < len(people) {
		s.menu(c, people[i])
	}
}

// drawState says what this person does, with the buttons to change it, cut off the top of in.
func (s *Session) drawState(c *ui.Context, in *ui.Rect) {
	role := s.member.Role()
	text, doing := "", 0
	switch {
	case !s.line.Connected():
		text = "Connecting…"
		if err := s.line.Err(); err != nil {
			text = "No connection: " + err.Error() + ". Trying again."
		}
	case s.mode.Roam:
		text, doing = "You roam: only you see what you change. Notes are shared.", 1
	case s.presents():
		text = "You present: all who follow see what you do."
	default:
		text = "You follow"
		if p := s.find(s.lead()); p != nil {
			text += " " + p.Name
		}
		text += ": you see what presenters show."
	}
	c.Paragraph(in.CutTop(c.ParagraphHeight(in.W(), text, ui.Type{})), text, ui.Type{})
	in.CutTop(c.Px(ui.Gap))
	row := in.CutTop(c.Px(c.Theme.Ctl))
	first := "Follow"
	if role.Presents() {
		first = "Present"
	}
	hand := widget.ButtonOptions{Label: "Hand", Icon: icon.Hand, Tip: "Raise your hand, or lower it (^)"}
	if v, _ := s.member.Value(s.key("hand")); v != nil {
		hand.On = true
	}
	if !role.Presents() && widget.Button(c, row.CutRight(widget.ButtonWidth(c, hand)), "hand", hand) {
		s.RaiseHand()
	}
	row.CutRight(c.Px(ui.Gap))
	if widget.Segments(c, row, "mode", []string{first, "Roam"}, &doing) {
		s.Roam(doing == 1)
		c.Again()
	}
	c.Tip(row, "See what presenters show, or look around alone ("+FollowKey+")")
	in.CutTop(c.Px(ui.Gap))
}

// drawName draws the field with the name of this person, cut off the top of in.
func (s *Session) drawName(c *ui.Context, in *ui.Rect) {
	row := in.CutTop(c.Px(c.Theme.Ctl))
	c.Label(row.CutLeft(c.Px(84)), "Your name", ui.Type{Color: c.Theme.Muted})
	me, _ := s.member.Person(s.member.Me())
	if !s.panel.typed {
		s.panel.name = me.Name
	}
	did := widget.Field(c, row, "name", &s.panel.name, widget.FieldOptions{})
	switch {
	case did.Done:
		s.Rename(s.panel.name)
		s.leaveName(c)
	case did.Left:
		s.leaveName(c)
	case did.Changed:
		s.panel.typed = true
	}
	in.CutTop(c.Px(ui.Gap))
}

// leaveName ends typing in the field: the next keys are commands.
func (s *Session) leaveName(c *ui.Context) {
	s.panel.typed = false
	c.TakeEvent()
	c.GrabFocus(0)
	c.Again()
}

// Rename gives this person another name.
func (s *Session) Rename(name string) {
	s.access.Name = strings.TrimSpace(name)
	s.member.Rename(s.access.Name)
	if s.access.Keep != nil {
		s.access.Keep(s.access.Name, s.member.Secret())
	}
}

// drawPerson draws a row: colour and name, and below what the person does.
func (s *Session) drawPerson(c *ui.Context, p *person, r ui.Rect) {
	r = r.Inset(c.Px(4), 0)
	dot := r.CutLeft(c.Px(20))
	c.Out().Circle((dot.X0+dot.X1)/2, dot.Y0+r.H()/3, c.Px(5), ColorOf(p.Colour, s.model.Dark))
	if p.handIsUp {
		c.Icon(r.CutRight(c.Px(22)), icon.Hand, c.Theme.Warn)
		c.Wake(c.Now() + time.Second) // to say how long the person waits
	}
	top := r
	top.Y1 = r.Y0 + r.H()*0.55
	r.Y0 = top.Y1
	ty := ui.Type{Face: scene.Bold}
	if !p.Here {
		ty.Color = c.Theme.Muted
	}
	c.Label(top, s.label(p), ty)
	c.Label(r, s.does(p), ui.Type{Size: ui.Small, Color: c.Theme.Muted})
}

// does says what a person does.
func (s *Session) does(p *person) string {
	what := "follows"
	switch {
	case !p.Here:
		what = "away"
	case p.mode.Roam:
		what = "roams"
	case p.Role.Presents() && p.mode.Follow == 0:
		what = "presents"
	case p.mode.Follow != 0:
		what = "follows " + s.nameOf(p.mode.Follow)
	}
	if p.Role == share.Owner {
		what += ", owner"
	}
	if p.handIsUp {
		what += ", raised a hand"
		if clock, ok := s.member.Clock(s.window.Now); ok {
			if waits := (clock.Milliseconds() - p.hand) / 1000; waits >= 1 {
				what += " " + figures.Duration(waits*1e9) + " ago"
			}
		}
	}
	return what
}

// menu shows what can be done with a person, and does it.
func (s *Session) menu(c *ui.Context, p *person) {
	id := p.id
	mine := s.member.Role()
	self := id == s.member.Me()
	var items []widget.Item
	var acts []func()
	add := func(label string, off bool, why string, act func()) {
		if !off {
			why = ""
		}
		items = append(items, widget.Item{Label: label, Off: off, Why: why})
		acts = append(acts, act)
	}
	if !self {
		if p.Role.Presents() {
			add("Follow "+p.Name, false, "", func() { s.Follow(id) })
		}
		add("See the view of "+p.Name, !p.Here, "away", func() { s.Pull(id) })
		add("Send your view", !p.Here, "away", func() { s.Send(id) })
	}
	if mine.Presents() {
		if p.handIsUp {
			add("Lower the hand", false, "", func() { s.set(share.Change{Key: share.PersonKey(id, "hand")}) })
		}
		if !self && p.Role == share.Viewer {
			add("Give the control", false, "", func() {
				s.member.Grant(id, share.Presenter)
				s.set(share.Change{Key: share.PersonKey(id, "hand")})
			})
		}
	}
	if p.Role == share.Presenter && (mine == share.Owner || self) {
		label := "Take the control back"
		if self {
			label = "Give up the control"
		}
		add(label, false, "", func() {
			s.member.Grant(id, share.Viewer)
			if !self {
				s.put(share.LeadKey, s.member.Me())
			}
		})
	}
	if mine.Presents() && self {
		add("Let all see what you see", false, "", func() {
			s.Roam(false)
			s.put(share.LeadKey, s.member.Me())
		})
	}
	if mine == share.Owner && !self {
		add(fmt.Sprintf("Remove %s from the session", p.Name), false, "", func() { s.member.Remove(id) })
	}
	if i := widget.Menu(c, "person", items); i >= 0 {
		acts[i]()
		c.Again()
		s.actions.Redraw()
	}
}
