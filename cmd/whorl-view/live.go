package main

import (
	"errors"
	"os"

	"whorl/experiment/session"
	"whorl/visual/app"
)

// watch shows the run that whorl run --open sends on standard input. Commands to the run go to standard output.
func watch(a *app.App) error {
	s := session.Attach(streams{})
	r, err := s.Await()
	if err != nil {
		return err
	}
	a.Watch(s, r)
	return nil
}

// streams combine standard input and output into one connection.
type streams struct{}

func (streams) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (streams) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (streams) Close() error                { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }
