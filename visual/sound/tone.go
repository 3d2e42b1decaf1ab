// Package sound describes sounds as data: tones, a mixer that turns them into samples, and sinks that play them. Package visual/screen opens the
// sound device.
//
// A tone has a fixed pan between the loudspeakers, or a way through space. A tone with a way is heard by an ear in space; both may move while the
// tone sounds. The ear is a separate value, because the way of a source is known ahead and the viewpoint of the user is not. Every 32 frames the
// mixer combines both:
//
//   - pan by the sine of the direction, with sideways distances tripled, because two loudspeakers cover a small part of the circle;
//   - gain 1/r beyond a near distance;
//   - upper partials fall to 15 % behind the ear, the only cue for back and front with two channels;
//   - frequency f(c+l)/(c-s), by an octave at most.
//
// Gains glide and the phase continues, so there are no clicks. Distance causes no delay.
package sound

import (
	"math"
	"time"
)

// Rate is the number of samples per second and channel.
const Rate = 48000

// A Tone is one soft note. It swells and decays smoothly, so that neither end clicks.
type Tone struct {
	Start  time.Duration // its start; the origin depends on the use of the tone
	Length time.Duration
	Pitch  float64 // of its lowest partial, in Hz
	Pan    float64 // from -1, left, to 1, right; for tones without a way
	Volume float64 // the largest amplitude, from 0 to 1
	Timbre Timbre

	// Way lists the places of the source at equal times from start to end; a single Place moves on with its velocity. It must not change
	// while the tone sounds. A tone without a way is heard at Pan with its full volume.
	Way []Place
}

// longest bounds the length of a tone; longer tones are cut.
const longest = time.Minute

// Pentatonic holds the frequency ratios of the major pentatonic scale in just intonation. Any of its notes sound well together.
var Pentatonic = [5]float64{1, 9. / 8, 5. / 4, 3. / 2, 5. / 3}

// Degree returns the pitch in Hz of a step of the pentatonic scale above a lowest tone. Steps 5 to 9 are the octave above, and so on.
func Degree(lowest float64, step int) float64 {
	return lowest * Pentatonic[step%len(Pentatonic)] * float64(int(1)<<(step/len(Pentatonic)))
}

// End returns the time at which the last of the tones ends.
func End(tones []Tone) (end time.Duration) {
	for i := range tones {
		end = max(end, later(tones[i].Start, min(tones[i].Length, longest)))
	}
	return end
}

// later returns the sum of two times, or the largest time if the sum overflows.
func later(a, b time.Duration) time.Duration {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// sounds reports whether a tone is audible at all.
func (t *Tone) sounds() bool {
	if t.Length <= 0 || !(t.Volume > 0) || !(t.Pitch > 0 && t.Pitch < Rate/2) || int(t.Timbre) >= len(timbres) {
		return false
	}
	for i := range t.Way {
		if !t.Way[i].finite() {
			return false
		}
	}
	return true
}
