// Package spacetest provides worlds for tests of exporters.
package spacetest

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/space"
)

// Two returns a world that can be checked by hand: two bodies and a link at three key frames. The first body stays and
// doubles its size; the second moves around it by a quarter turn. The link is invisible in the last frame. First the
// second body sounds, then the first.
func Two() *space.World {
	red, blue, grey := scene.RGB(255, 0, 0), scene.RGB(0, 0, 255), scene.RGB(102, 102, 102)
	return &space.World{
		Title: `"two" & 'two'`, About: []string{"PEs: 2", `<a\b>`}, Span: "3 ms", Frames: 3, Length: 4, Reach: 2,
		Out: space.Vec{0, 0, 1}, Up: space.Vec{0, 1, 0}, Ground: scene.RGB(255, 255, 255), Ink: scene.RGB(0, 0, 0),
		Bodies: []space.Body{
			{
				Name: "0", Label: true, Centre: make([]space.Vec, 3), Radius: []float64{0.5, 0.75, 1},
				Color: []scene.Color{red, red, red}, Own: red,
			},
			{
				Name: "1", Centre: []space.Vec{{2, 0, 0}, {math.Sqrt2, math.Sqrt2, 0}, {0, 2, 0}}, Radius: []float64{0.25, 0.25, 0.25},
				Color: []scene.Color{blue, grey, blue}, Own: blue,
			},
		},
		Links:  []space.Link{{B: 1, Radius: []float64{0.1, 0.1, 0}, Color: [][]scene.Color{{red, red, red}, {blue, blue, blue}}}},
		Voices: []space.Voice{{Clip: []byte("RIFF"), Sounds: []space.Sound{{From: 0.25, To: 0.5, Body: 1, Pitch: 1.25}, {From: 0.75, To: 1, Pitch: 1}}}},
	}
}

// Ring returns a world of n bodies that move on a circle, each linked to the next.
func Ring(n, frames int) *space.World {
	w := &space.World{
		Title: "ring", Span: "1 s", Frames: frames, Length: 10, Reach: 3,
		Out: space.Vec{0, 0.6, 0.8}, Up: space.Vec{0, 0.8, -0.6}, Ground: scene.RGB(255, 255, 255), Ink: scene.RGB(0, 0, 0),
	}
	for i := range n {
		b := space.Body{Name: "body", Own: scene.RGB(uint8(i*40), 90, 200)}
		l := space.Link{A: i, B: (i + 1) % n, Color: make([][]scene.Color, 2)}
		for f := range frames {
			turn := 2 * math.Pi * (float64(i)/float64(n) + float64(f)/float64(frames-1))
			sin, cos := math.Sincos(turn)
			b.Centre = append(b.Centre, space.Vec{3 * cos, 3 * sin, math.Sin(3 * turn)})
			b.Radius = append(b.Radius, 0.3+0.1*sin)
			b.Color = append(b.Color, scene.RGB(uint8(128+100*sin), uint8(128+100*cos), 40))
			l.Radius = append(l.Radius, max(0.1*sin, 0))
			for half := range l.Color {
				l.Color[half] = append(l.Color[half], scene.RGB(uint8(100*half), uint8(128+100*sin), 90))
			}
		}
		w.Bodies, w.Links = append(w.Bodies, b), append(w.Links, l)
	}
	return w
}
