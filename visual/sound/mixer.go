package sound

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// mostVoices is how many tones sound at a time; further ones are not heard.
const mostVoices = 512

// A Mixer adds tones up to samples. One goroutine uses it at a time. The zero Mixer is silent.
type Mixer struct {
	voices []voice
	at     int64 // frames mixed so far
}

// A voice is a tone that sounds, or is to sound.
type voice struct {
	from, frames int64   // its first frame, and how many it has
	swell        int64   // frames to full volume
	left, right  float64 // amplitudes
	re, im       float64 // of the wave: im is its value
	turnRe       float64 // what it turns by from one frame to the next
	turnIm       float64
}

// framesOf is a time in frames.
func framesOf(t time.Duration) int64 {
	return int64(t)/int64(time.Second)*Rate + int64(t)%int64(time.Second)*Rate/int64(time.Second)
}

// Add has tones begin, their times counted from the next frame that is mixed; those of a time before it begin with it. A tone without a
// length, a volume or a pitch that can be heard makes no sound.
func (m *Mixer) Add(tones ...Tone) {
	for i := range tones {
		m.add(&tones[i], m.at+framesOf(max(tones[i].At, 0)))
	}
}

// add has a tone begin with a frame.
func (m *Mixer) add(t *Tone, from int64) {
	v := voice{from: from, frames: framesOf(min(t.Length, longest)), re: 1}
	if v.frames <= 0 || !(t.Volume > 0) || !(t.Pitch > 0 && t.Pitch < Rate/2) || len(m.voices) >= mostVoices {
		return
	}
	v.swell = max(min(framesOf(swell), v.frames/4), 1)
	l, r := t.sides()
	v.left, v.right = l*min(t.Volume, 1), r*min(t.Volume, 1)
	v.turnIm, v.turnRe = math.Sincos(2 * math.Pi * t.Pitch / Rate)
	m.voices = append(m.voices, v)
}

// Silent says whether nothing sounds and nothing is to sound.
func (m *Mixer) Silent() bool { return len(m.voices) == 0 }

// Mix fills out with the next frames, each a sample for the left and one for the right. Where the sum is louder than 1 it is cut there.
func (m *Mixer) Mix(out []float32) {
	clear(out)
	frames := int64(len(out) / 2)
	rest := m.voices[:0]
	for _, v := range m.voices {
		if v.mix(out, v.from-m.at); v.from+v.frames > m.at+frames {
			rest = append(rest, v)
		}
	}
	m.voices = rest
	m.at += frames
	for i, x := range out {
		out[i] = min(max(x, -1), 1)
	}
}

// mix adds the voice, whose first frame is out's frame number first.
func (v *voice) mix(out []float32, first int64) {
	for i := max(first, 0); i < min(first+v.frames, int64(len(out)/2)); i++ {
		g := v.envelope(i-first) * v.im
		out[2*i] += float32(g * v.left)
		out[2*i+1] += float32(g * v.right)
		v.re, v.im = v.re*v.turnRe-v.im*v.turnIm, v.re*v.turnIm+v.im*v.turnRe
	}
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

// Mix mixes tones from time 0 until the last has died away, and hands the frames to f, piece by piece; a piece is valid during f. An error
// of f ends it and is returned.
func Mix(tones []Tone, f func(piece []float32) error) error {
	order := slices.SortedStableFunc(slices.Values(tones), func(t, u Tone) int { return cmp.Compare(t.At, u.At) })
	buf := make([]float32, 2*4096)
	m := Mixer{}
	for all := framesOf(End(tones)) + 1; m.at < all; {
		piece := buf[:min(2*(all-m.at), int64(len(buf)))]
		for end := m.at + int64(len(piece)/2); len(order) > 0 && framesOf(order[0].At) < end; order = order[1:] {
			m.add(&order[0], max(framesOf(order[0].At), m.at))
		}
		m.Mix(piece)
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}
