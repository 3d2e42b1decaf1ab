package widget

import (
	"strings"
	"time"

	"whorl/visual/edit"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// FieldOptions describe a text field.
type FieldOptions struct {
	Hint  string    // shown while it is empty
	Icon  icon.Icon // before the text
	Error string    // the error of the text: the tooltip of a red border
	Wrong bool      // a red border; a message describes the error
	Code  bool      // type with columns
	First bool      // the field gets the focus when its dialog opens
}

// A FieldResult describes what the user did with a text field.
type FieldResult struct {
	Changed bool // the text has changed
	Done    bool // Enter was pressed
	Left    bool // Escape was pressed
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
func Field(c *ui.Context, r ui.Rect, name string, text *string, o FieldOptions) FieldResult {
	id := c.ID(name)
	f := ui.Data[fieldState](c, id)
	b := &f.buffer
	if f.text != *text || !f.filled {
		b.SetText(oneLine(*text))
		b.MoveTo(b.End(), false)
		f.text, f.filled = *text, true
	}
	w := ui.WantsFocus | ui.WantsGrab | ui.WantsHold
	if o.First {
		w |= ui.WantsFirst
	}
	t := c.Touch(id, r, w, o.Error)
	if c.PressedBy(id, ui.Secondary) {
		c.GrabFocus(id)
	}
	if t.Hot {
		c.SetCursor(ui.Beam)
	}
	if t.Focus {
		c.TakesText()
	}

	ty := ui.Type{}
	if o.Code {
		ty = ui.Type{Face: scene.Mono, Size: ui.Code}
	}
	in := r.Inset(c.Px(ui.Gap), 0)
	if o.Icon != icon.None {
		in.X0 = min(r.X0+c.Px(ui.Icon+12), in.X1)
	}
	var res FieldResult
	revision := b.Revision()
	if t.Focus && !f.focus && t.Ring { // reached by the keyboard: select everything
		b.Select(edit.Pos{}, b.End())
	}
	f.focus = t.Focus
	fieldPointer(c, f, t, in, ty)
	fieldKeys(c, b, t, &res)
	if b.Revision() != revision {
		f.text = b.Text()
		*text = f.text
		res.Changed = true
	}
	c.Describe(id, r, ui.Accessible{Role: ui.RoleField, Name: spoken(name), Value: *text})
	drawField(c, r, in, f, t, o, ty)
	return res
}

// fieldPointer moves the caret and selects: words with a double click, everything with a third click.
func fieldPointer(c *ui.Context, f *fieldState, t ui.Touch, in ui.Rect, ty ui.Type) {
	if !t.Down && !(t.Held && t.Dragged) {
		return
	}
	b := &f.buffer
	x, _ := c.Pointer()
	p := edit.Pos{Col: column(c, b.Line(0), x-in.X0+f.scroll, ty)}
	switch {
	case t.Down && t.Clicks == 2:
		b.Select(b.Word(p))
	case t.Down && t.Clicks >= 3:
		b.Select(edit.Pos{}, b.End())
	case t.Clicks < 2:
		b.MoveTo(p, !t.Down || shifted(c))
	}
}

// oneLine puts blanks in the place of line ends and tabs.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
}

// shifted reports whether Shift was held during the event of this pass.
func shifted(c *ui.Context) bool {
	e := c.Input()
	return e != nil && e.Mods&ui.Shift != 0
}

// fieldKeys handles the keys and the text of this pass.
func fieldKeys(c *ui.Context, b *edit.Buffer, t ui.Touch, res *FieldResult) {
	e := c.Event()
	if !t.Focus || e == nil {
		return
	}
	switch e.Kind {
	case ui.Text:
		b.Type(oneLine(c.TakeEvent().Text))
	case ui.Key:
		switch e.Name {
		case "Enter":
			res.Done = true // not taken: it presses the main button of a dialog
		case "Escape":
			res.Left = true // not taken: it closes a dialog
		case "ArrowUp", "ArrowDown", "Tab":
		default:
			if editKey(c, b, e, false) {
				c.TakeEvent()
			}
		}
	}
}

// column returns the byte of a line nearest to x pixels from its start.
func column(c *ui.Context, s string, x float32, ty ui.Type) int {
	st := c.Style(ty)
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

// drawField draws the field, scrolled so that the caret is visible.
func drawField(c *ui.Context, r, in ui.Rect, f *fieldState, t ui.Touch, o FieldOptions, ty ui.Type) {
	th := &c.Theme
	border := th.Border
	ground := th.Ground
	switch {
	case c.Disabled:
		border, ground = th.Line, th.Surface
	case o.Error != "" || o.Wrong:
		border = th.Danger
	case t.Focus:
		border = th.Accent
	case t.Hot:
		border = th.Muted
	}
	c.Box(r, c.Px(ui.Corner), ground, border)
	if t.Focus {
		c.Outline(r, c.Px(ui.Corner), max(c.Hair(), c.Px(2)), border)
	}
	if o.Icon != icon.None {
		c.Icon(ui.Rect{X0: r.X0 + c.Px(6), Y0: r.Y0, X1: min(r.X0+c.Px(6+ui.Icon), r.X1), Y1: r.Y1}, o.Icon, th.Muted)
	}
	b := &f.buffer
	s := b.Line(0)
	st := c.Style(ty)
	width := func(s string) float32 { return c.Text.Width(s, st.Size, st.Face) }
	caret := width(s[:b.Caret().Col])
	// Keep the caret inside, without unused room at the end.
	room := max(in.W()-c.Px(2), 0)
	f.scroll = max(min(f.scroll, width(s)-room), 0)
	f.scroll = ui.Whole(min(max(f.scroll, caret-room), caret))
	if !t.Focus {
		f.scroll = 0
	}
	c.Clip(ui.Rect{X0: in.X0 - c.Px(1), Y0: r.Y0, X1: in.X1 + c.Px(1), Y1: r.Y1})
	from, to := b.Selection()
	x := in.X0 - f.scroll
	h := ui.Whole(st.Size * 1.4)
	mark := r.Center(r.W(), min(h, r.H()))
	if from != to && t.Focus {
		c.Fill(ui.Rect{X0: x + ui.Whole(width(s[:from.Col])), Y0: mark.Y0, X1: x + ui.Whole(width(s[:to.Col])), Y1: mark.Y1}, th.Soft)
	}
	switch {
	case s == "" && o.Hint != "":
		hint := ty
		hint.Color = th.Muted
		c.Write(in, o.Hint, hint)
	case s != "" && !t.Focus:
		if c.Write(in, s, ty) && o.Error == "" {
			c.Tip(r, s)
		}
	case s != "":
		c.Out().Text(x, c.TextY(in, st), s, st)
	}
	if t.Focus && blink(c, &f.caret, b.Caret()) {
		c.Fill(ui.Rect{X0: x + ui.Whole(caret), Y0: mark.Y0, X1: x + ui.Whole(caret) + max(c.Hair(), c.Px(1.5)), Y1: mark.Y1}, th.Ink)
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
func blink(c *ui.Context, s *caretState, caret edit.Pos) bool {
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
