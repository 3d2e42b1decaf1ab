// Package prompt is the dialogue of whorl repl: it reads lines from a terminal or from standard input, hands them to a session of package
// repl, and shows the results.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/repl"
	"whorl/experiment"
)

// The prompts.
const (
	goalPrompt  = "?- "
	morePrompt  = "|  " // for the next line of the same goal or clause
	inputPrompt = "|: " // for a goal that reads the standard input
)

// A conversation is a session and its user.
type conversation struct {
	cmd        *cobra.Command
	session    *repl.Session
	lines      lineReader
	interrupts chan os.Signal
	ends       chan os.Signal

	mu   sync.Mutex
	next chan entered // the line that is being read, nil for none
}

// An entered line, or the error of reading it.
type entered struct {
	line string
	err  error
}

// Converse reads and evaluates lines until the end. Goals reach world, with the lines of the user as their standard input. An interrupt ends
// the current goal.
func Converse(cmd *cobra.Command, session *repl.Session, world experiment.World) error {
	c := &conversation{cmd: cmd, session: session, interrupts: make(chan os.Signal, 1), ends: make(chan os.Signal, 1)}
	signal.Notify(c.interrupts, os.Interrupt)
	defer signal.Stop(c.interrupts)
	signal.Notify(c.ends, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(c.ends)
	c.lines = newLines(cmd, session)
	defer c.lines.close()
	for {
		text, err := c.read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errDropped):
			continue
		case err != nil:
			return err
		}
		if err := c.answer(text, world); errors.Is(err, repl.ErrQuit) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// read reads a clause, a goal or a command. An incomplete text continues on the next line, until an empty line ends it.
func (c *conversation) read() (string, error) {
	text, err := c.line(goalPrompt)
	for err == nil && !repl.Whole(text) {
		var more string
		if more, err = c.line(morePrompt); errors.Is(err, io.EOF) {
			return text, nil // the next read returns io.EOF again
		}
		if strings.TrimSpace(more) == "" {
			break
		}
		text += "\n" + more
	}
	return text, err
}

// line reads a line, unless a signal comes first.
func (c *conversation) line(prompt string) (string, error) {
	got := c.ask(prompt)
	for {
		select {
		case r := <-got:
			c.received()
			return r.line, r.err
		case <-c.ends:
			return "", command.ErrInterrupted
		case <-c.interrupts:
			if !c.lines.edited() { // a terminal drops the line itself
				return "", command.ErrInterrupted
			}
		}
	}
}

// ask begins to read a line, unless a goal ended before it received the line that is being read.
func (c *conversation) ask(prompt string) <-chan entered {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		got := make(chan entered, 1)
		c.next = got
		go func() {
			line, err := c.lines.read(prompt)
			got <- entered{line, err}
		}()
	}
	return c.next
}

// received forgets the line of ask, which the caller has received.
func (c *conversation) received() {
	c.mu.Lock()
	c.next = nil
	c.mu.Unlock()
}

// An input is the standard input of a goal: the next lines of the user.
type input struct {
	c    *conversation
	ctx  context.Context
	rest string
	end  bool
}

func (in *input) Read(b []byte) (int, error) {
	if in.rest == "" && !in.end {
		select {
		case r := <-in.c.ask(inputPrompt):
			in.c.received()
			switch {
			case errors.Is(r.err, errDropped): // Ctrl-C, which an edited line receives as a character
				in.end = true
				select {
				case in.c.interrupts <- os.Interrupt:
				default:
				}
				<-in.ctx.Done()
			case r.err != nil:
				in.end = true
			default:
				in.rest = r.line + "\n"
			}
		case <-in.ctx.Done():
			in.end = true
		}
	}
	if in.end {
		return 0, io.EOF
	}
	n := copy(b, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// impatience is the time that a goal has to respond to an interrupt; after it another interrupt ends the session.
const impatience = time.Second

// answer evaluates a text and shows the result. An error ends the session.
func (c *conversation) answer(text string, world experiment.World) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.cmd.Context()))
	defer cancel()
	progress := command.NewProgress(ctx, c.cmd.ErrOrStderr())
	defer progress.Done()
	world.Stdin = &input{c: c, ctx: ctx}
	c.session.World = world
	var shown string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer progress.Done()
		shown, err = c.session.Eval(ctx, text, progress.Report)
	}()
	var interrupted time.Time
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-c.ends:
			return command.ErrInterrupted
		case <-c.interrupts:
			if ctx.Err() != nil && time.Since(interrupted) > impatience {
				return command.ErrInterrupted
			}
			if ctx.Err() == nil {
				interrupted = time.Now()
			}
			cancel()
		}
	}
	if errors.Is(err, repl.ErrQuit) {
		return err
	}
	if shown != "" {
		if _, err := fmt.Fprintln(c.cmd.OutOrStdout(), command.Printable(shown)); err != nil {
			return err
		}
	}
	if err != nil {
		command.Complain(c.cmd.ErrOrStderr(), err)
	}
	return nil
}
