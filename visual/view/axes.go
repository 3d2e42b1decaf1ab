package view

import (
	"math"

	"whorl/visual/scene"
)

// An Axis maps one direction of a world, from 0 to World, to pixels. The visible range exceeds the world by at most a margin.
type Axis struct {
	Pixel, Length float64 // start and length in pixels
	World         float64 // extent of the world
	Margin        float64 // pixels that may be empty at each end
	Begin         bool    // align a world shorter than the axis with its start instead of its middle
	Fit, Most     float64 // pixels per unit: the scale that shows everything, and the largest

	Scale float64 // pixels per unit
	From  float64 // value at the start of the axis
}

// Look sets the middle of the visible range and the scale, clamped to the world. Scale 0 shows everything.
func (a *Axis) Look(middle, scale float64) {
	if a.Scale = a.Fit; scale > 0 {
		a.Scale = min(max(scale, a.Fit), max(a.Most, a.Fit))
	} else {
		middle = a.World / 2
	}
	seen, margin := a.Length/a.Scale, a.Margin/a.Scale
	switch {
	case seen < a.World+2*margin:
		a.From = min(max(middle-seen/2, -margin), a.World+margin-seen)
	case a.Begin:
		a.From = 0
	default:
		a.From = (a.World - seen) / 2
	}
}

// ToPixel returns the pixel of a value.
func (a *Axis) ToPixel(v float64) float64 { return a.Pixel + (v-a.From)*a.Scale }

// Value returns the value at a pixel.
func (a *Axis) Value(px float64) float64 { return (px-a.Pixel)/a.Scale + a.From }

// middle returns the value in the middle of the axis.
func (a *Axis) middle() float64 { return a.From + a.Length/a.Scale/2 }

// zoom multiplies the scale and keeps the value at a pixel in place.
func (a *Axis) zoom(px, by float64) {
	v := a.Value(px)
	a.Look(a.middle(), a.Scale*by)
	a.Look(v+(a.Pixel+a.Length/2-px)/a.Scale, a.Scale)
}

// Axes are the axes of a picture with separate scales for x and y.
type Axes struct {
	In   scene.Rect // pixels
	X, Y Axis
}

// Look sets the visible part of the world to that of a camera.
func (a *Axes) Look(c Camera) {
	a.X.Pixel, a.X.Length, a.Y.Pixel, a.Y.Length = a.In.X0, a.In.W(), a.In.Y0, a.In.H()
	if c.ScaleY <= 0 {
		c.Scale = 0
	}
	a.X.Look(c.X, c.Scale)
	a.Y.Look(c.Y, c.ScaleY)
}

// Mapping returns the mapping of both axes, and the pixels between them.
func (a *Axes) Mapping() (Mapping, scene.Rect) {
	return Mapping{a.X.Pixel - a.X.From*a.X.Scale, a.Y.Pixel - a.Y.From*a.Y.Scale, a.X.Scale, a.Y.Scale}, a.In
}

// Shown returns the camera of the visible part of the world.
func (a *Axes) Shown() Camera {
	return Camera{X: a.X.middle(), Y: a.Y.middle(), Scale: a.X.Scale, ScaleY: a.Y.Scale}
}

// Settled returns the camera of the visible part of the world, or the zero camera if everything is visible.
func (a *Axes) Settled() *Camera {
	const near = 1.0001
	if a.X.Scale <= a.X.Fit*near && a.Y.Scale <= a.Y.Fit*near {
		return &Camera{}
	}
	c := a.Shown()
	return &c
}

// Zoomed returns the zoom factor for steps of the wheel.
func Zoomed(steps float64) float64 { return math.Pow(1.25, min(max(steps, -20), 20)) }

// Zoom returns the actions for the wheel. It changes both scales, only that of x with Control, or only that of y with Alt, and keeps the
// point at the pointer in place. With Shift it moves sideways.
func (a Axes) Zoom(in Input) []Action {
	by := Zoomed(in.DY)
	switch {
	case in.Shift || in.DX != 0 && in.DY == 0:
		a.X.Look(a.X.middle()-(in.DX+in.DY)*0.1*a.X.Length/a.X.Scale, a.X.Scale)
	default:
		if !in.Alt {
			a.X.zoom(in.X, by)
		}
		if !in.Ctrl {
			a.Y.zoom(in.Y, by)
		}
	}
	return []Action{{Do: SetCamera, Pane: in.Pane, Camera: a.Settled()}}
}

// ZoomedAt returns the axes with both scales multiplied and the point at a pixel in place.
func (a Axes) ZoomedAt(x, y, by float64) Axes {
	a.X.zoom(x, by)
	a.Y.zoom(y, by)
	return a
}

// MovedTo returns the axes with x and y as the values at their starts.
func (a Axes) MovedTo(x, y float64) Axes {
	a.X.Look(x+a.X.Length/a.X.Scale/2, a.X.Scale)
	a.Y.Look(y+a.Y.Length/a.Y.Scale/2, a.Y.Scale)
	return a
}

// Navigate is like the function Navigate, for a picture with these axes. It clamps cameras to the world.
func (a Axes) Navigate(p Picture, keys []Key, f *Frame, in Input) []Action {
	near := *f
	near.Camera = a.Shown() // the camera of f may be zero
	acts := Navigate(p, keys, &near, in)
	for i := range acts {
		if c := acts[i].Camera; acts[i].Do == SetCamera && c != nil {
			a.Look(*c)
			acts[i].Camera = a.Settled()
		}
	}
	return acts
}
