package app

import (
	"time"

	"whorl/visual/app/describe"
	"whorl/visual/app/outbox"
	"whorl/visual/app/painter"
	"whorl/visual/app/pointing"
	"whorl/visual/scene"
	"whorl/visual/sound"
	"whorl/visual/ui"
)

// An Input holds the events since the last step and the state of the window. Positions are in points; a point has Scale device pixels.
type Input struct {
	Now    time.Duration // since any fixed moment; it never falls
	W, H   float64       // of the window, in points; 0 while it has no size
	Scale  float64       // device pixels in a point
	Hidden bool          // nobody can see the window
	Behind bool          // pictures of the last step are still being drawn, and older pixels stand for them
	Events []Event

	Describe bool // Output.Description is wanted, of this step or a later one
	Print    bool // Output.Prints is wanted
}

// The kinds of events of the shell, beside those of package ui.
const (
	Drop    ui.EventKind = ui.Text + 1 + iota // File was dropped at X, Y, or chosen in the dialog of OpenFile
	NoSound                                   // nothing can be heard; Text says why
	Saved                                     // the file of SaveFile was written; Text is its path
	Failed                                    // a request of the viewer has failed; Text says why
	Answer                                    // Text is the answer of the shell to a request
	Scheme                                    // the system prefers the colours that Text names: "dark" or "light"
	Pointer                                   // the main pointer of the device is Text: "coarse", which is a finger, or "fine"
	Finger                                    // Finger touches the screen at X, Y, moves there, or leaves it
)

// An Event is one thing that the user or the shell did.
type Event = pointing.Event

// An Output is the picture of the window, and the requests to its shell.
type Output struct {
	Layers  []Layer       // from back to front
	Changed bool          // a layer differs from those of the last step
	Next    time.Duration // when to step again at the latest, as Input.Now; negative: only after an event
	Cursor  ui.Cursor
	Typing  bool // a field has the keys: a touch screen needs a keyboard
	Title   string
	Asks    []outbox.Ask
	Sounds  []sound.Tone // their times count from Input.Now
	Ear     *sound.Ear   // the listener of all tones from now on; nil: as before

	Controls    []ui.Accessible       // the widgets and messages for assistive technology; valid until the next step
	Description *describe.Description // the wanted one, in the step that completes it; none comes if the pictures change before
	Prints      []string              // if wanted, an SVG picture of each visible pane for white paper
}

// A Layer is a display list in device pixels of the window, clipped to Rect. Layers that look different never have the same Revision:
// while Revision and Rect stay, so do the pixels. Package paint draws layers.
type Layer struct {
	Rect     scene.Rect
	Revision uint64
	List     *scene.List
	Opaque   bool // it covers all of Rect
	Plane    painter.Plane
}
