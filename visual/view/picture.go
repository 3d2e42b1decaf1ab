package view

import (
	"slices"
	"time"

	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/sound"
)

// A Picture is the geometry that the last stage of a view computes. Its methods are pure functions.
type Picture interface {
	// Bounds returns the bounding box of the picture in world coordinates.
	Bounds() scene.Rect

	// Base appends the picture to out, which is clipped to the clip of the frame. It depends only on the picture and on the fields of
	// FrameKey, so that callers can cache tiles.
	Base(f *Frame, out *scene.List)

	// Legend returns the title and the legend.
	Legend(f *Frame) Legend
}

// Draw appends the base of a picture, clipped to the clip of the frame.
func Draw(p Picture, f *Frame, out *scene.List) {
	out.ClipTo(f.Clip)
	p.Base(f, out)
	out.Pop()
}

// A Moving picture has bounds that change with the time shown.
type Moving interface {
	// BoundsAt returns the bounding box of the picture at a time of the trace, in ns; nil is the end.
	BoundsAt(until *int64) scene.Rect

	// Middle returns the time that a still shows unless its user chooses one, in ns.
	Middle() int64
}

// BoundsAt returns the bounding box of a picture at a time of the trace, in ns; nil is the end.
func BoundsAt(p Picture, until *int64) scene.Rect {
	if m, ok := p.(Moving); ok {
		return m.BoundsAt(until)
	}
	return p.Bounds()
}

// An Overlayer is a Picture with marks that change more often than its base: the selection, the hover, annotations. The frame of an overlay
// has a State.
type Overlayer interface {
	Overlay(f *Frame, out *scene.List)
}

// Overlay appends the overlay of a picture, if it has one and the frame has a State.
func Overlay(p Picture, f *Frame, out *scene.List) {
	if o, ok := p.(Overlayer); ok && f.State != nil {
		o.Overlay(f, out)
	}
}

// Say appends a line of muted text at the top of the frame, for a picture with nothing to draw.
func Say(f *Frame, out *scene.List, text string) {
	em := f.Style.Font
	text = scene.Elide(f.Text, text, float32(f.Area.W())-2*em, em, scene.Regular)
	out.Text(float32(f.Area.X0)+em, float32(f.Area.Y0)+2*em, text, scene.TextStyle{Size: em, Color: f.Style.Muted})
}

// A Ghosted picture can draw an outline of another picture of its view over itself, as of the recorded run over a trial.
type Ghosted interface {
	Ghost(f *Frame, before Picture, out *scene.List)
}

// A Linked picture shows things that can be selected, so that a selection made in one view is visible in all.
type Linked interface {
	// Hit returns the thing nearest to a pixel, or false if none is close.
	Hit(f *Frame, x, y float64) (Selection, bool)

	Tipper // describes the thing that Hit returns

	// Locate returns the rectangles of the selected things in pixels. It may leave out those outside the clip.
	Locate(f *Frame, s Selection) []scene.Rect
}

// A Tipper is a Picture with tool tips. Tip describes the thing at a pixel, or returns false if there is none.
type Tipper interface {
	Tip(f *Frame, x, y float64) (Tip, bool)
}

// Hit returns the thing of a picture nearest to a pixel, or false if none is close or the picture is not Linked.
func Hit(p Picture, f *Frame, x, y float64) (Selection, bool) {
	if l, ok := p.(Linked); ok {
		return l.Hit(f, x, y)
	}
	return Selection{}, false
}

// TipAt describes the thing at a pixel, or returns false if there is none or the picture is no Tipper.
func TipAt(p Picture, f *Frame, x, y float64) (Tip, bool) {
	if t, ok := p.(Tipper); ok {
		return t.Tip(f, x, y)
	}
	return Tip{}, false
}

// A Responder is a Picture that handles input itself. Navigate handles the input of other pictures.
type Responder interface {
	Input(f *Frame, in Input) []Action
}

// A Revealer is a Picture that can move to a selection made elsewhere. Reveal returns a camera that shows part of it, or false if part of it
// is visible or the picture does not contain it.
type Revealer interface {
	Reveal(f *Frame, s Selection) (Camera, bool)
}

// A Shower is a Picture of the lines of the shared detail (Frame.Detail). Show returns lines that include part of a selection made elsewhere,
// or false if part of it is visible or the picture does not contain it.
type Shower interface {
	Show(f *Frame, s Selection) (Lines, bool)
}

// An Outliner is a Picture that depends on the lines of the shared detail (Frame.Detail) without a list of lines that scrolls. Outlined returns their
// rows.
type Outliner interface {
	Outlined(f *Frame) (first, end int)
}

// A Timed picture has a horizontal time axis. Pictures of compared runs show the same time, even if their widths differ.
type Timed interface {
	// Seen returns the visible time in ns.
	Seen(f *Frame) (from, to float64)

	// See returns the frame's camera moved to show the given time.
	See(f *Frame, from, to float64) Camera
}

// A Plane is a Picture that moves and scales as a whole with its camera, so that its pixels can stand for those of another camera for a moment.
type Plane interface {
	// Mapping returns the mapping of a frame and the part of its area that moves.
	Mapping(f *Frame) (Mapping, scene.Rect)
}

// A Mapping leads from the world of a picture to pixels: pixel = origin + world * scale.
type Mapping struct{ X, Y, ScaleX, ScaleY float64 }

// A Genealogy is a Picture of a tree of tasks. The way of a task lists the index among its siblings of each task on the path from the root.
// Task numbers differ between runs of a program, but corresponding tasks have the same way and the same name.
type Genealogy interface {
	Way(task uint64) (way []int32, name string, ok bool)
	TaskAt(way []int32) (task uint64, name string, ok bool)
	// Twins returns the tasks of another tree with the ways and the names of tasks of this one.
	Twins(tasks []Tasks, other Genealogy) []Tasks
}

// A Mover is a Picture that supports animation after a parameter has changed. Between returns the picture at t, from 0 (before) to 1 (the
// receiver), or nil if there is none. before may itself be a result of Between.
type Mover interface {
	Between(before Picture, t float64) Picture
}

// A Chooser is a Picture with a text parameter whose possible values depend on the trace. Choices returns these values and the index of the
// current one, or nil for other parameters.
type Chooser interface {
	Choices(param string) (values []string, now int)
}

// A Doubter is a Picture that can be drawn even if some of the user's settings are invalid. Wrong reports which were ignored: unknown
// processes, an incomplete search, a missing baseline. It returns nil if there are none.
type Doubter interface {
	Wrong() error
}

// An Annotated picture shows annotations.
type Annotated interface {
	// Unplaced returns the annotations of the frame's trace that the picture cannot show.
	Unplaced(f *Frame) []Annotation
}

// A Tabular picture is one table.
type Tabular interface {
	// Table returns the title, the headings and the cells of the whole table, in the order shown.
	Table() (title string, headings []string, rows [][]string)

	// CSV returns the table for other programs, with the units in the headings.
	CSV() string
}

// A Sounder is a Picture with sounds for events of the run. The listener is at the position of the viewer.
type Sounder interface {
	Picture

	// Ear returns the position of the listener.
	Ear(f *Frame) sound.Ear

	// Sounds returns the tones of the events later than after and not later than until, for playing this part of the run in the duration
	// lasts. The times of tones are relative to the start of the part. The tones of a run do not depend on its division into parts.
	Sounds(f *Frame, after, until int64, lasts time.Duration) []sound.Tone

	// Known returns the time up to which Sounds is complete. In a growing trace, later events may follow.
	Known() int64

	// Mute returns the reason why the run is silent, as a part of a sentence, or "" if it is not.
	Mute() string
}

// Pictures is the last stage of a view, which computes its pictures.
type Pictures struct {
	stage flow.Input
	zero  Picture // a zero value of the stage's type
	swaps []flow.Swap
}

// Draws returns a stage as the Pictures of a Kind.
func Draws[P Picture](s *flow.Stage[P]) Pictures {
	var zero P
	return Pictures{stage: s, zero: zero}
}

// With returns the pictures computed with one stage replaced by another.
func (p Pictures) With(s flow.Swap) Pictures {
	p.swaps = append(slices.Clip(p.swaps), s)
	return p
}

// reader returns a reader of the pictures.
func (p Pictures) reader(g *flow.Graph) *flow.Reader[Picture] {
	return flow.NewReader[Picture](g, p.stage, p.swaps...)
}

// Params returns the names of the parameters that the pictures depend on.
func (p Pictures) Params() flow.Params { return flow.AllParams(p.stage, p.swaps...) }

// Implements reports whether the pictures of a Kind implement the interface I. It is false for a Kind without pictures.
func Implements[I any](k *Kind) bool {
	_, ok := k.Picture.zero.(I)
	return ok
}
