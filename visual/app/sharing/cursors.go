package sharing

import (
	"math"
	"slices"
	"strconv"

	"whorl/visual/app/painter"
	"whorl/visual/app/panes"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/share"
	"whorl/visual/view"
)

// A pointer is the value of person/ID/pointer: the place of the pointer in a pane, as a point of the world where the picture has a camera, else as
// shares of its width and height. The view and the trace find the pane of somebody who roams.
type pointer struct {
	Pane  int     `json:"pane"`
	View  string  `json:"view"`
	Trace string  `json:"trace"`
	World bool    `json:"world,omitempty"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// publishPointer writes where the pointer of this person is, or that it is over no picture.
func (s *Session) publishPointer() {
	if s.window.Now < s.pointAt {
		return
	}
	var now pointer
	for _, p := range s.model.Visible() {
		w := s.model.Pane(p.ID)
		if !p.Hovered || w == nil || p.Area.W() < 1 || p.Area.H() < 1 {
			continue
		}
		now = pointer{Pane: p.ID, View: w.View, Trace: w.Trace}
		if m, ok := s.mapping(p); ok {
			now.World, now.X, now.Y = true, (p.HoverX-m.X)/m.ScaleX, (p.HoverY-m.Y)/m.ScaleY
		} else {
			now.X, now.Y = (p.HoverX-p.Area.X0)/p.Area.W(), (p.HoverY-p.Area.Y0)/p.Area.H()
		}
		if math.IsNaN(now.X+now.Y) || math.IsInf(now.X+now.Y, 0) {
			now = pointer{}
		}
	}
	if now == s.pointed {
		return
	}
	s.pointed, s.pointAt = now, s.window.Now+pointEvery
	if now == (pointer{}) {
		s.set(share.Change{Key: s.key("pointer")})
		return
	}
	s.put(s.key("pointer"), now)
}

// mapping returns how the picture of a pane maps its world to pixels; false for a picture without a camera.
func (s *Session) mapping(p *panes.Pane) (view.Mapping, bool) {
	v, ok := p.Picture().(view.Plane)
	if !ok {
		return view.Mapping{}, false
	}
	m, _ := v.Mapping(s.cameras.Frame(p))
	return m, m.ScaleX != 0 && m.ScaleY != 0
}

// cursors is the layer with the pointers of the others.
type cursors struct {
	list     scene.List
	sum      uint64
	revision uint64
}

// Cursors returns the display list with the pointers of the others and the number of its look; nil if there are none. next gives numbers to looks.
func (s *Session) Cursors(next func() uint64) (*scene.List, uint64) {
	if s.line == nil {
		return nil, 0
	}
	c := &s.cursor
	c.list.Reset(float32(s.window.W*s.window.Scale), float32(s.window.H*s.window.Scale))
	for i := range s.people {
		who := &s.people[i]
		if who.id == s.member.Me() || !who.Here || who.pointer == (pointer{}) {
			continue
		}
		if p := s.paneOf(&who.pointer); p != nil {
			s.drawPointer(p, who)
		}
	}
	if sum := c.list.Sum(); sum != c.sum || c.revision == 0 {
		c.sum, c.revision = sum, next()
	}
	if c.list.Len() == 0 {
		return nil, 0
	}
	return &c.list, c.revision
}

// paneOf returns the visible pane that a pointer is in, nil for none: the pane of this number, or else one with its view and trace.
func (s *Session) paneOf(at *pointer) (found *panes.Pane) {
	for _, p := range s.model.Visible() {
		w := s.model.Pane(p.ID)
		if w == nil || w.View != at.View || w.Trace != at.Trace || !p.Answers() {
			continue
		}
		if p.ID == at.Pane {
			return p
		}
		if found == nil {
			found = p
		}
	}
	return found
}

// drawPointer draws the arrow of a person with the name beside it.
func (s *Session) drawPointer(p *panes.Pane, who *person) {
	at := &who.pointer
	x, y := p.Area.X0+at.X*p.Area.W(), p.Area.Y0+at.Y*p.Area.H()
	if at.World {
		m, ok := s.mapping(p)
		if !ok {
			return
		}
		x, y = m.X+at.X*m.ScaleX, m.Y+at.Y*m.ScaleY
	}
	if !(x >= p.Area.X0 && x < p.Area.X1 && y >= p.Area.Y0 && y < p.Area.Y1) {
		return
	}
	out := &s.cursor.list
	col := ColorOf(who.Colour, s.model.Dark)
	k := float32(s.window.Scale)
	px, py := float32(math.Round(x)), float32(math.Round(y))
	out.ClipTo(p.Area)
	arrow := []float32{0, 0, 0, 15, 4, 11.5, 7, 17.5, 9.5, 16.3, 6.6, 10.4, 11.5, 10.2}
	for i := range arrow {
		arrow[i] *= k
		if i%2 == 0 {
			arrow[i] += px
		} else {
			arrow[i] += py
		}
	}
	out.Polygon(arrow, scene.NonZero, col)
	size := 12 * k
	width := s.window.Text.Width(who.Name, size, scene.Bold)
	left, top := px+12*k, py+16*k
	if left+width+8*k > float32(p.Area.X1) {
		left = px - width - 10*k
	}
	if top+18*k > float32(p.Area.Y1) {
		top = py - 20*k
	}
	out.Rect(left, top, left+width+8*k, top+18*k, col)
	out.Text(left+4*k, top+9*k, who.Name, scene.TextStyle{Size: size, Face: scene.Bold, Color: inkOn(col), VAlign: scene.Center})
	out.Pop()
}

// ColorOf returns the colour of a person: one of the set that every colour vision can tell apart.
func ColorOf(i int, dark bool) scene.Color {
	scheme, err := palette.Named("safe")
	if err != nil {
		scheme = palette.Schemes[0]
	}
	set := scheme.Set(dark)
	c := scene.NRGBA(set[max(i, 0)%len(set)])
	if i >= len(set) { // a second person with the hue, lighter or darker
		c = c.Mix(scene.RGB(128, 128, 128), 0.45)
	}
	return c
}

// inkOn returns black or white, whichever is read better on a colour.
func inkOn(c scene.Color) scene.Color {
	light := palette.Linear(c.R)*0.2126 + palette.Linear(c.G)*0.7152 + palette.Linear(c.B)*0.0722
	if light > 0.18 {
		return scene.RGB(0, 0, 0)
	}
	return scene.RGB(255, 255, 255)
}

// Marks lists the selections of the others, for the overlays of pictures.
func (s *Session) Marks() (marks []painter.Mark) {
	if s.line == nil {
		return nil
	}
	for _, p := range s.people {
		if p.id != s.member.Me() && p.Here && !p.selects.Empty() && !p.selects.Equal(s.model.State.Shared.Selection) {
			marks = append(marks, painter.Mark{Selection: p.selects, Color: ColorOf(p.Colour, s.model.Dark)})
		}
	}
	return marks
}

// label returns the name of a person for lists, with a number where two people have the same name.
func (s *Session) label(p *person) string {
	name := p.Name
	if slices.ContainsFunc(s.people, func(q person) bool { return q.id != p.id && q.Name == p.Name }) {
		name += " #" + strconv.FormatUint(uint64(p.id), 10)
	}
	if p.id == s.member.Me() {
		name += " (you)"
	}
	return name
}
