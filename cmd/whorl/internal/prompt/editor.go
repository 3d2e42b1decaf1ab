package prompt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/repl"
	"whorl/internal/figures"
)

// A lineReader reads the lines of a session.
type lineReader interface {
	read(prompt string) (string, error) // io.EOF is the end, errDropped a line that the user dropped
	edited() bool                       // at a terminal
	close()
}

var errDropped = errors.New("the line was dropped")

// newLines reads from the terminal if both input and output are terminals, else from standard input.
func newLines(cmd *cobra.Command, session *repl.Session) lineReader {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	if in != io.Reader(os.Stdin) || !command.OnTerminal(os.Stdin) || !command.OnTerminal(out) {
		return plainLines{bufio.NewReader(in)}
	}
	fmt.Fprintln(out, "Goals of FGHC; :help lists the commands, Ctrl-D leaves.")
	e := &editor{history: historyFile()}
	e.cooked, _ = liner.TerminalMode()
	e.state = liner.NewLiner()
	e.raw, _ = liner.TerminalMode()
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetWordCompleter(session.Complete)
	if f, err := os.Open(e.history); err == nil {
		_, _ = e.state.ReadHistory(f) // a session without its history is no failure
		f.Close()
	}
	apply(e.cooked)
	return e
}

// plainLines are lines without an editor.
type plainLines struct{ r *bufio.Reader }

// maxLine is the length of the longest line, in bytes.
const maxLine = 16 << 20

func (p plainLines) read(string) (string, error) {
	var line []byte
	for {
		part, err := p.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return "", errors.New("a line of standard input is longer than " + figures.Size(maxLine))
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && len(line) == 0:
			return "", err
		default:
			return strings.TrimRight(string(line), "\r\n"), nil
		}
	}
}

func (plainLines) edited() bool { return false }
func (plainLines) close()       {}

// An editor edits lines on the terminal and remembers them. While a goal runs, the terminal is in its original mode.
type editor struct {
	state       *liner.State
	cooked, raw liner.ModeApplier
	history     string // file; "" for none
}

func apply(mode liner.ModeApplier) {
	if mode != nil {
		_ = mode.ApplyMode() // the next line fails on a terminal that is gone
	}
}

func (e *editor) read(prompt string) (string, error) {
	apply(e.raw)
	defer apply(e.cooked)
	line, err := e.state.Prompt(prompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", errDropped
	case errors.Is(err, io.EOF):
		fmt.Println()
	}
	if err == nil && prompt != inputPrompt && strings.TrimSpace(line) != "" && len(line) < maxRemembered {
		e.state.AppendHistory(line)
	}
	return line, err
}

// maxRemembered is the length in bytes of the longest line that package liner reads back from a history file.
const maxRemembered = 4096

func (e *editor) edited() bool { return true }

// close saves the history if it can and restores the terminal.
func (e *editor) close() {
	defer e.state.Close()
	if e.history == "" || os.MkdirAll(filepath.Dir(e.history), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(e.history), ".history-*")
	if err != nil {
		return
	}
	_, err = e.state.WriteHistory(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), e.history)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// historyFile returns the path of the history, "" for none.
func historyFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // the XDG specification ignores relative paths
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "whorl", "history")
}
