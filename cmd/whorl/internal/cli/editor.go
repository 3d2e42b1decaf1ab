package cli

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

	"whorl/cmd/whorl/internal/repl"
)

// A lineReader is where the lines of a session come from.
type lineReader interface {
	read(prompt string) (string, error) // io.EOF is the end, errDropped a line that is none
	edited() bool                       // at a terminal
	close()
}

var errDropped = errors.New("the line was dropped")

// newLines reads from the terminal where there is one on both sides, else from standard input.
func newLines(cmd *cobra.Command, session *repl.Session) lineReader {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	if in != io.Reader(os.Stdin) || !onTerminal(os.Stdin) || !onTerminal(out) {
		return plainLines{bufio.NewReader(in)}
	}
	fmt.Fprintln(out, "Goals of FGHC; :help tells more, Ctrl-D leaves.")
	e := &editor{history: historyFile()}
	e.cooked, _ = liner.TerminalMode()
	e.state = liner.NewLiner()
	e.raw, _ = liner.TerminalMode()
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetWordCompleter(session.Complete)
	if f, err := os.Open(e.history); err == nil {
		_, _ = e.state.ReadHistory(f) // what cannot be read is no loss
		f.Close()
	}
	apply(e.cooked)
	return e
}

// plainLines are lines that nobody edits.
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
			return "", fmt.Errorf("a line of standard input is longer than %d bytes", maxLine)
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

// An editor edits lines on the terminal and remembers them. While a goal runs the terminal is as it was before.
type editor struct {
	state       *liner.State
	cooked, raw liner.ModeApplier
	history     string // file; "" for none
}

func apply(mode liner.ModeApplier) {
	if mode != nil {
		_ = mode.ApplyMode() // a terminal that is gone says so at the next line
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

// maxRemembered is the length of the longest line, in bytes, that the history can be read back with.
const maxRemembered = 4096

func (e *editor) edited() bool { return true }

// close keeps the history, where that can be done, and leaves the terminal as it was.
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

// historyFile is where the lines of earlier sessions are, "" for nowhere.
func historyFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // as its specification wants
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "whorl", "history")
}
