package sound

import "time"

// A Timbre is the sound colour of a tone. All timbres are soft: a few low partials that swell and decay.
type Timbre uint8

// The timbres.
const (
	Sine  Timbre = iota // one partial
	Wood                // a struck bar, as of a marimba
	Glass               // a small bell; its upper partials decay first
	Reed                // blown; it swells slowly
)

// mostPartials bounds the partials of a timbre.
const mostPartials = 4

// A partial is a sine of a tone: the ratio of its pitch to the tone's, its share of the amplitude, and the share of the tone's length until
// it falls to 1/e, 0 for never.
type partial struct{ pitch, part, falls float64 }

// timbres holds the partials of each timbre. Their shares add up to 1, so that a tone is never louder than its volume.
var timbres = [...]struct {
	swell    time.Duration // time to full volume; a quarter of shorter tones
	partials []partial
}{
	Sine:  {6 * time.Millisecond, []partial{{1, 1, 0}}},
	Wood:  {4 * time.Millisecond, []partial{{1, 0.8, 0}, {3.9, 0.2, 0.08}}},
	Glass: {6 * time.Millisecond, []partial{{1, 0.6, 0}, {2, 0.24, 0.4}, {3, 0.1, 0.2}, {4.2, 0.06, 0.1}}},
	Reed:  {50 * time.Millisecond, []partial{{1, 0.64, 0}, {2, 0.24, 0}, {3, 0.12, 0}}},
}
