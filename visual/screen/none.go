//go:build !window && !js

package screen

import "fmt"

// Run says how to build what can show a window.
func Run(Viewer, Options) error {
	return fmt.Errorf("%w: it was built without one: make build, or go build -tags window ./cmd/whorl-view with cgo and the headers of X11 and OpenGL", ErrNoWindow)
}
