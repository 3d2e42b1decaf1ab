package sound

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// mostVoices is how many tones sound at a time; further ones are not heard.
const mostVoices = 512

// A Mixer adds tones up to samples. One goroutine uses it at a time. The zero Mixer is silent, and has the zero Ear.
type Mixer struct {
	voices []voice
	at     int64 // frames mixed so far

	ear, was Ear   // the last one, and where the one before it was then
	since    int64 // the frame of it, 0 for the first
}

// turning is how long a new ear takes to come in place of the last one, in frames; while nothing sounds it comes at once.
const turning = Rate / 25

// A voice is a tone that sounds, or is to sound.
type voice struct {
	from, frames int64 // its first frame, and how many it has
	swell        int64 // frames to full volume
	volume       float64
	waves        [mostPartials]wave
	count        int // of waves
	way          []Place
	now, next    heard // at the beginning of a period, and at its end
}

// A wave is a partial of a voice.
type wave struct {
	re, im         float64 // of the wave: im is its value
	turnRe, turnIm float64 // what it turns by from one frame to the next
	turn           float64 // the same as an angle, where nothing moves
	part, falls    float64 // of the amplitude, and what is left of that from one frame to the next
}

// period is how many frames the pitch of a voice stays what it is, while sides and brightness glide.
const period = 32

// framesOf is a time in frames.
func framesOf(t time.Duration) int64 {
	return int64(t)/int64(time.Second)*Rate + int64(t)%int64(time.Second)*Rate/int64(time.Second)
}

// Add has tones begin, their times counted from the next frame that is mixed; those of a time before it begin with it. A tone without a
// length, a volume or a pitch that can be heard makes no sound, nor does one from a place that is none.
func (m *Mixer) Add(tones ...Tone) {
	for i := range tones {
		m.add(&tones[i], m.at+framesOf(max(tones[i].At, 0)))
	}
}

// add has a tone begin with a frame.
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

// Hear has another ear hear, from the next frame that is mixed on; what sounds glides to where it is for that one. An ear of which something is
// not finite does not come.
func (m *Mixer) Hear(e Ear) {
	if !e.finite() {
		return
	}
	m.was, m.since = m.earAt(m.at), m.at
	if m.Silent() {
		m.was = e
	}
	m.ear = e
}

// earAt is the ear at a frame.
func (m *Mixer) earAt(frame int64) Ear {
	seconds := float64(frame-m.since) / Rate
	e := m.ear
	e.Place = e.after(seconds)
	if t := float64(frame-m.since) / turning; t < 1 && m.since > 0 {
		was := m.was
		was.Place = was.after(seconds)
		e = was.towards(&e, t*t*(3-2*t))
	}
	return e
}

// Silent says whether nothing sounds and nothing is to sound.
func (m *Mixer) Silent() bool { return len(m.voices) == 0 }

// Mix fills out with the next frames, each a sample for the left and one for the right. Where the sum is louder than 1 it is cut there.
func (m *Mixer) Mix(out []float32) {
	clear(out)
	frames := int64(len(out) / 2)
	rest := m.voices[:0]
	for _, v := range m.voices {
		if v.mix(m, out); v.from+v.frames > m.at+frames {
			rest = append(rest, v)
		}
	}
	clear(m.voices[len(rest):]) // whose ways nobody needs
	m.voices = rest
	m.at += frames
	for i, x := range out {
		out[i] = min(max(x, -1), 1)
	}
}

// mix adds the voice to the next frames of m.
func (v *voice) mix(m *Mixer, out []float32) {
	first := v.from - m.at // its first frame is that one of out
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

// glide begins a period of a voice that comes from somewhere, with one of its frames.
func (v *voice) glide(m *Mixer, frame int64) {
	if len(v.way) == 0 {
		return
	}
	at := func(frame int64) heard {
		p := along(v.way, float64(frame)/float64(v.frames), float64(v.frames)/Rate)
		e := m.earAt(v.from + frame)
		return e.hears(&p)
	}
	if v.now = v.next; frame == 0 {
		v.now = at(0)
	}
	v.next = at(min(frame+period, v.frames))
	pitch := (v.now.pitch + v.next.pitch) / 2
	for k := range v.waves[:v.count] {
		w := &v.waves[k]
		w.turnIm, w.turnRe = math.Sincos(w.turn * pitch)
	}
}

// value is that of the voice's waves, which go on to the next frame; of those above the lowest so much is heard.
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

// envelope is how loud the voice is at one of its frames, from 0 to 1: it swells smoothly and dies away to nothing.
func (v *voice) envelope(frame int64) float64 {
	left := 1 - float64(frame)/float64(v.frames)
	g := left * left * left
	if frame < v.swell {
		x := float64(frame) / float64(v.swell)
		g *= x * x * (3 - 2*x)
	}
	return g
}

// A Hearing is the ear that hears from a time on.
type Hearing struct {
	At  time.Duration
	Ear Ear
}

// A Score is tones with the ears that hear them. All times count from its beginning.
type Score struct {
	Tones  []Tone
	Ears   []Hearing
	Length time.Duration // that it has at least; it ends when the last tone has died away
}

// Mix mixes a score, and hands the frames to f, piece by piece; a piece is valid during f. An error of f ends it and is returned.
func Mix(s Score, f func(piece []float32) error) error {
	tones := slices.SortedStableFunc(slices.Values(s.Tones), func(t, u Tone) int { return cmp.Compare(t.At, u.At) })
	ears := slices.SortedStableFunc(slices.Values(s.Ears), func(t, u Hearing) int { return cmp.Compare(t.At, u.At) })
	buf := make([]float32, 2*4096)
	m := Mixer{}
	for all := s.frames(); m.at < all; {
		for ; len(ears) > 0 && framesOf(ears[0].At) <= m.at; ears = ears[1:] {
			m.Hear(ears[0].Ear)
		}
		end := min(all, m.at+int64(len(buf)/2))
		if len(ears) > 0 {
			end = min(end, framesOf(ears[0].At))
		}
		piece := buf[:2*(end-m.at)]
		for ; len(tones) > 0 && framesOf(tones[0].At) < end; tones = tones[1:] {
			m.add(&tones[0], max(framesOf(tones[0].At), m.at))
		}
		m.Mix(piece)
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}

// frames is how many a score has: one more than sound, so that it ends in silence.
func (s *Score) frames() int64 { return framesOf(max(End(s.Tones), s.Length)) + 1 }

// Ahead mixes all that is to come if nothing else does, and hands it to f as Mix does; the mixer stays where it is.
func (m *Mixer) Ahead(f func(piece []float32) error) error {
	next := *m
	next.voices = slices.Clone(m.voices)
	buf := make([]float32, 2*4096)
	for !next.Silent() {
		end := int64(0)
		for i := range next.voices {
			end = max(end, next.voices[i].from+next.voices[i].frames-next.at)
		}
		piece := buf[:min(2*end, int64(len(buf)))]
		next.Mix(piece)
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}
