// Package sound makes sounds of what happens in a run, as data: tones, which a mixer turns into samples, and a sink makes heard or keeps.
// It knows no device; visual/screen has one.
package sound

import (
	"math"
	"time"
)

// Rate is how many samples a second has, for each of the two sides.
const Rate = 48000

// A Tone is one soft note: a sine that swells within a few milliseconds and dies away until its end, so that neither clicks.
type Tone struct {
	At     time.Duration // when it begins, after what the list of tones it stands in counts from
	Length time.Duration
	Pitch  float64 // in Hz
	Pan    float64 // from -1, left, to 1, right
	Volume float64 // the largest amplitude, of 1
}

// swell is how long a tone takes to its full volume, but for very short ones.
const swell = 6 * time.Millisecond

// longest is the longest tone there is; what is longer is cut.
const longest = time.Minute

// Pentatonic are the ratios of the five steps of an octave of the major pentatonic scale in just intonation. Whatever sounds together in it
// sounds well.
var Pentatonic = [5]float64{1, 9. / 8, 5. / 4, 3. / 2, 5. / 3}

// Degree is the pitch of a step of the pentatonic scale above a lowest tone, in Hz; from step 5 on the octave above, and so on.
func Degree(lowest float64, step int) float64 {
	return lowest * Pentatonic[step%len(Pentatonic)] * float64(int(1)<<(step/len(Pentatonic)))
}

// End is when the last of the tones has died away.
func End(tones []Tone) (end time.Duration) {
	for i := range tones {
		end = max(end, tones[i].At+min(tones[i].Length, longest))
	}
	return end
}

// sides are the parts of a tone that the left and the right loudspeaker take: together as loud wherever it stands.
func (t *Tone) sides() (left, right float64) {
	angle := (min(max(t.Pan, -1), 1) + 1) * math.Pi / 4
	return math.Cos(angle), math.Sin(angle)
}
