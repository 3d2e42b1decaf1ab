// Package runs draws the forms that describe runs of programs. A Panel describes one run, with an editor for a program of the user's own. A
// Comparison starts it several times with one thing changed, a Placing moves a goal to another PE, and Variations are the entries of a
// menu. An Edited is the program of a trace in an editor. State is the panel with the queues of a paused run.
//
// The package starts nothing: what it draws returns the runs that the user has asked for.
package runs

import (
	"fmt"
	"path/filepath"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
)

// A Request asks to start a run or to save a program. Panels and editors return it.
type Request struct {
	Run    bool     // start the run
	Paused bool     // before its first reduction
	Save   *Program // write this program to a file, nil for none
}

// Name returns the name of the trace of a run.
func Name(r experiment.Run) string {
	name := strings.TrimSuffix(filepath.Base(r.Program), filepath.Ext(r.Program))
	if len(r.Args) > 0 {
		name += " " + strings.Join(r.Args, " ")
	}
	return fmt.Sprintf("%s, %s, %s", name, figures.Counted(int64(r.PEs), "PE"), r.Policy)
}
