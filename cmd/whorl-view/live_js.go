package main

import (
	"errors"

	"whorl/visual/app"
)

// watch fails: a page has no standard input.
func watch(*app.App) error {
	return errors.New("a page cannot show a run that comes on standard input")
}
