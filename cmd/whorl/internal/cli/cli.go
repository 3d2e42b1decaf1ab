// Package cli is the command line of Whorl, with a file for each command. Main is a function of arguments and streams, which tests call too.
//
// A command writes its result to standard output and everything else to standard error. It returns its error and never prints it; Main prints
// the error and turns it into the exit status (package command).
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/run"
	"whorl/internal/files"
)

// Main runs whorl with the arguments that follow the name of the program, and returns the exit status. The first
// interrupt from the keyboard, or another signal to end, ends a run early and in good order; the second ends whorl at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup: the run survives its terminal
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	go func() {
		<-ctx.Done()
		stop()
	}()

	broken := make(chan os.Signal, 1)
	signal.Notify(broken, command.WriteSignals...)
	defer signal.Stop(broken)

	out := &command.Output{W: stdout}
	root := newRoot()
	built, err := build.Own()
	if err != nil {
		command.Complain(stderr, err)
		return command.ExitFailed
	}
	if built != nil {
		root = run.Built(built, os.Args[0])
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	refuseUnknownTopics(root)
	err = root.ExecuteContext(ctx)
	status := command.StatusOf(err)
	if lost := out.Err(); lost != nil {
		if !errors.Is(lost, syscall.EPIPE) { // the reader, such as head, has seen enough
			fmt.Fprintln(stderr, "whorl: "+files.CannotWrite("standard output", lost).Error())
		}
		if status != command.ExitInterrupted {
			status = command.ExitFailed
		}
		if errors.Is(err, lost) {
			return status
		}
	}
	if err != nil {
		command.Complain(stderr, err)
	}
	return status
}
