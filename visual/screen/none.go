//go:build !window && !js

package screen

import (
	"context"
	"fmt"
)

// Run returns an error that explains how to build a viewer with a window.
func Run(context.Context, Viewer, Options) error {
	return fmt.Errorf("%w: built without window support: run make build, or go build -tags window ./cmd/whorl-view with cgo and the headers of X11 and OpenGL", ErrNoWindow)
}
