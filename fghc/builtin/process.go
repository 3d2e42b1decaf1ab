package builtin

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
	"whorl/fghc/term"
)

// The folder, the environment and the file mode mask of a program belong to its World. They are not those of the process, which may run other
// programs.

// getenv returns the value of an environment variable.
func (w *World) getenv(name string) (value string, ok bool) {
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

// putenv sets a variable with NAME=VALUE, or removes it with NAME.
func (w *World) putenv(entry string) error {
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

// permissions are the bits of a file mode that chmod and umask handle.
const permissions = 0o777

// umask returns the file mode mask and replaces it unless mask is negative.
func (w *World) umask(mask int64) (old int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mask == nil {
		own := processMask()
		w.mask = &own
	}
	old = *w.mask
	if mask >= 0 {
		mask &= permissions
		w.mask = &mask
	}
	return old
}

// processMask returns the mask that the process has inherited. The operating system tells it only to those who set it.
var processMask = sync.OnceValue(func() int64 {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return int64(mask & permissions)
})

// openFile opens a file. A file that it creates has the permissions that the program's mask leaves.
func (w *World) openFile(path string, flags int) (*os.File, error) {
	mode := os.FileMode(0o666 &^ w.umask(-1))
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

// system runs a command line with the standard output of the program.
func (w *World) system(line string) int64 {
	if !w.Files {
		return -1
	}
	w.Flush()
	cmd := exec.Command("sh", "-c", fmt.Sprintf("umask %03o; %s", w.umask(-1), line))
	cmd.Stdout, cmd.Stderr, cmd.Env = w.shared(w.Stdout, stdout), w.shared(w.Stderr, stderr), w.environment()
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
	return w.file(handle).out
}

// temporary creates an empty file that only the user may read, with six digits after the template, and returns its name.
func (w *World) temporary(template string) (name string, err error) {
	for n := range 1_000_000 {
		name = fmt.Sprintf("%s%06d", template, n)
		path, err := w.path(name)
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

// kill sends a signal to a process.
func (w *World) kill(pid, signal int64) error {
	if !w.Files {
		return errNoFiles
	}
	return syscall.Kill(int(pid), syscall.Signal(signal))
}

// pipe opens both ends of a pipe.
func (w *World) pipe() (in, out *File, err error) {
	if !w.Files {
		return nil, nil, errNoFiles
	}
	r, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	in = &File{world: w, name: "pipe-input", in: NewInput(r), file: r, ops: syntax.Streams}
	in.in.slow = true
	return in, &File{world: w, name: "pipe-output", out: newOutput(w, write), file: write, ops: syntax.Streams}, nil
}

// mktemp has the arguments (template, name).
func mktemp(s *service, a []term.Word) Verdict {
	template, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "mktemp", "the beginning of a file name, a string")
	}
	name, err := s.World().temporary(string(template))
	if err != nil {
		return s.answerInt(a[1], -1)
	}
	return s.answer(a[1], NewString(s, name))
}

// chmod has the arguments (name, mode, status).
func chmod(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "chmod", "the name of a file, a string")
	}
	mode := a[1]
	if mode.Tag() != term.Int || mode.Value() < 0 || mode.Value() > permissions {
		return s.bad(mode, "chmod", "a mode from 0 to 8'777")
	}
	path, err := s.World().path(string(name))
	if err == nil {
		err = os.Chmod(path, os.FileMode(mode.Value()))
	}
	return s.answerStatus(a[2], err)
}

// umask has the arguments (old mask) or (old mask, new mask).
func umask(s *service, a []term.Word) Verdict {
	mask := int64(-1)
	if len(a) == 2 {
		if a[1].Tag() != term.Int || a[1].Value() < 0 || a[1].Value() > permissions {
			return s.bad(a[1], "umask", "a mask from 0 to 8'777")
		}
		mask = a[1].Value()
	}
	return s.answerInt(a[0], s.World().umask(mask))
}

// getenv has the arguments (name, value). The value is 0 for an unset variable.
func getenv(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "getenv", "the name of a variable, a string")
	}
	if value, ok := s.World().getenv(string(name)); ok {
		return s.answer(a[1], NewString(s, value))
	}
	return s.answerInt(a[1], 0)
}

// putenv has the arguments (entry, status).
func putenv(s *service, a []term.Word) Verdict {
	entry, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "putenv", `a string such as "NAME=value"`)
	}
	return s.answerStatus(a[1], s.World().putenv(string(entry)))
}

// system has the arguments (command line, status as of wait(2)).
func system(s *service, a []term.Word) Verdict {
	line, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "system", "a command line, a string")
	}
	return s.answerInt(a[1], s.World().system(string(line)))
}

// kill has the arguments (process, signal, status).
func kill(s *service, a []term.Word) Verdict {
	for k, want := range []string{"the number of a process", "the number of a signal"} {
		if a[k].Tag() != term.Int {
			return s.bad(a[k], "kill", want)
		}
	}
	return s.answerStatus(a[2], s.World().kill(a[0].Value(), a[1].Value()))
}

// pipe has the argument (normal(stream to read, stream to write)).
func pipe(s *service, a []term.Word) Verdict {
	return s.openAll(a[0], 2, func() ([]int, error) {
		in, out, err := s.World().pipe()
		if err != nil {
			return nil, err
		}
		return []int{s.World().register(in), s.World().register(out)}, nil
	})
}

// fork reports an error, because the operating system can duplicate only the thread that calls it.
func fork(s *service, _ []term.Word) Verdict {
	return s.Fault(-1, "a program that runs on threads cannot be duplicated; use system to run another program")
}
