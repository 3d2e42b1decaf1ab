package experiment

import (
	"io"
	"time"

	"whorl/fghc/builtin"
)

// A World is what a program may reach outside of itself, beside the arguments in Run.Argv. A nil reader is empty, a nil writer takes
// everything.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          bool // it may read and write files, and see the environment
}

// newWorld makes the world of one run. Now says how long the run has lasted.
func (p *Prepared) newWorld(now func() time.Duration) *builtin.World {
	return &builtin.World{
		Args: p.Description.Argv, Stdin: p.World.Stdin, Stdout: p.World.Stdout, Stderr: p.World.Stderr, Files: p.World.Files, Now: now,
	}
}
