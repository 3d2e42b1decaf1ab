package cli

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

	"whorl/cmd/whorl/internal/repl"
	"whorl/experiment"
	"whorl/internal/files"
)

func newRepl() *cobra.Command {
	r := experiment.Defaults("")
	cmd := &cobra.Command{
		Use:   "repl [FILE...]",
		Short: "Run goals at a prompt",
		Long: `Read source files, then goals, one to a line, and run each of them as whorl run does: its answer, or why it fails, and the next one.

A line with a :- adds clauses to the program, and so does a fact with a full stop, of a procedure that no file has; any other line is a goal.
:load FILE adds a file, :reload reads all files again, :pes, :policy and :mode say how goals run, :trace on shows each step, :stats tells the
numbers of the last run, and :help knows the rest.

Ctrl-C ends a goal that takes too long, and the session goes on; pressed again, if that does not help, it ends whorl. Tab completes
procedures, builtins, files and commands. The history is kept in $XDG_STATE_HOME/whorl, or ~/.local/state/whorl. Without a terminal lines
are read from standard input, and there is no prompt.`,
		Example: "  whorl repl sort.fghc\n  echo 'qsort([2,1],X)' | whorl repl sort.fghc --mode live",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := describe(cmd, &r, nil); err != nil {
				return err
			}
			session, err := repl.New(r)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				var shown string
				err := await(cmd.Context(), func(*files.Writer) (err error) {
					shown, err = session.Load(args)
					return err
				})
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.ErrOrStderr(), harmless(shown))
			}
			return converse(cmd, session)
		},
	}
	cmd.Flags().SortFlags = false
	modeFlag(cmd, &r)
	machineFlags(cmd, &r)
	return cmd
}

// What stands before a line that is wanted.
const (
	goalPrompt  = "?- "
	morePrompt  = "|  " // of the same goal or clause
	inputPrompt = "|: " // for a goal that reads the standard input
)

// A conversation is a session with whom it is held.
type conversation struct {
	cmd        *cobra.Command
	session    *repl.Session
	lines      lineReader
	interrupts chan os.Signal
	ends       chan os.Signal

	mu   sync.Mutex
	next chan entered // the line that is being read, nil for none
}

// An entered line is one that has come.
type entered struct {
	line string
	err  error
}

var errInterrupted = &statusError{exitInterrupted, errors.New("interrupted")}

// converse holds a session to its end. Signals are its own: an interrupt is for the goal in hand.
func converse(cmd *cobra.Command, session *repl.Session) error {
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
		if err := c.answer(text); errors.Is(err, repl.ErrQuit) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// read reads what is entered, over several lines where it is not whole; an empty line ends that.
func (c *conversation) read() (string, error) {
	text, err := c.line(goalPrompt)
	for err == nil && !repl.Whole(text) {
		var more string
		if more, err = c.line(morePrompt); errors.Is(err, io.EOF) {
			return text, nil // and the end comes again
		}
		if strings.TrimSpace(more) == "" {
			break
		}
		text += "\n" + more
	}
	return text, err
}

// line reads a line, which a signal may come before.
func (c *conversation) line(prompt string) (string, error) {
	got := c.ask(prompt)
	for {
		select {
		case r := <-got:
			c.taken()
			return r.line, r.err
		case <-c.ends:
			return "", errInterrupted
		case <-c.interrupts:
			if !c.lines.edited() { // a terminal has dropped the line, and nobody else will go on
				return "", errInterrupted
			}
		}
	}
}

// ask begins to read a line, unless one is being read for a goal that has not waited for it.
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

// taken says that the line has come to whom it is for.
func (c *conversation) taken() {
	c.mu.Lock()
	c.next = nil
	c.mu.Unlock()
}

// An input is the standard input of a goal: the lines that would be entered next.
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
			in.c.taken()
			switch {
			case errors.Is(r.err, errDropped): // Ctrl-C, at a terminal that hands it on as a character
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

// impatience is how long after one interrupt another one ends a session that does not come back.
const impatience = time.Second

// answer does what was entered and shows what came of it. An error ends the session.
func (c *conversation) answer(text string) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.cmd.Context()))
	defer cancel()
	progress := newProgress(c.cmd.ErrOrStderr())
	c.session.World = world(c.cmd)
	c.session.World.Stdin = &input{c: c, ctx: ctx}
	c.session.World.Stdout, c.session.World.Stderr = progress.before(c.session.World.Stdout), progress.before(c.session.World.Stderr)
	var shown string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		shown, err = c.session.Eval(ctx, text, progress.report)
	}()
	var interrupted time.Time
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-c.ends:
			return errInterrupted
		case <-c.interrupts:
			if ctx.Err() != nil && time.Since(interrupted) > impatience {
				return errInterrupted
			}
			if ctx.Err() == nil {
				interrupted = time.Now()
			}
			cancel()
		}
	}
	progress.done()
	if errors.Is(err, repl.ErrQuit) {
		return err
	}
	if shown != "" {
		if _, err := fmt.Fprintln(c.cmd.OutOrStdout(), harmless(shown)); err != nil {
			return err
		}
	}
	if err != nil {
		complain(c.cmd.ErrOrStderr(), err)
	}
	return nil
}
