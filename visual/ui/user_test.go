package ui

import (
	"testing"
	"time"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

var letters = glyph.New()

// user drives a frame function with the pointer and the keys, as a person would.
type user struct {
	t     *testing.T
	st    State
	in    Input
	dark  bool
	base  scene.List
	over  scene.List
	frame func(*Context)
	last  Result
	copy  string
}

func newUser(t *testing.T, w, h float32, frame func(*Context)) *user {
	u := &user{t: t, in: Input{W: w, H: h, Scale: 1}, frame: frame}
	u.run()
	return u
}

func (u *user) run(events ...Event) Result {
	u.in.Events = events
	u.last = Run(&u.st, u.in, NewTheme(u.dark), letters, &u.base, &u.over, u.frame)
	u.in.Events = nil
	if u.last.Copy != "" {
		u.copy = u.last.Copy
	}
	return u.last
}

func (u *user) wait(d time.Duration) { u.in.Now += d; u.run() }

func (u *user) where(path string) Rect {
	u.t.Helper()
	r, ok := u.st.Where(Name(path))
	if !ok {
		u.t.Fatalf("%s cannot be seen", path)
	}
	return r
}

func (u *user) mid(path string) (x, y float32) {
	u.t.Helper()
	r := u.where(path)
	return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2
}

func (u *user) move(x, y float32) { u.run(Event{Kind: Move, X: x, Y: y}) }
func (u *user) down(x, y float32) { u.run(Event{Kind: Down, X: x, Y: y}) }
func (u *user) up(x, y float32)   { u.run(Event{Kind: Up, X: x, Y: y}) }

func (u *user) clickAt(x, y float32) {
	u.in.Now += time.Second
	u.move(x, y)
	u.down(x, y)
	u.up(x, y)
}

func (u *user) click(path string) {
	u.t.Helper()
	x, y := u.mid(path)
	u.clickAt(x, y)
}

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

func (u *user) typed(s string) {
	for _, r := range s {
		u.keys(string(r))
	}
}

// texts lists what is written in the lists, in order.
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
