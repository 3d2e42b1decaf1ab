package documents

import (
	"errors"

	"whorl/experiment"
)

// replayed returns an error: the page has no simulated machine of its own, and its worker gets no traces.
func (d *Document) replayed() (experiment.Run, error) {
	return experiment.Run{}, errors.New("the program in this trace is replayed by the window, or by whorl replay at the shell")
}
