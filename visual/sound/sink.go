package sound

import "time"

// A Sink plays tones.
type Sink interface {
	// Play starts tones. Their times count from now, a time on the caller's clock. Play does not wait for them.
	Play(now time.Duration, tones []Tone)

	// Hear sets the ear from now on, also for sounding tones.
	Hear(now time.Duration, e Ear)

	// Close ends the sound. The sink must not be used afterwards.
	Close() error
}
