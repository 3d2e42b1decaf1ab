// Whorl-view shows traces in a window: whorl-view [TRACE...]. Built for js, the same program is the page that whorl
// serve serves. The page runs programs with whorl-runner.
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

	"whorl/experiment/session"
	"whorl/internal/memory"
	"whorl/visual/app"
	"whorl/visual/glyph"
	"whorl/visual/screen"
)

func main() {
	switch err := view(os.Args); {
	case err == nil:
	case errors.Is(err, errInterrupted):
		os.Exit(130) // the shells' status for SIGINT
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
	flags := flag.NewFlagSet("whorl-view", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "whorl-view [TRACE...]: shows traces in a window")
		flags.PrintDefaults()
	}
	var o screen.Options
	flags.IntVar(&o.W, "width", 1280, "width of the window in points")
	flags.IntVar(&o.H, "height", 800, "height of the window in points")
	flags.Float64Var(&o.Scale, "scale", 0, "device pixels per point; 0 for the monitor's ratio")
	dark := flags.Bool("dark", false, "use light text on a dark background")
	detached := flags.Bool(screen.DetachedFlag, false, "show the pane that another window has detached and sends on standard input")
	live := flags.Bool("live", false, "show the run that whorl run --open sends on standard input")
	join := flags.String("join", "", "join the shared session of a `link` that whorl serve --share has printed")
	lesson := flags.String("lesson", "", "open the lesson of this `name`")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // one more thread for the window, beside those that compute
	debug.SetGCPercent(25)                        // traces are large and have no pointers, so frequent collections are cheap
	o.Title, o.Glyphs, o.Wake = "Whorl", glyph.New(), make(chan struct{}, 1)
	a := app.New(app.Options{Text: o.Glyphs, Runner: screen.NewRunner(), Disk: screen.NewDisk(), Window: screen.NewWindows(), Fetch: screen.NewFetch(), Wake: o.Wake, Dark: *dark, Memory: memory.Share(), Scratch: screen.NewScratch(), Film: screen.NewFilm(), Host: newHost(o.Wake), Lessons: screen.NewLessons(), Progress: screen.NewProgress()})
	defer a.Close()
	opened, err := screen.Open(flags.Args(), *live || *detached, *join, o.Wake)
	if err != nil {
		return err
	}
	for _, f := range opened.Files {
		a.OpenFile(f)
	}
	if opened.Session != nil {
		a.Join(*opened.Session)
	}
	if *lesson != "" {
		a.OpenLesson(*lesson)
	}
	switch run := opened.Run; {
	case run == nil:
	case *detached:
		a.Attach(run)
	default:
		s := session.Attach(run)
		r, err := s.Await()
		if err != nil {
			return err
		}
		a.Watch(s, r)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := screen.Run(ctx, a, o); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}
