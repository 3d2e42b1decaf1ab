//go:build !js

package view

import (
	"context"

	"whorl/visual/space"
)

// A Spatial is a Picture of bodies in three dimensions, which programs for such scenes can show as an animation.
type Spatial interface {
	// World returns the animation of the run. Its second result describes the differences from the picture, one per line. World returns an
	// error if the picture has no motion or a value of p is out of range, and the error of ctx if that ends the work.
	World(ctx context.Context, p Play) (*space.World, []string, error)
}

// A Play describes the animation of a run in an exported world.
type Play struct {
	Until  *int64  // ns, the time of the trace at which the animation ends; nil for the end
	Length float64 // s
	Frames int     // key frames
	Dark   bool    // the background is dark
}
