package screen

import (
	"io"

	"whorl/visual/documents"
	"whorl/visual/share"
)

// Opened lists the files and runs that a viewer opens first.
type Opened struct {
	Files   []*documents.File
	Run     io.ReadWriteCloser // the connection to a run to watch, or to the window of a detached pane; nil for none
	Session *share.Access      // the way to a shared session, nil for none
}
