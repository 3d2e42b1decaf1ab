// Package usertest plays the user of widgets: it draws a frame function in a window, moves the pointer, clicks and presses keys, and reads the
// texts in the pictures.
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

// Name returns the ID of the widget with a path such as "pane/toolbar/run".
func Name(path string) ui.ID {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(path))
	return ui.ID(sum.Sum64())
}

// A User sits before a window with one frame function.
type User struct {
	testing.TB
	Widgets ui.State
	In      ui.Input
	Dark    bool
	Frame   func(*ui.Context)
	Base    scene.List // of the window
	Over    scene.List // of popups
	Last    ui.Result  // of the last Run
	Copied  string     // the text copied last
}

// New returns a user of a window of w by h pixels.
func New(t testing.TB, w, h float32, frame func(*ui.Context)) *User {
	u := &User{TB: t, In: ui.Input{W: w, H: h, Scale: 1}, Frame: frame}
	u.Run()
	return u
}

// Run passes events to the frame function and draws the window.
func (u *User) Run(events ...ui.Event) ui.Result {
	u.In.Events = events
	u.Last = ui.Run(&u.Widgets, u.In, ui.NewTheme(u.Dark), letters, &u.Base, &u.Over, u.Frame)
	u.In.Events = nil
	if u.Last.Copy != "" {
		u.Copied = u.Last.Copy
	}
	return u.Last
}

// Step is Run a second later.
func (u *User) Step(events ...ui.Event) {
	u.In.Now += time.Second
	u.Run(events...)
}

// Wait draws the window when a time has passed.
func (u *User) Wait(d time.Duration) {
	u.In.Now += d
	u.Run()
}

// Texts returns the texts in the window, a line for each.
func (u *User) Texts() string {
	var b strings.Builder
	for _, text := range Strings(&u.Base, &u.Over) {
		b.WriteString(text + "\n")
	}
	return b.String()
}

// Shows reports whether a text is in the window.
func (u *User) Shows(text string) bool { return strings.Contains(u.Texts(), text) }

// Where returns the visible part of a widget, such as "panel/run".
func (u *User) Where(path string) ui.Rect {
	u.Helper()
	r, ok := u.Widgets.Where(Name(path))
	if !ok {
		u.Fatalf("there is no widget %s:\n%s", path, u.Texts())
	}
	return r
}

// Mid returns the middle of a widget.
func (u *User) Mid(path string) (x, y float32) {
	u.Helper()
	r := u.Where(path)
	return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2
}

// Click clicks on the topmost text that begins with a text.
func (u *User) Click(text string) {
	u.Helper()
	all := append(Written(&u.Base), Written(&u.Over)...)
	for i := len(all) - 1; i >= 0; i-- {
		if box := all[i].Box; strings.HasPrefix(all[i].Text, text) {
			u.ClickAt((box.X0+box.X1)/2, (box.Y0+box.Y1)/2)
			return
		}
	}
	u.Fatalf("the window does not show %q:\n%s", text, u.Texts())
}

// ClickOn clicks on the middle of a widget.
func (u *User) ClickOn(path string) {
	u.Helper()
	x, y := u.Mid(path)
	u.ClickAt(x, y)
}

// TryClickOn clicks on a widget. It returns false if the window has none of that name that takes clicks.
func (u *User) TryClickOn(path string) bool {
	u.Helper()
	_, ok := u.Widgets.Where(Name(path))
	if ok {
		u.ClickOn(path)
	}
	return ok
}

// ClickAt clicks at a point, too late for a double click.
func (u *User) ClickAt(x, y float32) {
	u.In.Now += time.Second
	u.Move(x, y)
	u.Down(x, y)
	u.Up(x, y)
}

// Move moves the pointer.
func (u *User) Move(x, y float32) { u.Run(ui.Event{Kind: ui.Move, X: x, Y: y}) }

// Down presses the main button.
func (u *User) Down(x, y float32) { u.Run(ui.Event{Kind: ui.Down, X: x, Y: y}) }

// Up releases the main button.
func (u *User) Up(x, y float32) { u.Run(ui.Event{Kind: ui.Up, X: x, Y: y}) }

// Drag moves the pointer with the main button held.
func (u *User) Drag(x0, y0, x1, y1 float32) {
	u.In.Now += time.Second
	u.Move(x0, y0)
	u.Down(x0, y0)
	u.Move((x0+x1)/2, (y0+y1)/2)
	u.Move(x1, y1)
	u.Up(x1, y1)
}

// Keys presses keys: "Enter", "Shift+Tab", "Control+a". A single character without Control or Meta is also typed.
func (u *User) Keys(names ...string) {
	for _, name := range names {
		var mods ui.Mods
		for {
			mod, rest, found := strings.Cut(name, "+")
			if !found || mod == "" || rest == "" {
				break
			}
			mods |= map[string]ui.Mods{"Shift": ui.Shift, "Control": ui.Control, "Alt": ui.Alt, "Meta": ui.Meta}[mod]
			name = rest
		}
		events := []ui.Event{{Kind: ui.Key, Name: name, Mods: mods}}
		if len([]rune(name)) == 1 && !mods.Command() {
			events = append(events, ui.Event{Kind: ui.Text, Text: name})
		}
		u.Run(events...)
	}
}

// Type types a text.
func (u *User) Type(text string) {
	for _, r := range text {
		u.Keys(string(r))
	}
}

// Strings returns the texts of display lists in order.
func Strings(lists ...*scene.List) []string {
	var all []string
	for _, l := range lists {
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, s, _ := o.Text()
				all = append(all, string(s))
			}
		}
	}
	return all
}
