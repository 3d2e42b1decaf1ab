// Package ui is a set of widgets that draw themselves into a display list and answer at once what the user did with them: there are no
// objects to keep, only calls.
//
//	res := ui.Run(&state, input, theme, measurer, base, over, func(c *ui.Context) {
//		bar := c.Window()
//		if c.Button(bar.CutLeft(c.Px(80)), "run", "Run") { ... }
//	})
//
// Everything is in device pixels; Context.Px turns points (1/96 inch, on a grid of 4) into whole pixels. What a widget remembers from
// one frame to the next (scroll positions, carets, open menus, the focus) lies in one State that the caller owns, under ids: a widget is
// known by a name that is unique in its scope, and "pane/run" is the widget "run" in the scope "pane".
//
// A pass sees at most one press, key or turn of the wheel, and Run calls the frame function once for each and once more when all is
// settled, so that no event is lost and none reaches two widgets. What lies under the pointer is found in the places of the pass before,
// topmost layer first: popups and dialogs lie above everything else whatever the order of the calls. Popups are drawn into a list of
// their own (over), which belongs above all else in the window. A pass without events draws the same picture again.
package ui

import (
	"time"

	"whorl/visual/scene"
)

// A Context is one pass over the widgets.
type Context struct {
	Theme    Theme
	Text     scene.Measurer
	Scale    float32
	Disabled bool // widgets called while it is set are shown, but do nothing

	st         *State
	in         Input
	ev         *Event // the press, key or turn of this pass that nobody has taken
	out        *scene.List
	base, over *scene.List
	clip       Rect
	clips      []Rect
	scope      ID
	scopes     []ID
	layer      int // 0 below all popups
	keyLayer   int // whose widgets get the keys
	layers     []layer
	regions    []region

	hot   ID  // under the pointer
	wheel ID  // what a turn of the wheel goes to
	aimed int // the layer that the pointer is over; -1 for none

	toasts   Rect   // where messages show
	late     []Rect // lines of splitters in use, which are drawn over their panes
	floating string // the value over the handle of a slider
	floatAt  Rect
	released bool // somebody took the release of the button
	typing   bool // the focus is on a widget that takes text
	short    bool // some bar of tabs has no room for titles in full
	cursor   Cursor
	copied   string
	paste    bool
	again    bool
	next     time.Duration
}

// A Result is what came of the passes.
type Result struct {
	Changed bool          // one of the lists differs from that of the last Run
	Base    uint64        // a sum over the base list, which changes when the list does
	Over    uint64        // the same of the list of popups
	Next    time.Duration // when to run again at the latest, as Input.Now; negative: only when something happens
	Cursor  Cursor
	Copy    string // for the clipboard, "" for nothing
	Paste   bool   // the clipboard's text is wanted, as a Text event
	Focus   ID     // of the widget that gets the keys, 0 for none
	Typing  bool   // that widget takes text
	Popup   bool   // a menu or dialog is open
	Unused  []Event
	Twice   ID // of two widgets called by one name in the same pass, which get in each other's way; 0 for none
}

// Run calls frame for every event, and until all has settled. The lists are reset to the size of the window and hold the last pass; over
// may be nil, and popups are then drawn at the end of out.
func Run(st *State, in Input, th Theme, text scene.Measurer, out, over *scene.List, frame func(*Context)) Result {
	var all Result
	pass := func(in Input) {
		c := Begin(st, in, th, text, out, over)
		frame(c)
		r := c.End()
		all.Unused = append(all.Unused, r.Unused...)
		if r.Copy != "" {
			all.Copy = r.Copy
		}
		r.Copy, r.Paste, r.Unused = all.Copy, all.Paste || r.Paste, all.Unused
		r.Changed = r.Changed || all.Changed
		all = r
	}
	before, overBefore := st.baseSum, st.overSum
	quiet := in
	quiet.Events = nil
	if st.pass == 0 && len(in.Events) > 0 { // nothing has a place yet
		pass(quiet)
	}
	for _, p := range in.split() {
		pass(p)
		for i := 0; i < maxSettle && st.again; i++ {
			pass(quiet)
		}
	}
	all.Changed = st.baseSum != before || st.overSum != overBefore
	return all
}

const maxSettle = 4

// Begin starts a pass; in has at most one event that is no move (Run sees to that).
func Begin(st *State, in Input, th Theme, text scene.Measurer, out, over *scene.List) *Context {
	if !(in.Scale > 0) || in.Scale > 16 {
		in.Scale = 1
	}
	if over == nil {
		over = out
	}
	if !(in.W > 0 && in.H > 0) {
		in.W, in.H = 0, 0
	}
	c := &Context{Theme: th, Text: text, Scale: in.Scale, st: st, in: in, base: out, over: over, out: out, next: -1}
	c.clip = Rect{0, 0, in.W, in.H}
	c.toasts = c.clip
	c.scope = rootScope
	c.regions = st.spare[:0]
	out.Reset(in.W, in.H)
	if over != out {
		over.Reset(in.W, in.H)
	}
	st.pass++
	st.again = false
	c.dispatch()
	if c.ev != nil && c.ev.Kind != Move {
		c.again = true // what was drawn before the widget that takes it does not know yet
	}
	return c
}

// End closes the pass.
func (c *Context) End() Result {
	st := c.st
	for len(c.clips) > 0 {
		c.Unclip()
	}
	for _, r := range c.late {
		c.out = c.base
		c.Fill(r, c.Theme.Accent)
	}
	for i := range c.layers {
		c.over.Append(st.lists[i])
	}
	c.out, c.layer, c.Disabled = c.over, topLayer, false
	c.drawToasts()
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
		Base: c.base.Sum(), Next: c.next, Cursor: c.cursor, Copy: c.copied, Paste: c.paste, Focus: st.focus, Popup: len(c.layers) > 0,
		Typing: c.typing, Twice: c.twice(),
	}
	r.Over = r.Base
	if c.over != c.base {
		r.Over = c.over.Sum()
	}
	r.Changed = r.Base != st.baseSum || r.Over != st.overSum
	st.baseSum, st.overSum = r.Base, r.Over
	if c.ev != nil && c.ev.Kind != Move && c.ev.Kind != Up {
		r.Unused = append(r.Unused, *c.ev)
	}
	if c.again {
		r.Next = c.in.Now
	}
	return r
}
