package sound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"whorl/testdata/must"
)

// steady returns a tone with pan 0.
func steady(pitch, volume float64) Tone {
	return Tone{Length: 200 * time.Millisecond, Pitch: pitch, Volume: volume}
}

func mixed(frames int, tones ...Tone) []float32 {
	var m Mixer
	m.Add(tones...)
	out := make([]float32, 2*frames)
	m.Mix(out)
	return out
}

// TestMixer compares samples with the formula of a tone.
func TestMixer(t *testing.T) {
	tone := Tone{Start: 10 * time.Millisecond, Length: 200 * time.Millisecond, Pitch: 441, Pan: -0.5, Volume: 0.4}
	out := mixed(Rate/2, tone)
	for i := range Rate / 2 {
		n := float64(i - Rate/100)
		left, right := 0.0, 0.0
		if n >= 0 && n < Rate/5 {
			x := min(n/(0.006*Rate), 1)
			g := 0.4 * math.Pow(1-n/(Rate/5), 3) * x * x * (3 - 2*x) * math.Sin(2*math.Pi*441*n/Rate)
			left, right = g*math.Cos(math.Pi/8), g*math.Sin(math.Pi/8)
		}
		if math.Abs(float64(out[2*i])-left) > 1e-6 || math.Abs(float64(out[2*i+1])-right) > 1e-6 {
			t.Fatalf("frame %d: %v %v, want %v %v", i, out[2*i], out[2*i+1], left, right)
		}
	}
}

// TestSum checks that simultaneous tones add up in any order and that sums are clipped at 1.
func TestSum(t *testing.T) {
	a, b := steady(300, 0.3), steady(470, 0.2)
	b.Start, b.Pan = 30*time.Millisecond, 1
	both, alone, other := mixed(9000, a, b), mixed(9000, a), mixed(9000, b)
	turned := mixed(9000, b, a)
	for i := range both {
		if math.Abs(float64(both[i]-alone[i]-other[i])) > 1e-6 || math.Abs(float64(both[i]-turned[i])) > 1e-6 {
			t.Fatalf("sample %d: %v, want %v + %v", i, both[i], alone[i], other[i])
		}
	}
	loud := mixed(9000, steady(300, 1), steady(300, 1), steady(300, 1))
	most := float32(0)
	for i := range loud {
		most = max(most, loud[i], -loud[i])
		want := min(max(3*float64(mixed1[i]), -1), 1)
		if math.Abs(float64(loud[i])-want) > 1e-5 {
			t.Fatalf("sample %d: %v, want %v", i, loud[i], want)
		}
	}
	if most != 1 {
		t.Errorf("the loudest sample of three loud tones is %v", most)
	}
}

var mixed1 = mixed(9000, steady(300, 1))

// inPieces mixes frames in pieces of many lengths and compares them with the whole.
func inPieces(t *testing.T, m *Mixer, whole []float32) {
	t.Helper()
	frames := len(whole) / 2
	for i := 0; i < frames; {
		n := min(1+i%777, frames-i)
		piece := make([]float32, 2*n)
		m.Mix(piece)
		for k := range piece {
			if piece[k] != whole[2*i+k] {
				t.Fatalf("frame %d: %v, want %v", i+k/2, piece[k], whole[2*i+k])
			}
		}
		i += n
	}
}

// TestPieces checks that frames do not depend on their division into pieces.
func TestPieces(t *testing.T) {
	tones := []Tone{steady(300, 0.3), {Start: 77 * time.Millisecond, Length: 30 * time.Millisecond, Pitch: 900, Pan: 0.3, Volume: 0.5}}
	whole := mixed(12000, tones...)
	var m Mixer
	m.Add(tones...)
	inPieces(t, &m, whole)
	if !m.Silent() {
		t.Error("after its tones the mixer is not silent")
	}
	var late []float32
	must.Do(t, Mix(Score{Tones: tones}, func(piece []float32) error { late = append(late, piece...); return nil }))
	if len(late) != 2*(Rate/5+1) {
		t.Errorf("%d frames, want those of 200 ms and a final one", len(late)/2)
	}
	for i := range late {
		if late[i] != whole[i] {
			t.Fatalf("sample %d: %v, want %v", i, late[i], whole[i])
		}
	}
}

// jump returns the first frame at which the left sample changes by more than the tone's wave and swell allow, -1 for none.
func jump(out []float32, tone Tone) int {
	steepest := 0.5 * 1.5 / (math.Min(0.006, tone.Length.Seconds()/4) * Rate) // of the swell
	bound := (0.5*2*math.Pi*tone.Pitch/Rate + steepest) / math.Sqrt2
	last := float32(0)
	for i := 0; i < len(out); i += 2 {
		if math.Abs(float64(out[i]-last)) > bound {
			return i / 2
		}
		last = out[i]
	}
	return -1
}

// TestNoClicks checks that neither end of a tone clicks, and that the test detects a click in a tone cut to start at full volume.
func TestNoClicks(t *testing.T) {
	for _, tone := range []Tone{steady(220, 0.5), steady(1500, 0.5), {Length: 3 * time.Millisecond, Pitch: 2000, Volume: 0.5}} {
		if frame := jump(mixed(12000, tone), tone); frame >= 0 {
			t.Errorf("%v Hz: a click at frame %d", tone.Pitch, frame)
		}
		var m Mixer
		m.Add(tone)
		m.voices[0].swell, m.voices[0].waves[0].re, m.voices[0].waves[0].im = 0, 0, 1
		out := make([]float32, 24000)
		if m.Mix(out); jump(out, tone) != 0 {
			t.Errorf("%v Hz: a click is not detected", tone.Pitch)
		}
	}
}

// TestNothing checks tones that make no sound and tones that no device could play.
func TestNothing(t *testing.T) {
	good := steady(300, 0.5)
	for _, change := range []func(*Tone){
		func(t *Tone) { t.Length = 0 }, func(t *Tone) { t.Length = -1 }, func(t *Tone) { t.Volume = 0 }, func(t *Tone) { t.Volume = math.NaN() },
		func(t *Tone) { t.Pitch = 0 }, func(t *Tone) { t.Pitch = Rate }, func(t *Tone) { t.Pitch = math.Inf(1) }, func(t *Tone) { t.Pitch = math.NaN() },
	} {
		tone := good
		change(&tone)
		for i, x := range mixed(9000, tone) {
			if x != 0 {
				t.Errorf("%+v: sample %d is %v", tone, i, x)
				break
			}
		}
	}
	early := good
	early.Start = -time.Hour
	if a, b := mixed(9000, early), mixed(9000, good); a[3000] != b[3000] || a[3000] == 0 {
		t.Errorf("a tone of the past begins with %v, want %v", a[3000], b[3000])
	}
	var m Mixer
	for range 10 * mostVoices {
		m.Add(good)
	}
	if len(m.voices) != mostVoices {
		t.Errorf("%d tones at a time", len(m.voices))
	}
}

func TestDegree(t *testing.T) {
	for step, want := range []float64{200, 225, 250, 300, 1000. / 3, 400, 450, 500, 600, 2000. / 3, 800} {
		if got := Degree(200, step); math.Abs(got-want) > 1e-9 {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
}

// readWAV reads a WAV file by the description of the format.
func readWAV(t testing.TB, b []byte) (rate int, left, right []float64) {
	t.Helper()
	le := binary.LittleEndian
	if string(b[:4]) != "RIFF" || int(le.Uint32(b[4:])) != len(b)-8 || string(b[8:16]) != "WAVEfmt " || string(b[36:40]) != "data" || int(le.Uint32(b[40:])) != len(b)-44 {
		t.Fatalf("not a WAV file of %d bytes: %q", len(b), b[:44])
	}
	rate = int(le.Uint32(b[24:]))
	if le.Uint16(b[20:]) != 1 || le.Uint16(b[22:]) != 2 || int(le.Uint32(b[28:])) != 4*rate || le.Uint16(b[32:]) != 4 || le.Uint16(b[34:]) != 16 {
		t.Fatalf("another form of samples: % x", b[16:36])
	}
	for i := 44; i+3 < len(b); i += 4 {
		left = append(left, float64(int16(le.Uint16(b[i:])))/32767)
		right = append(right, float64(int16(le.Uint16(b[i+2:])))/32767)
	}
	return rate, left, right
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// pitch measures a frequency by upward zero crossings.
func pitch(x []float64, rate int) float64 {
	first, last, n := -1, -1, 0
	for i := 1; i < len(x); i++ {
		if x[i-1] < 0 && x[i] >= 0 {
			if first < 0 {
				first = i
			} else {
				n++
			}
			last = i
		}
	}
	return float64(n) * float64(rate) / float64(last-first)
}

// TestWAV writes two successive tones and checks their time, level, pitch and side in the file.
func TestWAV(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, WriteWAV(&b, Score{Tones: []Tone{
		{Start: 1500 * time.Millisecond, Length: time.Second, Pitch: 330, Pan: 1, Volume: 0.25},
		{Length: time.Second, Pitch: 440, Pan: -1, Volume: 0.5},
	}}))
	rate, left, right := readWAV(t, b.Bytes())
	if d := float64(len(left)) / float64(rate); math.Abs(d-2.5) > 0.001 {
		t.Errorf("length %v s, want 2.5", d)
	}
	// The mean square of a sine is 1/2, and that of the envelope (1-x)^3 is 1/7; the swell takes a little.
	for _, c := range []struct {
		name  string
		x     []float64
		level float64
		pitch float64
	}{
		{"first, left", left[:rate], 0.5 / math.Sqrt(14), 440},
		{"pause, left", left[rate+1:], 0, 0},
		{"first, right", right[:rate*3/2], 0, 0},
		{"second, right", right[rate*3/2:], 0.25 / math.Sqrt(14), 330},
	} {
		if got := rms(c.x); math.Abs(got-c.level) > 0.03*c.level {
			t.Errorf("%s: rms %v, want %v", c.name, got, c.level)
		}
		if c.level == 0 {
			continue
		}
		if got := pitch(c.x[:len(c.x)/2], rate); math.Abs(got-c.pitch) > 1 {
			t.Errorf("%s: %v Hz, want %v", c.name, got, c.pitch)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestWAVErrors(t *testing.T) {
	if err := WriteWAV(full{}, Score{Tones: []Tone{steady(300, 1)}}); err == nil {
		t.Error("no error for a full disk")
	}
	if err := WriteWAV(new(bytes.Buffer), Score{Tones: []Tone{{Start: 7 * time.Hour, Length: time.Second, Pitch: 300, Volume: 1}}}); err == nil {
		t.Error("7 hours fit into a file")
	}
	var b bytes.Buffer
	if err := WriteWAV(&b, Score{}); err != nil || b.Len() != 48 {
		t.Errorf("no tones: %v, %d bytes", err, b.Len())
	}
	b.Reset()
	if err := WriteWAV(&b, Score{Length: time.Second}); err != nil || b.Len() != 48+4*Rate {
		t.Errorf("a second without tones: %v, %d bytes", err, b.Len())
	}
	for _, s := range []Score{{Length: math.MaxInt64}, {Length: 7 * time.Hour}, {Tones: []Tone{{Start: math.MaxInt64 - 5, Length: time.Second, Pitch: 300, Volume: 1}}}} {
		if err := WriteWAV(&b, s); err == nil {
			t.Errorf("%v fits into a file", max(s.Length, End(s.Tones)))
		}
	}
}
