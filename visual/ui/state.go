package ui

import (
	"slices"
	"time"

	"whorl/visual/scene"
)

// An ID names a widget: a sum over the names of its scopes and its own.
type ID uint64

const rootScope ID = 14695981039346656037

// Child continues an FNV-1a sum: Child("a").Child("/").Child("b") is Child("a/b").
func (id ID) Child(name string) ID {
	for i := range len(name) {
		id = (id ^ ID(name[i])) * 1099511628211
	}
	return id
}

// Part returns the ID of the i-th part of a widget.
func (id ID) Part(i int) ID {
	for range 4 {
		id = (id ^ ID(uint16(i))) * 1099511628211
		i >>= 16
	}
	return id
}

// State is the state of the widgets between passes. The zero State is ready for use. Only one goroutine uses it at a time.
type State struct {
	pass           int64
	again          bool
	x, y           float32 // of the pointer
	inside         bool
	active         ID // the widget that has the pointer from press to release
	button         Button
	downX, downY   float32
	dragging       bool // the pointer has moved since it was pressed
	focus          ID
	ring           bool    // the focus is visible, since the keyboard moved it
	moved          int64   // the pass when the focus moves, to scroll there
	clicks         Clicks  // of st.button
	w, h           float32 // of the window in the last pass
	tip, tipMute   ID
	tipSince       time.Duration // when the pointer came to rest on it
	tipShown       time.Duration // when a tooltip was last seen, plus 1
	regions, spare []region      // of the last pass
	controls       []Accessible
	layers         []layer
	open           []popup
	data           map[ID]*entry
	lists          []*scene.List
	messages       []message // the newest last
	shortTabs      bool      // some bar of tabs has no room for titles in full
}

type entry struct {
	value any
	pass  int64
}

// maxData is the number of widgets that a State remembers. It forgets those first that were not called for longest.
const maxData = 4096

// Data returns the state of a widget as a T, a new one if there is none.
func Data[T any](c *Context, id ID) *T {
	st := c.st
	if e := st.data[id]; e != nil {
		if v, ok := e.value.(*T); ok {
			e.pass = st.pass
			return v
		}
	}
	v := new(T)
	if st.data == nil {
		st.data = map[ID]*entry{}
	}
	st.data[id] = &entry{v, st.pass}
	return v
}

// forget removes the state of the widgets that were not called for longest when there are more than maxData.
func (st *State) forget() {
	if len(st.data) <= maxData {
		return
	}
	var passes []int64
	for _, e := range st.data {
		passes = append(passes, e.pass)
	}
	slices.Sort(passes)
	limit := min(passes[len(passes)-maxData/2], st.pass)
	for id, e := range st.data {
		if e.pass < limit {
			delete(st.data, id)
		}
	}
}

// A region is the place of a widget and the events that it wants.
type region struct {
	id    ID
	rect  Rect // the visible part
	full  Rect
	layer int
	wants Wants
	tip   string
}

// Wants are the events that a widget wants.
type Wants uint16

// The values of Wants.
const (
	wantsPointer Wants = 1 << iota
	WantsFocus         // the Tab key stops here
	WantsGrab          // a press moves the focus here
	wantsUp            // a turn of the wheel upwards
	wantsDown
	wantsLeft
	wantsRight
	wantsTip   // a tooltip, even if another widget gets the pointer
	WantsFirst // the focus when its dialog opens
	WantsOver  // the pointer, even if a later widget covers it
	WantsDrag  // a finger that drags from here holds the widget, instead of scrolling what the widget lies in
	WantsSlide // the same for a finger that moves sideways
	WantsHold  // the same for a finger that has rested here
)

// Focus gives the keys to a widget, 0 for none.
func (st *State) Focus(id ID) { st.focus, st.ring, st.moved = id, id != 0, st.pass+1 }

// ShowFocus reports whether the focus has a ring: after the keyboard has moved it, until the pointer is used.
func (st *State) ShowFocus() bool { return st.ring }

// Focused returns the widget that gets the keys.
func (st *State) Focused() ID { return st.focus }

// Where returns the visible part of a widget in the last pass, false if there was none.
func (st *State) Where(id ID) (Rect, bool) {
	for i := range st.regions {
		if r := &st.regions[i]; r.id == id && r.wants&^wantsTip != 0 && !r.rect.Empty() {
			return r.rect, true
		}
	}
	return Rect{}, false
}

// Twice returns a name that two widgets of the last pass share, which is an error of the caller; 0 if there is none.
func (st *State) Twice() ID {
	seen := map[ID]bool{}
	for i := range st.regions {
		r := &st.regions[i]
		if r.wants&wantsPointer == 0 {
			continue
		}
		if seen[r.id] {
			return r.id
		}
		seen[r.id] = true
	}
	return 0
}
