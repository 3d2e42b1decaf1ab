package cli

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

const stopHelp = `  return, c  go on to the next stop     s  go on to the next statement
  NAME       what every processor holds of a variable
  v          the variables there are    q  end the run`

// atStops has whoever sits at a terminal look around where a run of a program in HPF stops, and say how it goes on. Elsewhere each stop is
// only shown.
func atStops(cmd *cobra.Command, p *experiment.Prepared) {
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
