package view

import (
	"math"

	"whorl/visual/scene"
)

// A Camera defines the visible part of the world: the world point at the middle of the area, and the pixels per world unit. The zero Camera
// shows everything (Fit). A view with unrelated axes, such as time and PEs, fills its area if ScaleY is 0, as Fit returns it, and stores a
// ScaleY when the user moves.
type Camera struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Scale  float64 `json:"scale"`
	ScaleY float64 `json:"scale_y,omitempty"` // of y; 0 means Scale
	Turn   float64 `json:"turn,omitempty"`    // degrees about the vertical axis, in views of three dimensions
	Tilt   float64 `json:"tilt,omitempty"`    // degrees upwards from the initial direction
}

// Scales returns the pixels per world unit in x and in y.
func (c Camera) Scales() (x, y float64) {
	if c.ScaleY == 0 {
		return c.Scale, c.Scale
	}
	return c.Scale, c.ScaleY
}

// Fit returns the camera that shows all of world in an area, with a margin in pixels.
func Fit(world, area scene.Rect, margin float64) Camera {
	c := Camera{X: (world.X0 + world.X1) / 2, Y: (world.Y0 + world.Y1) / 2, Scale: 1}
	sx, sy := (area.W()-2*margin)/world.W(), (area.H()-2*margin)/world.H()
	if s := min(sx, sy); s > 0 && s < 1e12 { // false if the world is a point
		c.Scale = s
	}
	return c
}

// A Frame is the area that a picture is drawn into, with all other inputs of drawing.
type Frame struct {
	Area   scene.Rect // of the view, in pixels
	Clip   scene.Rect // the part to draw
	Camera Camera     // never zero
	Style  Style
	Text   scene.Measurer
	Trace  string  // name of the trace in selections
	Until  *int64  // ns; later events are hidden; nil shows all
	Window *Span   // ns; views with Kind.Windowed count only the events in it; nil counts all
	Span   Span    // ns; time axes cover at least this, so that compared runs have equal axes; zero for the run's own time
	Detail *Lines  // source lines shown one by one; nil lets the views choose
	Trail  []Place // of the pane, for Overlay and Input
	State  *State  // for Overlay and Input only; nil without a user
	Still  bool    // for a picture in a file, which has no hints for the mouse and no controls
}

// A FrameKey holds all inputs of Picture.Base: equal keys give equal pixels. It does not contain hover, selection and annotations.
type FrameKey struct {
	picture    uint64
	area, clip scene.Rect
	camera     Camera
	style      Style
	trace      string
	limited    bool
	until      int64
	windowed   bool
	window     Span
	dimmed     bool
	span       Span
	detail     Lines
}

// Key returns the frame's key for a picture with a revision (flow.Result).
func (f *Frame) Key(revision uint64) FrameKey {
	k := FrameKey{picture: revision, area: f.Area, clip: f.Clip, camera: f.Camera, style: f.Style, trace: f.Trace, span: f.Span, dimmed: f.dimmed()}
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

// dimmed reports whether views that count everything may dim what lies outside a time window.
func (f *Frame) dimmed() bool { return f.State != nil && f.State.Shared.Window != nil }

// Moved reports whether two keys differ at most by the position and the scale of their cameras.
func (k FrameKey) Moved(o FrameKey) bool {
	k.camera.X, k.camera.Y, k.camera.Scale, k.camera.ScaleY = o.camera.X, o.camera.Y, o.camera.Scale, o.camera.ScaleY
	return k == o
}

// DetailName describes the lines shown one by one, as a part of a sentence.
func (f *Frame) DetailName() string {
	if f.Detail == nil {
		return "lines around the hottest one"
	}
	return "lines shown in detail"
}

// Selected returns the shared selection, which may be of another trace, or the empty one without a user.
func (f *Frame) Selected() Selection {
	if f.State == nil {
		return Selection{}
	}
	return f.State.Shared.Selection
}

// Counted returns the interval whose events the frame counts: Window up to Until, or nil for all.
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

// ToPixel returns the pixel of a world point.
func (f *Frame) ToPixel(x, y float64) (px, py float64) {
	sx, sy := f.Camera.Scales()
	return (f.Area.X0+f.Area.X1)/2 + float64((x-f.Camera.X)*sx), (f.Area.Y0+f.Area.Y1)/2 + float64((y-f.Camera.Y)*sy)
}

// Mapping returns the mapping of ToPixel, and the area.
func (f *Frame) Mapping() (Mapping, scene.Rect) {
	x, y := f.ToPixel(0, 0)
	sx, sy := f.Camera.Scales()
	return Mapping{x, y, sx, sy}, f.Area
}

// ToWorld returns the world point at a pixel.
func (f *Frame) ToWorld(px, py float64) (x, y float64) {
	sx, sy := f.Camera.Scales()
	return (px-(f.Area.X0+f.Area.X1)/2)/sx + f.Camera.X, (py-(f.Area.Y0+f.Area.Y1)/2)/sy + f.Camera.Y
}

// A Style holds the colours and the font size common to all views.
type Style struct {
	Dark   bool
	Font   float32     // em of plain text, in pixels
	Ground scene.Color // background
	Ink    scene.Color // text and important lines
	Muted  scene.Color // secondary labels
	Line   scene.Color // rules and frames
	Accent scene.Color // selection and hover
	Warn   scene.Color // text of warnings
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
