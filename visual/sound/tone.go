// Package sound makes sounds of what happens in a run, as data: tones, which a mixer turns into samples, and a sink makes heard or keeps.
// A tone stands between the loudspeakers, or it comes from a place in space and is heard by an ear in another, both of which may move
// while it sounds. The package knows no device; visual/screen has one.
package sound

import (
	"math"
	"time"
)

// Rate is how many samples a second has, for each of the two sides.
const Rate = 48000

// A Tone is one soft note: it swells and dies away until its end, so that neither clicks.
type Tone struct {
	At     time.Duration // when it begins, after what the list of tones it stands in counts from
	Length time.Duration
	Pitch  float64 // in Hz, of its lowest partial
	Pan    float64 // from -1, left, to 1, right; of one that comes from no place
	Volume float64 // the largest amplitude, of 1
	Timbre Timbre

	// Way is where it comes from in space, at equal times from its beginning to its end; one Place alone moves on as it does. Nobody
	// changes it while the tone sounds. A tone without a way is heard at Pan, as loud as it is.
	Way []Place
}

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
		end = max(end, later(tones[i].At, min(tones[i].Length, longest)))
	}
	return end
}

// later is the sum of two times, or the latest time there is.
func later(a, b time.Duration) time.Duration {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// sounds says whether a tone can be heard at all.
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
