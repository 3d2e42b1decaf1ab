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
	// Bounds returns what there is to see, in world coordinates.
	Bounds() scene.Rect

	// Base appends the picture to out, which is clipped to the clip of the frame. It depends only on the picture, the camera, the clip
	// and the style, so that tiles of it can be kept (FrameKey).
	Base(f *Frame, out *scene.List)

	// Legend returns the text that stands beside the picture and explains it.
	Legend(f *Frame) Legend
}

// Draw appends the base of a picture, clipped to the clip of the frame.
func Draw(p Picture, f *Frame, out *scene.List) {
	out.ClipTo(f.Clip)
	p.Base(f, out)
	out.Pop()
}

// An Overlayer is a Picture with marks that change while its base stays: the selection, the hovered thing, annotations. The frame of an
// overlay has a state.
type Overlayer interface {
	Overlay(f *Frame, out *scene.List)
}

// Overlay appends the overlay of a picture, if it has one and there is a user.
func Overlay(p Picture, f *Frame, out *scene.List) {
	if o, ok := p.(Overlayer); ok && f.State != nil {
		o.Overlay(f, out)
	}
}

// Say appends a line of muted text at the top of the frame, for a picture that has nothing to draw.
func Say(f *Frame, out *scene.List, text string) {
	em := f.Style.Font
	if text = Elide(f.Text, text, float32(f.Area.W())-2*em, em, scene.Regular); text != "" {
		out.Text(float32(f.Area.X0)+em, float32(f.Area.Y0)+2*em, text, scene.TextStyle{Size: em, Color: f.Style.Muted})
	}
}

// A Linked picture shows things that selections name, so that what is selected in one view can be seen in all.
type Linked interface {
	// Hit returns the thing nearest to a pixel, false where none is close by.
	Hit(f *Frame, x, y float64) (Selection, bool)

	// Tip describes the thing that Hit names, false where it names none.
	Tip(f *Frame, x, y float64) (Tip, bool)

	// Locate returns where in the frame the selected things are, in pixels. It may leave out those outside the clip.
	Locate(f *Frame, s Selection) []scene.Rect
}

// Hit returns the thing of a picture that is nearest to a pixel, false where none is close by.
func Hit(p Picture, f *Frame, x, y float64) (Selection, bool) {
	if l, ok := p.(Linked); ok {
		return l.Hit(f, x, y)
	}
	return Selection{}, false
}

// TipAt describes the thing of a picture that Hit names, false where it names none.
func TipAt(p Picture, f *Frame, x, y float64) (Tip, bool) {
	if l, ok := p.(Linked); ok {
		return l.Tip(f, x, y)
	}
	return Tip{}, false
}

// A Responder is a Picture that answers input in its own way. Others answer as Navigate does.
type Responder interface {
	Input(f *Frame, in Input) []Action
}

// A Revealer is a Picture that can move to what is selected elsewhere. Reveal returns the camera that shows some of it, false where some
// is seen already or there is nothing to see.
type Revealer interface {
	Reveal(f *Frame, s Selection) (Camera, bool)
}

// A Shower is a Picture of the lines that the shared detail names (Frame.Detail). Show returns the lines that show some of a selection
// made elsewhere, false where some is seen already or there is nothing to see.
type Shower interface {
	Show(f *Frame, s Selection) (Lines, bool)
}

// A Timed picture shows time from left to right. Pictures of runs that are compared show the same time, whatever their widths.
type Timed interface {
	// Seen returns the time that the frame shows, in ns.
	Seen(f *Frame) (from, to float64)

	// See returns the camera that shows a time, and everything else as the frame does.
	See(f *Frame, from, to float64) Camera
}

// A Genealogy is a Picture of a tree of tasks. The way of a task lists how many siblings come before each task on the path from the root.
// Runs of one program number their tasks differently, but a task that all of them have has the same way and the same name.
type Genealogy interface {
	Way(task uint64) (way []int32, name string, ok bool)
	TaskAt(way []int32) (task uint64, name string, ok bool)
}

// A Mover is a Picture that an earlier picture of its view can move into after a parameter has changed. Between returns a picture on the
// way, t from 0 to 1; nil where there is no way. before may itself be a picture that Between returned.
type Mover interface {
	Between(before Picture, t float64) Picture
}

// A Chooser is a Picture with a text parameter whose possible values depend on what is shown. Choices returns these values and the index
// of the one that is shown; no values for other parameters.
type Chooser interface {
	Choices(param string) (values []string, now int)
}

// A Doubter is a Picture that can be drawn although some of the user's settings cannot be followed. Wrong reports which: unknown
// processes, a half-typed search, a missing baseline. It returns nil where nothing is wrong.
type Doubter interface {
	Wrong() error
}

// An Annotated picture shows annotations.
type Annotated interface {
	// Unplaced lists the annotations of the frame's trace for which the picture has no task or no room.
	Unplaced(f *Frame) []Annotation
}

// A Sounder is a Picture that makes sounds as time goes by. They are heard from where the picture is seen.
type Sounder interface {
	Picture

	// Ear returns the position of the listener.
	Ear(f *Frame) sound.Ear

	// Sounds returns the tones of the events after one time of the trace and until another, when that part is played in a given time.
	// Tones count their times from the beginning of the part. However a run is divided, its parts have the tones of the whole.
	Sounds(f *Frame, after, until int64, lasts time.Duration) []sound.Tone

	// Known returns the time of the trace up to which Sounds is complete. A trace that grows has more to come.
	Known() int64

	// Mute returns why nothing can be heard, as a part of a sentence; "" where something can.
	Mute() string
}

// Pictures is the last stage of a view, whose values are its pictures.
type Pictures struct {
	stage flow.Input
	zero  Picture // a zero value of the stage's type
	swaps []flow.Swap
}

// Draws returns the stage as the pictures of a Kind.
func Draws[P Picture](s *flow.Stage[P]) Pictures {
	var zero P
	return Pictures{stage: s, zero: zero}
}

// With returns the pictures that are computed with one stage in place of another.
func (p Pictures) With(s flow.Swap) Pictures {
	p.swaps = append(slices.Clip(p.swaps), s)
	return p
}

// Params lists the parameters that the pictures depend on.
func (p Pictures) Params() flow.Params { return flow.AllParams(p.stage, p.swaps...) }

// Implements reports whether the pictures of a Kind implement the interface I. It is false for a Kind without pictures.
func Implements[I any](k *Kind) bool {
	_, ok := k.Picture.zero.(I)
	return ok
}
