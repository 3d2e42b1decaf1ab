//go:build js

package screen

import (
	"fmt"
	"math"
	"syscall/js"
	"unicode/utf8"

	"whorl/visual/app"
)

// mostDropped is how many files are taken of those dropped at once.
const mostDropped = 64

// on has f called for each event of that name. f runs within the browser's call and must not wait for anything.
func on(target js.Value, name string, f func(e js.Value)) {
	target.Call("addEventListener", name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}), map[string]any{"passive": false})
}

// listen sets up all listeners of the page. They live as long as it does.
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
		say("The browser has taken the picture's memory away. The viewer goes on as soon as it is given back; if it is not, reload the page.")
	})
	on(p.canvas, "contextrestored", func(js.Value) {
		p.lost = false
		say("")
		p.clean()
	})
	if observer := window.Get("ResizeObserver"); observer.Truthy() {
		// The exact number of pixels, where the ratio is no whole number.
		o := observer.New(js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.measure()
			if box := args[0].Index(0).Get("devicePixelContentBoxSize"); box.Truthy() {
				w, h := box.Index(0).Get("inlineSize").Int(), box.Index(0).Get("blockSize").Int()
				if p.near(w, h) { // or it is of another ratio, before or after a change
					p.resize(w, h)
				}
			}
			return nil
		}))
		window.Get("whorl").Call("observe", o, p.canvas)
	}
}

// watchRatio measures again when the pixels to a point have changed: the window was moved to another monitor, or the page was zoomed.
func (p *page) watchRatio(window js.Value) {
	query := window.Call("matchMedia", fmt.Sprintf("(resolution: %vdppx)", window.Get("devicePixelRatio").Float()))
	query.Call("addEventListener", "change", js.FuncOf(func(js.Value, []js.Value) any {
		p.measure()
		p.watchRatio(window)
		return nil
	}), map[string]any{"once": true})
}

// add puts an event at the pointer into the queue.
func (p *page) add(e app.Event, from js.Value) {
	e.X, e.Y = p.x, p.y
	e.Mods = mods(from)
	p.queue.add(e)
	p.rouse()
}

func mods(e js.Value) (m app.Mods) {
	for name, mod := range map[string]app.Mods{"shiftKey": app.Shift, "ctrlKey": app.Control, "altKey": app.Alt, "metaKey": app.Meta} {
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
	button := func(e js.Value) (app.Button, bool) {
		b := e.Get("button").Int()
		return app.Button(b), b >= 0 && b <= int(app.Secondary)
	}
	// Of several fingers the first one is the pointer.
	pointer := func(name string, f func(e js.Value)) {
		on(p.canvas, name, func(e js.Value) {
			if e.Get("isPrimary").Bool() {
				f(e)
			}
		})
	}
	pointer("pointermove", func(e js.Value) {
		moved(e)
		p.add(app.Event{Kind: app.PointerMove}, e)
	})
	pointer("pointerdown", func(e js.Value) {
		moved(e)
		e.Call("preventDefault")
		p.focus()
		if b, ok := button(e); ok {
			p.add(app.Event{Kind: app.PointerMove}, e) // a finger comes from nowhere
			p.add(app.Event{Kind: app.PointerDown, Button: b}, e)
		}
		js.Global().Get("whorl").Call("hold", p.canvas, e.Get("pointerId"))
	})
	pointer("pointerup", func(e js.Value) {
		moved(e)
		if b, ok := button(e); ok {
			p.add(app.Event{Kind: app.PointerUp, Button: b}, e)
		}
	})
	pointer("pointercancel", func(e js.Value) {
		p.add(app.Event{Kind: app.PointerUp}, e)
		p.add(app.Event{Kind: app.PointerLeave}, e)
	})
	pointer("pointerleave", func(e js.Value) { p.add(app.Event{Kind: app.PointerLeave}, e) })
	on(p.canvas, "contextmenu", func(e js.Value) { e.Call("preventDefault") })
	on(p.canvas, "wheel", func(e js.Value) {
		e.Call("preventDefault")
		moved(e)
		dx, dy := steps(e)
		p.add(app.Event{Kind: app.Wheel, DX: dx, DY: dy}, e)
	})
	scale := 1.0 // of the fingers on a touch pad, where the browser tells them by events of their own
	on(p.canvas, "gesturestart", func(e js.Value) {
		e.Call("preventDefault")
		scale = 1
	})
	on(p.canvas, "gesturechange", func(e js.Value) {
		e.Call("preventDefault")
		if s := e.Get("scale").Float(); s > 0 {
			p.add(app.Event{Kind: app.Wheel, DY: math.Log(s/scale) / math.Log(zoomStep)}, e)
			scale = s
		}
	})
}

// wheelUnits are how many pixels, lines and pages make one step of the wheel.
var wheelUnits = [...]float64{100, 3, 1}

// A pinch on a touch pad comes as a wheel with the Control key, by small amounts that a real wheel never has. 100 of them, by what all
// browsers do, zoom by e; a step of the wheel zooms by zoomStep in all views.
const (
	largestPinch = 50
	zoomStep     = 1.25
)

// steps is how far the wheel was turned, up and left being positive.
func steps(e js.Value) (dx, dy float64) {
	mode := e.Get("deltaMode").Int() % len(wheelUnits)
	dx, dy = -e.Get("deltaX").Float(), -e.Get("deltaY").Float()
	unit := wheelUnits[mode]
	if mode == 0 && e.Get("ctrlKey").Bool() && math.Abs(dy) < largestPinch {
		unit *= math.Log(zoomStep)
	}
	return dx / unit, dy / unit
}

// focus has what is typed come to the page's field.
func (p *page) focus() { p.field.Call("focus", map[string]any{"preventScroll": true}) }

func (p *page) listenKeys(window js.Value) {
	told := false // of the key that was pressed last
	on(window, "keydown", func(e js.Value) {
		key, m := e.Get("key").String(), mods(e)
		told = !e.Get("isComposing").Truthy() && key != "Process" && key != "Dead" && key != "Unidentified" && !browsers(key, m)
		if !told {
			return
		}
		e.Call("preventDefault")
		switch key {
		case "Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock":
			return
		}
		p.add(app.Event{Kind: app.KeyDown, Key: key}, e)
		// AltGr, which types on many keyboards, is Control and Alt to some systems.
		typed := m&(app.Control|app.Meta) == 0 || e.Call("getModifierState", "AltGraph").Bool()
		if utf8.RuneCountInString(key) == 1 && typed {
			p.add(app.Event{Kind: app.Text, Text: key}, e)
		}
	})
	on(window, "keypress", func(e js.Value) {
		if told {
			e.Call("preventDefault") // or it would come as input too
		}
	})
	text := func(e js.Value, s string) {
		p.field.Set("value", "")
		if s != "" {
			p.add(app.Event{Kind: app.Text, Text: s}, e)
		}
	}
	on(p.field, "compositionend", func(e js.Value) { text(e, e.Get("data").String()) })
	on(p.field, "input", func(e js.Value) { // what comes without a key that says it: from a picker, or a keyboard on the glass
		if !e.Get("isComposing").Truthy() {
			text(e, p.field.Get("value").String())
		}
	})
	p.focus()
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

// browsers says whether a key is the browser's own: to reload, to close, to look for faults, and to paste, which comes as an event of its
// own.
func browsers(key string, m app.Mods) bool {
	switch key {
	case "F5", "F11", "F12":
		return true
	case "v", "V", "r", "R", "w", "W", "t", "T", "n", "N", "l", "L", "q", "Q":
		return m&(app.Control|app.Meta) != 0
	case "I", "J", "C":
		return m&(app.Control|app.Shift) == app.Control|app.Shift
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
