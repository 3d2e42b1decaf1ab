// Package view is what all views have in common: the interface they implement, how they are described (Kind), the frame they draw into,
// what can be selected in them, and the state that actions change.
//
// A view computes nothing itself: it names stages (visual/flow), and the value of the last one, its geometry, is what it draws, in a
// world of float64 seen through a camera. It keeps no state of its own either. What a user does becomes an Action, a value that can be
// written down; State.Apply is the one place that changes state, hence undo, sessions and replays. A Selection names things of the trace
// and never pixels; each view finds them in its own geometry (Locate) and names what lies under a pixel (Hit), which is what links any
// two views.
//
// Around the picture of any view stand a title, a legend and the numbers of the run: the view says what (Legend), Render places them.
package view

import (
	"math"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/sound"
)

// A View draws the geometry that the stages of its Kind computed. Its methods are pure functions; geometry is never nil.
type View interface {
	// Bounds is what there is to see, in world coordinates.
	Bounds(geometry any) Rect

	// Base appends the picture to out. It depends on the geometry, the camera, the clip and the style alone, so that tiles of it
	// can be kept.
	Base(f *Frame, geometry any, out *scene.List)

	// Overlay appends what changes while the picture stays: the selection, the hovered thing, annotations.
	Overlay(f *Frame, geometry any, out *scene.List)

	// Tip tells of the thing that Hit names, false where it names none. Label draws it.
	Tip(f *Frame, geometry any, x, y float64) (Tip, bool)

	// Hit names the thing nearest to a pixel, false where there is none close by.
	Hit(f *Frame, geometry any, x, y float64) (Selection, bool)

	// Locate returns where in the frame the selected things are, in pixels; those outside the clip may be left out.
	Locate(f *Frame, geometry any, s Selection) []Rect

	// Input says what the user wants by what he did.
	Input(f *Frame, geometry any, in Input) []Action

	// Legend is what has to be said beside the picture to read it.
	Legend(f *Frame, geometry any) Legend
}

// A Revealer is a View that can move to what is selected elsewhere: the camera that shows some of it, false where some is seen already or
// there is nothing to see.
type Revealer interface {
	Reveal(f *Frame, geometry any, s Selection) (Camera, bool)
}

// A Shower is a View of the lines that the shared detail names (Frame.Detail), and moves them to what is selected elsewhere: the lines that
// show some of it, false where some is seen already or there is nothing to see.
type Shower interface {
	Show(f *Frame, geometry any, s Selection) (Lines, bool)
}

// A Timed view shows time from left to right. Those of runs that are compared show the same time, whatever their widths.
type Timed interface {
	// Seen is the time that the frame shows, in ns.
	Seen(f *Frame, geometry any) (from, to float64)

	// See is the camera that shows a time, and all else as the frame does.
	See(f *Frame, geometry any, from, to float64) Camera
}

// A Genealogy is a View of a tree of tasks that knows the way to each: how many siblings come before every task on it, from the root on.
// Runs of one program number their tasks differently, but a task that all of them have has the same way, and the same name.
type Genealogy interface {
	Way(geometry any, task uint64) (way []int32, name string, ok bool)
	At(geometry any, way []int32) (task uint64, name string, ok bool)
}

// A Mover is a View of which one picture can move into the next where a parameter changes: Between is a geometry on the way, t from 0 to 1; nil
// where there is none. It may be asked for a way from such a geometry, too.
type Mover interface {
	Between(before, after any, t float64) any
}

// A Chooser is a View of which a text parameter has values that depend on what is shown: these values, and which of them is shown. There
// are none for other parameters.
type Chooser interface {
	Choices(geometry any, param string) (values []string, now int)
}

// A Doubter is a View that shows something although a parameter asks for what there is not, or is none yet, as one that is half typed: what is
// wrong; nil where nothing is.
type Doubter interface {
	Wrong(geometry any) error
}

// A Sounder is a View of which one hears what happens as time goes by, from where its picture is seen.
type Sounder interface {
	View

	// Ear is who hears.
	Ear(f *Frame, geometry any) sound.Ear

	// Sounds are the tones of what happens after one time of the trace and until another, where that plays for some time; theirs count
	// from its beginning. However a run is parted, its parts have the tones of the whole.
	Sounds(f *Frame, geometry any, after, until int64, lasts time.Duration) []sound.Tone

	// Known is the time of the trace up to which Sounds has all that there is: of a trace that grows, later moments are still to come.
	Known(geometry any) int64

	// Mute is why nothing can be heard, as a part of a sentence; "" where something can.
	Mute(geometry any) string
}

// A Kind describes a view to users and to the parts of the program that open it.
type Kind struct {
	Name  string // as --view knows it
	Title string
	Doc   string // a sentence
	Icon  icon.Icon

	Positions []Position // where the view opens when a trace is opened; none for views that the user opens

	// Needs lists sets of kinds of events: a trace can be opened when it has all kinds of any one set.
	Needs []tracer.KindSet

	Stages   []flow.Stage // they read the source Trace and each other
	Geometry string       // the stage whose value is drawn
	Params   []Param
	Keys     []Key
	View     View
	Contexts bool // it shows calling contexts: their numbers, in Root and in selections, are the same in all runs of a program
	Program  bool // it shows the text of the program, which can be edited in its panes
	Space    bool // the world of all runs has one scale: where they are compared, what is as large is as large in all

	// Condensed returns the view of a trace that is larger than memory, which is condensed while it is read to that many bytes; nil for a
	// view that needs all of a trace. What it draws is the same within what a pixel can show.
	Condensed func(memory int64) *Kind

	Windowed bool // it counts what happened in the window of time alone (Frame.Window, or Counted); others dim what lies outside, if anything
}

// Trace is the name of the source that all stages start from: a tracer.Source.
const Trace = "trace"

// Beside is the name of the source with what a view may compare its trace with: of another run, nil for none. It is a value in memory and
// no trace, so that a run can be closed while another one is compared with it.
const Beside = "beside"

// Window is the parameter that holds the smaller side of the picture in pixels, as int64, for layouts that depend on it.
const Window = "window"

// Counted is the parameter that holds the time of which anything is counted, for stages that depend on it: what FormatCounted writes.
const Counted = "counted"

// A Key is a key of the keyboard and the action it stands for; where that depends on what is shown, Action is empty and View.Input says it.
type Key struct {
	Key, Doc string
	Action   Action
}

// A Rect is a rectangle, in pixels or in the world: X0 <= X1, Y0 <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// W is the width.
func (r Rect) W() float64 { return r.X1 - r.X0 }

// H is the height.
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// Has says whether a point lies inside or on the border.
func (r Rect) Has(x, y float64) bool { return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1 }

// Grow moves every side outwards by d.
func (r Rect) Grow(d float64) Rect { return Rect{r.X0 - d, r.Y0 - d, r.X1 + d, r.Y1 + d} }

// Meets says whether two rectangles have a point in common.
func (r Rect) Meets(s Rect) bool { return r.X0 <= s.X1 && s.X0 <= r.X1 && r.Y0 <= s.Y1 && s.Y0 <= r.Y1 }

// A Camera says which part of the world is seen: the world point at the middle of the area, and how many pixels a world unit takes.
// The zero Camera stands for one that shows everything (Fit). A view whose axes have nothing in common, such as time and PEs, fills its
// area when ScaleY is 0, which is how Fit leaves it, and stores a ScaleY when the user moves.
type Camera struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Scale  float64 `json:"scale"`
	ScaleY float64 `json:"scale_y,omitempty"` // where y has a scale of its own; 0 stands for Scale
	Turn   float64 `json:"turn,omitempty"`    // degrees, of a view in three dimensions: round an upright axis
	Tilt   float64 `json:"tilt,omitempty"`    // and up, from the side from which it is seen at first
}

// Scales are the pixels that a world unit takes in x and in y.
func (c Camera) Scales() (x, y float64) {
	if c.ScaleY == 0 {
		return c.Scale, c.Scale
	}
	return c.Scale, c.ScaleY
}

// scaled is the camera that shows in an area what c shows in another one, or more.
func (c Camera) scaled(from, to Rect) Camera {
	x, y := to.W()/max(from.W(), 1), to.H()/max(from.H(), 1)
	if c.ScaleY == 0 {
		x = min(x, y)
	}
	c.Scale *= x
	c.ScaleY *= y
	return c
}

// Fit is the camera that shows all of world in an area, with a margin in pixels.
func Fit(world, area Rect, margin float64) Camera {
	c := Camera{X: (world.X0 + world.X1) / 2, Y: (world.Y0 + world.Y1) / 2, Scale: 1}
	sx, sy := (area.W()-2*margin)/world.W(), (area.H()-2*margin)/world.H()
	if s := min(sx, sy); s > 0 && s < 1e12 { // false too where the world is a point
		c.Scale = s
	}
	return c
}

// A Frame is the area a view draws into, and everything it may know while it does.
type Frame struct {
	Area   Rect   // of the view, in pixels
	Clip   Rect   // the part that is wanted
	Camera Camera // never zero
	Style  Style
	Text   scene.Measurer
	Trace  string  // the name of the trace that is shown, as selections have it
	Until  *int64  // ns: what happened later is not shown; nil shows all
	Window *Span   // ns: nothing else is counted, nil counts all; of Kinds that are Windowed
	Span   Span    // ns that an axis of time has at least, so that runs that are compared have the same; zero for those of the trace
	Detail *Lines  // of the program, which are shown one by one; nil leaves them to the views
	Trail  []Place // of the pane, for Overlay and Input
	State  *State  // for Overlay and Input only; nil where there is no user
}

// A FrameKey holds all that View.Base depends on: while it is the same, so are the pixels. Hover, selection and annotations are not in it.
type FrameKey struct {
	geometry   uint64
	area, clip Rect
	camera     Camera
	style      Style
	trace      string
	limited    bool
	until      int64
	windowed   bool
	window     Span
	span       Span
	detail     Lines
}

// Key returns the frame's key; geometry is the revision of the geometry (flow.Result).
func (f *Frame) Key(geometry uint64) FrameKey {
	k := FrameKey{geometry: geometry, area: f.Area, clip: f.Clip, camera: f.Camera, style: f.Style, trace: f.Trace, span: f.Span}
	if f.Until != nil {
		k.limited, k.until = true, *f.Until
	}
	if f.Window != nil {
		k.windowed, k.window = true, *f.Window
	}
	if f.Detail != nil {
		k.detail = *f.Detail
	}
	return k
}

// Counted is the time of which a frame counts anything: its window, up to its moment; nil where that is all.
func (f *Frame) Counted() *Span {
	if f.Until == nil && f.Window == nil {
		return nil
	}
	s := Span{First: math.MinInt64, Last: math.MaxInt64}
	if f.Window != nil {
		s = *f.Window
	}
	if f.Until != nil {
		s.Last = min(s.Last, *f.Until)
	}
	return &s
}

// ToPixel returns where a world point is seen.
func (f *Frame) ToPixel(x, y float64) (px, py float64) {
	sx, sy := f.Camera.Scales()
	return (f.Area.X0+f.Area.X1)/2 + float64((x-f.Camera.X)*sx), (f.Area.Y0+f.Area.Y1)/2 + float64((y-f.Camera.Y)*sy)
}

// ToWorld returns the world point seen at a pixel.
func (f *Frame) ToWorld(px, py float64) (x, y float64) {
	sx, sy := f.Camera.Scales()
	return (px-(f.Area.X0+f.Area.X1)/2)/sx + f.Camera.X, (py-(f.Area.Y0+f.Area.Y1)/2)/sy + f.Camera.Y
}

// A Style holds what all views share of their looks.
type Style struct {
	Dark   bool
	Font   float32     // em of plain text, in pixels
	Ground scene.Color // the background
	Ink    scene.Color // text and what must be seen
	Muted  scene.Color // labels of lesser weight
	Line   scene.Color // rules and frames
	Accent scene.Color // selection and hover
	Warn   scene.Color // text of what may be wrong
}

// NewStyle returns the style for a light or a dark background.
func NewStyle(dark bool, font float32) Style {
	if dark {
		return Style{
			Dark: true, Font: font, Ground: scene.Hex(0x14161a), Ink: scene.Hex(0xe8eaed), Muted: scene.Hex(0x9aa1ab),
			Line: scene.Hex(0x3a4048), Accent: scene.Hex(0xffffff), Warn: scene.Hex(0xf0b84a),
		}
	}
	return Style{
		Font: font, Ground: scene.Hex(0xffffff), Ink: scene.Hex(0x1b1f24), Muted: scene.Hex(0x656d78),
		Line: scene.Hex(0xd5d9df), Accent: scene.Hex(0x000000), Warn: scene.Hex(0x855300),
	}
}
