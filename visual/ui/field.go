package ui

import (
	"strings"
	"time"

	"whorl/visual/edit"
	"whorl/visual/icon"
	"whorl/visual/scene"
)

// A FieldLook describes a text field.
type FieldLook struct {
	Hint  string    // shown while it is empty
	Icon  icon.Icon // before the text
	Error string    // what is wrong with the text: the tooltip of a red border
	Code  bool      // type with columns
	First bool      // the field gets the focus when its dialog opens
}

// Typed describes what the user did with a text field.
type Typed struct {
	Changed bool // the text has changed
	Done    bool // Enter was pressed
}

type fieldState struct {
	buffer edit.Buffer
	text   string // the last text of buffer
	filled bool
	scroll float32
	caret  caretState
	focus  bool
}

// Field draws an editor of one line.
func (c *Context) Field(r Rect, name string, text *string, look FieldLook) Typed {
	id := c.ID(name)
	f := data[fieldState](c, id)
	b := &f.buffer
	if f.text != *text || !f.filled {
		b.SetText(oneLine(*text))
		b.MoveTo(b.End(), false)
		f.text, f.filled = *text, true
	}
	w := wantsFocus | wantsGrab
	if look.First {
		w |= wantsFirst
	}
	t := c.touch(id, r, w, look.Error)
	if c.pressedBy(id, Secondary) {
		c.GrabFocus(id)
	}
	if t.hot {
		c.SetCursor(Beam)
	}
	if t.focus {
		c.TakesText()
	}

	ty := Type{}
	if look.Code {
		ty = Type{Face: scene.Mono, Size: Code}
	}
	in := r.Inset(c.Px(Gap), 0)
	if look.Icon != icon.None {
		in.X0 = min(r.X0+c.Px(Icon+12), in.X1)
	}
	var res Typed
	revision := b.Revision()
	if t.focus && !f.focus && t.ring { // reached by the keyboard: select everything
		b.Select(edit.Pos{}, b.End())
	}
	f.focus = t.focus
	c.fieldPointer(f, t, in, ty)
	c.fieldKeys(b, t, &res)
	if b.Revision() != revision {
		f.text = b.Text()
		*text = f.text
		res.Changed = true
	}
	c.drawField(r, in, f, t, look, ty)
	return res
}

func (c *Context) fieldPointer(f *fieldState, t touch, in Rect, ty Type) {
	if !t.down && !(t.held && t.dragged) {
		return
	}
	b := &f.buffer
	x, _ := c.Pointer()
	p := edit.Pos{Col: c.column(b.Line(0), x-in.X0+f.scroll, ty)}
	switch {
	case t.down && t.clicks == 2:
		b.Select(b.Word(p))
	case t.down && t.clicks >= 3:
		b.Select(edit.Pos{}, b.End())
	case t.clicks < 2:
		b.MoveTo(p, !t.down || c.shifted())
	}
}

// oneLine puts blanks in the place of line ends and tabs.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
}

// shifted reports whether Shift was held during the event of this pass.
func (c *Context) shifted() bool {
	e := c.Input()
	return e != nil && e.Mods&Shift != 0
}

func (c *Context) fieldKeys(b *edit.Buffer, t touch, res *Typed) {
	e := c.Event()
	if !t.focus || e == nil {
		return
	}
	switch e.Kind {
	case Text:
		b.Type(oneLine(c.take().Text))
	case Key:
		switch e.Name {
		case "Enter":
			res.Done = true // not taken: it presses the main button of a dialog
		case "ArrowUp", "ArrowDown", "Tab", "Escape":
		default:
			if c.editKey(b, e, false) {
				c.take()
			}
		}
	}
}

// column returns the byte of a line nearest to x pixels from its start.
func (c *Context) column(s string, x float32, ty Type) int {
	st := c.style(ty)
	at := float32(0)
	for i, r := range s {
		w := c.Text.Width(string(r), st.Size, st.Face)
		if x < at+w/2 {
			return i
		}
		at += w
	}
	return len(s)
}

func (c *Context) drawField(r, in Rect, f *fieldState, t touch, look FieldLook, ty Type) {
	th := &c.Theme
	border := th.Border
	ground := th.Ground
	switch {
	case c.Disabled:
		border, ground = th.Line, th.Surface
	case look.Error != "":
		border = th.Danger
	case t.focus:
		border = th.Accent
	case t.hot:
		border = th.Muted
	}
	c.Box(r, c.Px(Corner), ground, border)
	if t.focus {
		c.outline(r, c.Px(Corner), max(c.Hair(), c.Px(2)), border)
	}
	if look.Icon != icon.None {
		c.Icon(Rect{r.X0 + c.Px(6), r.Y0, min(r.X0+c.Px(6+Icon), r.X1), r.Y1}, look.Icon, th.Muted)
	}
	b := &f.buffer
	s := b.Line(0)
	st := c.style(ty)
	width := func(s string) float32 { return c.Text.Width(s, st.Size, st.Face) }
	caret := width(s[:b.Caret().Col])
	// Keep the caret inside, without unused room at the end.
	room := max(in.W()-c.Px(2), 0)
	f.scroll = max(min(f.scroll, width(s)-room), 0)
	f.scroll = whole(min(max(f.scroll, caret-room), caret))
	if !t.focus {
		f.scroll = 0
	}
	c.Clip(Rect{in.X0 - c.Px(1), r.Y0, in.X1 + c.Px(1), r.Y1})
	from, to := b.Selection()
	x := in.X0 - f.scroll
	h := whole(st.Size * 1.4)
	mark := r.Center(r.W(), min(h, r.H()))
	if from != to && t.focus {
		c.Fill(Rect{x + whole(width(s[:from.Col])), mark.Y0, x + whole(width(s[:to.Col])), mark.Y1}, th.Soft)
	}
	switch {
	case s == "" && look.Hint != "":
		hint := ty
		hint.Color = th.Muted
		c.write(in, look.Hint, hint)
	case s != "" && !t.focus:
		if c.write(in, s, ty) && look.Error == "" {
			c.Tip(r, s)
		}
	case s != "":
		c.Out().Text(x, c.middle(in, st), s, st)
	}
	if t.focus && c.blink(&f.caret, b.Caret()) {
		c.Fill(Rect{x + whole(caret), mark.Y0, x + whole(caret) + max(c.Hair(), c.Px(1.5)), mark.Y1}, th.Ink)
	}
	c.Unclip()
}

const (
	blinkTime = 530 * time.Millisecond
	blinkFor  = 10 * time.Second // then the caret stays, so that an unused window need not be drawn
)

// A caretState makes a caret blink.
type caretState struct {
	place edit.Pos
	since time.Duration // when the caret last moved, or the user did something
}

// blink reports whether the caret is visible now.
func (c *Context) blink(s *caretState, caret edit.Pos) bool {
	now := c.Now()
	if s.place != caret || s.since == 0 || c.Input() != nil {
		s.place, s.since = caret, max(now, 1)
	}
	age := max(now-s.since, 0)
	if age >= blinkFor {
		return true
	}
	n := age / blinkTime
	c.Wake(s.since + (n+1)*blinkTime)
	return n%2 == 0
}
