//go:build !window && !js

package screen

import (
	"context"
	"fmt"
)

// Run says how to build what can show a window.
func Run(context.Context, Viewer, Options) error {
	return fmt.Errorf("%w: it was built without one: make build, or go build -tags window ./cmd/whorl-view with cgo and the headers of X11 and OpenGL", ErrNoWindow)
}
