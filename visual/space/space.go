package space

import (
	"fmt"
	"math"

	"whorl/visual/scene"
)

// A Vec is a point or a direction.
type Vec [3]float64

// A World is what there is to be shown of a run. Nobody changes it.
type World struct {
	Title string   // of what has run
	About []string // what else is to be said of it, line by line
	Span  string   // how long the run took, which its clock goes round in

	Frames int     // key frames, at equal distances: the first at the beginning, the last at the end
	Length float64 // s of play from the first to the last
	Reach  float64 // how far from the origin bodies come

	Out, Up     Vec // whence the bodies are seen at first, and what is above then; of length 1, at a right angle
	Ground, Ink scene.Color

	Bodies []Body
	Links  []Link
	Voices []Voice
}

// A Body is a sphere. What it has by frame has World.Frames values.
type Body struct {
	Name  string
	Label bool          // the name is shown
	At    []Vec         // by frame
	Round []float64     // by frame: the radius, more than 0
	Color []scene.Color // by frame: what it does
	Own   scene.Color   // which body it is
}

// A Link is a cylinder from the middle of one body to that of another. Each half has a colour of its own: the first that of the body A.
type Link struct {
	A, B  int             // bodies
	Half  []float64       // by frame: the radius; 0 where there is nothing to be seen
	Color [][]scene.Color // of the two halves, by frame
}

// A Voice makes one sound after the other, each from the place of a body.
type Voice struct {
	Clip   []byte  // what is heard, a WAV file
	Sounds []Sound // in order; none begins before the last one has ended
}

// A Sound is heard from From on, and over at To: parts of the play, from 0 to 1.
type Sound struct {
	From, To float64
	Body     int
	Pitch    float64 // times that of the clip, which is so much faster
}

// Place is where a body is at a part of the play.
func (w *World) Place(body int, part float64) Vec {
	at := part * float64(w.Frames-1)
	i := min(max(int(at), 0), w.Frames-2)
	return MixVec(w.Bodies[body].At[i], w.Bodies[body].At[i+1], min(max(at-float64(i), 0), 1))
}

// Bounds of a world.
const (
	MostFrames = 2001
	MostValues = 2 << 20 // places, sizes and colours of bodies and links are told of as often in all
)

// Check returns an error that says what is out of range, for a world of so many bodies and links.
func Check(frames, bodies, links int, length float64) error {
	switch {
	case frames < 2 || frames > MostFrames:
		return fmt.Errorf("want from 2 to %d key frames, not %d", MostFrames, frames)
	case frames*(bodies+links) > MostValues:
		return fmt.Errorf("want at most %d key frames of %d bodies and %d links, not %d", MostValues/(bodies+links), bodies, links, frames)
	case !(length >= 0.1 && length <= 86400):
		return fmt.Errorf("want a play of 0.1 s to a day, not of %g s", length)
	}
	return nil
}

// Key is the time of a frame, from 0 to 1.
func (w *World) Key(frame int) float64 { return float64(frame) / float64(w.Frames-1) }

// Right is at a right angle to Out and Up.
func (w *World) Right() Vec { return w.Up.cross(w.Out) }

// Angle is that of the picture in which a viewer sees all bodies from Away, in radians.
const Angle = 0.6

// Away is how far from the origin the viewer stands at first.
func (w *World) Away() float64 { return 1.15 * w.Reach / math.Tan(Angle/2) }

// Clock is where the clock stands, to the right of the bodies, and the radius of its disc.
func (w *World) Clock() (at Vec, round float64) {
	right, up := w.Right(), w.Up
	for k := range at {
		at[k] = w.Reach * (float64(1.05*right[k]) - float64(0.8*up[k]))
	}
	return at, 0.14 * w.Reach
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

// Len is the length of a vector.
func (v Vec) Len() float64 { return math.Sqrt(v.dot(v)) }
