// Package files reads and writes the files that users name. Its errors are one line with the file and the cause.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// IsRegular reports whether path is a regular file.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// CheckRegular returns an error unless path is a regular file, which can be read more than once.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return OpenError(path, err)
	}
	kind := "something else"
	switch m := info.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	}
	return errors.New(path + ": " + kind + ", not a file")
}

// ReadText reads a file of at most limit bytes.
func ReadText(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", OpenError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return "", OpenError(path, err)
	}
	if int64(len(text)) > limit {
		return "", fmt.Errorf("%s: longer than %s, the limit for such files", path, figures.Size(limit))
	}
	return string(text), nil
}

// An openError reports a file that could not be opened or read.
type openError struct {
	text string
	err  error
}

func (e *openError) Error() string { return e.text }
func (e *openError) Unwrap() error { return e.err }

// OpenError returns the error for a file that could not be opened or read because of err. If the file does not exist, it suggests files of the
// same folder with similar names.
func OpenError(path string, err error) error {
	text := path + ": " + reason(err)
	if errors.Is(err, fs.ErrNotExist) {
		text = path + ": no such file"
		if near := similar(path); len(near) > 0 {
			text += "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return &openError{text, err}
}

// similar returns the files in the folder of path whose names are near its own.
func similar(path string) []string {
	const most = 1000
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(most)
	if err != nil {
		return nil
	}
	// A common extension does not count as similarity.
	ext := filepath.Ext(path)
	var stems []string
	for _, n := range names {
		if filepath.Ext(n) == ext {
			stems = append(stems, strings.TrimSuffix(n, ext))
		}
	}
	near := nearest.Names(strings.TrimSuffix(filepath.Base(path), ext), stems)
	if len(near) == 0 {
		near, ext = nearest.Names(filepath.Base(path), names), ""
	}
	for i, n := range near {
		near[i] = filepath.Join(filepath.Dir(path), n+ext)
	}
	return near
}

// An OutputError reports that valid output could not be written completely, for example because the disk is full.
type OutputError struct{ text string }

func (e *OutputError) Error() string { return e.text }

// CannotBegin returns the error for a file that could not be created or opened for writing: an *OutputError if the disk is full.
func CannotBegin(path string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return CannotFinish(path, err)
	}
	return errors.New(notWritten(path, err))
}

// CannotFinish returns the *OutputError for a file that could not be completed.
func CannotFinish(path string, err error) error { return &OutputError{notWritten(path, err)} }

func notWritten(path string, err error) string { return "cannot write " + path + ": " + reason(err) }

// reason returns the text of a system error without its operation and path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err.Error()
	}
	return err.Error()
}
