package ui

import (
	"strings"
	"time"
	"unicode/utf8"

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
	Fixed bool      // the text can be selected, not changed
}

// Typed describes what the user did with a text field.
type Typed struct {
	Changed bool // the text has changed
	Done    bool // Enter was pressed
	Focus   bool // the field gets the keys
}

type fieldState struct {
	doc    Document
	text   string // the last text of doc
	scroll float32
	seen   Pos
	since  time.Duration // when the caret last moved
	focus  bool
}

// Field draws an editor of one line.
func (c *Context) Field(r Rect, name string, text *string, look FieldLook) Typed {
	id := c.id(name)
	f := data[fieldState](c, id)
	if f.text != *text || f.doc.lines == nil {
		f.doc.SetText(strings.ReplaceAll(clean(*text), "\n", " "))
		f.doc.moveTo(Pos{0, len(f.doc.Line(0))}, false)
		f.text = *text
	}
	w := wantsFocus | wantsGrab
	if look.First {
		w |= wantsFirst
	}
	t := c.touch(id, r, w, look.Error)
	if c.secondary(id) {
		c.st.focus = id
	}
	c.shape(t.hot, Beam)
	c.typing = c.typing || t.focus

	ty := Type{}
	if look.Code {
		ty = Type{Face: scene.Mono, Size: Code}
	}
	in := r.Inset(c.Px(Gap), 0)
	if look.Icon != icon.None {
		in.X0 = min(r.X0+c.Px(Icon+12), in.X1)
	}
	res := Typed{Focus: t.focus}
	revision := f.doc.revision
	if t.focus && !f.focus && t.ring { // reached by the keyboard: select everything
		f.doc.Select(Pos{}, Pos{0, len(f.doc.Line(0))})
	}
	f.focus = t.focus
	c.fieldPointer(f, t, in, ty)
	c.fieldKeys(f, t, look, &res)
	if f.doc.revision != revision {
		f.text = f.doc.Text()
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
	p := Pos{0, c.colAt(f.doc.Line(0), c.st.x-in.X0+f.scroll, ty)}
	switch {
	case t.down && t.clicks == 2:
		from, to := f.doc.wordAt(p)
		f.doc.Select(from, to)
	case t.down && t.clicks >= 3:
		f.doc.Select(Pos{}, Pos{0, len(f.doc.Line(0))})
	case t.clicks < 2 && c.st.clicks.n < 2:
		f.doc.moveTo(p, !t.down || c.shifted())
	}
}

// shifted reports whether Shift was held during the event of this pass.
func (c *Context) shifted() bool {
	return len(c.in.Events) > 0 && c.in.Events[0].Mods&Shift != 0
}

func (c *Context) fieldKeys(f *fieldState, t touch, look FieldLook, res *Typed) {
	if !t.focus || c.ev == nil {
		return
	}
	switch c.ev.Kind {
	case Text:
		s := strings.Map(func(r rune) rune {
			if r == '\n' || r == '\t' {
				return ' '
			}
			if r < ' ' || r == 0x7f {
				return -1
			}
			return r
		}, clean(c.take().Text))
		if s != "" && !look.Fixed {
			f.doc.replace(s, utf8.RuneCountInString(s) == 1)
		}
	case Key:
		switch c.ev.Name {
		case "Enter":
			res.Done = true // not taken: it presses the main button of a dialog
		case "ArrowUp", "ArrowDown", "Tab", "Escape":
		default:
			if c.editKeys(&f.doc, c.ev, false, look.Fixed) {
				c.take()
			}
		}
	}
}

// colAt returns the byte of a line nearest to x pixels from its start.
func (c *Context) colAt(s string, x float32, ty Type) int {
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
	s := f.doc.Line(0)
	st := c.style(ty)
	width := func(s string) float32 { return c.Text.Width(s, st.Size, st.Face) }
	caret := width(s[:f.doc.caret.Col])
	// Keep the caret inside, without unused room at the end.
	room := max(in.W()-c.Px(2), 0)
	f.scroll = max(min(f.scroll, width(s)-room), 0)
	f.scroll = whole(min(max(f.scroll, caret-room), caret))
	if !t.focus {
		f.scroll = 0
	}
	c.Clip(Rect{in.X0 - c.Px(1), r.Y0, in.X1 + c.Px(1), r.Y1})
	from, to := f.doc.Selection()
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
		c.out.Text(x, c.middle(in, st), s, st)
	}
	if t.focus && c.blink(&f.since, &f.seen, f.doc.caret) {
		c.Fill(Rect{x + whole(caret), mark.Y0, x + whole(caret) + max(c.Hair(), c.Px(1.5)), mark.Y1}, th.Ink)
	}
	c.Unclip()
}

const (
	blinkTime = 530 * time.Millisecond
	blinkFor  = 10 * time.Second // then the caret stays, so that an unused window need not be drawn
)

// blink reports whether the caret is visible now. since and seen keep its state.
func (c *Context) blink(since *time.Duration, seen *Pos, caret Pos) bool {
	now := c.in.Now
	if *seen != caret || *since == 0 || len(c.in.Events) > 0 {
		*seen, *since = caret, max(now, 1)
	}
	age := max(now-*since, 0)
	if age >= blinkFor {
		return true
	}
	n := age / blinkTime
	c.Wake(*since + (n+1)*blinkTime)
	return n%2 == 0
}
