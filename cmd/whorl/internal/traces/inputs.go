package traces

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/fetch"
	"whorl/internal/figures"
	"whorl/internal/files"
)

// inputs are the files of a command's arguments. What a server sends, pipes and the standard input (-), which can be read only once, are copied into a
// temporary folder.
type inputs struct {
	cmd    *cobra.Command
	paths  []string
	copied map[string]string // the arguments of copies, by path
	dir    string            // the temporary folder, "" for none
}

// gather returns the files of arguments. The caller removes them.
func gather(cmd *cobra.Command, args []string) (*inputs, error) {
	in := &inputs{cmd: cmd, paths: slices.Clone(args), copied: map[string]string{}}
	for i, arg := range args {
		path, err := in.file(arg)
		if err != nil {
			in.remove()
			return nil, command.Interrupted(cmd, err)
		}
		if path != arg {
			in.paths[i], in.copied[path] = path, arg
		}
	}
	return in, nil
}

// file returns the file of an argument: a copy, or the argument itself.
func (in *inputs) file(arg string) (string, error) {
	switch {
	case fetch.Is(arg):
		dir, err := in.folder()
		if err != nil {
			return "", err
		}
		path, lacks, err := fetch.File(in.cmd.Context(), dir, arg)
		if lacks != nil {
			fmt.Fprintf(in.cmd.ErrOrStderr(), "whorl: %v; what it has sent until then is shown\n", lacks)
		}
		return path, err
	case arg == "-":
		return in.copy("standard input", os.Stdin)
	}
	info, err := os.Stat(arg)
	if err != nil {
		return arg, fetch.Refused(arg)
	}
	if info.Mode().IsRegular() || info.IsDir() {
		return arg, nil
	} else if info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return "", files.CheckRegular(arg)
	}
	f, err := os.Open(arg)
	if err != nil {
		return "", files.OpenError(arg, err)
	}
	defer f.Close()
	return in.copy(arg, f)
}

// copy copies what can be read only once.
func (in *inputs) copy(name string, r io.Reader) (string, error) {
	dir, err := in.folder()
	if err != nil {
		return "", err
	}
	dir, err = os.MkdirTemp(dir, "copied")
	if err != nil {
		return "", err
	}
	out, err := os.Create(filepath.Join(dir, strings.ReplaceAll(filepath.Base(name), " ", "-")))
	if err != nil {
		return "", err
	}
	defer out.Close()
	n, err := io.Copy(out, io.LimitReader(r, fetch.Most+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if n > fetch.Most {
		return "", fmt.Errorf("%s: longer than %s, the most that is read", name, figures.Size(fetch.Most))
	}
	return out.Name(), out.Close()
}

// folder returns the temporary folder. It is also removed when the command is interrupted.
func (in *inputs) folder() (string, error) {
	if in.dir != "" {
		return in.dir, nil
	}
	dir, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return "", err
	}
	in.dir = dir
	context.AfterFunc(in.cmd.Context(), func() { os.RemoveAll(dir) })
	return dir, nil
}

// remove removes the copies. Open ones stay readable.
func (in *inputs) remove() {
	if in.dir != "" {
		os.RemoveAll(in.dir)
	}
}

// name returns the argument of a path.
func (in *inputs) name(path string) string {
	if arg, ok := in.copied[path]; ok {
		if arg == "-" {
			return "standard input"
		}
		return arg
	}
	return path
}

// fault returns an error in which copies have the names of their arguments.
func (in *inputs) fault(err error) error {
	if err == nil || !slices.ContainsFunc(in.paths, func(path string) bool { return in.copied[path] != "" && strings.Contains(err.Error(), path) }) {
		return err
	}
	return &copyError{in, err}
}

type copyError struct {
	in  *inputs
	err error
}

func (e *copyError) Error() string {
	text := e.err.Error()
	for _, path := range e.in.paths {
		text = strings.ReplaceAll(text, path, e.in.name(path))
	}
	return text
}

func (e *copyError) Unwrap() error { return e.err }
