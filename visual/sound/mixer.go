package sound

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// mostVoices bounds the tones that sound at a time. Further tones are dropped.
const mostVoices = 512

// A Mixer turns tones into samples. It is not safe for concurrent use. The zero Mixer is silent and has the zero Ear.
type Mixer struct {
	voices []voice
	mixed  int64 // frames mixed so far

	ear      Ear
	previous Ear   // at frame since
	since    int64 // the frame at which ear took over, 0 for the first ear
}

// turning is the number of frames that a new ear takes to replace the previous one. In silence it takes over at once.
const turning = Rate / 25

// A voice is a tone that sounds now or later.
type voice struct {
	from, frames int64 // the first frame, and the number of frames
	swell        int64 // frames to full volume
	volume       float64
	waves        [mostPartials]wave
	count        int // of waves
	way          []Place
	now, next    heard // at the start and at the end of a period
}

// A wave is a partial of a voice.
type wave struct {
	re, im         float64 // a rotating unit vector; im is the value of the wave
	turnRe, turnIm float64 // its rotation per frame
	turn           float64 // the angle of that rotation without Doppler shift
	part, falls    float64 // the share of the amplitude, and its decay factor per frame
}

// period is the number of frames with a constant pitch of a voice. Panning and brightness glide within it.
const period = 32

// framesOf converts a time to frames.
func framesOf(t time.Duration) int64 {
	return int64(t)/int64(time.Second)*Rate + int64(t)%int64(time.Second)*Rate/int64(time.Second)
}

// Add starts tones. Their times count from the next frame to be mixed; a tone with an earlier time starts with that frame. Tones
// without an audible length, volume or pitch, or with a place that is not finite, are dropped.
func (m *Mixer) Add(tones ...Tone) {
	for i := range tones {
		m.add(&tones[i], m.mixed+framesOf(max(tones[i].Start, 0)))
	}
}

// add starts a tone at a frame.
func (m *Mixer) add(t *Tone, from int64) {
	v := voice{from: from, frames: framesOf(min(t.Length, longest)), volume: min(t.Volume, 1), way: t.Way}
	if v.frames <= 0 || !t.sounds() || len(m.voices) >= mostVoices {
		return
	}
	timbre := &timbres[t.Timbre]
	v.swell = max(min(framesOf(timbre.swell), v.frames/4), 1)
	for _, p := range timbre.partials {
		if pitch := t.Pitch * p.pitch; pitch < Rate/2/shifts || v.count == 0 {
			w := &v.waves[v.count]
			*w = wave{re: 1, turn: 2 * math.Pi * pitch / Rate, part: p.part, falls: 1}
			w.turnIm, w.turnRe = math.Sincos(w.turn)
			if p.falls > 0 {
				w.falls = math.Exp(-1 / (p.falls * float64(v.frames)))
			}
			v.count++
		}
	}
	v.next.left, v.next.right = sides(t.Pan)
	v.next.bright = 1
	v.now = v.next
	m.voices = append(m.voices, v)
}

// Hear sets the ear from the next frame on. Sounding tones glide to their places for the new ear. An ear that is not finite is ignored.
func (m *Mixer) Hear(e Ear) {
	if !e.finite() {
		return
	}
	m.previous, m.since = m.earAt(m.mixed), m.mixed
	if m.Silent() {
		m.previous = e
	}
	m.ear = e
}

// earAt returns the ear at a frame.
func (m *Mixer) earAt(frame int64) Ear {
	seconds := float64(frame-m.since) / Rate
	e := m.ear
	e.Place = e.after(seconds)
	if t := float64(frame-m.since) / turning; t < 1 && m.since > 0 {
		previous := m.previous
		previous.Place = previous.after(seconds)
		e = previous.towards(&e, t*t*(3-2*t))
	}
	return e
}

// Silent reports whether no tone sounds now or later.
func (m *Mixer) Silent() bool { return len(m.voices) == 0 }

// Mix fills out with the next frames, each a left and a right sample. Samples are clipped to -1 to 1.
func (m *Mixer) Mix(out []float32) {
	clear(out)
	frames := int64(len(out) / 2)
	rest := m.voices[:0]
	for _, v := range m.voices {
		if v.mix(m, out); v.from+v.frames > m.mixed+frames {
			rest = append(rest, v)
		}
	}
	clear(m.voices[len(rest):]) // release their ways
	m.voices = rest
	m.mixed += frames
	for i, x := range out {
		out[i] = min(max(x, -1), 1)
	}
}

// mix adds the voice to the next frames of m.
func (v *voice) mix(m *Mixer, out []float32) {
	first := v.from - m.mixed // index in out
	for i := max(first, 0); i < min(first+v.frames, int64(len(out)/2)); i++ {
		n := i - first
		if n%period == 0 {
			v.glide(m, n)
		}
		t := float64(n%period) / period
		between := func(a, b float64) float64 { return a + float64((b-a)*t) }
		g := v.volume * v.envelope(n) * v.value(between(v.now.bright, v.next.bright))
		out[2*i] += float32(g * between(v.now.left, v.next.left))
		out[2*i+1] += float32(g * between(v.now.right, v.next.right))
	}
}

// glide starts a period at a frame of a voice that has a way.
func (v *voice) glide(m *Mixer, frame int64) {
	if len(v.way) == 0 {
		return
	}
	hear := func(frame int64) heard {
		p := along(v.way, float64(frame)/float64(v.frames), float64(v.frames)/Rate)
		e := m.earAt(v.from + frame)
		return e.hears(&p)
	}
	if v.now = v.next; frame == 0 {
		v.now = hear(0)
	}
	v.next = hear(min(frame+period, v.frames))
	pitch := (v.now.pitch + v.next.pitch) / 2
	for k := range v.waves[:v.count] {
		w := &v.waves[k]
		w.turnIm, w.turnRe = math.Sincos(w.turn * pitch)
	}
}

// value returns the sum of the voice's waves and advances them by a frame. bright scales the partials above the lowest.
func (v *voice) value(bright float64) float64 {
	sum := 0.0
	for k := range v.waves[:v.count] {
		w := &v.waves[k]
		x := float64(w.part * w.im)
		if k > 0 {
			x = float64(x * bright)
		}
		sum += x
		w.re, w.im = float64(w.re*w.turnRe)-float64(w.im*w.turnIm), float64(w.re*w.turnIm)+float64(w.im*w.turnRe)
		w.part *= w.falls
	}
	return sum
}

// envelope returns the loudness at a frame of the voice, from 0 to 1: a smooth swell, then a decay to 0.
func (v *voice) envelope(frame int64) float64 {
	left := 1 - float64(frame)/float64(v.frames)
	g := left * left * left
	if frame < v.swell {
		x := float64(frame) / float64(v.swell)
		g *= x * x * (3 - 2*x)
	}
	return g
}

// A Hearing sets the ear from a time on.
type Hearing struct {
	Start time.Duration
	Ear   Ear
}

// A Score holds tones and the ears that hear them. All times count from its start.
type Score struct {
	Tones  []Tone
	Ears   []Hearing
	Length time.Duration // at least; a score lasts until its last tone has ended
}

// Mix mixes a score and passes the frames to f in pieces. A piece is valid during the call. Mix returns the first error of f.
func Mix(s Score, f func(piece []float32) error) error {
	tones := slices.SortedStableFunc(slices.Values(s.Tones), func(t, u Tone) int { return cmp.Compare(t.Start, u.Start) })
	ears := slices.SortedStableFunc(slices.Values(s.Ears), func(t, u Hearing) int { return cmp.Compare(t.Start, u.Start) })
	buf := make([]float32, 2*4096)
	m := Mixer{}
	for all := s.frames(); m.mixed < all; {
		for ; len(ears) > 0 && framesOf(ears[0].Start) <= m.mixed; ears = ears[1:] {
			m.Hear(ears[0].Ear)
		}
		end := min(all, m.mixed+int64(len(buf)/2))
		if len(ears) > 0 {
			end = min(end, framesOf(ears[0].Start))
		}
		piece := buf[:2*(end-m.mixed)]
		for ; len(tones) > 0 && framesOf(tones[0].Start) < end; tones = tones[1:] {
			m.add(&tones[0], max(framesOf(tones[0].Start), m.mixed))
		}
		m.Mix(piece)
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}

// frames returns the number of frames of a score: one more than sound, so that it ends in silence.
func (s *Score) frames() int64 { return framesOf(max(End(s.Tones), s.Length)) + 1 }
