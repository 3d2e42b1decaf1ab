package sound

import "time"

// A Timbre is what a tone sounds like. All are soft: a few low partials, which swell and die away.
type Timbre uint8

// The timbres.
const (
	Sine  Timbre = iota // nothing but its pitch
	Wood                // a bar that is struck, as of a marimba
	Glass               // a small bell, whose upper partials die away first
	Reed                // blown: it swells slowly
)

// mostPartials is how many a timbre has at most.
const mostPartials = 4

// A partial is a sine of a tone: its pitch in proportion to the tone's, its part of the amplitude, and the part of the tone's length in
// which it falls to a third by itself, 0 for never.
type partial struct{ pitch, part, falls float64 }

// timbres is the table of them. The parts of one add up to 1, so that a tone is never louder than its volume.
var timbres = [...]struct {
	swell    time.Duration // to full volume, but for very short tones
	partials []partial
}{
	Sine:  {6 * time.Millisecond, []partial{{1, 1, 0}}},
	Wood:  {4 * time.Millisecond, []partial{{1, 0.8, 0}, {3.9, 0.2, 0.08}}},
	Glass: {6 * time.Millisecond, []partial{{1, 0.6, 0}, {2, 0.24, 0.4}, {3, 0.1, 0.2}, {4.2, 0.06, 0.1}}},
	Reed:  {50 * time.Millisecond, []partial{{1, 0.64, 0}, {2, 0.24, 0}, {3, 0.12, 0}}},
}
