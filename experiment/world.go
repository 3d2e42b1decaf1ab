package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"whorl/fghc/world"
	"whorl/hpfsim/exec"
	"whorl/hpfsim/folder"
)

// A World holds the files that a program may use. A nil reader is empty; a nil writer discards.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          bool         // the program may read and write files, see the environment and run commands
	System         world.System // its sockets and signals, or nil
	Folder         string       // with Files: the folder below which a program in HPF may read and write; "" is the working folder
}

// newWorld returns the world of one run. now returns the time since the run began.
func (p *Prepared) newWorld(now func() time.Duration) *world.World {
	return &world.World{
		Args: p.Description.Argv, Stdin: p.World.Stdin, Stdout: p.World.Stdout, Stderr: p.World.Stderr, Files: p.World.Files, System: p.World.System, Now: now,
	}
}

// A worldly course runs a program with a World. It stands still between two slices.
type worldly struct{ outside *world.World }

// during calls f and then flushes the output of the program. Cancelling ctx interrupts a program that waits for input.
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

// openFolder opens the folder for the files of a program in HPF. Without access to files they are in memory.
func (w *World) openFolder(o *exec.Options) (closes func() error, err error) {
	if !w.Files {
		return func() error { return nil }, nil
	}
	dir, err := folder.OpenDir(cmp.Or(w.Folder, "."))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("--files %s: %w", w.Folder, failed.Err)
	}
	if err != nil {
		return nil, err
	}
	o.Folder = dir
	return dir.Close, nil
}
