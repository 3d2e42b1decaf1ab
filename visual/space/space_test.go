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

// TestKeys: what is interpolated between the frames that are kept is as near as asked for, the first and the last frame are there, and without one of
// the frames between it is not as near.
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
			t.Fatalf("%v is %g from its frames, more than %g", keys, far, tolerance)
		}
		if len(keys) == 1 {
			return
		}
		if keys[0] != 0 || keys[len(keys)-1] != n-1 {
			t.Fatalf("the keys are %v of %d", keys, n)
		}
	})
}

// farthest is how far a track is from one that has only some of its frames.
func farthest(v []space.Vec, keys []int) float64 {
	far := 0.0
	for i := range v {
		k := 0
		for k+1 < len(keys)-1 && keys[k+1] <= i {
			k++
		}
		at := v[keys[k]]
		if len(keys) > 1 {
			at = space.MixVec(at, v[keys[k+1]], float64(i-keys[k])/float64(keys[k+1]-keys[k]))
		}
		far = max(far, math.Hypot(math.Hypot(at[0]-v[i][0], at[1]-v[i][1]), at[2]-v[i][2]))
	}
	return far
}

// TestFewKeys: a straight way has two keys, a bend one more, what stands still one; where nobody sees it a way has any form.
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

// TestMixColor: hues go the shorter way, as VRML says; grey has the hue of red.
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

// TestPoses: the ends of a cylinder that lies as a link are the two bodies, also when it turns over its own axis, and halfway between two frames
// it has turned half as far.
func TestPoses(t *testing.T) {
	w := spacetest.Ring(5, 40)
	w.Links = append(w.Links, space.Link{A: 0, B: 0, Half: make([]float64, 40)}) // of no length
	w.Bodies[3].At[7], w.Bodies[4].At[7] = space.Vec{0, 1, 0}, space.Vec{}       // straight down
	for k := range w.Links {
		l := &w.Links[k]
		poses := w.Poses(l)
		for i, p := range poses {
			up := p.Turn.Of(space.Vec{0, 1, 0})
			for d := range up {
				end := p.At[d] + p.Tall*up[d]
				if want := w.Bodies[l.B].At[i][d]; l.Half[i] > 0 && math.Abs(end-want) > 1e-9 {
					t.Fatalf("link %d, frame %d: its end is at %g, want %g", k, i, end, want)
				}
			}
			if axis, angle := p.Turn.Axis(); math.Abs(axis.Len()-1) > 1e-9 || !(angle >= 0 && angle <= math.Pi) {
				t.Fatalf("link %d, frame %d: turned by %g about %v", k, i, angle, axis)
			}
		}
	}
	two := spacetest.Two()
	poses := two.Poses(&two.Links[0])
	up := space.MixTurn(poses[0].Turn, poses[1].Turn, 0.5).Of(space.Vec{0, 1, 0})
	if sin, cos := math.Sincos(math.Pi / 8); math.Abs(up[0]-cos) > 1e-9 || math.Abs(up[1]-sin) > 1e-9 {
		t.Errorf("halfway the link looks to %v", up)
	}
}

// TestFacing: what looks along z looks to the viewer, upright.
func TestFacing(t *testing.T) {
	for _, c := range [][2]space.Vec{{{0, 0, 1}, {0, 1, 0}}, {{0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, -1}}, {{0, 0.6, 0.8}, {0, 0.8, -0.6}}, {{0, 0, 1}, {0, -1, 0}}} {
		turn := space.Facing(c[0], c[1])
		z, y := turn.Of(space.Vec{0, 0, 1}), turn.Of(space.Vec{0, 1, 0})
		for k := range z {
			if math.Abs(z[k]-c[0][k]) > 1e-9 || math.Abs(y[k]-c[1][k]) > 1e-9 {
				t.Errorf("to %v with %v above: looks to %v with %v above", c[0], c[1], z, y)
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
		{1, 8, 0, 20, "want from 2 to 2001 key frames, not 1"},
		{2002, 8, 0, 20, "want from 2 to 2001 key frames, not 2002"},
		{2001, 2000, 600, 20, "want at most 806 key frames of 2000 bodies and 600 links, not 2001"},
		{100, 8, 0, 0, "want a play of 0.1 s to a day"},
		{100, 8, 0, math.NaN(), "want a play of 0.1 s to a day"},
		{100, 8, 0, 1e9, "want a play of 0.1 s to a day"},
	} {
		if err := space.Check(c.frames, c.bodies, c.links, c.length); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
