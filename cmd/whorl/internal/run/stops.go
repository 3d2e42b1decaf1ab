package run

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"whorl/experiment"
)

const stopHelp = `  return, c  continue to the next stop   s  continue to the next statement
  NAME       print a variable on every processor
  v          list the variables          q  end the run`

// promptAtStops lets the user print values at the stops of a run of a program in HPF, and choose how the run continues. Without a terminal the
// stops are only printed.
func promptAtStops(cmd *cobra.Command, p *experiment.Prepared) {
	if in, ok := cmd.InOrStdin().(*os.File); len(p.Description.Break) == 0 || !ok || !term.IsTerminal(int(in.Fd())) {
		return
	}
	ctx, quit := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	w := cmd.ErrOrStderr()
	ended := false
	p.OnStop = func(s *experiment.Standstill) (step bool) {
		if ended {
			return false
		}
		p.ShowStop(w, s)
		for {
			fmt.Fprint(w, "(? for help) ")
			text, err := s.Input.ReadString('\n')
			switch word := strings.TrimSpace(text); {
			case err == io.EOF && word == "", word == "q":
				ended = true
				quit()
				s.Stand()
				return false
			case err != nil && word == "":
				return false
			case word == "", word == "c":
				return false
			case word == "s":
				return true
			case word == "?":
				fmt.Fprintln(w, stopHelp)
			case word == "v":
				fmt.Fprintln(w, "  "+strings.Join(s.All(), " "))
			default:
				experiment.ShowValue(w, s, word)
			}
		}
	}
}
