//go:build window && !js

package screen

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// editorVariable is the environment variable that takes precedence over VISUAL and EDITOR. Its value is a command, or an
// address that the desktop opens, with {file} and {line} for the place: vscode://file{file}:{line}.
const editorVariable = "WHORL_EDITOR"

// errNoEditor is returned if the environment names no editor.
var errNoEditor = errors.New("no editor is set: set EDITOR, or " + editorVariable + " to a command or an address such as vscode://file{file}:{line}")

// Formats of the line argument, by the editor's program name. All other editors accept +N before the file, like vi,
// emacs and nano.
var (
	colon    = []string{"subl", "sublime_text", "zed", "zeditor", "hx", "helix", "micro", "lapce"}    // file:line
	flagged  = []string{"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}          // -g file:line
	named    = []string{"idea", "goland", "pycharm", "clion", "kate", "kwrite", "geany"}              // --line N file
	terminal = []string{"vi", "vim", "nvim", "nano", "hx", "helix", "micro", "joe", "ne", "mg", "ed"} // run in a terminal
)

// editorCommand returns the program and arguments that open a line of a file, given by its absolute path. getenv is
// os.Getenv; installed reports whether a program exists.
func editorCommand(getenv func(string) string, installed func(program string) bool, file string, line int) ([]string, error) {
	n := strconv.Itoa(line)
	if way := getenv(editorVariable); strings.Contains(way, "://") {
		whole := strings.NewReplacer("{file}", (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), "{line}", n).Replace(way)
		for _, opener := range []string{"xdg-open", "open"} {
			if installed(opener) {
				return []string{opener, whole}, nil
			}
		}
		return nil, errors.New("no program opens " + whole + ": install xdg-open")
	} else if strings.Contains(way, "{file}") {
		args := strings.Fields(way)
		for i := range args {
			args[i] = strings.NewReplacer("{file}", file, "{line}", n).Replace(args[i])
		}
		return args, nil
	}
	var args []string
	for _, name := range []string{editorVariable, "VISUAL", "EDITOR"} {
		if args = strings.Fields(getenv(name)); len(args) > 0 {
			break
		}
	}
	if len(args) == 0 {
		return nil, errNoEditor
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
		if installed(t[0]) {
			return slices.Concat(t, args), nil
		}
	}
	return nil, errors.New(program + " needs a terminal, but none was found: set TERMINAL, or " + editorVariable)
}
