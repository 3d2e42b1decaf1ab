// Package app is the whole viewer as a pure step: Step takes what happened and returns what to show. It knows no window and no clock.
package app

import (
	"io"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/scene"
	"whorl/visual/sound"
)

// An Input is what has happened since the last step. Positions are in points: logical pixels, of which each side of a device pixel takes
// 1/Scale.
type Input struct {
	Now    time.Duration // since any fixed moment; it never falls
	W, H   float64       // of the window, in points; 0 while it has no size
	Scale  float64       // device pixels to a point
	Hidden bool          // nobody can see it
	Events []Event
}

// EventKind says what sort of event it was.
type EventKind uint8

// The kinds of events.
const (
	PointerMove  EventKind = iota // to X, Y
	PointerDown                   // Button at X, Y
	PointerUp                     // Button at X, Y
	PointerLeave                  // it has left the window
	Wheel                         // turned by DX, DY steps at X, Y; up and left are positive
	KeyDown                       // Key, as the page's KeyboardEvent.key has it: "a", "A", "Enter", "ArrowLeft", "F1"; repeats count
	Text                          // Text was typed or pasted
	Drop                          // File was dropped at X, Y, or chosen in the dialog that Open asked for
	NoSound                       // nothing can be heard; Text says why
	Saved                         // what SaveFile asked for was written where nobody chose; Text is the path
	Told                          // Text is what the shell has to say of what it was asked for
)

// An Event is one thing that the user did.
type Event struct {
	Kind   EventKind
	X, Y   float64
	DX, DY float64
	Button Button
	Mods   Mods
	Key    string
	Text   string
	File   *File
}

// Button is a button of the pointer.
type Button uint8

// The buttons.
const (
	Main Button = iota
	Middle
	Secondary
)

// Mods are the keys that were held.
type Mods uint8

// The keys that can be held.
const (
	Shift Mods = 1 << iota
	Control
	Alt
	Meta
)

// A File is a file that has come from outside. Size is -1 where it is not known. A file of the file system has its Path; it is mapped
// and not read. Read is called on a goroutine of its own.
type File struct {
	Name string
	Path string
	Size int64
	Read func() (io.ReadCloser, error)
}

// An Output is what the window shows now, and what only its shell can do.
type Output struct {
	Layers  []Layer       // from back to front
	Changed bool          // something differs from the last step's layers
	Next    time.Duration // when to step again at the latest, as Input.Now; negative: only when something happens
	Cursor  Cursor
	Title   string
	Asks    []Ask
	Sounds  []sound.Tone // their times count from Input.Now
	Ear     *sound.Ear   // who hears them, and those that sound still, from now on; nil: as before
}

// A Layer is a display list in device pixels of the window, clipped to its place there. No two layers that look different have the same
// Revision, ever: while Revision and Rect are the same the pixels are the same. Package paint makes a picture of layers.
type Layer struct {
	Rect     scene.Rect
	Revision uint64
	List     *scene.List
	Opaque   bool // it covers all of Rect
}

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

// An Ask is a wish that the shell fulfils: a file dialog, whose answer comes as a Drop; a file to be written (a download in a page); text
// for the clipboard; the end.
type Ask struct {
	Do   AskKind
	Name string // of SaveFile: the suggested name; of EditLine: the source file as the trace names it
	Data []byte // of SaveFile
	Text string // of CopyText; of EditLine: what the trace holds of the file, for where there is none
	Path string // of EditLine: the file of the trace, beside which the source file may lie; "" where it has none
	Line int    // of EditLine
}

// AskKind says what is asked for.
type AskKind uint8

// The kinds of asks.
const (
	OpenFile AskKind = iota
	SaveFile
	CopyText
	PasteText // the answer comes as a Text event
	SoundOn   // Sounds are to be heard from now on; where that cannot be, the answer comes as a NoSound event
	SoundOff
	EditLine // what became of it comes as a Told event
	Quit
)

// A Runner starts programs: natively on a goroutine, in a page in a Web Worker.
type Runner interface {
	Run(r experiment.Run) (Session, error)
}

// A Session is a program that runs, or ran, and the trace that grows from it. Its methods return at once.
type Session interface {
	Take() []byte // what has been recorded since the last call, as the bytes of a .whorl file go on
	Status() Status
	Do(Command)
	Close()
}

// An Inspector is a Session that can tell what waits where while it is paused. What it cannot tell yet is nil.
type Inspector interface {
	Snapshot() *experiment.Snapshot
}

// What sessions and the viewer say to each other is what experiment says.
type (
	Status       = session.Status
	SessionState = session.State
	Command      = session.Command
	CommandKind  = session.CommandKind
)

// The states of a session.
const (
	Running  = session.Running
	Paused   = session.Paused
	Finished = session.Finished
)

// The commands.
const (
	Pause  = session.Pause
	Resume = session.Resume
	Stop   = session.Stop
	Step   = session.Step
	StepTo = session.StepTo
)
