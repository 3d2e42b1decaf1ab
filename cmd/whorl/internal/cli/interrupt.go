package cli

import (
	"context"
	"errors"
	"whorl/internal/files"

	"github.com/spf13/cobra"
)

// interruptible makes the work of a command of f that Ctrl-C ends at once, whatever it is at.
func interruptible(f func(cmd *cobra.Command, args []string, w *files.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return await(cmd.Context(), func(w *files.Writer) error { return f(cmd, args, w) })
	}
}

// await returns what f returns, or at once that it was interrupted or met a limit. What f has written by half is removed then, and f is left to itself: it
// may be at something that nothing ends, such as opening a pipe that nobody writes to.
func await(ctx context.Context, f func(w *files.Writer) error) error {
	var w files.Writer
	done := make(chan error, 1)
	go func() { done <- f(&w) }()
	select {
	case err := <-done:
		if err == nil || ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
		w.Abandon()
	}
	if own := (*statusError)(nil); errors.As(context.Cause(ctx), &own) { // a limit
		return own
	}
	return &statusError{exitInterrupted, errors.New("interrupted")}
}
