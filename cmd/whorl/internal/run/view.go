package run

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/serve"
)

func newView() *cobra.Command {
	var reading *traces.Reading
	var join string
	cmd := &cobra.Command{
		Use:   "view [TRACE|WORKSPACE...]",
		Short: "Look at traces in a window",
		Long: `Open the viewer with the TRACEs, or with a WORKSPACE (.toml), the arrangement that it saved. The window is another program, whorl-view,
beside whorl or among the commands. Without it, or without a display, whorl serves the viewer as a page on this machine and prints its
address. With --join the window takes part in a shared session (whorl serve --share).

` + traces.ViewedHelp,
		Example: `  whorl view pascal.whorl
  whorl view one.whorl two.whorl     # side by side
  whorl view workspace.toml
  whorl view rank*.pb.gz             # profiles of several processes, as one trace
  whorl view --join 'https://lab.example:7070/#token=...'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.CheckScopes(cmd, viewScopes, join != ""); err != nil {
				return err
			}
			switch {
			case join != "" && len(args) > 0:
				return errors.New("--join is for a session, which has its traces: leave out " + args[0] + ", or add it there")
			case join != "":
				return joinSession(cmd, join)
			}
			return view(cmd, reading, args)
		},
	}
	reading = traces.Flags(cmd)
	cmd.Flags().StringVar(&join, "join", "", "join the shared session of this `link`")
	return cmd
}

// view opens the viewer in a window, which reads the events of real programs itself, or as a page if there can be no window.
func view(cmd *cobra.Command, reading *traces.Reading, args []string) error {
	_, why := findWindow()
	if why == nil {
		paths, remove, err := reading.Viewable(cmd, args, true)
		if err != nil {
			return err
		}
		defer remove()
		if why = openWindow(cmd, append([]string{"--"}, paths...)); !errors.Is(why, errNoWindow) {
			return why
		}
	}
	paths, remove, err := reading.Viewable(cmd, args, false)
	if err != nil {
		return err
	}
	defer remove()
	return viewPage(cmd, why, paths)
}

// viewTraces opens the viewer in a window, or as a page if there can be no window.
func viewTraces(cmd *cobra.Command, args []string) error {
	why := openWindow(cmd, append([]string{"--"}, args...))
	if why == nil || !errors.Is(why, errNoWindow) {
		return why
	}
	return viewPage(cmd, why, args)
}

// viewPage serves the viewer as a page. why says why there can be no window.
func viewPage(cmd *cobra.Command, why error, args []string) error {
	if err := serve.Built(); err != nil {
		return command.Exit(command.ExitFailed, fmt.Errorf("%w, and no page in its place: %w", why, err))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %v; the viewer is served as a page\n", why)
	return servePage(cmd, args, defaultAddr, true)
}

// ViewLesson opens the viewer on a lesson, in a window or as a page if there can be no window.
func ViewLesson(cmd *cobra.Command, name string) error {
	why := openWindow(cmd, []string{"--lesson", name})
	if why == nil || !errors.Is(why, errNoWindow) {
		return why
	}
	if err := serve.Built(); err != nil {
		return command.Exit(command.ExitFailed, fmt.Errorf("%w, and no page in its place: %w; --text takes the lesson in the terminal", why, err))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %v; the viewer is served as a page\n", why)
	return servePageAt(cmd, "?lesson="+url.QueryEscape(name), nil, defaultAddr, true)
}

var errNoWindow = errors.New("no window")

// cannotShow reports whether an exit status of whorl-view means that it could not show a window (69), or could not be loaded because a desktop
// library is missing (127).
func cannotShow(status int) bool { return status == 69 || status == 127 }

// openWindow runs whorl-view with some arguments until its window is closed. The error is an errNoWindow if there can be no window.
func openWindow(cmd *cobra.Command, args []string) error {
	path, err := findWindow()
	if err != nil {
		return err
	}
	window := exec.CommandContext(cmd.Context(), path, args...)
	command.Detach(window) // whorl passes on interrupts from the keyboard, once
	window.Cancel = func() error { return window.Process.Signal(os.Interrupt) }
	window.Stdout, window.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	err = window.Run()
	exit := (*exec.ExitError)(nil)
	failed := errors.As(err, &exit)
	if cmd.Context().Err() != nil || failed && exit.ExitCode() == command.ExitInterrupted {
		return command.ErrInterrupted
	}
	if failed {
		if cannotShow(exit.ExitCode()) {
			return noWindow(path)
		}
		return command.Exit(command.ExitFailed, fmt.Errorf("%s: %w", path, err))
	}
	return err
}

func noWindow(path string) error { return fmt.Errorf("%w: %s cannot show one", errNoWindow, path) }

// findWindow returns the path of whorl-view, beside this program or among the commands. The error is an errNoWindow.
func findWindow() (string, error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return "", fmt.Errorf("%w: there is no display (DISPLAY is not set)", errNoWindow)
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "whorl-view")
		if path, err := exec.LookPath(beside); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("whorl-view")
	if err != nil {
		return "", fmt.Errorf("%w: whorl-view is neither beside whorl nor among the commands", errNoWindow)
	}
	return path, nil
}
