package main

import (
	"errors"
	"os"

	"whorl/experiment"
	"whorl/visual/app"
)

// watch shows the run that whorl run --open feeds to the standard input; commands to it go to the standard output.
func watch(a *app.App) error {
	s := experiment.Attach(streams{})
	r, err := s.Hear()
	if err != nil {
		return err
	}
	a.Watch(s, r)
	return nil
}

// streams are the standard input and output as one connection.
type streams struct{}

func (streams) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (streams) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (streams) Close() error                { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }
