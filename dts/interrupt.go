package dts

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// errInterrupted is why a run of whorl run ends that is interrupted from the keyboard.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// interruptible has an interrupt end the run in good order, where whorl run waits for it; a second one ends the process at once. Programs that
// run by themselves see to their signals themselves.
func interruptible(ctx context.Context) (context.Context, func()) {
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
