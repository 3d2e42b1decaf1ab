package ui

import (
	"math"
	"time"
)

// An Input holds the events since the last Run, in device pixels.
type Input struct {
	Now    time.Duration // since any fixed moment; it never falls
	W, H   float32       // of the window
	Scale  float32       // device pixels in a point
	Events []Event
}

// EventKind is the kind of an event.
type EventKind uint8

// The kinds of events.
const (
	Move  EventKind = iota // of the pointer, to X, Y
	Down                   // Button at X, Y
	Up                     // Button at X, Y
	Leave                  // the pointer has left the window
	Wheel                  // turned by DX, DY steps at X, Y; up and left are positive
	Key                    // Name, as in KeyboardEvent.key: "a", "A", "Enter", "ArrowLeft", "F1"; repeats count
	Text                   // Text was typed or pasted
)

// An Event is one thing that the user did.
type Event struct {
	Kind   EventKind
	X, Y   float32
	DX, DY float32
	Button Button
	Mods   Mods
	Name   string
	Text   string
	Finger bool // of a turn of the wheel: a finger scrolls
}

// Button is a button of the pointer.
type Button uint8

// The buttons.
const (
	Main Button = iota
	Middle
	Secondary
)

// Mods are the modifier keys that were held.
type Mods uint8

// The modifier keys.
const (
	Shift Mods = 1 << iota
	Control
	Alt
	Meta
)

// Command reports whether Control or Meta was held. Every system uses one of the two for its commands.
func (m Mods) Command() bool { return m&(Control|Meta) != 0 }

// Cursor is the shape of the pointer.
type Cursor uint8

// The shapes.
const (
	Arrow Cursor = iota
	Hand
	Beam // over text
	Cross
	Grab
	ResizeColumns
	ResizeRows
)

// How far the pointer may move in a click, in points, and how soon the second click of a double click comes.
const (
	slack      = 4
	doubleTime = 400 * time.Millisecond
)

// Moved reports whether two points are too far from each other for a click; scale is the number of units of their coordinates in a point.
func Moved(x0, y0, x1, y1, scale float64) bool {
	return max(math.Abs(x1-x0), math.Abs(y1-y0)) > slack*scale
}

// Clicks counts clicks that follow each other at the same place: 2 is a double click. The zero Clicks has counted none.
type Clicks struct {
	n    int
	last time.Duration
	x, y float64
}

// Count counts a click and returns its number; scale is that of Moved.
func (k *Clicks) Count(now time.Duration, x, y, scale float64) int {
	if k.n > 0 && !Moved(k.x, k.y, x, y, scale) && now-k.last <= doubleTime {
		k.n++
	} else {
		k.n = 1
	}
	k.last, k.x, k.y = now, x, y
	return k.n
}

// split divides an input into passes with one event each. Moves in a row are merged, and so are turns of the wheel.
func (in Input) split() []Input {
	var parts []Input
	for _, e := range in.Events {
		if n := len(parts); n > 0 {
			last := &parts[n-1].Events[0]
			if e.Kind == last.Kind && e.Kind == Move {
				*last = e
				continue
			}
			if e.Kind == last.Kind && e.Kind == Wheel && e.Mods == last.Mods {
				e.DX, e.DY = e.DX+last.DX, e.DY+last.DY
				*last = e
				continue
			}
		}
		p := in
		p.Events = []Event{e}
		parts = append(parts, p)
	}
	if parts == nil {
		parts = []Input{in}
	}
	return parts
}
