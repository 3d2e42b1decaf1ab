//go:build js

package screen

import (
	"fmt"
	"math"
	"strings"
	"syscall/js"
	"unicode/utf8"

	"whorl/visual/app"
	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
)

// mostDropped bounds the number of files of one drop.
const mostDropped = 64

// on calls f for each event with the given name. f runs inside the browser's call and must not block.
func on(target js.Value, name string, f func(e js.Value)) {
	target.Call("addEventListener", name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}), map[string]any{"passive": false})
}

// listen adds the listeners of the page. They live as long as the page.
func (p *page) listen() {
	window := js.Global()
	p.listenPointer()
	p.listenKeys(window)
	p.listenFiles(window)

	on(window, "resize", func(js.Value) { p.measure() })
	p.watchRatio(window)
	on(p.document, "visibilitychange", func(js.Value) { p.expected = false; p.rouse() })
	on(p.canvas, "contextlost", func(js.Value) {
		p.lost = true
		say("The browser has reclaimed the memory of the picture. The viewer continues when it gets the memory back. Otherwise reload the page.")
	})
	on(p.canvas, "contextrestored", func(js.Value) {
		p.lost = false
		say("")
		p.clean()
	})
	p.followMedia(window, "(prefers-color-scheme: dark)", app.Scheme, "dark", "light")
	p.followMedia(window, "(pointer: coarse)", app.Pointer, "coarse", "fine")
	on(window, "beforeprint", func(js.Value) { // the browser prints when this returns
		p.print = true
		p.step()
		p.print = false
	})
	on(window, "afterprint", func(js.Value) { call("paper", []string{}) })
	if observer := window.Get("ResizeObserver"); observer.Truthy() {
		// The exact number of pixels, even if the ratio is not an integer.
		o := observer.New(js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.measure()
			if box := args[0].Index(0).Get("devicePixelContentBoxSize"); box.Truthy() {
				w, h := box.Index(0).Get("inlineSize").Int(), box.Index(0).Get("blockSize").Int()
				if p.near(w, h) { // another size belongs to the ratio before or after a change
					p.resize(w, h)
				}
			}
			return nil
		}))
		window.Get("whorl").Call("observe", o, p.canvas)
	}
}

// followMedia sends an event of a kind when a media query of the browser begins or ceases to hold. Its text is yes or no, and there is none at the start
// for no, which the viewer assumes.
func (p *page) followMedia(window js.Value, media string, kind ui.EventKind, yes, no string) {
	query := window.Call("matchMedia", media)
	follow := func(e js.Value) {
		text := no
		if query.Get("matches").Bool() {
			text = yes
		}
		p.add(app.Event{Kind: kind, Text: text}, e)
	}
	on(query, "change", follow)
	if query.Get("matches").Bool() {
		follow(query)
	}
}

// watchRatio measures again when the number of pixels per point changes, because the window moved to another monitor
// or the page was zoomed.
func (p *page) watchRatio(window js.Value) {
	query := window.Call("matchMedia", fmt.Sprintf("(resolution: %vdppx)", window.Get("devicePixelRatio").Float()))
	query.Call("addEventListener", "change", js.FuncOf(func(js.Value, []js.Value) any {
		p.measure()
		p.watchRatio(window)
		return nil
	}), map[string]any{"once": true})
}

// add appends an event at the pointer to the queue.
func (p *page) add(e app.Event, from js.Value) {
	e.X, e.Y = p.x, p.y
	e.Mods = mods(from)
	p.queue.add(e)
	p.rouse()
}

func mods(e js.Value) (m ui.Mods) {
	for name, mod := range map[string]ui.Mods{"shiftKey": ui.Shift, "ctrlKey": ui.Control, "altKey": ui.Alt, "metaKey": ui.Meta} {
		if e.Get(name).Truthy() {
			m |= mod
		}
	}
	return m
}

func (p *page) listenPointer() {
	moved := func(e js.Value) {
		p.x, p.y = e.Get("offsetX").Float(), e.Get("offsetY").Float()
	}
	button := func(e js.Value) (ui.Button, bool) {
		b := e.Get("button").Int()
		return ui.Button(b), b >= 0 && b <= int(ui.Secondary)
	}
	// Fingers are no pointer: the viewer recognises their gestures.
	phases := map[string]gesture.Phase{"pointerdown": gesture.Down, "pointermove": gesture.Move, "pointerup": gesture.Up, "pointercancel": gesture.Cancel}
	pointer := func(name string, f func(e js.Value)) {
		phase, touches := phases[name]
		on(p.canvas, name, func(e js.Value) {
			switch {
			case e.Get("pointerType").String() != "touch":
				f(e)
			case touches:
				p.finger(phase, e)
			}
		})
	}
	pointer("pointermove", func(e js.Value) {
		moved(e)
		p.add(app.Event{Kind: ui.Move}, e)
	})
	pointer("pointerdown", func(e js.Value) {
		moved(e)
		e.Call("preventDefault")
		p.focus()
		if b, ok := button(e); ok {
			p.add(app.Event{Kind: ui.Move}, e) // a finger touches without moving first
			p.add(app.Event{Kind: ui.Down, Button: b}, e)
		}
		js.Global().Get("whorl").Call("hold", p.canvas, e.Get("pointerId"))
	})
	pointer("pointerup", func(e js.Value) {
		moved(e)
		if b, ok := button(e); ok {
			p.add(app.Event{Kind: ui.Up, Button: b}, e)
		}
	})
	pointer("pointercancel", func(e js.Value) {
		p.add(app.Event{Kind: ui.Up}, e)
		p.add(app.Event{Kind: ui.Leave}, e)
	})
	pointer("pointerleave", func(e js.Value) { p.add(app.Event{Kind: ui.Leave}, e) })
	on(p.canvas, "contextmenu", func(e js.Value) { e.Call("preventDefault") })
	on(p.canvas, "wheel", func(e js.Value) {
		e.Call("preventDefault")
		moved(e)
		dx, dy := steps(e)
		p.add(app.Event{Kind: ui.Wheel, DX: dx, DY: dy}, e)
	})
	scale := 1.0 // of the fingers on a touch pad, for browsers with gesture events
	on(p.canvas, "gesturestart", func(e js.Value) {
		e.Call("preventDefault")
		scale = 1
	})
	on(p.canvas, "gesturechange", func(e js.Value) {
		e.Call("preventDefault")
		if s := e.Get("scale").Float(); s > 0 {
			p.add(app.Event{Kind: ui.Wheel, DY: math.Log(s/scale) / math.Log(zoomStep)}, e)
			scale = s
		}
	})
}

// finger adds an event of a finger.
func (p *page) finger(phase gesture.Phase, e js.Value) {
	e.Call("preventDefault")
	if phase == gesture.Down {
		js.Global().Get("whorl").Call("hold", p.canvas, e.Get("pointerId"))
	}
	before := p.typing
	p.queue.add(app.Event{
		Kind: app.Finger, X: e.Get("offsetX").Float(), Y: e.Get("offsetY").Float(),
		Finger: gesture.Touch{ID: e.Get("pointerId").Int(), Phase: phase}, Time: milliseconds(e.Get("timeStamp")),
	})
	if phase != gesture.Up {
		p.rouse()
		return
	}
	// The browser shows its keyboard only for a field that gets the focus before this returns.
	p.step()
	switch {
	case p.typing:
		p.focus()
	case before:
		p.field.Call("blur")
	}
}

// wheelUnits are the numbers of pixels, lines and pages of one wheel step.
var wheelUnits = [...]float64{100, 3, 1}

// Browsers report a pinch on a touch pad as small wheel amounts with the Control key, smaller than those of a real
// wheel. By convention 100 of them zoom by e. A wheel step zooms by zoomStep in all views.
const (
	largestPinch = 50
	zoomStep     = 1.25
)

// steps returns how far the wheel was turned; up and left are positive.
func steps(e js.Value) (dx, dy float64) {
	mode := e.Get("deltaMode").Int() % len(wheelUnits)
	dx, dy = -e.Get("deltaX").Float(), -e.Get("deltaY").Float()
	unit := wheelUnits[mode]
	if mode == 0 && e.Get("ctrlKey").Bool() && math.Abs(dy) < largestPinch {
		unit *= math.Log(zoomStep)
	}
	return dx / unit, dy / unit
}

// focus directs typed text to the page's field.
func (p *page) focus() { p.field.Call("focus", map[string]any{"preventScroll": true}) }

func (p *page) listenKeys(window js.Value) {
	reported := false // whether the last key went to the viewer
	on(window, "keydown", func(e js.Value) {
		key, m := e.Get("key").String(), mods(e)
		reported = !e.Get("isComposing").Truthy() && key != "Process" && key != "Dead" && key != "Unidentified" && !browsers(key, m)
		if !reported {
			return
		}
		e.Call("preventDefault")
		switch key {
		case "Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock":
			return
		}
		p.add(app.Event{Kind: ui.Key, Key: key}, e)
		// AltGr, which types characters on many keyboards, is reported as Control and Alt on some systems.
		typed := m&(ui.Control|ui.Meta) == 0 || e.Call("getModifierState", "AltGraph").Bool()
		if utf8.RuneCountInString(key) == 1 && typed {
			p.add(app.Event{Kind: ui.Text, Text: key}, e)
		}
	})
	on(window, "keypress", func(e js.Value) {
		if reported {
			e.Call("preventDefault") // prevent a second event as input
		}
	})
	text := func(e js.Value, s string) {
		p.field.Set("value", "")
		if s != "" {
			p.add(app.Event{Kind: ui.Text, Text: s}, e)
		}
	}
	// An on-screen keyboard composes every word. A field shows the word while it grows, as it shows typed letters.
	composed := ""
	compose := func(e js.Value, s string) {
		same := shared(composed, s)
		for range utf8.RuneCountInString(composed[same:]) {
			p.add(app.Event{Kind: ui.Key, Key: "Backspace"}, e)
		}
		if s != composed[:same] {
			p.add(app.Event{Kind: ui.Text, Text: s[same:]}, e)
		}
		composed = s
	}
	on(p.field, "compositionupdate", func(e js.Value) {
		if p.typing {
			compose(e, e.Get("data").String())
		}
	})
	on(p.field, "compositionend", func(e js.Value) {
		compose(e, e.Get("data").String())
		p.field.Set("value", "")
		composed = ""
	})
	on(p.field, "input", func(e js.Value) { // text without key events, from a picker or an on-screen keyboard
		switch kind := e.Get("inputType").String(); {
		case e.Get("isComposing").Truthy():
		case strings.HasPrefix(kind, "delete") && !reported:
			p.add(app.Event{Kind: ui.Key, Key: "Backspace"}, e)
			p.field.Set("value", "")
		case kind == "insertLineBreak" && !reported:
			p.add(app.Event{Kind: ui.Key, Key: "Enter"}, e)
			p.field.Set("value", "")
		default:
			text(e, p.field.Get("value").String())
		}
	})
	if !js.Global().Call("matchMedia", "(pointer: coarse)").Get("matches").Bool() {
		p.focus()
	}
	on(window, "paste", func(e js.Value) {
		e.Call("preventDefault")
		if d := e.Get("clipboardData"); d.Truthy() {
			if files := d.Get("files"); files.Get("length").Int() > 0 {
				p.drop(files, e)
				return
			}
			text(e, d.Call("getData", "text/plain").String())
		}
	})
}

// shared returns the number of bytes of the characters that two texts have in common at their beginnings.
func shared(a, b string) (n int) {
	for n < len(a) && n < len(b) {
		r, size := utf8.DecodeRuneInString(a[n:])
		if s, _ := utf8.DecodeRuneInString(b[n:]); r != s || r == utf8.RuneError {
			break
		}
		n += size
	}
	return n
}

// browsers reports whether a key belongs to the browser: to reload, close, open developer tools, or paste, which arrives
// as a separate event.
func browsers(key string, m ui.Mods) bool {
	switch key {
	case "F5", "F11", "F12":
		return true
	case "v", "V", "r", "R", "w", "W", "t", "T", "n", "N", "l", "L", "q", "Q":
		return m&(ui.Control|ui.Meta) != 0
	case "I", "J", "C":
		return m&(ui.Control|ui.Shift) == ui.Control|ui.Shift
	}
	return false
}

func (p *page) listenFiles(window js.Value) {
	on(window, "dragover", func(e js.Value) {
		e.Call("preventDefault")
		e.Get("dataTransfer").Set("dropEffect", "copy")
	})
	on(window, "drop", func(e js.Value) {
		e.Call("preventDefault")
		p.x, p.y = e.Get("clientX").Float(), e.Get("clientY").Float()
		if d := e.Get("dataTransfer"); d.Truthy() {
			p.drop(d.Get("files"), e)
		}
	})
	on(p.chooser, "change", func(e js.Value) {
		p.drop(p.chooser.Get("files"), e)
		p.chooser.Set("value", "")
	})
}

// drop adds the files of a FileList.
func (p *page) drop(list, from js.Value) {
	for i := range min(list.Get("length").Int(), mostDropped) {
		p.add(app.Event{Kind: app.Drop, File: blobFile(list.Index(i))}, from)
	}
}
