package world

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"whorl/fghc/syntax"
)

// The folder, the environment and the file mode mask of a program belong to its World. They are not those of the process, which may run other
// programs.

// Getenv returns the value of an environment variable.
func (w *World) Getenv(name string) (value string, ok bool) {
	for _, entry := range slices.Backward(w.environment()) {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// environment returns the entries NAME=VALUE of the environment.
func (w *World) environment() []string {
	if !w.Files {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.env == nil {
		w.env = os.Environ()
	}
	return w.env
}

// Putenv sets a variable with NAME=VALUE, or removes it with NAME.
func (w *World) Putenv(entry string) error {
	name, _, set := strings.Cut(entry, "=")
	if !w.Files || name == "" || strings.ContainsRune(entry, 0) {
		return errors.New("not an entry of the environment")
	}
	env := slices.DeleteFunc(slices.Clone(w.environment()), func(e string) bool { return strings.HasPrefix(e, name+"=") })
	if set {
		env = append(env, entry)
	}
	w.mu.Lock()
	w.env = env
	w.mu.Unlock()
	return nil
}

// Permissions are the bits of a file mode that chmod and umask handle.
const Permissions = 0o777

// Umask returns the file mode mask and replaces it unless mask is negative.
func (w *World) Umask(mask int64) (old int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mask == nil {
		own := processMask()
		w.mask = &own
	}
	old = *w.mask
	if mask >= 0 {
		mask &= Permissions
		w.mask = &mask
	}
	return old
}

// processMask returns the mask that the process has inherited. The operating system tells it only to those who set it.
var processMask = sync.OnceValue(func() int64 {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return int64(mask & Permissions)
})

// openFile opens a file. A file that it creates has the permissions that the program's mask leaves.
func (w *World) openFile(path string, flags int) (*os.File, error) {
	mode := os.FileMode(0o666 &^ w.Umask(-1))
	if flags&os.O_CREATE == 0 {
		return os.OpenFile(path, flags, mode)
	}
	file, err := os.OpenFile(path, flags|os.O_EXCL, mode)
	switch {
	case errors.Is(err, os.ErrExist):
		return os.OpenFile(path, flags, mode)
	case err == nil:
		err = file.Chmod(mode) // the mask of the process may be stricter
	}
	return file, err
}

// Shell runs a command line with the standard output of the program.
func (w *World) Shell(line string) int64 {
	if !w.Files {
		return -1
	}
	w.Flush()
	cmd := exec.Command("sh", "-c", fmt.Sprintf("umask %03o; %s", w.Umask(-1), line))
	cmd.Stdout, cmd.Stderr, cmd.Env = w.shared(w.Stdout, Stdout), w.shared(w.Stderr, Stderr), w.environment()
	w.mu.Lock()
	cmd.Dir = w.folder
	w.mu.Unlock()
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		return int64(exit.ExitCode()) << 8
	case err != nil:
		return -1
	}
	return 0
}

// shared returns a writer to a standard file that another process and the program can use at the same time.
func (w *World) shared(to io.Writer, handle int) io.Writer {
	if f, ok := to.(*os.File); ok {
		return f
	}
	return w.File(handle).Out
}

// Temporary creates an empty file that only the user may read, with six digits after the template, and returns its name.
func (w *World) Temporary(template string) (name string, err error) {
	for n := range 1_000_000 {
		name = fmt.Sprintf("%s%06d", template, n)
		path, err := w.Path(name)
		if err != nil {
			return "", err
		}
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return name, file.Close()
		}
		if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return "", os.ErrExist
}

// Kill sends a signal to a process.
func (w *World) Kill(pid, signal int64) error {
	if !w.Files {
		return errNoFiles
	}
	return syscall.Kill(int(pid), syscall.Signal(signal))
}

// Pipe opens both ends of a pipe.
func (w *World) Pipe() (in, out *File, err error) {
	if !w.Files {
		return nil, nil, errNoFiles
	}
	r, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	in = w.reader("pipe-input", r)
	in.file = r
	return in, &File{world: w, Name: "pipe-output", Out: newOutput(w, write), file: write, Ops: syntax.Streams}, nil
}
