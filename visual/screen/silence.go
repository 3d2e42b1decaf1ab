//go:build js || window

package screen

import (
	"time"

	"whorl/visual/sound"
)

// silence is the sink of a viewer without a sound device.
type silence struct{}

func (silence) Play(time.Duration, []sound.Tone) {}
func (silence) Hear(time.Duration, sound.Ear)    {}
func (silence) Close() error                     { return nil }
