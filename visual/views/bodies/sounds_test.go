package bodies

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/layout/nbody"
	"whorl/visual/sound"
	"whorl/visual/view"
)

// listened returns the tones of a trace and the samples of their WAV file.
func listened(t testing.TB, src tracer.Source, p view.Viewpoint, lasts time.Duration, params ...string) (tones []sound.Tone, left, right []float64) {
	t.Helper()
	o, err := view.Open(Kind(), src, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for i := 0; i < len(params); i += 2 {
		if err := o.Set(params[i], params[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	score, err := o.Listen(context.Background(), p, lasts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sound.WriteWAV(&b, score); err != nil {
		t.Fatal(err)
	}
	for i := 44; i+3 < b.Len(); i += 4 {
		left = append(left, float64(int16(binary.LittleEndian.Uint16(b.Bytes()[i:])))/32767)
		right = append(right, float64(int16(binary.LittleEndian.Uint16(b.Bytes()[i+2:])))/32767)
	}
	return score.Tones, left, right
}

// onsets returns the times in s at which sound begins after silence.
func onsets(left, right []float64) (times []float64) {
	const window, loud, quiet = sound.Rate / 100, 0.01, 0.002
	sounds := false
	for i := 0; i+window <= len(left); i += window {
		peak := 0.0
		for k := i; k < i+window; k++ {
			peak = max(peak, math.Abs(left[k]), math.Abs(right[k]))
		}
		switch {
		case !sounds && peak > loud:
			sounds = true
			times = append(times, float64(i)/sound.Rate)
		case peak < quiet:
			sounds = false
		}
	}
	return times
}

func power(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

var front = view.Viewpoint{Zoom: 1}

// TestOnsets checks in the samples that exactly one tone begins each time a measure passes its threshold, and that
// there is silence otherwise.
func TestOnsets(t *testing.T) {
	once, twice := surge(300, 399, 40), surges(40, [2]int{100, 199}, [2]int{400, 499})
	for _, c := range []struct {
		name   string
		src    tracer.Source
		params []string
		rounds []float64 // of the expected tones
	}{
		{"traffic reaches 1.5", once, []string{"fast", "0", "trafficat", "1.5"}, []float64{300, 400}},
		{"traffic alone", once, []string{"fast", "0", "trafficat", "1.5", "heard", "traffic"}, []float64{300, 400}},
		{"two surges", twice, []string{"fast", "0", "trafficat", "1.2"}, []float64{100, 200, 400, 500}},
		{"threshold above all values", once, []string{"fast", "0", "trafficat", "2.9"}, nil},
		{"another measure", once, []string{"trafficat", "1.5", "heard", "spread", "fast", "0", "spreadat", "900"}, nil},
		{"fast change of imbalance", once, []string{"fast", "0.1", "heard", "imbalance"}, []float64{300, 400}},
		{"fast change of load", once, []string{"fast", "0", "loadfast", "0.4", "heard", "load"}, []float64{300, 400}},
		{"load reaches 0.75", once, []string{"fast", "0", "loadat", "0.75"}, []float64{300, 400}},
		{"load below its threshold", once, []string{"fast", "0", "loadfast", "0.6"}, nil},
		{"traffic below its threshold", surge(300, 399, 11), []string{"fast", "0.2", "heard", "traffic"}, nil},
	} {
		tones, left, right := listened(t, c.src, front, 6*time.Second, c.params...)
		begins := onsets(left, right)
		ok := len(begins) == len(c.rounds) && len(tones) == len(c.rounds)
		for i := range begins {
			ok = ok && math.Abs(begins[i]-c.rounds[i]/100) <= 0.1+0.02 // a measure averages over ten rounds
		}
		if !ok {
			t.Errorf("%s: %d tones begin at %.2v s, want rounds %v", c.name, len(tones), begins, c.rounds)
		}
		if c.rounds == nil && power(left)+power(right) != 0 {
			t.Errorf("%s: samples are not silent", c.name)
		}
	}
}

// TestParts checks that each moment sounds once at its time, however a run is divided.
func TestParts(t *testing.T) {
	src := surges(40, [2]int{50, 80}, [2]int{200, 260}, [2]int{400, 499})
	g, f := shown(t, src, 800, 600, "fast", "0.1", "loadfast", "0.2", "loadat", "0.7", "trafficat", "1.5")
	from, to := src.Span()
	whole := g.Sounds(f, from-1, to, time.Minute)
	if len(whole) != len(g.noises) || len(whole) < 20 {
		t.Fatalf("%d moments, %d tones", len(g.noises), len(whole))
	}
	rapid.Check(t, func(t *rapid.T) {
		var parts []sound.Tone
		nsPerNs := float64(time.Minute) / float64(to-from+1)
		for last := from - 1; last < to; {
			next := last + rapid.Int64Range(1, 40000).Draw(t, "ns")
			for _, tone := range g.Sounds(f, last, next, time.Duration(float64(next-last)*nsPerNs)) {
				tone.Start += time.Duration(float64(last-from+1) * nsPerNs)
				parts = append(parts, tone)
			}
			last = next
		}
		if len(parts) != len(whole) {
			t.Fatalf("%d tones, %d in parts", len(whole), len(parts))
		}
		for i := range parts {
			a, b := &parts[i], &whole[i]
			if (a.Start-b.Start).Abs() > time.Millisecond || a.Pitch != b.Pitch || a.Timbre != b.Timbre || a.Volume != b.Volume || far(a.Way[0].Position, b.Way[0].Position) > 1e-9 {
				t.Fatalf("tone %d: %+v, in parts %+v", i, b, a)
			}
		}
	})
}

func far(a, b sound.Vec) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// TestDirection checks that a tone comes from its body: it is louder on the side where the body is seen, from all
// directions.
func TestDirection(t *testing.T) {
	src := surge(300, 399, 40) // the second PE is busier
	params := []string{"fast", "0", "loadat", "0.75", "attraction", "0.05"}
	beside := 0
	for turn := -180.0; turn < 180; turn += 45 {
		tones, left, right := listened(t, src, view.Viewpoint{Turn: turn, Zoom: 1}, 4*time.Second, params...)
		g, f := shown(t, src, 900, 900, params...)
		f.Camera.Turn = turn
		until := g.Traffic.Begins(g.noises[0].Index + 1)
		f.Until = &until
		s := setStage(f, g)
		x := (s.balls[1].x - s.eye.x) / (s.eye.scale * g.far) // as a fraction of the extent
		if n := len(tones); n != 2 || g.noises[0].body != 1 {
			t.Fatalf("%d tones, the first from body %d, want 2 and body 1", n, g.noises[0].body)
		}
		got := 10 * math.Log10(power(right)/power(left))
		if math.Abs(x) > 0.1 && (got > 0) != (x > 0) || math.Abs(x) > 0.25 && math.Abs(got) < 3 {
			t.Errorf("turned by %v: body at %.2f to the right, %.1f dB louder there", turn, x, got)
		}
		if math.Abs(x) > 0.25 {
			beside++
		}
	}
	if beside < 4 {
		t.Errorf("the body is beside the others from only %d of 8 sides", beside)
	}
}

// TestEar checks that the ear comes nearer as the picture is enlarged, until bodies are behind it, and that it moves
// with the camera.
func TestEar(t *testing.T) {
	g, f := shown(t, surge(300, 399, 40), 900, 900)
	for _, zoom := range []float64{0.5, 1, 2, 8} {
		c := *f
		c.Camera.Scale *= zoom
		e := g.Ear(&c)
		if got, want := math.Sqrt(e.Position[0]*e.Position[0]+e.Position[1]*e.Position[1]+e.Position[2]*e.Position[2]), earAway*g.far/zoom; math.Abs(got-want) > 1e-9*want {
			t.Errorf("zoom %v: distance of the ear %v, want %v", zoom, got, want)
		}
		behind := 0
		for _, x := range g.Start {
			to := 0.0
			for k := range x {
				to += (x[k] - e.Position[k]) * e.Front[k]
			}
			if to < 0 {
				behind++
			}
		}
		if zoom <= 1 && behind > 0 || zoom == 8 && (behind == 0 || behind == len(g.Start)) {
			t.Errorf("zoom %v: %d of %d bodies are behind the ear", zoom, behind, len(g.Start))
		}
	}
	c := *f
	c.Camera.X += g.far
	e, was := g.Ear(&c), g.Ear(f)
	moved := 0.0
	for k := range e.Position {
		moved += (e.Position[k] - was.Position[k]) * e.Right[k]
	}
	if math.Abs(moved-g.far) > 1e-9 {
		t.Errorf("ear moved by %v to the right, want %v", moved, g.far)
	}
}

// TestCourse compares interpolated positions and velocities with computed ones, for all and for few kept states.
func TestCourse(t *testing.T) {
	mo := motion(t, surge(300, 399, 40), Cube())
	few := motion(t, surge(300, 399, 40), Cube())
	few.every = 4
	var kept []state
	for i := 0; i < len(few.kept); i += few.every {
		kept = append(kept, few.kept[i])
	}
	few.kept = kept
	size := distance(mo.Start[0], mo.Start[1])
	for _, intervals := range []float64{0, 0.5, 17.3, 310.25, 594.9} {
		moves := int(math.Round(intervals * float64(mo.moves)))
		x := mo.Places(moves)
		centre := sound.Vec{}
		for i := range x {
			for k := range centre {
				centre[k] += x[i][k] / float64(len(x))
			}
		}
		for body := range int32(4) {
			want := sound.Vec{x[body][0] - centre[0], x[body][1] - centre[1], x[body][2] - centre[2]}
			for _, states := range []struct {
				name string
				m    *Motion
			}{{"all", mo}, {"few", few}} {
				p, next := states.m.course(body, float64(moves)/float64(mo.moves)), states.m.course(body, float64(moves)/float64(mo.moves)+0.01)
				if d := far(p.Position, want); d > 1e-3*size {
					t.Errorf("%s kept: after %v intervals body %d is off by %v", states.name, intervals, body, d)
				}
				for k := range p.Velocity {
					if v := (next.Position[k] - p.Position[k]) / (0.01 * interval); intervals < 598 && math.Abs(v-p.Velocity[k]) > 0.02*math.Abs(v)+1e-3 {
						t.Errorf("%s kept: after %v intervals body %d has velocity %v, want %v", states.name, intervals, body, p.Velocity, v)
						break
					}
				}
			}
		}
	}
	if p := mo.course(1, 5000); p.Velocity != (sound.Vec{}) {
		t.Errorf("velocity after the end %v", p.Velocity)
	}
}

// TestTogether checks that only the largest of many simultaneous moments sound, without clipping.
func TestTogether(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 40})
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	put := func(time int64, kind tracer.Kind, pe, peer int32) {
		*s.Slot() = tracer.Event{Time: time, Kind: kind, PE: pe, Peer: peer, Ref: uint64(time)<<8 | uint64(pe), Value: 10}
	}
	for pe := range int32(40) {
		put(0, tracer.Idle, pe, -1)
		put(0, tracer.Send, pe, (pe+1)%40)
	}
	for pe := range int32(40) {
		put(300_000, tracer.Busy, pe, -1)
	}
	put(600_000, tracer.Send, 0, 1)
	_ = m.Close()
	tones, left, right := listened(t, m, front, 6*time.Second, "fast", "0", "loadat", "0.5")
	if len(tones) != mostTones {
		t.Errorf("40 simultaneous moments make %d tones, want %d", len(tones), mostTones)
	}
	for i := range left {
		if max(math.Abs(left[i]), math.Abs(right[i])) > 0.999 {
			t.Fatalf("frame %d is clipped", i)
		}
	}
}

// TestMute checks the reason given if nothing can be heard, and the range of loadat.
func TestMute(t *testing.T) {
	for _, c := range []struct {
		name   string
		src    tracer.Source
		params []string
		want   string
	}{
		{"one PE", talk(5, 1, 0), nil, "nothing can be heard: there is only one PE: bodies move if several PEs send to each other"},
		{"no thresholds", talk(5, 3, 0), []string{"fast", "0"}, "nothing can be heard: all thresholds are 0 (fast, spreadat, trafficat, imbalanceat, loadfast, loadat)"},
		{"many bodies", brief(2, 2500, 0), []string{"heard", "load", "loadat", "0.5"}, "nothing can be heard: the load is audible for at most 2,000 bodies, not 2,500"},
		{"load", talk(5, 3, 0), []string{"heard", "load"}, "nothing can be heard: all thresholds of the load are 0 (loadfast, loadat)"},
	} {
		o, err := view.Open(Kind(), c.src, glyph.New())
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(c.params); i += 2 {
			if err := o.Set(c.params[i], c.params[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := o.Listen(context.Background(), front, time.Second); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		for _, bad := range []string{"NaN", "Inf", "-1", "2"} {
			if o.Set("loadat", bad) == nil {
				t.Errorf("loadat %s is accepted", bad)
			}
		}
		o.Close()
	}
	for _, name := range heard.Choices[1:] {
		if _, ok := voices[name]; !ok {
			t.Errorf("%s has no voice", name)
		}
	}
}

// TestDoppler checks that the velocity of a sound is that of its path, which determines the Doppler shift, and that it
// vanishes in slow play.
func TestDoppler(t *testing.T) {
	src := surge(300, 399, 40)
	src.SetMeta(tracer.Meta{PEs: 4, Clock: tracer.Virtual})
	for _, pace := range []string{"run", "live"} {
		g, f := shown(t, src, 800, 800, "fast", "0", "loadat", "0.75", "pace", pace)
		from, to := src.Span()
		e := g.Ear(f)
		// speeds returns the largest velocity stated for the first tone, and the largest along its path.
		speeds := func(lasts time.Duration) (stated, moved float64) {
			tones := g.Sounds(f, from-1, to, lasts)
			way, step := tones[0].Way, tones[0].Length.Seconds()/float64(len(tones[0].Way)-1)
			for k := 1; k+1 < len(way); k++ {
				for d := range way[k].Position {
					stated = max(stated, math.Abs(way[k].Velocity[d]))
					moved = max(moved, math.Abs(way[k+1].Position[d]-way[k-1].Position[d])/(2*step))
				}
			}
			return stated, moved
		}
		once, moved := speeds(10 * time.Minute)
		if once == 0 || math.Abs(once-moved) > 0.1*once {
			t.Errorf("%s: stated velocity %v, velocity of the path %v", pace, once, moved)
		}
		if slow, _ := speeds(10 * time.Hour); slow > once/20 {
			t.Errorf("%s: velocity %v played in ten hours, %v in ten minutes", pace, slow, once)
		}
		if e.Speed != soundSpeed*g.far {
			t.Errorf("%s: speed of sound %v", pace, e.Speed)
		}
	}
}

// TestPitches compares the table of pitches in docs/bodies.md with the pitches of the voices.
func TestPitches(t *testing.T) {
	b, err := os.ReadFile("../../../docs/bodies.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range voices {
		row := regexp.MustCompile(`(?m)^\| ` + name + `[a-zA-Z ]*\| [a-z ]+ \| (\d+) Hz \| (\d+) Hz \| (\d+) Hz \| (\d+) Hz \|$`).FindSubmatch(b)
		if row == nil {
			t.Errorf("docs/bodies.md has no pitches of the %s", name)
			continue
		}
		for k, m := range []nbody.Moment{{Fast: true}, {Fast: true, Up: true}, {}, {Up: true}} {
			n := noise{Moment: m, measure: name}
			if got := strconv.Itoa(int(math.Round(n.pitch()))); got != string(row[k+1]) {
				t.Errorf("%s, %+v: %s Hz, docs/bodies.md has %s", name, m, got, row[k+1])
			}
		}
	}
}
