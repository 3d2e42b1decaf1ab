package launch

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// errInterrupted is the cause of a run cancelled by an interrupt from the keyboard.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// Interruptible cancels the run on the first interrupt if whorl run waits for its report. A second interrupt ends the
// process. Programs that run without whorl handle signals themselves.
func Interruptible(ctx context.Context) (_ context.Context, release func()) {
	if os.Getenv(EnvReport) == "" {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, func() { cancel(nil) }
}
