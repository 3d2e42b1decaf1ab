package space_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/space"
	"whorl/visual/testdata/spacetest"
)

// TestKeys checks that interpolation between the kept frames is within the tolerance, and that the first and the last
// frame are kept.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "frames")
		v := make([]space.Vec, n)
		for i := range v {
			for k := range v[i] {
				v[i][k] = rapid.Float64Range(-5, 5).Draw(t, "x")
			}
		}
		tolerance := rapid.Float64Range(0.01, 8).Draw(t, "tolerance")
		keys := space.VecKeys(v, tolerance, nil)
		if far := farthest(v, keys); far > tolerance {
			t.Fatalf("keys %v: distance %g from the track, more than %g", keys, far, tolerance)
		}
		if len(keys) == 1 {
			return
		}
		if keys[0] != 0 || keys[len(keys)-1] != n-1 {
			t.Fatalf("keys %v of %d frames", keys, n)
		}
	})
}

// farthest returns the largest distance between a track and its interpolation from some of its frames.
func farthest(v []space.Vec, keys []int) float64 {
	far := 0.0
	for i := range v {
		k := 0
		for k+1 < len(keys)-1 && keys[k+1] <= i {
			k++
		}
		p := v[keys[k]]
		if len(keys) > 1 {
			p = space.MixVec(p, v[keys[k+1]], float64(i-keys[k])/float64(keys[k+1]-keys[k]))
		}
		far = max(far, math.Hypot(math.Hypot(p[0]-v[i][0], p[1]-v[i][1]), p[2]-v[i][2]))
	}
	return far
}

// TestFewKeys checks the number of keys of straight and bent tracks, of constant ones, and of tracks that are
// invisible for a while.
func TestFewKeys(t *testing.T) {
	line := func(n, bend int) (v []space.Vec) {
		for i := range n {
			v = append(v, space.Vec{float64(i), math.Abs(float64(i - bend)), 1})
		}
		return v
	}
	seen := []float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 0}
	for _, c := range []struct {
		v    []space.Vec
		seen []float64
		want int
	}{{line(10, 0), nil, 2}, {line(10, 4), nil, 3}, {make([]space.Vec, 10), nil, 1}, {line(10, 6), seen, 3}, {line(10, 2), seen, 3}, {line(10, 6), nil, 3}, {line(10, 9), seen, 2}} {
		if got := space.VecKeys(c.v, 1e-9, c.seen); len(got) != c.want {
			t.Errorf("%v: keys %v, want %d", c.v, got, c.want)
		}
	}
}

// TestMixColor checks that hues go the shorter way, as VRML requires, and that grey has the hue of red.
func TestMixColor(t *testing.T) {
	red, blue, green, grey := scene.RGB(255, 0, 0), scene.RGB(0, 0, 255), scene.RGB(0, 255, 0), scene.RGB(128, 128, 128)
	for _, c := range []struct {
		a, b scene.Color
		t    float64
		want space.Vec
	}{
		{red, blue, 0, space.Vec{1, 0, 0}},
		{red, blue, 1, space.Vec{0, 0, 1}},
		{red, blue, 0.5, space.Vec{1, 0, 1}},
		{blue, red, 0.5, space.Vec{1, 0, 1}},
		{red, green, 0.5, space.Vec{1, 1, 0}},
		{blue, green, 0.5, space.Vec{0, 1, 1}},
		{grey, red, 0.5, space.Vec{(1 + 128./255) / 2, (1 + 128./255) / 4, (1 + 128./255) / 4}},
	} {
		got := space.MixColor(c.a, c.b, c.t)
		for k := range got {
			if math.Abs(got[k]-c.want[k]) > 1e-9 {
				t.Errorf("%v to %v at %g: %v, want %v", c.a, c.b, c.t, got, c.want)
				break
			}
		}
	}
}

// TestPoses checks that the ends of a posed cylinder are the two bodies, also when it turns over, and that
// interpolation between two frames gives half of the turn.
func TestPoses(t *testing.T) {
	w := spacetest.Ring(5, 40)
	w.Links = append(w.Links, space.Link{A: 0, B: 0, Radius: make([]float64, 40)}) // of no length
	w.Bodies[3].Centre[7], w.Bodies[4].Centre[7] = space.Vec{0, 1, 0}, space.Vec{} // straight down
	for k := range w.Links {
		l := &w.Links[k]
		poses := w.Poses(l)
		for i, p := range poses {
			up := p.Turn.Rotate(space.Vec{0, 1, 0})
			for d := range up {
				end := p.Centre[d] + p.HalfLength*up[d]
				if want := w.Bodies[l.B].Centre[i][d]; l.Radius[i] > 0 && math.Abs(end-want) > 1e-9 {
					t.Fatalf("link %d, frame %d: end at %g, want %g", k, i, end, want)
				}
			}
			if axis, angle := p.Turn.Axis(); math.Abs(axis.Len()-1) > 1e-9 || !(angle >= 0 && angle <= math.Pi) {
				t.Fatalf("link %d, frame %d: angle %g, axis %v", k, i, angle, axis)
			}
		}
	}
	two := spacetest.Two()
	poses := two.Poses(&two.Links[0])
	up := space.MixTurn(poses[0].Turn, poses[1].Turn, 0.5).Rotate(space.Vec{0, 1, 0})
	if sin, cos := math.Sincos(math.Pi / 8); math.Abs(up[0]-cos) > 1e-9 || math.Abs(up[1]-sin) > 1e-9 {
		t.Errorf("direction of the link halfway: %v", up)
	}
}

// TestFacing checks that z turns to the viewer and y to the direction up.
func TestFacing(t *testing.T) {
	for _, c := range [][2]space.Vec{{{0, 0, 1}, {0, 1, 0}}, {{0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, -1}}, {{0, 0.6, 0.8}, {0, 0.8, -0.6}}, {{0, 0, 1}, {0, -1, 0}}} {
		turn := space.Facing(c[0], c[1])
		z, y := turn.Rotate(space.Vec{0, 0, 1}), turn.Rotate(space.Vec{0, 1, 0})
		for k := range z {
			if math.Abs(z[k]-c[0][k]) > 1e-9 || math.Abs(y[k]-c[1][k]) > 1e-9 {
				t.Errorf("out %v, up %v: z turns to %v, y to %v", c[0], c[1], z, y)
				break
			}
		}
	}
}

func TestCheck(t *testing.T) {
	if err := space.Check(201, 2000, 600, 20); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		frames, bodies, links int
		length                float64
		want                  string
	}{
		{1, 8, 0, 20, "expected 2 to 2001 key frames, not 1"},
		{2002, 8, 0, 20, "expected 2 to 2001 key frames, not 2002"},
		{2001, 2000, 600, 20, "expected at most 806 key frames for 2000 bodies and 600 links, not 2001"},
		{100, 8, 0, 0, "expected a length from 0.1 s to 1 day"},
		{100, 8, 0, math.NaN(), "expected a length from 0.1 s to 1 day"},
		{100, 8, 0, 1e9, "expected a length from 0.1 s to 1 day"},
	} {
		if err := space.Check(c.frames, c.bodies, c.links, c.length); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
