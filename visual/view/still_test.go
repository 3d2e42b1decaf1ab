package view

import (
	"testing"

	"whorl/visual/scene"
)

// TestCameraText: a camera is read back from its text, and what is none says why.
func TestCameraText(t *testing.T) {
	area := scene.Rect{X1: 900.5, Y1: 600}
	for _, c := range []Camera{{X: 1.0 / 3, Y: -2, Scale: 1e-7}, {Scale: 2, ScaleY: 3.5}, {X: 1e9, Scale: 1, Turn: 30, Tilt: -10}} {
		got, in, err := ParseCamera(c.Format(area))
		if err != nil || got != c || in != area {
			t.Errorf("%+v is written as %s, which is %+v in %v, %v", c, c.Format(area), got, in, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"1,2", `camera "1,2": expected X,Y,SCALE@WIDTHxHEIGHT, as the viewer copies it`},
		{"1,2,x@9x9", `camera "1,2,x@9x9": "x" is no number`},
		{"1,NaN,1@9x9", `camera "1,NaN,1@9x9": "NaN" is no number`},
		{"1,2,0@9x9", `camera "1,2,0@9x9": the scale or the size is out of range`},
		{"1,2,3@0x9", `camera "1,2,3@0x9": the scale or the size is out of range`},
	} {
		if _, _, err := ParseCamera(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
