package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"whorl/serve"
	"whorl/tracer/open"
)

func newView() *cobra.Command {
	var reading *open.Options
	cmd := &cobra.Command{
		Use:   "view [TRACE|WORKSPACE...]",
		Short: "Look at traces in a window",
		Long: `Open the viewer with the TRACEs, or with what was arranged in it and saved as a WORKSPACE (.toml). The window is another program, whorl-view, which is looked for beside whorl and among the commands.
Without it, or without a display, the viewer is served as a page on this machine, and the address is printed.

` + severalHelp,
		Example: `  whorl view pascal.whorl
  whorl view one.whorl two.whorl     # side by side
  whorl view workspace.toml
  whorl view rank*.pb.gz             # the profiles of some processes, as one trace`,
		RunE: func(cmd *cobra.Command, args []string) error {
			traces, remove, err := gathered(cmd, args, reading)
			if err != nil {
				return err
			}
			defer remove()
			if err := lookAt(cmd, traces); err != nil {
				return err
			}
			return viewTraces(cmd, traces)
		},
	}
	reading = readingFlags(cmd)
	return cmd
}

// viewTraces opens the viewer, in a window or else as a page.
func viewTraces(cmd *cobra.Command, args []string) error {
	why := openWindow(cmd, args)
	if why == nil || !errors.Is(why, errNoWindow) {
		return why
	}
	if err := serve.Built(); err != nil {
		return fmt.Errorf("%w, and no page in its place: %w", why, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %v; the viewer is served as a page\n", why)
	return servePage(cmd, args, defaultAddr, true)
}

var errNoWindow = errors.New("no window")

// cannotShow says whether a whorl-view with that exit status could show no window: it has said so itself, or the system could not load it,
// for want of a library of the desktop.
func cannotShow(status int) bool { return status == 69 || status == 127 }

// openWindow runs whorl-view until its window is closed. An errNoWindow says why there is none.
func openWindow(cmd *cobra.Command, args []string) error {
	path, err := findWindow()
	if err != nil {
		return err
	}
	window := exec.CommandContext(cmd.Context(), path, append([]string{"--"}, args...)...)
	apart(window) // an interrupt from the keyboard reaches it through whorl, once
	window.Cancel = func() error { return window.Process.Signal(os.Interrupt) }
	window.Stdout, window.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	err = window.Run()
	exit := (*exec.ExitError)(nil)
	failed := errors.As(err, &exit)
	if cmd.Context().Err() != nil || failed && exit.ExitCode() == exitInterrupted {
		return &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if failed {
		if cannotShow(exit.ExitCode()) {
			return noWindow(path)
		}
		return &statusError{exitFailed, fmt.Errorf("%s: %w", path, err)}
	}
	return err
}

func noWindow(path string) error { return fmt.Errorf("%w: %s cannot show one", errNoWindow, path) }

// findWindow returns the path of whorl-view: beside this program, or among the commands. An errNoWindow says why there can be no window.
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
