// Package usertest plays the user of widgets: it draws a frame function in a window, clicks, and presses keys.
package usertest

import (
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

var letters = glyph.New()

// A User sits before a window with one frame function.
type User struct {
	testing.TB
	Widgets ui.State

	in         ui.Input
	frame      func(*ui.Context)
	base, over scene.List
}

// New returns a user of a window of w by h pixels.
func New(t testing.TB, w, h float32, frame func(*ui.Context)) *User {
	u := &User{TB: t, in: ui.Input{W: w, H: h, Scale: 1}, frame: frame}
	u.Step()
	return u
}

// Step draws the window, a second after the last time.
func (u *User) Step(events ...ui.Event) {
	u.in.Now += time.Second
	u.in.Events = events
	ui.Run(&u.Widgets, u.in, ui.NewTheme(false), letters, &u.base, &u.over, u.frame)
}

// Texts returns the texts in the window, a line for each.
func (u *User) Texts() string {
	var b strings.Builder
	u.each(func(_, _ float32, text string) {
		b.WriteString(text + "\n")
	})
	return b.String()
}

// Shows reports whether a text is in the window.
func (u *User) Shows(text string) bool { return strings.Contains(u.Texts(), text) }

// each visits the texts of the window, from back to front, with a point inside.
func (u *User) each(visit func(x, y float32, text string)) {
	for _, l := range []*scene.List{&u.base, &u.over} {
		for i := range l.Len() {
			o := l.Op(i)
			if o.Kind != scene.OpText {
				continue
			}
			x, y, text, style := o.Text()
			switch w := letters.Width(string(text), style.Size, style.Face); style.Anchor {
			case scene.Start:
				x += w / 2
			case scene.End:
				x -= w / 2
			}
			visit(x, y, string(text))
		}
	}
}

// Click clicks on the topmost text that begins with a text.
func (u *User) Click(text string) {
	u.Helper()
	var x, y float32
	found := false
	u.each(func(tx, ty float32, s string) {
		if strings.HasPrefix(s, text) {
			x, y, found = tx, ty, true
		}
	})
	if !found {
		u.Fatalf("the window does not show %q:\n%s", text, u.Texts())
	}
	u.click(x, y)
}

// ClickOn clicks on the middle of a widget, such as "panel/run".
func (u *User) ClickOn(path string) {
	u.Helper()
	if !u.TryClickOn(path) {
		u.Fatalf("there is no widget %s:\n%s", path, u.Texts())
	}
}

// TryClickOn clicks on a widget. It returns false if the window has none of that name that takes clicks.
func (u *User) TryClickOn(path string) bool {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(path))
	r, ok := u.Widgets.Where(ui.ID(sum.Sum64()))
	if ok {
		u.click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	}
	return ok
}

func (u *User) click(x, y float32) {
	u.Step(ui.Event{Kind: ui.Move, X: x, Y: y})
	u.Step(ui.Event{Kind: ui.Down, X: x, Y: y})
	u.Step(ui.Event{Kind: ui.Up, X: x, Y: y})
}

// Press presses a key with modifiers.
func (u *User) Press(key string, mods ui.Mods) {
	u.Step(ui.Event{Kind: ui.Key, Name: key, Mods: mods})
}

// Type types a text.
func (u *User) Type(text string) {
	for _, r := range text {
		u.Step(ui.Event{Kind: ui.Text, Text: string(r)})
	}
}
