// Package ui is the core of a user interface in immediate mode. A widget is a function that draws itself into a display list and returns what
// the user did with it; there are no objects to keep. The package has the common parts of widgets: passes and events, the focus, layers of popups,
// names, scrolling, themes, text, tooltips and messages. Package widget has the widgets.
//
//	res := ui.Run(&state, input, theme, measurer, base, over, func(c *ui.Context) {
//		bar := c.Window()
//		if widget.Button(c, bar.CutLeft(c.Px(80)), "run", widget.ButtonOptions{Label: "Run"}) { ... }
//	})
//
// Lengths are in device pixels; Canvas.Px converts points (1/96 inch, on a grid of 4) to whole pixels. What widgets remember between frames
// (scroll positions, carets, open menus, the focus) lies in one State that the caller owns. The key is the name of the widget, which is
// unique in its scope: "pane/run" is the widget "run" in the scope "pane".
//
// A pass handles at most one press, key or turn of the wheel. Run calls the frame function once for each event and once more when all has
// settled, so that no event is lost and none reaches two widgets. The widget under the pointer is the one that was there in the last
// pass, the topmost layer first: popups and dialogs lie above everything else whatever the order of the calls. Popups are drawn into a
// list of their own (over), which belongs on top of the window. A pass without events draws the same picture again.
package ui

import (
	"time"

	"whorl/visual/scene"
)

// A Context is one pass over the widgets. It hands out the event of the pass, names widgets, records their places for the next pass, and
// collects their requests to the shell. Methods that only draw are those of Canvas.
//
// It is one type because a widget does all of that in one call, in the same scope and layer.
type Context struct {
	Canvas

	st         *State
	in         Input
	ev         *Event // the press, key or turn of this pass that no widget has taken
	base, over *scene.List
	scope      ID
	scopes     []ID
	layer      int // 0 below all popups
	keyLayer   int // the layer whose widgets get the keys
	layers     []layer
	regions    []region
	controls   []Accessible

	hot   ID  // the widget under the pointer
	wheel ID  // the widget that a turn of the wheel goes to
	aimed int // the layer that the pointer is over; -1 for none

	message  Rect     // where the newest message shows
	late     []Rect   // dividers in use, which are drawn over their panes
	handles  []Rect   // of dividers that fingers move
	carried  []func() // draw what the pointer carries, above everything else
	floating string   // the value over the handle of a slider
	floatAt  Rect
	released bool // a widget took the release of the button
	typing   bool // the focus is on a widget that takes text
	short    bool // some bar of tabs has no room for titles in full
	cursor   Cursor
	copied   string
	paste    bool
	again    bool
	next     time.Duration
}

// A Result is the outcome of the passes of a Run.
type Result struct {
	Base   uint64        // a sum over the base list, which changes when the list does
	Over   uint64        // the same for the list of popups
	Next   time.Duration // when to run again at the latest, as Input.Now; negative: only after an event
	Cursor Cursor
	Copy   string  // for the clipboard, "" for nothing
	Paste  bool    // the clipboard's text is wanted, as a Text event
	Typing bool    // the widget with the focus takes text
	Popup  bool    // a menu or dialog is open
	Unused []Event // that no widget took

	Controls []Accessible // that the user can reach, in the order of the calls; valid until the next Run
}

// Run calls frame for every event, and until all has settled. It resets the lists to the size of the window; they hold the last pass.
func Run(st *State, in Input, th Theme, text scene.Measurer, out, over *scene.List, frame func(*Context)) Result {
	var all Result
	pass := func(in Input) {
		c := begin(st, in, th, text, out, over)
		frame(c)
		r := c.end()
		all.Unused = append(all.Unused, r.Unused...)
		if r.Copy != "" {
			all.Copy = r.Copy
		}
		r.Copy, r.Paste, r.Unused = all.Copy, all.Paste || r.Paste, all.Unused
		all = r
	}
	quiet := in
	quiet.Events = nil
	if st.pass == 0 && len(in.Events) > 0 { // no widget has a place yet
		pass(quiet)
	}
	for _, p := range in.split() {
		pass(p)
		for i := 0; i < maxSettle && st.again; i++ {
			pass(quiet)
		}
	}
	return all
}

const maxSettle = 4

// begin starts a pass. in has at most one event.
func begin(st *State, in Input, th Theme, text scene.Measurer, out, over *scene.List) *Context {
	if !(in.Scale > 0) || in.Scale > 16 {
		in.Scale = 1
	}
	if !(in.W > 0 && in.H > 0) {
		in.W, in.H = 0, 0
	}
	c := &Context{Canvas: Canvas{Theme: th, Text: text, Scale: in.Scale, out: out}, st: st, in: in, base: out, over: over, next: -1}
	c.clip = Rect{0, 0, in.W, in.H}
	c.scope = rootScope
	c.regions = st.spare[:0]
	c.controls = st.controls[:0]
	out.Reset(in.W, in.H)
	over.Reset(in.W, in.H)
	st.pass++
	if in.W != st.w || in.H != st.h { // the keyboard of a touch screen has come, perhaps over the field
		st.w, st.h, st.moved = in.W, in.H, st.pass
	}
	st.again = false
	c.dispatch()
	if c.ev != nil && c.ev.Kind != Move {
		c.again = true // widgets drawn before the one that takes the event do not know of it yet
	}
	return c
}

// end ends the pass.
func (c *Context) end() Result {
	st := c.st
	for len(c.clips) > 0 {
		c.Unclip()
	}
	for _, r := range c.late {
		c.out = c.base
		c.Fill(r, c.Theme.Accent)
	}
	c.out = c.over
	for _, r := range c.handles {
		c.Box(r.Inset(-c.Hair(), -c.Hair()), c.Px(3), c.Theme.Muted, c.Theme.Surface)
	}
	for i := range c.layers {
		c.over.Append(st.lists[i])
	}
	c.out, c.layer, c.Disabled = c.over, topLayer, false
	for _, draw := range c.carried {
		draw()
	}
	c.drawMessage()
	c.drawTip()
	if c.floating != "" {
		c.bubble(c.floating, c.floatAt, c.floatAt.X0, c.floatAt.Y0)
	}
	c.traverse()
	c.settleLayers()
	st.spare, st.regions = st.regions, c.regions
	st.forget()
	if st.shortTabs != c.short {
		st.shortTabs, c.again = c.short, true
	}
	st.again = c.again

	r := Result{
		Base: c.base.Sum(), Over: c.over.Sum(), Next: c.next, Cursor: c.cursor, Copy: c.copied, Paste: c.paste, Popup: len(c.layers) > 0,
		Typing: c.typing, Controls: c.reachable(),
	}
	if c.ev != nil && c.ev.Kind != Move && c.ev.Kind != Up {
		r.Unused = append(r.Unused, *c.ev)
	}
	if c.again {
		r.Next = c.in.Now
	}
	return r
}
