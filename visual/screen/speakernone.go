//go:build window && !sound && !js

package screen

import (
	"errors"

	"whorl/visual/sound"
)

// openSpeaker returns an error that explains how to build a viewer with sound.
func openSpeaker() (sound.Sink, error) {
	return nil, errors.New("built without sound: install libasound2-dev, then run make build")
}
