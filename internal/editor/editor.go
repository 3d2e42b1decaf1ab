// Package editor says how a user's editor is started at a line of a file.
package editor

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Variable is the environment's variable that says how a line is opened, before VISUAL and EDITOR: a command, or an address that the desktop
// opens, with {file} and {line} for the place: vscode://file{file}:{line}.
const Variable = "WHORL_EDITOR"

// ErrNone is the error where no editor is named.
var ErrNone = errors.New("no editor is known: set EDITOR, or " + Variable + " to a command or an address such as vscode://file{file}:{line}")

// How editors take a line, by the names of their programs; all others take +N before the file, as vi, emacs and nano do.
var (
	colon    = []string{"subl", "sublime_text", "zed", "zeditor", "hx", "helix", "micro", "lapce"}    // file:line
	flagged  = []string{"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}          // -g file:line
	named    = []string{"idea", "goland", "pycharm", "clion", "kate", "kwrite", "geany"}              // --line N file
	terminal = []string{"vi", "vim", "nvim", "nano", "hx", "helix", "micro", "joe", "ne", "mg", "ed"} // they need one
)

// Command is the program with its arguments that opens a line of a file, which has its whole path. getenv is os.Getenv, and has says whether
// there is a program of that name.
func Command(getenv func(string) string, has func(program string) bool, file string, line int) ([]string, error) {
	n := strconv.Itoa(line)
	if way := getenv(Variable); strings.Contains(way, "://") {
		whole := strings.NewReplacer("{file}", (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), "{line}", n).Replace(way)
		for _, opener := range []string{"xdg-open", "open"} {
			if has(opener) {
				return []string{opener, whole}, nil
			}
		}
		return nil, errors.New("nothing here opens " + whole + " (xdg-open)")
	} else if strings.Contains(way, "{file}") {
		args := strings.Fields(way)
		for i := range args {
			args[i] = strings.NewReplacer("{file}", file, "{line}", n).Replace(args[i])
		}
		return args, nil
	}
	var args []string
	for _, name := range []string{Variable, "VISUAL", "EDITOR"} {
		if args = strings.Fields(getenv(name)); len(args) > 0 {
			break
		}
	}
	if len(args) == 0 {
		return nil, ErrNone
	}
	program := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	switch {
	case slices.Contains(colon, program):
		args = append(args, file+":"+n)
	case slices.Contains(flagged, program):
		args = append(args, "-g", file+":"+n)
	case slices.Contains(named, program):
		args = append(args, "--line", n, file)
	default:
		args = append(args, "+"+n, file)
	}
	if !slices.Contains(terminal, program) && !(program == "emacs" && slices.Contains(args, "-nw")) {
		return args, nil
	}
	if t := strings.Fields(getenv("TERMINAL")); len(t) > 0 {
		return slices.Concat(t, []string{"-e"}, args), nil
	}
	for _, t := range [][]string{{"x-terminal-emulator", "-e"}, {"gnome-terminal", "--"}, {"konsole", "-e"}, {"xterm", "-e"}} {
		if has(t[0]) {
			return slices.Concat(t, args), nil
		}
	}
	return nil, errors.New(program + " needs a terminal, and none is found: set TERMINAL, or " + Variable)
}
