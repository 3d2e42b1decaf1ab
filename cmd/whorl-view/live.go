//go:build !js

package main

import (
	"os"
	"os/signal"
	"syscall"

	"whorl/experiment/session"
	"whorl/visual/app"
)

// watch shows the run that whorl run --open sends on standard input. Commands to the run go to standard output.
func watch(a *app.App) error {
	signal.Ignore(syscall.SIGPIPE) // a run that is killed must not end the window that shows it
	s := session.Attach(session.Pipes(os.Stdin, os.Stdout))
	r, err := s.Await()
	if err != nil {
		return err
	}
	a.Watch(s, r)
	return nil
}
