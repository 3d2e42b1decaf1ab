// Whorl-view shows traces in a window: whorl-view [TRACE...]. The same program, built for js, is the page that whorl serve serves, and
// the worker in which that page runs programs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"whorl/visual/app"
	"whorl/visual/glyph"
	"whorl/visual/screen"
)

func main() {
	switch err := view(os.Args); {
	case err == nil:
	case errors.Is(err, errInterrupted):
		os.Exit(130) // as shells count it
	default:
		fmt.Fprintln(os.Stderr, "whorl-view:", err)
		if errors.Is(err, screen.ErrNoWindow) {
			os.Exit(screen.NoWindowStatus)
		}
		os.Exit(1)
	}
}

var errInterrupted = errors.New("interrupted")

func view(args []string) error {
	if screen.InWorker(args) {
		return screen.Work()
	}
	flags := flag.NewFlagSet("whorl-view", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "whorl-view [TRACE...]: shows traces in a window")
		flags.PrintDefaults()
	}
	var o screen.Options
	flags.IntVar(&o.W, "width", 1280, "of the window, in points")
	flags.IntVar(&o.H, "height", 800, "of the window, in points")
	flags.Float64Var(&o.Scale, "scale", 0, "device pixels to a point; 0 for what the monitor says")
	dark := flags.Bool("dark", false, "light on dark")
	live := flags.Bool("live", false, "show the run that whorl run --open feeds to the standard input")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // the window has a place of its own beside what computes
	debug.SetGCPercent(25)                        // what a trace is held in is large and has no pointers: to collect often costs little
	o.Title, o.Glyphs = "Whorl", glyph.New()
	a := app.New(app.Options{Text: o.Glyphs, Runner: screen.NewRunner(), Dark: *dark})
	defer a.Close()
	for _, f := range screen.Files(flags.Args()) {
		a.OpenFile(f)
	}
	if *live {
		if err := watch(a); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	if err := screen.Run(ctx, a, o); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}
