// Package space describes bodies that move in three dimensions and the links between them, for export to other
// programs. It holds positions, sizes and colours at key frames, between which those programs interpolate. Package
// vrml writes this as VRML 2.0 and X3D, package gltf as glTF.
//
// Lengths have the unit of the model that moved the bodies. The origin is the centre of the bodies, and y points up.
//
// VRML and X3D are two notations of one scene, written in one walk. The key frames of a track depend on how programs
// interpolate: colours in VRML by hue, turns of links the shortest way. Tracks of invisible links may be wrong, which
// saves a fifth of a mesh. Links are whole cylinders with their own positions, turns and lengths: computing these from
// the bodies would halve the files but require a program with ECMAScript.
package space

import (
	"fmt"
	"math"

	"whorl/visual/scene"
)

// A Vec is a point or a direction.
type Vec [3]float64

// A World is the animation of a run. Worlds are immutable.
type World struct {
	Title string   // name of the program
	About []string // further facts, one per line
	Span  string   // duration of the run, which the clock shows as one turn

	Frames int     // number of key frames at equal distances, the first at the beginning, the last at the end
	Length float64 // s of play, from the first to the last key frame
	Reach  float64 // largest distance of a body from the origin

	Out, Up     Vec // direction from the origin to the viewer at first, and up for the viewer: unit vectors at a right angle
	Ground, Ink scene.Color

	Bodies []Body
	Links  []Link
	Voices []Voice
}

// A Body is a sphere. Its slices have a value for each key frame.
type Body struct {
	Name   string
	Label  bool // show the name
	Centre []Vec
	Radius []float64     // more than 0
	Color  []scene.Color // meaning: activity
	Own    scene.Color   // identifies the body
}

// A Link is a cylinder between the centres of two bodies. Each half has its own colour; the first half is at body A.
type Link struct {
	A, B   int             // indices of bodies
	Radius []float64       // by frame; 0 if invisible
	Color  [][]scene.Color // of the two halves, by frame
}

// A Voice plays one sound at a time, each from the position of a body.
type Voice struct {
	Clip   []byte  // WAV file
	Sounds []Sound // in order, without overlaps
}

// A Sound lasts from From to To, which are fractions of the play from 0 to 1.
type Sound struct {
	From, To float64
	Body     int
	Pitch    float64 // pitch and speed as a multiple of those of the clip
}

// Place returns the position of a body at a fraction of the play.
func (w *World) Place(body int, part float64) Vec {
	frame := part * float64(w.Frames-1)
	i := min(max(int(frame), 0), w.Frames-2)
	return MixVec(w.Bodies[body].Centre[i], w.Bodies[body].Centre[i+1], min(max(frame-float64(i), 0), 1))
}

// Limits of a world.
const (
	MostFrames = 2001
	MostValues = 2 << 20 // of key frames times bodies and links
)

// Check returns an error if a parameter of a world is out of range, or the numbers of bodies and links are too large
// for the frames.
func Check(frames, bodies, links int, length float64) error {
	switch {
	case frames < 2 || frames > MostFrames:
		return fmt.Errorf("expected 2 to %d key frames, not %d", MostFrames, frames)
	case frames*(bodies+links) > MostValues:
		return fmt.Errorf("expected at most %d key frames for %d bodies and %d links, not %d", MostValues/(bodies+links), bodies, links, frames)
	case !(length >= 0.1 && length <= 86400):
		return fmt.Errorf("expected a length from 0.1 s to 1 day, not %g s", length)
	}
	return nil
}

// Key returns the time of a frame, from 0 to 1.
func (w *World) Key(frame int) float64 { return float64(frame) / float64(w.Frames-1) }

// Right returns the direction to the right for the viewer, at a right angle to Out and Up.
func (w *World) Right() Vec { return w.Up.cross(w.Out) }

// Angle is the field of view of the viewer in radians. It shows all bodies from the distance Away.
const Angle = 0.6

// Away returns the initial distance of the viewer from the origin.
func (w *World) Away() float64 { return 1.15 * w.Reach / math.Tan(Angle/2) }

// Clock returns the centre and the radius of the disc of the clock, to the right of the bodies.
func (w *World) Clock() (centre Vec, radius float64) {
	right, up := w.Right(), w.Up
	for k := range centre {
		centre[k] = w.Reach * (float64(1.05*right[k]) - float64(0.8*up[k]))
	}
	return centre, 0.14 * w.Reach
}

func (v Vec) cross(u Vec) Vec {
	return Vec{
		float64(v[1]*u[2]) - float64(v[2]*u[1]),
		float64(v[2]*u[0]) - float64(v[0]*u[2]),
		float64(v[0]*u[1]) - float64(v[1]*u[0]),
	}
}

func (v Vec) dot(u Vec) float64 {
	return float64(v[0]*u[0]) + float64(v[1]*u[1]) + float64(v[2]*u[2])
}

func (v Vec) minus(u Vec) Vec { return Vec{v[0] - u[0], v[1] - u[1], v[2] - u[2]} }

func (v Vec) times(by float64) Vec { return Vec{v[0] * by, v[1] * by, v[2] * by} }

// Len returns the length of the vector.
func (v Vec) Len() float64 { return math.Sqrt(v.dot(v)) }
