package ui

import (
	"hash/fnv"
	"testing"
	"time"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// letters measures and draws text.
var letters = glyph.New()

// Name returns the ID of the widget with a path such as "pane/toolbar/run".
func Name(path string) ID {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(path))
	return ID(sum.Sum64())
}

// user drives a frame function with the pointer and the keys, as a person would.
type user struct {
	t     testing.TB
	st    State
	in    Input
	dark  bool
	base  scene.List // of the window
	over  scene.List // of popups
	frame func(*Context)
	last  Result // of the last run
	copy  string // the text copied last
}

// newUser returns a user of a window of w by h.
func newUser(t testing.TB, w, h float32, frame func(*Context)) *user {
	u := &user{t: t, in: Input{W: w, H: h, Scale: 1}, frame: frame}
	u.run()
	return u
}

// run passes events to the frame function and draws it.
func (u *user) run(events ...Event) Result {
	u.in.Events = events
	u.last = Run(&u.st, u.in, NewTheme(u.dark), letters, &u.base, &u.over, u.frame)
	u.in.Events = nil
	if u.last.Copy != "" {
		u.copy = u.last.Copy
	}
	return u.last
}

// wait lets time pass.
func (u *user) wait(d time.Duration) { u.in.Now += d; u.run() }

// where returns the visible part of a widget.
func (u *user) where(path string) Rect {
	u.t.Helper()
	r, ok := u.st.Where(Name(path))
	if !ok {
		u.t.Fatalf("widget %s is not visible", path)
	}
	return r
}

// mid returns the middle of a widget.
func (u *user) mid(path string) (x, y float32) {
	u.t.Helper()
	r := u.where(path)
	return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2
}

// move moves the pointer.
func (u *user) move(x, y float32) { u.run(Event{Kind: Move, X: x, Y: y}) }

// down presses the main button.
func (u *user) down(x, y float32) { u.run(Event{Kind: Down, X: x, Y: y}) }

// up releases the main button.
func (u *user) up(x, y float32) { u.run(Event{Kind: Up, X: x, Y: y}) }

// clickAt clicks at a point, too late for a double click.
func (u *user) clickAt(x, y float32) {
	u.in.Now += time.Second
	u.move(x, y)
	u.down(x, y)
	u.up(x, y)
}

// click clicks in the middle of a widget.
func (u *user) click(path string) {
	u.t.Helper()
	x, y := u.mid(path)
	u.clickAt(x, y)
}

// drag moves the pointer with the main button held.
func (u *user) drag(x0, y0, x1, y1 float32) {
	u.in.Now += time.Second
	u.move(x0, y0)
	u.down(x0, y0)
	u.move((x0+x1)/2, (y0+y1)/2)
	u.move(x1, y1)
	u.up(x1, y1)
}

// keys presses keys: "Enter", "Shift+Tab", "Control+a"; a single character is typed.
func (u *user) keys(names ...string) {
	for _, n := range names {
		var m Mods
		for {
			var mod string
			k := 0
			for ; k < len(n) && n[k] != '+'; k++ {
			}
			if k == 0 || k == len(n) {
				break
			}
			mod, n = n[:k], n[k+1:]
			m |= map[string]Mods{"Shift": Shift, "Control": Control, "Alt": Alt, "Meta": Meta}[mod]
		}
		es := []Event{{Kind: Key, Name: n, Mods: m}}
		if len([]rune(n)) == 1 && !m.Command() {
			es = append(es, Event{Kind: Text, Text: n})
		}
		u.run(es...)
	}
}

// typed types a text.
func (u *user) typed(s string) {
	for _, r := range s {
		u.keys(string(r))
	}
}

// texts returns the texts of display lists in order.
func texts(ls ...*scene.List) []string {
	var all []string
	for _, l := range ls {
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, s, _ := o.Text()
				all = append(all, string(s))
			}
		}
	}
	return all
}
