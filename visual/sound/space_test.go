package sound

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// looking returns an ear at the origin that looks in a direction, in degrees to the right of -z. Full volume reaches to 1; sound travels 100 a second.
func looking(degrees float64) Ear {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Ear{Right: Vec{cos, 0, sin}, Front: Vec{sin, 0, -cos}, Near: 1, Speed: 100}
}

// from returns a steady tone of a second with a way.
func from(way ...Place) Tone {
	return Tone{Length: time.Second, Pitch: 440, Volume: 0.5, Way: way}
}

func still(x, y, z float64) Place { return Place{Position: Vec{x, y, z}} }

// heardAs writes a WAV file twice, compares the bytes, and returns the samples of the two sides.
func heardAs(t testing.TB, tones []Tone, ears ...Hearing) (left, right []float64) {
	t.Helper()
	var b, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&b, &again} {
		must.Do(t, WriteWAV(w, Score{Tones: tones, Ears: ears}))
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("a second file has different bytes")
	}
	_, left, right = readWAV(t, b.Bytes())
	return left, right
}

// decibels returns the level of a relative to b.
func decibels(a, b []float64) float64 { return 20 * math.Log10(rms(a)/rms(b)) }

// TestSides compares the level difference of the two sides with the direction of a source, for ears of several orientations.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		place Place
		look  float64
		pan   float64 // between the loudspeakers, with the sideways distance tripled
	}{
		{still(0, 0, -2), 0, 0},
		{still(-1, 0, -4), 0, -0.6},
		{still(1, 0, -4), 0, 0.6},
		{still(-1, 0, -4), 180, 0.6},
		{still(1, 0, 4), 180, -0.6},
		{still(-3, 0, -4), 0, -9 / math.Sqrt(81+16)},
		{still(-4, 0, 0), 90, 0},                           // right behind it
		{still(-4, 0, 0), -90, 0},                          // right before it
		{still(0, 0, -4), 30, -1.5 / math.Sqrt(2.25+0.75)}, // it looks to the right of it
		{still(-1, 4, 0), 0, -0.6},                         // height does not change the side
	} {
		left, right := heardAs(t, []Tone{from(c.place)}, Hearing{0, looking(c.look)})
		want := 20 * math.Log10(math.Tan((1-c.pan)*math.Pi/4))
		if got := decibels(left, right); math.Abs(got-want) > 0.05 {
			t.Errorf("from %v, looking %v: %.2f dB louder on the left, want %.2f", c.place.Position, c.look, got, want)
		}
	}
}

// TestTurning turns the ear while a tone sounds and checks that the tone moves from left to right without a click.
func TestTurning(t *testing.T) {
	tone := from(still(-2, 0, -0.001))
	play := func(turns float64) (left, right []float64) {
		var ears []Hearing
		for i := range 50 {
			ears = append(ears, Hearing{time.Duration(i) * 20 * time.Millisecond, looking(turns * float64(i) / 50)})
		}
		return heardAs(t, []Tone{tone}, ears...)
	}
	left, right := play(180)
	tenth := Rate / 10
	last := math.Inf(1)
	for i := range 9 {
		at := decibels(left[i*tenth:(i+1)*tenth], right[i*tenth:(i+1)*tenth])
		if at >= last {
			t.Errorf("in tenth %d it is %.1f dB louder on the left, before %.1f", i, at, last)
		}
		if last = at; i == 0 && at < 10 || i == 8 && at > -10 {
			t.Errorf("in tenth %d it is %.1f dB louder on the left", i, at)
		}
	}
	for _, side := range [][]float64{left, right} {
		for i := 1; i < len(side); i++ {
			if math.Abs(side[i]-side[i-1]) > 0.5*2*math.Pi*440/Rate*1.05 {
				t.Fatalf("a click at frame %d", i)
			}
		}
	}
	// A constant ear hears no change.
	left, right = play(0)
	if a, b := decibels(left[:tenth], right[:tenth]), decibels(left[8*tenth:9*tenth], right[8*tenth:9*tenth]); math.Abs(a-b) > 0.1 {
		t.Errorf("with a constant ear it is %.2f and %.2f dB louder on the left", a, b)
	}
	// A sudden turn takes a 25th of a second and passes all directions in between.
	left, right = heardAs(t, []Tone{tone}, Hearing{0, looking(-90)}, Hearing{500 * time.Millisecond, looking(90)}, Hearing{600 * time.Millisecond, looking(0)})
	if at := decibels(left[Rate*65/100:Rate*7/10], right[Rate*65/100:Rate*7/10]); at < 20 {
		t.Errorf("after two turns it is %.1f dB louder on the left", at)
	}
}

// TestDistance checks for half the amplitude at twice the distance, and full volume within Near.
func TestDistance(t *testing.T) {
	loud := func(far float64) float64 {
		left, right := heardAs(t, []Tone{from(still(0, 0, -far))}, Hearing{0, looking(0)})
		return math.Hypot(rms(left), rms(right))
	}
	near := loud(1)
	for _, c := range []struct{ far, want float64 }{{0, 1}, {0.5, 1}, {1, 1}, {2, 0.5}, {4, 0.25}, {8, 0.125}} {
		if got := loud(c.far) / near; math.Abs(got-c.want) > 0.002 {
			t.Errorf("%v away it is %.3f as loud, want %v", c.far, got, c.want)
		}
	}
}

// TestDoppler compares pitches with f (c + l) / (c - s), for a source that approaches at s and an ear that approaches at l.
func TestDoppler(t *testing.T) {
	for _, c := range []struct{ source, listener, sound float64 }{
		{0, 0, 100}, {10, 0, 100}, {-10, 0, 100}, {0, 10, 100}, {0, -10, 100}, {10, 10, 100}, {10, -10, 100}, {30, 0, 100}, {10, 0, 50}, {10, 0, 0},
	} {
		e := looking(0)
		e.Velocity, e.Speed, e.Near = Vec{0, 0, -c.listener}, c.sound, 0
		left, _ := heardAs(t, []Tone{from(Place{Vec{0, 0, -1000}, Vec{0, 0, c.source}})}, Hearing{0, e})
		want := 440.
		if c.sound > 0 {
			want *= (c.sound + c.listener) / (c.sound - c.source)
		}
		if got := pitch(left[:Rate*3/4], Rate); math.Abs(got-want) > 0.5 {
			t.Errorf("%+v: %.2f Hz, want %.2f", c, got, want)
		}
	}
	// A pitch at most doubles or halves.
	for _, c := range []struct{ v, want float64 }{{1e6, 880}, {-1e6, 440 / 1.9}} {
		e := looking(0)
		e.Near = 0
		left, _ := heardAs(t, []Tone{from(Place{Vec{0, 0, -1e9}, Vec{0, 0, c.v}})}, Hearing{0, e})
		if got := pitch(left[:Rate/2], Rate); math.Abs(got-c.want) > 1 {
			t.Errorf("at %v it is heard at %.1f Hz, want %.1f", c.v, got, c.want)
		}
	}
}

// TestPassing checks that the pitch and the side of a passing source glide, and that a way given by its ends, by more places or by one place sounds
// the same.
func TestPassing(t *testing.T) {
	v := Vec{20, 0, 0}
	ends := from(Place{Vec{-10, 0, -2}, v}, Place{Vec{10, 0, -2}, v})
	e := looking(0)
	left, right := heardAs(t, []Tone{ends}, Hearing{0, e})
	part := Rate / 10
	for i := range 9 {
		at := -10 + 20*(float64(i)+0.5)/10
		recedes := 20 * at / math.Hypot(at, 2)
		both := make([]float64, part)
		for k := range both {
			both[k] = left[i*part+k] + right[i*part+k]
		}
		if got, want := pitch(both, Rate), 440*100/(100+recedes); math.Abs(got-want) > 6 {
			t.Errorf("at %+.0f it is heard at %.1f Hz, want %.1f", at, got, want)
		}
	}
	if a, b := decibels(left[:part], right[:part]), decibels(left[8*part:9*part], right[8*part:9*part]); a < 10 || b > -10 {
		t.Errorf("it is %.1f dB louder on the left when it comes, and %.1f when it goes", a, b)
	}
	more := ends
	more.Way = nil
	for i := range 6 {
		more.Way = append(more.Way, Place{Vec{-10 + 4*float64(i), 0, -2}, v})
	}
	for _, c := range []struct {
		name  string
		other Tone
	}{{"more places", more}, {"one place", from(Place{Vec{-10, 0, -2}, v})}} {
		l, r := heardAs(t, []Tone{c.other}, Hearing{0, e})
		for i := range l {
			if math.Abs(l[i]-left[i]) > 2e-4 || math.Abs(r[i]-right[i]) > 2e-4 {
				t.Errorf("%s: frame %d is %v %v, want %v %v", c.name, i, l[i], r[i], left[i], right[i])
				break
			}
		}
	}
	e.Velocity = v // an ear that moves with the source hears no shift
	if l, r := heardAs(t, []Tone{ends}, Hearing{0, e}); math.Abs(pitch(l[:Rate/2], Rate)-440) > 0.5 || decibels(l[:part], r[:part]) < 10 || decibels(l[7*part:8*part], r[7*part:8*part]) < 10 {
		t.Error("an ear that moves with the source hears it pass")
	}
}

// strength returns the amplitude of a pitch in x (Goertzel, with a Hann window).
func strength(x []float64, pitch float64) float64 {
	var re, im float64
	for i, v := range x {
		sin, cos := math.Sincos(2 * math.Pi * pitch * float64(i) / Rate)
		w := 1 - math.Cos(2*math.Pi*float64(i)/float64(len(x)))
		re, im = re+v*w*cos, im+v*w*sin
	}
	return 2 * math.Hypot(re, im) / float64(len(x))
}

// TestBehind checks that a source behind the ear is duller than one in front, and that a sine is unchanged.
func TestBehind(t *testing.T) {
	above := func(timbre Timbre, z float64) float64 {
		tone := from(still(0, 0, z))
		tone.Timbre = timbre
		left, _ := heardAs(t, []Tone{tone}, Hearing{0, looking(0)})
		return strength(left[Rate/20:Rate/2], 880) / strength(left[Rate/20:Rate/2], 440)
	}
	if front, behind := above(Reed, -2), above(Reed, 2); math.Abs(front-0.24/0.64) > 0.02 || math.Abs(behind/front-dullest) > 0.02 {
		t.Errorf("the octave is %.3f of the tone before the ear, and %.3f behind it", front, behind)
	}
	if front := above(Sine, -2); front > 1e-3 {
		t.Errorf("a sine has an octave of %v", front)
	}
}

// TestTimbres checks that no timbre is louder than its volume, clicks, or has more than a hundredth of its power in the harsh range above 2.5 kHz.
func TestTimbres(t *testing.T) {
	for timbre := range Timbre(len(timbres)) {
		sum := 0.0
		for _, p := range timbres[timbre].partials {
			sum += p.part
		}
		if math.Abs(sum-1) > 1e-12 || len(timbres[timbre].partials) > mostPartials {
			t.Errorf("timbre %d: %d partials, which add up to %v", timbre, len(timbres[timbre].partials), sum)
		}
		tone := Tone{Length: time.Second, Pitch: 660, Volume: 0.5, Timbre: timbre}
		left, right := heardAs(t, []Tone{tone})
		power, harsh, steepest := 0.0, 0.0, 0.0
		for _, p := range []float64{1, 2, 3, 3.9, 4.2} {
			s := strength(left[:Rate/2], 660*p)
			if power += s * s; 660*p > 2500 {
				harsh += s * s
			}
		}
		for i := range left {
			if math.Hypot(left[i], right[i]) > 0.5 {
				t.Fatalf("timbre %d: frame %d is as loud as %v", timbre, i, math.Hypot(left[i], right[i]))
			}
			if i > 0 {
				steepest = max(steepest, math.Abs(left[i]-left[i-1]))
			}
		}
		if harsh > power/100 || steepest > 0.5*2*math.Pi*660*2/Rate {
			t.Errorf("timbre %d: %.4f of its power is above 2.5 kHz, and it changes by %v in a frame", timbre, harsh/power, steepest)
		}
	}
}

// TestPiecesInSpace checks that frames of moving sources do not depend on their division into pieces.
func TestPiecesInSpace(t *testing.T) {
	tones := []Tone{from(Place{Vec{-3, 0, -1}, Vec{4, 1, 0}}), from(still(1, 2, 3), still(0, 1, -2), still(4, 0, 0))}
	tones[0].Timbre, tones[1].Timbre, tones[1].Start = Glass, Wood, 123*time.Millisecond
	var whole, parts Mixer
	for _, m := range []*Mixer{&whole, &parts} {
		m.Hear(looking(20))
		m.Add(tones...)
	}
	want := make([]float32, 2*60000)
	whole.Mix(want)
	inPieces(t, &parts, want)
}

// TestNoPlace checks that tones with infinite or NaN places are dropped and that such ears are ignored.
func TestNoPlace(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, tone := range []Tone{from(still(bad, 0, 0)), from(Place{Velocity: Vec{0, bad, 0}}), from(still(1, 0, 0), still(0, 0, bad))} {
			left, right := heardAs(t, []Tone{tone}, Hearing{0, looking(0)})
			if rms(left)+rms(right) != 0 {
				t.Errorf("%v: a tone from there sounds", tone.Way)
			}
		}
		e, f := looking(0), looking(0)
		e.Right[1], f.Near = bad, bad
		for _, ear := range []Ear{e, f} {
			left, right := heardAs(t, []Tone{from(still(-4, 0, 0))}, Hearing{0, looking(0)}, Hearing{time.Millisecond, ear})
			if at := decibels(left, right); at < 20 {
				t.Errorf("%v: it is heard %.1f dB louder on the left", ear, at)
			}
		}
	}
}

// TestAnyPlace mixes tones and ears of arbitrary numbers and checks that samples are from -1 to 1.
func TestAnyPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 10), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.NaN(), 5e-324}))
		vec := func(name string) Vec {
			return Vec{number.Draw(t, name), number.Draw(t, name), number.Draw(t, name)}
		}
		var m Mixer
		for i := range rapid.IntRange(1, 3).Draw(t, "tones") {
			tone := Tone{
				Start: time.Duration(rapid.Int64().Draw(t, "at")), Length: time.Duration(rapid.Int64().Draw(t, "length")),
				Pitch: number.Draw(t, "pitch"), Pan: number.Draw(t, "pan"), Volume: number.Draw(t, "volume"), Timbre: Timbre(rapid.Uint8Range(0, 5).Draw(t, "timbre")),
			}
			if rapid.Bool().Draw(t, "plain") {
				tone.Start, tone.Length, tone.Pitch, tone.Volume = 0, time.Second, 440, 1
			}
			for range rapid.IntRange(0, 3).Draw(t, "way") {
				tone.Way = append(tone.Way, Place{vec("at"), vec("velocity")})
			}
			m.Hear(Ear{Place{vec("at"), vec("velocity")}, vec("right"), vec("front"), number.Draw(t, "near"), number.Draw(t, "speed")})
			m.Add(tone)
			out := make([]float32, 2*(100+i))
			m.Mix(out)
			for _, x := range out {
				if !(x >= -1 && x <= 1) {
					t.Fatalf("a sample of %v", x)
				}
			}
		}
	})
}

func BenchmarkMix(b *testing.B) {
	for _, timbre := range []Timbre{Sine, Glass} {
		b.Run(fmt.Sprint(timbre), func(b *testing.B) {
			tone := from(Place{Vec{-3, 0, -1}, Vec{4, 1, 0}})
			tone.Timbre = timbre
			out := make([]float32, 2*Rate)
			for b.Loop() {
				var m Mixer
				m.Hear(looking(0))
				for range 8 {
					m.Add(tone)
				}
				m.Mix(out)
			}
		})
	}
}
