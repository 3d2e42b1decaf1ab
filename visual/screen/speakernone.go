//go:build window && !sound && !js

package screen

import (
	"errors"

	"whorl/visual/sound"
)

// openSpeaker says how to build what can be heard.
func openSpeaker() (sound.Sink, error) {
	return nil, errors.New("this window was built without any: install libasound2-dev, then make build")
}
