package experiment

import (
	"context"
	"io"
	"time"

	"whorl/fghc/builtin"
)

// A World is what a program may reach outside of itself, beside the arguments in Run.Argv. A nil reader is empty; a nil writer discards.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          bool // the program may read and write files and see the environment
}

// newWorld returns the world of one run. now returns how long the run has lasted.
func (p *Prepared) newWorld(now func() time.Duration) *builtin.World {
	return &builtin.World{
		Args: p.Description.Argv, Stdin: p.World.Stdin, Stdout: p.World.Stdout, Stderr: p.World.Stderr, Files: p.World.Files, Now: now,
	}
}

// A worldly course runs a program that reaches the outside. It stands still between two slices.
type worldly struct{ outside *builtin.World }

// during calls f, then writes out what the program printed. Cancelling ctx interrupts a program that waits for input.
func (w *worldly) during(ctx context.Context, f func()) {
	stop := context.AfterFunc(ctx, w.outside.Interrupt)
	f()
	stop()
	w.outside.Flush()
}

func (w *worldly) still() bool { return true }
func (w *worldly) halt() bool  { return true }

func (w *worldly) close() (status uint8, exited bool, err error) {
	status, exited = w.outside.Exited()
	return status, exited, w.outside.Close()
}
