package standalone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"whorl/fghc/check"
	"whorl/fghc/emulator"
	"whorl/fghc/report"
	"whorl/fghc/world"
)

// A Program is a built program.
type Program struct {
	Name    string         // of the benchmark or the first file
	Args    []string       // sizes of a benchmark
	Sources []check.Source // without the library
	Goal    string         // the default query
	Native  *emulator.Native

	Functions []world.Function // that replace C code, in the order of their names in the sources
}

// The exit statuses are the same as those of whorl.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitLimit       = 3
	exitInterrupted = 130
)

// A statusError is an error with an exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Main runs a built program with the arguments of the process and returns its exit status. The first interrupt ends the run in good order,
// the second one ends the process at once.
func Main(p *Program) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop()
	}()
	return p.Main(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
}

// Main runs a built program until ctx is done. The first argument is the name by which it was called.
func (p *Program) Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args[1:])
	switch {
	case err != nil:
		err = fmt.Errorf("%w (see --help)", err)
	case o.help:
		_, err = io.WriteString(stdout, p.usage(filepath.Base(args[0])))
	default:
		err = p.run(ctx, o, stdin, stdout, stderr)
	}
	if err == nil {
		return 0
	}
	text := err.Error()
	if !located(err) {
		text = filepath.Base(args[0]) + ": " + text
	}
	fmt.Fprintln(stderr, text)
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	return exitUsage
}

// A goalError is an error in a query or a source.
type goalError struct{ error }

// located reports whether the text of an error begins with a source position.
func located(err error) bool {
	var goal goalError
	var run *report.Error
	return errors.As(err, &goal) || errors.As(err, &run)
}
