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
	"whorl/visual/view"
)

func world(t testing.TB, src tracer.Source, p view.Play, params ...string) (*Geometry, *space.World, string) {
	t.Helper()
	g, _ := shown(t, src, 400, 300, params...)
	w, left, err := g.World(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return g, w, strings.Join(left, "; ")
}

// TestWorld compares positions, sizes and colours at every key frame with the motion, relative to the centre, with and
// without mass. The first frame is the start of the run, the last its end.
func TestWorld(t *testing.T) {
	for _, model := range []string{"cube", "mesh"} {
		g, w, left := world(t, talk(40, 6, 3), view.Play{Length: 20, Frames: 101}, "model", model)
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
					if math.Abs(b.Centre[frame][k]-(x[i][k]-c[k])) > 1e-12 {
						t.Fatalf("%s, frame %d: body %d is at %v, want %v relative to %v", model, frame, i, b.Centre[frame], x[i], c)
					}
				}
				if volume := math.Pow(b.Radius[frame]/(radius*g.Length), 3); math.Abs(volume-masses[i]) > 1e-9 {
					t.Fatalf("%s, frame %d: body %d has mass %g and volume %g", model, frame, i, masses[i], volume)
				}
				grew = grew || b.Radius[frame] != b.Radius[0]
			}
		}
		if grew != (model == "mesh") {
			t.Errorf("%s: sizes change: %v", model, grew)
		}
	}
}

// TestWorldChanges checks that other traffic, another constant and another end change the world.
func TestWorldChanges(t *testing.T) {
	end := func(w *space.World) space.Vec { return w.Bodies[1].Centre[w.Frames-1] }
	until := int64(20_000)
	_, first, _ := world(t, talk(40, 6, 0), view.Play{Length: 20, Frames: 11})
	_, same, _ := world(t, talk(40, 6, 0), view.Play{Length: 20, Frames: 11})
	_, busier, _ := world(t, talk(41, 6, 0), view.Play{Length: 20, Frames: 11})
	_, calmer, _ := world(t, talk(40, 6, 0), view.Play{Length: 20, Frames: 11}, "friction", "10")
	g, half, _ := world(t, talk(40, 6, 0), view.Play{Length: 20, Frames: 11, Until: &until})
	if end(first) != end(same) {
		t.Error("the same trace gives different worlds")
	}
	if end(first) == end(busier) || end(first) == end(calmer) || end(first) == end(half) {
		t.Error("a change has no effect")
	}
	x := g.Places(g.Moves(until))
	if c := nbody.Centre(x); math.Abs(end(half)[0]-(x[1][0]-c[0])) > 1e-12 || half.Span != "20 µs" {
		t.Errorf("until 20 µs: span %s, end %v", half.Span, end(half))
	}
}

// TestWorldLinks checks that links have the widths and colours of the view, and are invisible without traffic.
func TestWorldLinks(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "ping", PEs: 3, Network: "all"})
	s := m.Stream(tracer.StreamInfo{Clock: tracer.Virtual})
	for time := int64(0); time <= 6000; time += 10 {
		from, to, bytes := int32(1), int32(0), int64(100)
		if time >= 3000 {
			from, to, bytes = 0, 2, 300
		}
		*s.Slot() = tracer.Event{Time: time, Kind: tracer.Send, PE: from, Peer: to, Ref: uint64(time + 1), Value: bytes}
	}
	_ = m.Close()
	g, w, _ := world(t, m, view.Play{Length: 20, Frames: 61})
	if len(w.Links) != 2 || w.Links[0].B != 2 || w.Links[1].B != 1 { // most traffic first
		t.Fatalf("links %+v", w.Links)
	}
	slack, hot01 := w.Links[0].Color[0][0], w.Links[1].Color[1][20]
	for _, c := range []struct {
		frame int
		want  [2]bool
	}{{0, [2]bool{false, true}}, {20, [2]bool{false, true}}, {29, [2]bool{false, true}}, {45, [2]bool{true, false}}, {60, [2]bool{true, false}}} {
		if got := [2]bool{w.Links[0].Radius[c.frame] > 0, w.Links[1].Radius[c.frame] > 0}; got != c.want {
			t.Errorf("frame %d: visible %v, want %v", c.frame, got, c.want)
		}
	}
	// A body sends 100 bytes in an interval where the mean is 67. Only the half of the second body has a colour, and keeps
	// it while the link is invisible.
	if want := scene.NRGBA(g.scheme.Heat(1, true)); hot01 != want || w.Links[1].Color[0][20] != slack || w.Links[1].Color[1][60] != hot01 || slack == hot01 {
		t.Errorf("halves %v and %v, later %v; without traffic %v", w.Links[1].Color[0][20], hot01, w.Links[1].Color[1][60], slack)
	}
	if want := 0.06 * g.Length; math.Abs(w.Links[1].Radius[20]-want) > 1e-12 {
		t.Errorf("half width %g, want %g", w.Links[1].Radius[20], want)
	}
}

// TestWorldOfMany checks that more bodies than the view draws are grouped, with a note, about the same centre.
func TestWorldOfMany(t *testing.T) {
	g, w, left := world(t, brief(2, 4500, 0), view.Play{Length: 20, Frames: 3})
	if len(w.Bodies) != 1500 || len(w.Links) != 0 || w.Bodies[1].Name != "3–5" || w.Bodies[0].Label {
		t.Errorf("%d bodies, %d links, second name %q", len(w.Bodies), len(w.Links), w.Bodies[1].Name)
	}
	if want := "4,500 bodies are shown as 1,500, each at the centre of 3, without links"; left != want {
		t.Errorf("note %s", left)
	}
	x := g.Places(g.Last())
	c := nbody.Centre(x)
	for k := range c {
		if want := (x[3][k]+x[4][k]+x[5][k])/3 - c[k]; math.Abs(w.Bodies[1].Centre[2][k]-want) > 1e-9 {
			t.Errorf("group of three is at %v", w.Bodies[1].Centre[2])
		}
	}
	if math.Abs(w.Bodies[0].Radius[0]-radius*g.Length*math.Cbrt(3)) > 1e-9 {
		t.Errorf("group of three has radius %g", w.Bodies[0].Radius[0])
	}
	_, w, left = world(t, brief(3, 90, 0), view.Play{Length: 20, Frames: 3})
	if len(w.Links) != 90 || left != "" {
		t.Errorf("%d links, note %q", len(w.Links), left)
	}
	dense := tracer.NewMemory()
	dense.SetMeta(tracer.Meta{PEs: 60})
	s := dense.Stream(tracer.StreamInfo{})
	for i := range 60 * 59 / 2 * 3 {
		*s.Slot() = tracer.Event{Time: int64(i), Kind: tracer.Send, PE: int32(i % 60), Peer: int32((i%60 + 1 + i/60) % 60), Ref: uint64(i + 1), Value: int64(1 + i%7)}
	}
	_ = dense.Close()
	if _, w, left = world(t, dense, view.Play{Length: 20, Frames: 3}); len(w.Links) != mostRopes || !strings.Contains(left, "only the 600 links with the most traffic of ") {
		t.Errorf("%d links, note %q", len(w.Links), left)
	}
}

// TestNoWorld checks the errors for a trace without motion, a cancelled context and values out of range.
func TestNoWorld(t *testing.T) {
	g, _ := shown(t, talk(5, 1, 0), 400, 300)
	if _, _, err := g.World(t.Context(), view.Play{Length: 20, Frames: 101}); err == nil || err.Error() != "there is only one PE: bodies move if several PEs send to each other" {
		t.Error(err)
	}
	g, _ = shown(t, talk(5, 4, 0), 400, 300)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := g.World(ended, view.Play{Length: 20, Frames: 101}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, p := range []view.Play{{Length: 20}, {Length: 20, Frames: 1}, {Length: 20, Frames: 1 << 40}, {Frames: 101}, {Length: math.NaN(), Frames: 101}} {
		if _, _, err := g.World(t.Context(), p); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

// TestWorldSounds checks that each moment sounds once, at its time and from its body, and that there are no voices
// without a threshold.
func TestWorldSounds(t *testing.T) {
	src := talk(40, 6, 0)
	g, w, left := world(t, src, view.Play{Length: 20, Frames: 101}, "fast", "0.1")
	want := map[[2]int]int{}
	for _, n := range g.noises {
		part := min(float64(g.timeOf((n.Index+1)*g.moves))/float64(g.Traffic.To-g.Traffic.From), 0.999)
		want[[2]int{int(math.Round(1e6 * part)), int(n.body)}]++
	}
	if len(g.noises) < 3 || left != "" {
		t.Fatalf("%d sounds, note %q", len(g.noises), left)
	}
	for _, v := range w.Voices {
		last := 0.0
		if string(v.Clip[:4]) != "RIFF" || string(v.Clip[8:12]) != "WAVE" || len(v.Clip) != 44+6400 {
			t.Errorf("clip of %d bytes begins with %q", len(v.Clip), v.Clip[:12])
		}
		for _, s := range v.Sounds {
			want[[2]int{int(math.Round(1e6 * s.From)), s.Body}]--
			if s.From < last || s.To <= s.From || s.To > 1 || s.Pitch < 1 || s.Pitch > 2 {
				t.Errorf("%+v after %g", s, last)
			}
			last = s.To
		}
	}
	for key, n := range want {
		if n != 0 {
			t.Errorf("body %d at %d millionths: %d sounds missing", key[1], key[0], n)
		}
	}
	if _, w, _ := world(t, src, view.Play{Length: 20, Frames: 101}, "fast", "0"); len(w.Voices) != 0 {
		t.Errorf("%d voices without a threshold", len(w.Voices))
	}
	// A short play leaves out sounds that overlap too many others, with a note.
	if _, _, left = world(t, src, view.Play{Length: 0.1, Frames: 101}, "fast", "0.1", "loadat", "0.4"); !strings.Contains(left, "sounds are left out because too many overlap") {
		t.Errorf("note %q", left)
	}
}

// TestClip checks the pitch of a clip.
func TestClip(t *testing.T) {
	b := clip(sound.Sine, 400)
	rises := 0
	for i := 45; i < (44+len(b))/2; i++ { // later the tone is too faint
		if b[i-1] < 128 && b[i] >= 128 {
			rises++
		}
	}
	if want := 200 * toneLength.Seconds(); math.Abs(float64(rises)-want) > want/10 {
		t.Errorf("400 Hz: %d rising edges in half of %v", rises, toneLength)
	}
	if least, most := slices.Min(b[44:]), slices.Max(b[44:]); least > 3 && most < 253 {
		t.Errorf("samples range from %d to %d", least, most)
	}
}
