//go:build window && !js

package screen

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hajimehoshi/ebiten/v2"

	"whorl/visual/app"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
)

// mostDropped bounds the number of files of one drop.
const mostDropped = 64

// devices turns the state of mouse, touch screen and keyboard, as reported by Ebitengine, into events.
type devices struct {
	x, y    int // of the pointer, in pixels
	inside  bool
	buttons [3]bool
	keys    map[ebiten.Key]holding
	runes   []rune
	pressed []ebiten.Key
	fingers map[ebiten.TouchID][2]int // their places, in pixels
	touches []ebiten.TouchID
}

// A holding is the state of a held key: the time of its next repetition, and the number of polls that it was held.
type holding struct {
	again time.Time
	looks int
}

// A held key repeats after repeatAfter and then every repeatEvery. Ebitengine reports a key as held for one poll too
// long, so a key counts as held only after repeatLooks polls, in case polls are far apart.
const (
	repeatAfter = 400 * time.Millisecond
	repeatEvery = 33 * time.Millisecond
	repeatLooks = 3
)

// look records that the key is held now. It reports whether the key sends an event.
func (h *holding) look(now time.Time) bool {
	h.looks++
	switch {
	case h.looks == 1:
		h.again = now.Add(repeatAfter)
	case h.looks < repeatLooks || now.Before(h.again):
		return false
	default:
		h.again = now.Add(repeatEvery)
	}
	return true
}

// held reports whether a key, a button or a finger is held.
func (d *devices) held() bool { return len(d.keys) > 0 || len(d.fingers) > 0 || d.buttons != [3]bool{} }

// look adds the events since the last call and reports whether there were any. The window has w by h pixels.
func (d *devices) look(scale float64, w, h int, now time.Time, add func(app.Event)) (happened bool) {
	mods := modifiers()
	say := func(e app.Event) {
		e.X, e.Y, e.Mods = (float64(d.x)+0.5)/scale, (float64(d.y)+0.5)/scale, mods
		add(e)
		happened = true
	}
	d.pointer(w, h, say)
	if d.touch(scale, add) {
		happened = true
	}
	d.keyboard(mods, now, say)
	if dropped := ebiten.DroppedFiles(); dropped != nil {
		for _, f := range droppedFiles(dropped) {
			say(app.Event{Kind: app.Drop, File: f})
		}
	}
	return happened
}

func (d *devices) pointer(w, h int, say func(app.Event)) {
	x, y := ebiten.CursorPosition()
	inside := x >= 0 && y >= 0 && x < w && y < h
	if d.buttons != [3]bool{} {
		inside = true // a drag stays with its window
	}
	moved := x != d.x || y != d.y
	d.x, d.y = x, y
	switch {
	case inside && (moved || !d.inside):
		say(app.Event{Kind: ui.Move})
	case !inside && d.inside:
		say(app.Event{Kind: ui.Leave})
	}
	d.inside = inside
	for b, e := range [...]ebiten.MouseButton{ui.Main: ebiten.MouseButtonLeft, ui.Middle: ebiten.MouseButtonMiddle, ui.Secondary: ebiten.MouseButtonRight} {
		down := ebiten.IsMouseButtonPressed(e)
		if down == d.buttons[b] || down && !inside {
			continue
		}
		d.buttons[b] = down
		kind := ui.Up
		if down {
			kind = ui.Down
		}
		say(app.Event{Kind: kind, Button: ui.Button(b)})
	}
	if dx, dy := ebiten.Wheel(); (dx != 0 || dy != 0) && inside {
		say(app.Event{Kind: ui.Wheel, DX: dx, DY: dy})
	}
}

// touch reports the fingers on a touch screen.
func (d *devices) touch(scale float64, add func(app.Event)) (happened bool) {
	say := func(id ebiten.TouchID, phase gesture.Phase, at [2]int) {
		add(app.Event{
			Kind: app.Finger, X: (float64(at[0]) + 0.5) / scale, Y: (float64(at[1]) + 0.5) / scale,
			Finger: gesture.Touch{ID: int(id), Phase: phase},
		})
		happened = true
	}
	d.touches = ebiten.AppendTouchIDs(d.touches[:0])
	for id, at := range d.fingers {
		if !slices.Contains(d.touches, id) {
			say(id, gesture.Up, at)
			delete(d.fingers, id)
		}
	}
	for _, id := range d.touches {
		x, y := ebiten.TouchPosition(id)
		at := [2]int{x, y}
		was, down := d.fingers[id]
		switch {
		case !down:
			say(id, gesture.Down, at)
		case was != at:
			say(id, gesture.Move, at)
		}
		if d.fingers == nil {
			d.fingers = map[ebiten.TouchID][2]int{}
		}
		d.fingers[id] = at
	}
	return happened
}

// keyboard reports letters of the keyboard's layout: typed characters, and the names of keys that a modifier keeps
// from typing.
func (d *devices) keyboard(mods ui.Mods, now time.Time, say func(app.Event)) {
	command := mods&(ui.Control|ui.Meta|ui.Alt) != 0
	d.runes = ebiten.AppendInputChars(d.runes[:0])
	for _, r := range d.runes {
		if mods&(ui.Control|ui.Meta) == 0 && unicode.IsPrint(r) {
			say(app.Event{Kind: ui.Key, Key: string(r)})
			say(app.Event{Kind: ui.Text, Text: string(r)})
		}
	}
	if d.keys == nil {
		d.keys = map[ebiten.Key]holding{}
	}
	for k := range d.keys {
		if !ebiten.IsKeyPressed(k) {
			delete(d.keys, k)
		}
	}
	d.pressed = d.pressed[:0]
	for k := range ebiten.KeyMax + 1 {
		if ebiten.IsKeyPressed(k) {
			d.pressed = append(d.pressed, k)
		}
	}
	for _, k := range d.pressed {
		hold := d.keys[k]
		says := hold.look(now)
		d.keys[k] = hold
		if !says {
			continue
		}
		name, known := keyNames[k]
		if !known && command {
			name = letter(k, mods)
		}
		if name != "" {
			say(app.Event{Kind: ui.Key, Key: name})
		}
	}
}

// letter returns the name of a key for a letter or a sign.
func letter(k ebiten.Key, mods ui.Mods) string {
	name := ebiten.KeyName(k)
	if k == ebiten.KeySpace {
		name = " "
	}
	if r, n := utf8.DecodeRuneInString(name); mods&ui.Shift != 0 && n == len(name) && n > 0 {
		name = string(unicode.ToUpper(r))
	}
	return name
}

func modifiers() (m ui.Mods) {
	for k, mod := range map[ebiten.Key]ui.Mods{
		ebiten.KeyShift: ui.Shift, ebiten.KeyControl: ui.Control, ebiten.KeyAlt: ui.Alt, ebiten.KeyMeta: ui.Meta,
	} {
		if ebiten.IsKeyPressed(k) {
			m |= mod
		}
	}
	return m
}

// keyNames are the names of keys that type nothing, as in KeyboardEvent.key.
var keyNames = map[ebiten.Key]string{
	ebiten.KeyArrowDown: "ArrowDown", ebiten.KeyArrowLeft: "ArrowLeft", ebiten.KeyArrowRight: "ArrowRight", ebiten.KeyArrowUp: "ArrowUp",
	ebiten.KeyBackspace: "Backspace", ebiten.KeyDelete: "Delete", ebiten.KeyEnd: "End", ebiten.KeyEnter: "Enter",
	ebiten.KeyNumpadEnter: "Enter", ebiten.KeyEscape: "Escape", ebiten.KeyHome: "Home", ebiten.KeyInsert: "Insert",
	ebiten.KeyPageDown: "PageDown", ebiten.KeyPageUp: "PageUp", ebiten.KeyTab: "Tab", ebiten.KeyContextMenu: "ContextMenu",
	ebiten.KeyF1: "F1", ebiten.KeyF2: "F2", ebiten.KeyF3: "F3", ebiten.KeyF4: "F4", ebiten.KeyF5: "F5", ebiten.KeyF6: "F6",
	ebiten.KeyF7: "F7", ebiten.KeyF8: "F8", ebiten.KeyF9: "F9", ebiten.KeyF10: "F10", ebiten.KeyF11: "F11", ebiten.KeyF12: "F12",
}

// droppedFiles returns dropped files. A dropped folder is a file that cannot be read, which the viewer reports.
func droppedFiles(dropped fs.FS) []*documents.File {
	entries, err := fs.ReadDir(dropped, ".")
	if err != nil {
		return []*documents.File{{Name: "the dropped files", Size: -1, Read: func() (io.ReadCloser, error) { return nil, err }}}
	}
	var list []*documents.File
	for _, e := range entries[:min(len(entries), mostDropped)] {
		size := int64(-1)
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		file := &documents.File{Name: e.Name(), Size: size, Read: func() (io.ReadCloser, error) { return dropped.Open(e.Name()) }}
		if f, err := dropped.Open(e.Name()); err == nil {
			if real, ok := f.(*os.File); ok && size >= 0 {
				file.Path = real.Name()
			}
			f.Close()
		}
		list = append(list, file)
	}
	return list
}
