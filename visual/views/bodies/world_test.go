//go:build !js

package bodies

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/sound"
	"whorl/visual/space"
)

func world(t testing.TB, src tracer.Source, p Play, params ...string) (*Geometry, *space.World, string) {
	t.Helper()
	g, _ := shown(t, src, 400, 300, params...)
	w, left, err := g.World(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return g, w, strings.Join(left, "; ")
}

// TestWorld: at every key frame bodies are where the motion has them, about their centre, as large as their masses make them, with the colours of the
// view. A mesh with mass and a cube without; the first frame is the start of the run, the last its end.
func TestWorld(t *testing.T) {
	for _, model := range []string{"cube", "mesh"} {
		g, w, left := world(t, talk(40, 6, 3), Play{Length: 20, Frames: 101}, "model", model)
		if left != "" || len(w.Bodies) != 6 || w.Frames != 101 || w.Span != "39.7 µs" {
			t.Fatalf("%d bodies, %d frames of %s, left out: %q", len(w.Bodies), w.Frames, w.Span, left)
		}
		grew := false
		for frame := range w.Frames {
			moves := frame * g.Last() / 100
			x := g.Places(moves)
			c := nbody.Centre(x)
			_, last := g.recent(moves)
			masses := g.Masses(last)
			for i := range w.Bodies {
				b := &w.Bodies[i]
				for k := range c {
					if math.Abs(b.At[frame][k]-(x[i][k]-c[k])) > 1e-12 {
						t.Fatalf("%s, frame %d: body %d is at %v, and the motion has it at %v about %v", model, frame, i, b.At[frame], x[i], c)
					}
				}
				if volume := math.Pow(b.Round[frame]/(radius*g.Length), 3); math.Abs(volume-masses[i]) > 1e-9 {
					t.Fatalf("%s, frame %d: body %d weighs %g and has %g", model, frame, i, masses[i], volume)
				}
				grew = grew || b.Round[frame] != b.Round[0]
			}
		}
		if grew != (model == "mesh") {
			t.Errorf("%s: bodies change their size: %v", model, grew)
		}
	}
}

// TestWorldOfAnother: other traffic, another constant and another time are another world.
func TestWorldOfAnother(t *testing.T) {
	end := func(w *space.World) space.Vec { return w.Bodies[1].At[w.Frames-1] }
	until := int64(20_000)
	_, first, _ := world(t, talk(40, 6, 0), Play{Length: 20, Frames: 11})
	_, same, _ := world(t, talk(40, 6, 0), Play{Length: 20, Frames: 11})
	_, busier, _ := world(t, talk(41, 6, 0), Play{Length: 20, Frames: 11})
	_, calmer, _ := world(t, talk(40, 6, 0), Play{Length: 20, Frames: 11}, "friction", "10")
	g, half, _ := world(t, talk(40, 6, 0), Play{Length: 20, Frames: 11, Until: &until})
	if end(first) != end(same) {
		t.Error("the same trace gives two worlds")
	}
	if end(first) == end(busier) || end(first) == end(calmer) || end(first) == end(half) {
		t.Error("what is changed changes nothing")
	}
	x := g.Places(g.Moves(until))
	if c := nbody.Centre(x); math.Abs(end(half)[0]-(x[1][0]-c[0])) > 1e-12 || half.Span != "20 µs" {
		t.Errorf("until 20 µs the world goes on for %s to %v", half.Span, end(half))
	}
}

// TestWorldLinks: a link is as wide and as coloured as the view draws it, and is not seen while nothing is sent along it.
func TestWorldLinks(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "ping", PEs: 3, Network: "all"})
	s := m.Stream(tracer.StreamInfo{Clock: tracer.Virtual})
	for at := int64(0); at <= 6000; at += 10 {
		from, to, bytes := int32(1), int32(0), int64(100)
		if at >= 3000 {
			from, to, bytes = 0, 2, 300
		}
		*s.Slot() = tracer.Event{Time: at, Kind: tracer.Send, PE: from, Peer: to, Ref: uint64(at + 1), Value: bytes}
	}
	_ = m.Close()
	g, w, _ := world(t, m, Play{Length: 20, Frames: 61})
	if len(w.Links) != 2 || w.Links[0].B != 2 || w.Links[1].B != 1 { // those with the most traffic first
		t.Fatalf("links %+v", w.Links)
	}
	slack, hot01 := w.Links[0].Color[0][0], w.Links[1].Color[1][20]
	for frame, want := range map[int][2]bool{0: {false, true}, 20: {false, true}, 29: {false, true}, 45: {true, false}, 60: {true, false}} {
		if got := [2]bool{w.Links[0].Half[frame] > 0, w.Links[1].Half[frame] > 0}; got != want {
			t.Errorf("frame %d: seen %v, want %v", frame, got, want)
		}
	}
	// 100 bytes in an interval of ten, of which a body sends 67 in the mean; only the second body's half has its colour, and keeps it when nothing is seen.
	if want := scene.Color(g.scheme.Heat(1)); hot01 != want || w.Links[1].Color[0][20] != slack || w.Links[1].Color[1][60] != hot01 || slack == hot01 {
		t.Errorf("halves are %v and %v, later %v; slack is %v", w.Links[1].Color[0][20], hot01, w.Links[1].Color[1][60], slack)
	}
	if want := 0.06 * g.Length; math.Abs(w.Links[1].Half[20]-want) > 1e-12 {
		t.Errorf("a link is %g wide, want %g", w.Links[1].Half[20], want)
	}
}

// TestWorldOfMany: more bodies than the view draws are put together, which is said, and the centre of all is where it was.
func TestWorldOfMany(t *testing.T) {
	g, w, left := world(t, brief(2, 4500, 0), Play{Length: 20, Frames: 3})
	if len(w.Bodies) != 1500 || len(w.Links) != 0 || w.Bodies[1].Name != "3–5" || w.Bodies[0].Label {
		t.Errorf("%d bodies, %d links, the second is %q", len(w.Bodies), len(w.Links), w.Bodies[1].Name)
	}
	if want := "4,500 bodies are 1,500, each in the middle of 3, without links: the view draws them as a cloud"; left != want {
		t.Errorf("said: %s", left)
	}
	x := g.Places(g.Last())
	c := nbody.Centre(x)
	for k := range c {
		if want := (x[3][k]+x[4][k]+x[5][k])/3 - c[k]; math.Abs(w.Bodies[1].At[2][k]-want) > 1e-9 {
			t.Errorf("three bodies are at %v", w.Bodies[1].At[2])
		}
	}
	if math.Abs(w.Bodies[0].Round[0]-radius*g.Length*math.Cbrt(3)) > 1e-9 {
		t.Errorf("three bodies are as large as %g", w.Bodies[0].Round[0])
	}
	_, w, left = world(t, brief(3, 90, 0), Play{Length: 20, Frames: 3})
	if len(w.Links) != 90 || left != "" {
		t.Errorf("%d links, said: %q", len(w.Links), left)
	}
	dense := tracer.NewMemory()
	dense.SetMeta(tracer.Meta{PEs: 60})
	s := dense.Stream(tracer.StreamInfo{})
	for i := range 60 * 59 / 2 * 3 {
		*s.Slot() = tracer.Event{Time: int64(i), Kind: tracer.Send, PE: int32(i % 60), Peer: int32((i%60 + 1 + i/60) % 60), Ref: uint64(i + 1), Value: int64(1 + i%7)}
	}
	_ = dense.Close()
	if _, w, left = world(t, dense, Play{Length: 20, Frames: 3}); len(w.Links) != mostRopes || !strings.Contains(left, "links the 600 with the most traffic are there") {
		t.Errorf("%d links, said: %q", len(w.Links), left)
	}
}

// TestNoWorld: what there is no motion of has no world, and a value out of range is told of; nor is there one of which the making was ended.
func TestNoWorld(t *testing.T) {
	g, _ := shown(t, talk(5, 1, 0), 400, 300)
	if _, _, err := g.World(t.Context(), Play{Length: 20, Frames: 101}); err == nil || err.Error() != "there is one PE: bodies move where several send to each other" {
		t.Error(err)
	}
	g, _ = shown(t, talk(5, 4, 0), 400, 300)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := g.World(ended, Play{Length: 20, Frames: 101}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, p := range []Play{{Length: 20}, {Length: 20, Frames: 1}, {Length: 20, Frames: 1 << 40}, {Frames: 101}, {Length: math.NaN(), Frames: 101}} {
		if _, _, err := g.World(t.Context(), p); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
}

// TestWorldSounds: what the view has sound is heard in the world, each moment once, at its time and from its body; with no threshold there is silence.
func TestWorldSounds(t *testing.T) {
	src := talk(40, 6, 0)
	g, w, left := world(t, src, Play{Length: 20, Frames: 101}, "fast", "0.1")
	want := map[[2]int]int{}
	for _, n := range g.noises {
		at := min(float64(g.timeOf(&stage{g: g, moves: (n.At + 1) * g.moves}))/float64(g.Traffic.To-g.Traffic.From), 0.999)
		want[[2]int{int(math.Round(1e6 * at)), int(n.body)}]++
	}
	if len(g.noises) < 3 || left != "" {
		t.Fatalf("%d sounds, said: %q", len(g.noises), left)
	}
	for _, v := range w.Voices {
		last := 0.0
		if string(v.Clip[:4]) != "RIFF" || string(v.Clip[8:12]) != "WAVE" || len(v.Clip) != 44+6400 {
			t.Errorf("a clip of %d bytes begins with %q", len(v.Clip), v.Clip[:12])
		}
		for _, s := range v.Sounds {
			want[[2]int{int(math.Round(1e6 * s.From)), s.Body}]--
			if s.From < last || s.To <= s.From || s.To > 1 || s.Pitch < 1 || s.Pitch > 2 {
				t.Errorf("%+v after %g", s, last)
			}
			last = s.To
		}
	}
	for at, n := range want {
		if n != 0 {
			t.Errorf("of what body %d has sound at %d millionths %d are not heard", at[1], at[0], n)
		}
	}
	if _, w, _ := world(t, src, Play{Length: 20, Frames: 101}, "fast", "0"); len(w.Voices) != 0 {
		t.Errorf("without a threshold there are %d voices", len(w.Voices))
	}
	// In a play that is too short for all of them, those that would come at the same time are left out, and that is said.
	if _, _, left = world(t, src, Play{Length: 0.1, Frames: 101}, "fast", "0.1", "loadat", "0.4"); !strings.Contains(left, "of the sounds come while too many others sound, and are left out") {
		t.Errorf("said: %q", left)
	}
}

// TestClip: a clip is the tone of its pitch.
func TestClip(t *testing.T) {
	b := clip(sound.Sine, 400)
	rises := 0
	for i := 45; i < (44+len(b))/2; i++ { // later it is too faint
		if b[i-1] < 128 && b[i] >= 128 {
			rises++
		}
	}
	if want := 200 * toneLength.Seconds(); math.Abs(float64(rises)-want) > want/10 {
		t.Errorf("400 Hz rise %d times in half of %v", rises, toneLength)
	}
	if least, most := slices.Min(b[44:]), slices.Max(b[44:]); least > 3 && most < 253 {
		t.Errorf("samples from %d to %d", least, most)
	}
}
